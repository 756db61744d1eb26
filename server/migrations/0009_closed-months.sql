CREATE TABLE "truck_cost_centers" (
	"company_id" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"until_day" date NOT NULL,
	"cost_center_id" bigint,
	CONSTRAINT "truck_cost_centers_company_id_truck_id_until_day_pk" PRIMARY KEY("company_id","truck_id","until_day")
);
--> statement-breakpoint
ALTER TABLE "truck_cost_centers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "closed_figures" (
	"company_id" bigint NOT NULL,
	"month" text NOT NULL,
	"figure" text NOT NULL,
	"of" bigint NOT NULL,
	"amount" numeric(18, 0) NOT NULL,
	CONSTRAINT "closed_figures_company_id_month_figure_of_pk" PRIMARY KEY("company_id","month","figure","of")
);
--> statement-breakpoint
ALTER TABLE "closed_figures" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "supply_filings" (
	"company_id" bigint NOT NULL,
	"supply_id" bigint NOT NULL,
	"until_at" timestamp(3) with time zone NOT NULL,
	"category_id" bigint,
	CONSTRAINT "supply_filings_company_id_supply_id_until_at_pk" PRIMARY KEY("company_id","supply_id","until_at")
);
--> statement-breakpoint
ALTER TABLE "supply_filings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "work_order_services_by_day";--> statement-breakpoint
ALTER TABLE "truck_readings" ADD COLUMN "closed_as" boolean;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "voided_on" date;--> statement-breakpoint
ALTER TABLE "work_order_services" ADD COLUMN "day" date;--> statement-breakpoint
-- What was counted on a day stays on it: the invoice's, or that of the line.
UPDATE "work_order_services" l SET "day" = coalesce(
  (SELECT i."date" FROM "invoices" i WHERE i."company_id" = l."company_id" AND i."work_order_id" = l."work_order_id"
    AND i."provider_id" = l."provider_id"), (l."created_at" AT TIME ZONE c."time_zone")::date)
FROM "companies" c WHERE c."id" = l."company_id";--> statement-breakpoint
ALTER TABLE "work_order_services" ALTER COLUMN "day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "truck_cost_centers" ADD CONSTRAINT "truck_cost_centers_truck" FOREIGN KEY ("company_id","truck_id") REFERENCES "public"."trucks"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "truck_cost_centers" ADD CONSTRAINT "truck_cost_centers_center" FOREIGN KEY ("company_id","cost_center_id") REFERENCES "public"."cost_centers"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "supply_filings" ADD CONSTRAINT "supply_filings_supply" FOREIGN KEY ("company_id","supply_id") REFERENCES "public"."supplies"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "supply_filings" ADD CONSTRAINT "supply_filings_category" FOREIGN KEY ("company_id","category_id") REFERENCES "public"."categories"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "work_order_services_by_day" ON "work_order_services" USING btree ("company_id","day","work_order_id","provider_id","amount");--> statement-breakpoint
CREATE POLICY "company_fence" ON "truck_cost_centers" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "company_fence" ON "closed_figures" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "company_fence" ON "supply_filings" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);