CREATE TABLE "expense_provider_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"provider_id" bigint NOT NULL,
	"amount" numeric(18, 0) NOT NULL,
	"lines" integer NOT NULL,
	CONSTRAINT "expense_provider_sums_company_id_version_workshop_id_provider_id_pk" PRIMARY KEY("company_id","version","workshop_id","provider_id")
);
--> statement-breakpoint
ALTER TABLE "expense_provider_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "expense_taken_sums" (
	"company_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"workshop_id" bigint NOT NULL,
	"pairs" "bytea" NOT NULL,
	"counts" "bytea" NOT NULL,
	"amounts" "bytea" NOT NULL,
	CONSTRAINT "expense_taken_sums_company_id_version_workshop_id_pk" PRIMARY KEY("company_id","version","workshop_id")
);
--> statement-breakpoint
ALTER TABLE "expense_taken_sums" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "expense_months" ADD COLUMN "taken" bigint;--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_provider_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
CREATE POLICY "company_fence" ON "expense_taken_sums" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);