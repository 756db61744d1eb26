CREATE TABLE "expense_category_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"category_id" bigint NOT NULL,
	"amount" numeric(18, 0) NOT NULL,
	"lines" integer NOT NULL,
	"count" numeric(20, 4) NOT NULL,
	CONSTRAINT "expense_category_sums_company_id_version_workshop_id_category_id_pk" PRIMARY KEY("company_id","version","workshop_id","category_id")
);
--> statement-breakpoint
ALTER TABLE "expense_category_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "expense_filings" (
	"company_id" bigint NOT NULL,
	"supply_id" bigint NOT NULL,
	"category_id" bigint NOT NULL,
	CONSTRAINT "expense_filings_company_id_supply_id_pk" PRIMARY KEY("company_id","supply_id")
);
--> statement-breakpoint
ALTER TABLE "expense_filings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_months" ADD COLUMN "filed" bigint;--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_category_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_filings" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);