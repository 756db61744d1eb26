-- Movements are only ever added: who serves requests may write again what is worked out from them, and nothing else.
revoke update, delete on movements from maestranza_app;
--> statement-breakpoint
grant update (value, balance, balance_value, average_cost, recosted_by) on movements to maestranza_app;
--> statement-breakpoint
revoke update, delete on transaction_lines from maestranza_app;
--> statement-breakpoint
revoke delete on transactions from maestranza_app;
