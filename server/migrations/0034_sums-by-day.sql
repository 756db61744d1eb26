CREATE TABLE "expense_day_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"work_order_id" bigint NOT NULL,
	"day" date NOT NULL,
	"workshop_id" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"supplies" numeric(18, 0) NOT NULL,
	"services" numeric(18, 0) NOT NULL,
	"labour" numeric(18, 0) NOT NULL,
	"count" numeric(20, 4) NOT NULL,
	"lines" integer NOT NULL,
	"service_lines" integer NOT NULL,
	"service_units" numeric(20, 4) NOT NULL,
	CONSTRAINT "expense_day_sums_company_id_version_work_order_id_day_pk" PRIMARY KEY("company_id","version","work_order_id","day")
);
--> statement-breakpoint
ALTER TABLE "expense_day_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "expense_truck_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"orders" integer NOT NULL,
	"takers" integer NOT NULL,
	"supplies" numeric(18, 0) NOT NULL,
	"services" numeric(18, 0) NOT NULL,
	"count" numeric(20, 4) NOT NULL,
	"lines" integer NOT NULL,
	"service_lines" integer NOT NULL,
	"service_units" numeric(20, 4) NOT NULL,
	CONSTRAINT "expense_truck_sums_company_id_version_truck_id_workshop_id_pk" PRIMARY KEY("company_id","version","truck_id","workshop_id")
);
--> statement-breakpoint
ALTER TABLE "expense_truck_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_months" ADD COLUMN "detailed" bigint;--> statement-breakpoint
ALTER TABLE "expense_order_sums" ADD COLUMN "several" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "expense_sums" ADD COLUMN "count" numeric(20, 4) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "expense_changes" ADD COLUMN "work_order_id" bigint;--> statement-breakpoint
CREATE INDEX "expense_order_sums_of_order" ON "expense_order_sums" USING btree ("company_id","work_order_id");--> statement-breakpoint
CREATE INDEX "expense_order_sums_of_truck" ON "expense_order_sums" USING btree ("company_id","truck_id","version");--> statement-breakpoint
CREATE INDEX "expense_order_sums_several" ON "expense_order_sums" USING btree ("company_id","version") WHERE several;--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_day_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_truck_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);