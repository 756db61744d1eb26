-- Parts of words in the orders of one company. What a move writes waits in the index for a short while only, so that
-- searches do not read a long list of what is not sorted in yet.
create index work_orders_search on work_orders using gin (company_id, search gin_trgm_ops)
  with (gin_pending_list_limit = 512);
--> statement-breakpoint
-- The orders of the company that the connection works for, and of no other, read as the tables' owner: under row-level
-- security itself no search for parts of words would use the index.
create view searched_work_orders as
  select company_id, id, workshop_id, number, status, position, truck_id, coupled_id, planned, box_id,
    applicant_driver_id, responsible_specialist_id, delivered_to_driver_id, kilometer, place, type_maintenance_id,
    priority, workshop_entry_at, workshop_departure_at, supplies_cost, services_cost, search, created_at
  from work_orders
  where company_id = nullif(current_setting('app.company_id', true), '')::bigint;
--> statement-breakpoint
revoke all on searched_work_orders from public;
--> statement-breakpoint
grant select on searched_work_orders to maestranza_app;
--> statement-breakpoint
revoke insert, update, delete on searched_work_orders from maestranza_app;
--> statement-breakpoint
-- Companies that are there already start with the types that every company has.
insert into maintenance_types (company_id, code, name)
  select c.id, t.code, t.name from companies c
  cross join (values ('PREVENTIVE', 'Preventiva'), ('CORRECTIVE', 'Correctiva'), ('PREDICTIVE', 'Predictiva')) as t (code, name)
  on conflict do nothing;
