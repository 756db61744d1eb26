CREATE INDEX "alerts_by_name" ON "alerts" USING btree ("company_id","name","id");--> statement-breakpoint
CREATE INDEX "alerts_by_change" ON "alerts" USING btree ("company_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "alerts_by_due" ON "alerts" USING btree ("company_id","due_on","id");--> statement-breakpoint
CREATE INDEX "alerts_by_status" ON "alerts" USING btree ("company_id","status","id");--> statement-breakpoint
CREATE INDEX "alerts_of_status" ON "alerts" USING btree ("company_id","status","rank","id");--> statement-breakpoint
CREATE INDEX "alerts_unread" ON "alerts" USING btree ("company_id","read_at") WHERE kilometers is not null and status <> 'executed';--> statement-breakpoint
CREATE INDEX "supplies_by_category" ON "supplies" USING btree ("company_id","category_id","id");--> statement-breakpoint
CREATE INDEX "supplies_by_unit" ON "supplies" USING btree ("company_id","measurement_units_id","id");--> statement-breakpoint
CREATE INDEX "supplies_by_workshop" ON "supplies" USING btree ("company_id","workshop_id","id");--> statement-breakpoint
CREATE INDEX "supplies_by_state" ON "supplies" USING btree ("company_id","state","id");--> statement-breakpoint
CREATE INDEX "supplies_by_change" ON "supplies" USING btree ("company_id","updated_at","id");