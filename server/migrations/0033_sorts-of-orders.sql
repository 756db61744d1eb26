CREATE INDEX "work_orders_of_type" ON "work_orders" USING btree ("company_id","type_maintenance_id","number");--> statement-breakpoint
CREATE INDEX "work_orders_of_responsible" ON "work_orders" USING btree ("company_id","responsible_specialist_id","number");--> statement-breakpoint
CREATE INDEX "work_orders_of_applicant" ON "work_orders" USING btree ("company_id","applicant_driver_id");--> statement-breakpoint
CREATE INDEX "work_orders_of_receiver" ON "work_orders" USING btree ("company_id","delivered_to_driver_id");--> statement-breakpoint
CREATE INDEX "work_orders_by_kilometer" ON "work_orders" USING btree ("company_id","kilometer","number");