DROP INDEX "work_order_supplies_by_day";--> statement-breakpoint
CREATE INDEX "work_order_supplies_by_day" ON "work_order_supplies" USING btree ("company_id","created_at");--> statement-breakpoint
-- Room for the next version of a row beside it, so that a new cost touches no index.
ALTER TABLE "work_order_supplies" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "work_order_costs" SET (fillfactor = 70);
