DROP INDEX "work_order_services_by_day";--> statement-breakpoint
DROP INDEX "work_order_supplies_by_day";--> statement-breakpoint
CREATE INDEX "transactions_by_day" ON "transactions" USING btree ("company_id","date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_day" ON "invoices" USING btree ("company_id","date","work_order_id","provider_id");--> statement-breakpoint
CREATE INDEX "work_orders_departure" ON "work_orders" USING btree ("company_id","workshop_departure_at","workshop_entry_at","truck_id");--> statement-breakpoint
CREATE INDEX "work_order_services_by_day" ON "work_order_services" USING btree ("company_id","created_at","work_order_id","provider_id","amount");--> statement-breakpoint
CREATE INDEX "work_order_supplies_by_day" ON "work_order_supplies" USING btree ("company_id","created_at","work_order_id","supply_id","amount","count");