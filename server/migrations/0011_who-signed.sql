ALTER TABLE "work_order_signatures" ADD COLUMN "dni" text;--> statement-breakpoint
ALTER TABLE "work_order_signatures" ADD COLUMN "agent" text;