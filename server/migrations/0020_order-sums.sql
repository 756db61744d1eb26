CREATE TABLE "expense_order_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"work_order_id" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"supplies" numeric(18, 0) NOT NULL,
	"services" numeric(18, 0) NOT NULL,
	"count" numeric(20, 4) NOT NULL,
	CONSTRAINT "expense_order_sums_company_id_version_work_order_id_pk" PRIMARY KEY("company_id","version","work_order_id")
);
--> statement-breakpoint
ALTER TABLE "expense_order_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_sums" ADD COLUMN "lines" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "work_orders_costs" ON "work_orders" USING btree ("company_id","workshop_id","id","truck_id","supplies_cost","services_cost");--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_order_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);