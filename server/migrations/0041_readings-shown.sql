DROP INDEX "truck_readings_of_truck";--> statement-breakpoint
CREATE INDEX "truck_readings_shown" ON "truck_readings" USING btree ("company_id","truck_id","date","id","km","closed_as","superseded");