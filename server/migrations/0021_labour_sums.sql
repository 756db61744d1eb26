CREATE TABLE "expense_labour_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"work_order_id" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"labour" numeric(18, 0) NOT NULL,
	CONSTRAINT "expense_labour_sums_company_id_version_work_order_id_pk" PRIMARY KEY("company_id","version","work_order_id")
);
--> statement-breakpoint
ALTER TABLE "expense_labour_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_labour_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);