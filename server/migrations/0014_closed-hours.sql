CREATE TABLE "closed_hours" (
	"company_id" bigint NOT NULL,
	"month" text NOT NULL,
	"truck_id" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"timed" double precision NOT NULL,
	"parts" double precision NOT NULL,
	"noted" double precision NOT NULL,
	CONSTRAINT "closed_hours_company_id_month_truck_id_workshop_id_pk" PRIMARY KEY("company_id","month","truck_id","workshop_id")
);
--> statement-breakpoint
ALTER TABLE "closed_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "work_order_costs" ALTER COLUMN "supplies_cost" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "work_order_costs" ALTER COLUMN "services_cost" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "trucks" ADD COLUMN "away" "tstzmultirange" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "work_order_costs" ADD COLUMN "created_at" timestamp(3) with time zone;--> statement-breakpoint
UPDATE "work_order_costs" c SET "created_at" = o."created_at" FROM "work_orders" o
WHERE o."company_id" = c."company_id" AND o."id" = c."id";--> statement-breakpoint
ALTER TABLE "work_order_costs" ALTER COLUMN "created_at" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "work_order_costs_created" ON "work_order_costs" USING btree ("company_id","created_at");--> statement-breakpoint
CREATE POLICY "company_fence" ON "closed_hours" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);