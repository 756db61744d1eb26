DROP INDEX "transactions_one_other_side";--> statement-breakpoint
ALTER TABLE "transaction_lines" ADD COLUMN "from_supply_id" bigint;--> statement-breakpoint
ALTER TABLE "transaction_lines" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "to_warehouse_id" bigint;--> statement-breakpoint
ALTER TABLE "transaction_lines" ADD CONSTRAINT "transaction_lines_from_supply" FOREIGN KEY ("company_id","from_supply_id") REFERENCES "public"."supplies"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_to_warehouse" FOREIGN KEY ("company_id","to_warehouse_id") REFERENCES "public"."warehouses"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transaction_lines_from" ON "transaction_lines" USING btree ("company_id","from_supply_id") WHERE "transaction_lines"."from_supply_id" is not null;--> statement-breakpoint
CREATE INDEX "transactions_of_transfer" ON "transactions" USING btree ("company_id","transfer_id") WHERE "transactions"."transfer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_received_once" ON "transactions" USING btree ("company_id","transfer_id","type") WHERE "transactions"."transfer_id" is not null and "transactions"."voided_at" is null;--> statement-breakpoint
CREATE INDEX "transactions_sent_to" ON "transactions" USING btree ("company_id","to_warehouse_id") WHERE "transactions"."to_warehouse_id" is not null;