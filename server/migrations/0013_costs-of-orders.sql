CREATE TABLE "work_order_costs" (
	"company_id" bigint NOT NULL,
	"id" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"supplies_cost" numeric(15, 0) NOT NULL,
	"services_cost" numeric(15, 0) NOT NULL,
	CONSTRAINT "work_order_costs_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "work_order_costs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "work_orders_costs";--> statement-breakpoint
ALTER TABLE "work_order_costs" ADD CONSTRAINT "work_order_costs_order" FOREIGN KEY ("company_id","id") REFERENCES "public"."work_orders"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "work_order_costs" ("company_id", "id", "workshop_id", "truck_id", "supplies_cost", "services_cost")
  SELECT "company_id", "id", "workshop_id", "truck_id", "supplies_cost", "services_cost" FROM "work_orders";--> statement-breakpoint
DROP VIEW searched_work_orders;--> statement-breakpoint
ALTER TABLE "work_orders" DROP COLUMN "supplies_cost";--> statement-breakpoint
ALTER TABLE "work_orders" DROP COLUMN "services_cost";--> statement-breakpoint
-- As it was, without the costs.
CREATE VIEW searched_work_orders AS
  SELECT company_id, id, workshop_id, number, status, position, truck_id, coupled_id, planned, box_id,
    applicant_driver_id, responsible_specialist_id, delivered_to_driver_id, kilometer, place, type_maintenance_id,
    priority, workshop_entry_at, workshop_departure_at, search, created_at
  FROM work_orders
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
REVOKE ALL ON searched_work_orders FROM public;--> statement-breakpoint
REVOKE ALL ON searched_work_orders FROM maestranza_app;--> statement-breakpoint
GRANT SELECT ON searched_work_orders TO maestranza_app;--> statement-breakpoint
CREATE POLICY "company_fence" ON "work_order_costs" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);