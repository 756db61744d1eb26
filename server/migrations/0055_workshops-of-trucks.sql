CREATE TABLE "truck_workshops" (
	"company_id" bigint NOT NULL,
	"truck_id" bigint NOT NULL,
	"until_day" date NOT NULL,
	"workshop_id" bigint NOT NULL,
	CONSTRAINT "truck_workshops_company_id_truck_id_until_day_pk" PRIMARY KEY("company_id","truck_id","until_day")
);
--> statement-breakpoint
ALTER TABLE "truck_workshops" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "truck_workshops" ADD CONSTRAINT "truck_workshops_truck" FOREIGN KEY ("company_id","truck_id") REFERENCES "public"."trucks"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "truck_workshops" ADD CONSTRAINT "truck_workshops_workshop" FOREIGN KEY ("company_id","workshop_id") REFERENCES "public"."workshops"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "company_fence" ON "truck_workshops" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);--> statement-breakpoint
-- Closed months remember the workshop of each truck. A change between two of them, or after the last, counts from the first
-- day of the month after the earlier one. Trucks that moved while no month was closed stay in the workshop of today.
INSERT INTO "truck_workshops" ("company_id", "truck_id", "until_day", "workshop_id")
  SELECT m."company_id", m."truck_id", ((m."month" || '-01')::date + interval '1 month')::date, m."workshop_id"
  FROM (
    SELECT h."company_id", h."truck_id", h."month", h."workshop_id",
      lead(h."workshop_id", 1, t."workshop_id") OVER (PARTITION BY h."company_id", h."truck_id" ORDER BY h."month") AS "next"
    FROM "closed_hours" h
    JOIN "trucks" t ON t."company_id" = h."company_id" AND t."id" = h."truck_id"
    WHERE h."own") m
  WHERE m."next" <> m."workshop_id";
