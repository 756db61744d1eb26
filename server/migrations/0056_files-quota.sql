ALTER TABLE "files" ADD COLUMN "times_kept" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "files_sizes" ON "files" USING btree ("company_id","size");