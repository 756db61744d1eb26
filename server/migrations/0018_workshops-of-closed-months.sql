ALTER TABLE "closed_hours" ADD COLUMN "own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Of which workshop trucks were in months closed before is not known: from now on they stay of the one they are of today.
INSERT INTO "closed_hours" ("company_id", "month", "truck_id", "workshop_id", "own", "timed", "parts", "noted")
  SELECT x."company_id", k."month", x."id", x."workshop_id", true, 0, 0, 0
  FROM "trucks" x JOIN "closed_hours" k ON k."company_id" = x."company_id" AND k."truck_id" = 0
  ON CONFLICT ("company_id", "month", "truck_id", "workshop_id") DO UPDATE SET "own" = true;
