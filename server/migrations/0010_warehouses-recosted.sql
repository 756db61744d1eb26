DROP INDEX "movements_of_supply";--> statement-breakpoint
DROP INDEX "movements_recosted";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "recosted" integer DEFAULT 0 NOT NULL;