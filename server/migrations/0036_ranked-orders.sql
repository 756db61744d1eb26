ALTER TABLE "expense_months" ADD COLUMN "ranked" bigint;--> statement-breakpoint
ALTER TABLE "expense_order_sums" ADD COLUMN "number" bigint;--> statement-breakpoint
ALTER TABLE "expense_order_sums" ADD COLUMN "dearest_supply" bigint;--> statement-breakpoint
ALTER TABLE "expense_order_sums" ADD COLUMN "dearest_service" bigint;--> statement-breakpoint
CREATE INDEX "expense_order_sums_by_amount" ON "expense_order_sums" USING btree ("company_id","version",(supplies + services));--> statement-breakpoint
CREATE INDEX "expense_order_sums_by_number" ON "expense_order_sums" USING btree ("company_id","version","number");--> statement-breakpoint
CREATE INDEX "expense_order_sums_by_supply" ON "expense_order_sums" USING btree ("company_id","version","dearest_supply");--> statement-breakpoint
CREATE INDEX "expense_order_sums_by_service" ON "expense_order_sums" USING btree ("company_id","version","dearest_service");