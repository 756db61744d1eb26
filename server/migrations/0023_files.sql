CREATE TABLE "files" (
	"company_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"size" bigint NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"unused_since" timestamp(3) with time zone,
	CONSTRAINT "files_company_id_hash_pk" PRIMARY KEY("company_id","hash")
);
--> statement-breakpoint
ALTER TABLE "files" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "work_order_signatures" ALTER COLUMN "image" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "work_order_files" ALTER COLUMN "content" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "attachment_hash" text;--> statement-breakpoint
ALTER TABLE "work_order_signatures" ADD COLUMN "image_hash" text;--> statement-breakpoint
ALTER TABLE "work_order_files" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "work_order_files" ADD COLUMN "thumb_hash" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "logo_hash" text;--> statement-breakpoint
CREATE INDEX "files_unused" ON "files" USING btree ("company_id","unused_since") WHERE unused_since is not null;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_attachment" FOREIGN KEY ("company_id","attachment_hash") REFERENCES "public"."files"("company_id","hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_order_signatures" ADD CONSTRAINT "work_order_signatures_image" FOREIGN KEY ("company_id","image_hash") REFERENCES "public"."files"("company_id","hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_order_files" ADD CONSTRAINT "work_order_files_hash" FOREIGN KEY ("company_id","hash") REFERENCES "public"."files"("company_id","hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_order_files" ADD CONSTRAINT "work_order_files_thumb" FOREIGN KEY ("company_id","thumb_hash") REFERENCES "public"."files"("company_id","hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_logo" FOREIGN KEY ("id","logo_hash") REFERENCES "public"."files"("company_id","hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_to_move" ON "mails" USING btree ("company_id") WHERE attachment is not null;--> statement-breakpoint
CREATE INDEX "mails_of_file" ON "mails" USING btree ("company_id","attachment_hash") WHERE attachment_hash is not null;--> statement-breakpoint
CREATE INDEX "work_order_signatures_to_move" ON "work_order_signatures" USING btree ("company_id") WHERE image is not null;--> statement-breakpoint
CREATE INDEX "work_order_signatures_of_file" ON "work_order_signatures" USING btree ("company_id","image_hash");--> statement-breakpoint
CREATE INDEX "work_order_files_to_move" ON "work_order_files" USING btree ("company_id") WHERE content is not null;--> statement-breakpoint
CREATE INDEX "work_order_files_of_file" ON "work_order_files" USING btree ("company_id","hash");--> statement-breakpoint
CREATE INDEX "work_order_files_of_thumb" ON "work_order_files" USING btree ("company_id","thumb_hash");--> statement-breakpoint
ALTER TABLE "work_order_signatures" ADD CONSTRAINT "work_order_signatures_somewhere" CHECK ("work_order_signatures"."image" is not null or "work_order_signatures"."image_hash" is not null);--> statement-breakpoint
ALTER TABLE "work_order_files" ADD CONSTRAINT "work_order_files_somewhere" CHECK ("work_order_files"."content" is not null or "work_order_files"."hash" is not null);--> statement-breakpoint
CREATE POLICY "company_fence" ON "files" AS PERMISSIVE FOR ALL TO public USING (company_id = nullif(current_setting('app.company_id', true), '')::bigint);