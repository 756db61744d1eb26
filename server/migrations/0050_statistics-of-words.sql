-- How a search is answered depends on how many rows its words are thought to have: of a hundred that the planner keeps to look
-- at, a word that one row of fifty has is often in none. A cluster does not take this of tables that it spreads.
DO $$
BEGIN
  ALTER TABLE work_orders ALTER COLUMN search SET STATISTICS 300;
  ALTER TABLE supplies ALTER COLUMN search SET STATISTICS 300;
  ALTER TABLE alerts ALTER COLUMN search SET STATISTICS 300;
  ALTER TABLE purchase_orders ALTER COLUMN search SET STATISTICS 300;
EXCEPTION WHEN feature_not_supported THEN
  NULL;
END $$;--> statement-breakpoint
ANALYZE work_orders (search), supplies (search), alerts (search), purchase_orders (search);
