CREATE INDEX "purchase_orders_by_words" ON "purchase_orders" USING gin ("company_id","search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "movements_by_words" ON "movements" USING gin ("company_id",(case when octet_length(document) = length(document) then lower(document collate "C") else plain(document) end) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "transactions_by_words" ON "transactions" USING gin ("company_id","search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "work_orders_of_priority" ON "work_orders" USING btree ("company_id","priority","number") WHERE priority <> 'medium';--> statement-breakpoint
CREATE INDEX "work_orders_elsewhere" ON "work_orders" USING btree ("company_id","place","number") WHERE place <> 'WORKSHOP';--> statement-breakpoint
-- As `searched_supplies`: what is of the company that the connection works for, and of no other, read as the tables' owner.
CREATE VIEW searched_movements AS
  SELECT company_id, id, warehouse_id, at, quantity, "typeTrasactionId",
    case when octet_length(document) = length(document) then lower(document collate "C") else plain(document) end AS words
  FROM movements
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
CREATE VIEW searched_transactions AS
  SELECT company_id, id, workshop_id, warehouse_id, type, "typeTrasactionId", "providerId", date, voided_at, search
  FROM transactions
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
CREATE VIEW searched_purchase_orders AS
  SELECT company_id, id, number, workshop_id, warehouse_id, provider_id, status, created_at, search
  FROM purchase_orders
  WHERE company_id = nullif(current_setting('app.company_id', true), '')::bigint;--> statement-breakpoint
REVOKE ALL ON searched_movements, searched_transactions, searched_purchase_orders FROM public;--> statement-breakpoint
REVOKE ALL ON searched_movements, searched_transactions, searched_purchase_orders FROM maestranza_app;--> statement-breakpoint
GRANT SELECT ON searched_movements, searched_transactions, searched_purchase_orders TO maestranza_app;--> statement-breakpoint
-- How many rows some words of theirs have.
ANALYZE movements, transactions;
