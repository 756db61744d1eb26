DROP INDEX "work_times_typed";--> statement-breakpoint
CREATE UNIQUE INDEX "work_times_reversed" ON "work_times" USING btree ("company_id","work_id") WHERE from_at is null and minutes < 0;--> statement-breakpoint
CREATE UNIQUE INDEX "work_times_typed" ON "work_times" USING btree ("company_id","work_id") WHERE from_at is null and minutes >= 0;