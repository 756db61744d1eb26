ALTER TABLE "work_order_costs" ADD COLUMN "type_maintenance_id" bigint;--> statement-breakpoint
ALTER TABLE "work_order_costs" ADD COLUMN "planned" boolean;--> statement-breakpoint
ALTER TABLE "work_order_costs" ADD COLUMN "place" text;--> statement-breakpoint
ALTER TABLE "work_order_costs" ADD COLUMN "priority" text;--> statement-breakpoint
UPDATE "work_order_costs" c SET "type_maintenance_id" = o."type_maintenance_id", "planned" = o."planned",
  "place" = o."place", "priority" = o."priority"
FROM "work_orders" o WHERE o."company_id" = c."company_id" AND o."id" = c."id";--> statement-breakpoint
ALTER TABLE "work_order_costs" ALTER COLUMN "planned" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "work_order_costs" ALTER COLUMN "place" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "work_order_costs" ALTER COLUMN "priority" SET NOT NULL;
