-- The line of an exit says what the ledger says it cost, also after something was dated before it: the role that serves
-- requests may write its cost and its amounts again, and nothing else.
grant update (unit_cost, net_cost, tax, total_cost) on transaction_lines to maestranza_app;
