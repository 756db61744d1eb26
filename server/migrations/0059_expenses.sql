CREATE TABLE "expenses" (
	"company_id" bigint NOT NULL,
	"source" text NOT NULL,
	"source_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"line_id" bigint NOT NULL,
	"day" date NOT NULL,
	"workshop_id" bigint NOT NULL,
	"truck_id" bigint,
	"coupled_id" bigint,
	"item_id" bigint,
	"quantity" numeric(14, 4) NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "expenses_company_id_source_source_id_kind_line_id_pk" PRIMARY KEY("company_id","source","source_id","kind","line_id"),
	CONSTRAINT "expenses_source" CHECK ("expenses"."source" in ('work_order')),
	CONSTRAINT "expenses_kind" CHECK ("expenses"."kind" in ('supply', 'adjustment', 'service', 'invoice', 'labour'))
);
--> statement-breakpoint
ALTER TABLE "expenses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "expenses_by_day" ON "expenses" USING btree ("company_id","day","workshop_id","truck_id","source_id","kind","item_id","quantity","amount");--> statement-breakpoint
CREATE INDEX "expenses_of_truck" ON "expenses" USING btree ("company_id","truck_id","day");--> statement-breakpoint
CREATE INDEX "expenses_of_item" ON "expenses" USING btree ("company_id","item_id","day");--> statement-breakpoint
CREATE POLICY "company_fence" ON "expenses" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
ALTER TABLE "expense_category_sums" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_day_sums" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_filings" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_provider_sums" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_taken_sums" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_truck_sums" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP POLICY "company_fence" ON "expense_category_sums" CASCADE;--> statement-breakpoint
DROP TABLE "expense_category_sums" CASCADE;--> statement-breakpoint
DROP POLICY "company_fence" ON "expense_day_sums" CASCADE;--> statement-breakpoint
DROP TABLE "expense_day_sums" CASCADE;--> statement-breakpoint
DROP POLICY "company_fence" ON "expense_filings" CASCADE;--> statement-breakpoint
DROP TABLE "expense_filings" CASCADE;--> statement-breakpoint
DROP POLICY "company_fence" ON "expense_provider_sums" CASCADE;--> statement-breakpoint
DROP TABLE "expense_provider_sums" CASCADE;--> statement-breakpoint
DROP POLICY "company_fence" ON "expense_taken_sums" CASCADE;--> statement-breakpoint
DROP TABLE "expense_taken_sums" CASCADE;--> statement-breakpoint
DROP POLICY "company_fence" ON "expense_truck_sums" CASCADE;--> statement-breakpoint
DROP TABLE "expense_truck_sums" CASCADE;--> statement-breakpoint
DROP INDEX "expense_order_sums_of_order";--> statement-breakpoint
DROP INDEX "expense_order_sums_of_truck";--> statement-breakpoint
DROP INDEX "expense_order_sums_several";--> statement-breakpoint
DROP INDEX "expense_order_sums_by_amount";--> statement-breakpoint
DROP INDEX "expense_order_sums_by_number";--> statement-breakpoint
DROP INDEX "expense_order_sums_by_supply";--> statement-breakpoint
DROP INDEX "expense_order_sums_by_service";--> statement-breakpoint
ALTER TABLE "expense_months" DROP COLUMN "detailed";--> statement-breakpoint
ALTER TABLE "expense_months" DROP COLUMN "ranked";--> statement-breakpoint
ALTER TABLE "expense_months" DROP COLUMN "filed";--> statement-breakpoint
ALTER TABLE "expense_months" DROP COLUMN "taken";--> statement-breakpoint
ALTER TABLE "expense_order_sums" DROP COLUMN "several";--> statement-breakpoint
ALTER TABLE "expense_order_sums" DROP COLUMN "number";--> statement-breakpoint
ALTER TABLE "expense_order_sums" DROP COLUMN "dearest_supply";--> statement-breakpoint
ALTER TABLE "expense_order_sums" DROP COLUMN "dearest_service";--> statement-breakpoint
ALTER TABLE "expense_sums" DROP COLUMN "count";--> statement-breakpoint
ALTER TABLE "expense_changes" DROP COLUMN "work_order_id";