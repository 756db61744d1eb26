-- Sums from before their lines were counted: the job makes them again, and until then the lines are read.
delete from expense_months;
--> statement-breakpoint
delete from expense_sums;
