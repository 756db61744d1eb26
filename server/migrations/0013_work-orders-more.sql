CREATE INDEX "work_orders_estimated" ON "work_orders" USING btree ("company_id","date_estimed");--> statement-breakpoint
CREATE INDEX "work_orders_entry" ON "work_orders" USING btree ("company_id","workshop_entry_at");--> statement-breakpoint
CREATE INDEX "work_orders_of_coupled" ON "work_orders" USING btree ("company_id","coupled_id","number");--> statement-breakpoint
CREATE INDEX "works_started" ON "works" USING btree ("company_id","start_time");