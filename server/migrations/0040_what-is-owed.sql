ALTER TABLE "transactions" ADD COLUMN "payment_said" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "payment_said" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "transactions" t SET "payment_said" = true FROM "payables" y
WHERE y."company_id" = t."company_id" AND y."transaction_id" = t."id" AND y."state" IS NOT NULL;--> statement-breakpoint
UPDATE "invoices" i SET "payment_said" = true FROM "payables" y
WHERE y."company_id" = i."company_id" AND y."invoice_id" = i."id" AND y."state" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "transactions_unsaid" ON "transactions" USING btree ("company_id","id") WHERE type = 'entry' and "typeTrasactionId" = 1 and voided_at is null and not payment_said and payment_type is distinct from 'Cash';--> statement-breakpoint
CREATE INDEX "invoices_unsaid" ON "invoices" USING btree ("company_id","id") WHERE not payment_said and payment_type is distinct from 'Cash';--> statement-breakpoint
CREATE INDEX "payables_owed" ON "payables" USING btree ("company_id","id") WHERE state is distinct from 'paid';