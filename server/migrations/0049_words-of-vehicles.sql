CREATE INDEX "alerts_by_emails" ON "alerts" USING btree ("company_id",hash_array_extended(emails, 0));--> statement-breakpoint
CREATE INDEX "coupled_by_words" ON "coupled" USING gin ("company_id","patent" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "trucks_by_words" ON "trucks" USING gin ("company_id","search" gin_trgm_ops);--> statement-breakpoint
-- As `searched_supplies`: what is of the company that the connection works for, and of no other, read as the tables' owner.
CREATE VIEW searched_trucks AS
  SELECT company_id, id, search FROM trucks
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
CREATE VIEW searched_coupled AS
  SELECT company_id, id, patent FROM coupled
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
CREATE VIEW alert_emails AS
  SELECT company_id, emails, hash_array_extended(emails, 0) AS hash FROM alerts
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
REVOKE ALL ON searched_trucks, searched_coupled, alert_emails FROM public;--> statement-breakpoint
REVOKE ALL ON searched_trucks, searched_coupled, alert_emails FROM maestranza_app;--> statement-breakpoint
GRANT SELECT ON searched_trucks, searched_coupled, alert_emails TO maestranza_app;
