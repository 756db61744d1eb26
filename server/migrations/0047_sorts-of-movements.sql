CREATE INDEX "movements_by_quantity" ON "movements" USING btree ("company_id","warehouse_id","quantity","id");--> statement-breakpoint
CREATE INDEX "movements_by_value" ON "movements" USING btree ("company_id","warehouse_id","value","id");--> statement-breakpoint
CREATE INDEX "movements_of_type" ON "movements" USING btree ("company_id","warehouse_id","typeTrasactionId","at","id");