CREATE INDEX "alerts_by_words" ON "alerts" USING gin ("company_id","search" gin_trgm_ops);--> statement-breakpoint
-- As `searched_supplies`: the alerts of the company that the connection works for, and of no other, read as the tables' owner.
CREATE VIEW searched_alerts AS
  SELECT company_id, id, search FROM alerts
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
REVOKE ALL ON searched_alerts FROM public;--> statement-breakpoint
REVOKE ALL ON searched_alerts FROM maestranza_app;--> statement-breakpoint
GRANT SELECT ON searched_alerts TO maestranza_app;
