DROP POLICY "company_fence" ON "stay_lists" CASCADE;--> statement-breakpoint
DROP TABLE "stay_lists" CASCADE;--> statement-breakpoint
DROP POLICY "company_fence" ON "stay_changes" CASCADE;--> statement-breakpoint
DROP TABLE "stay_changes" CASCADE;