CREATE INDEX "supplies_by_name" ON "supplies" USING btree ("company_id","name","id");--> statement-breakpoint
CREATE INDEX "supplies_by_cost" ON "supplies" USING btree ("company_id","cost","id");--> statement-breakpoint
CREATE INDEX "supplies_by_words" ON "supplies" USING gin ("company_id","search" gin_trgm_ops);--> statement-breakpoint
-- The supplies of the company that the connection works for, and of no other, read as the tables' owner: under row-level
-- security itself no search for parts of words would use the index.
CREATE VIEW searched_supplies AS
  SELECT company_id, id, workshop_id, code, name, description, cost, category_id, measurement_units_id, state, search,
    updated_at
  FROM supplies
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
REVOKE ALL ON searched_supplies FROM public;--> statement-breakpoint
REVOKE ALL ON searched_supplies FROM maestranza_app;--> statement-breakpoint
GRANT SELECT ON searched_supplies TO maestranza_app;
