-- The role that serves requests. It owns no table, so row-level security holds for it.
do $$ begin
  if not exists (select from pg_roles where rolname = 'maestranza_app') then
    create role maestranza_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
--> statement-breakpoint
do $$ begin execute format('grant maestranza_app to %I', current_user); end $$;
--> statement-breakpoint
grant usage on schema public to maestranza_app;
--> statement-breakpoint
alter default privileges in schema public grant select, insert, update, delete on tables to maestranza_app;
--> statement-breakpoint
alter default privileges in schema public grant usage, select on sequences to maestranza_app;
--> statement-breakpoint
create extension if not exists unaccent;
--> statement-breakpoint
create extension if not exists pg_trgm;
--> statement-breakpoint
create extension if not exists btree_gin;
--> statement-breakpoint
-- Lower case without accents: what searches compare. Immutable, so that it can be stored and indexed.
create function plain(text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));
--> statement-breakpoint
-- The one door through the company fence: which companies a person is active in, before a company is chosen. An
-- invitation not accepted yet, or access that was ended, opens no company.
create function memberships_of(person bigint)
  returns table (company_id bigint, role text, workshop_id bigint, workshop_name text)
  language plpgsql stable security definer set search_path = public rows 2
as $$ begin
  return query
    select m.company_id, m.role, m.workshop_id, w.name
    from memberships m left join workshops w on w.company_id = m.company_id and w.id = m.workshop_id
    where m.user_id = person and m.state = 'active';
end $$;
--> statement-breakpoint
revoke all on function memberships_of(bigint) from public;
--> statement-breakpoint
grant execute on function memberships_of(bigint) to maestranza_app;
--> statement-breakpoint
-- Providers of the company in use with nearly this name. It looks through the fence, because the trigram index cannot be
-- used behind it; the company it looks at is the fence's own.
create function providers_alike(typed text) returns table (id bigint, likeness real)
  language plpgsql stable security definer set search_path = public set pg_trgm.similarity_threshold = 0.5 rows 5
as $$ begin
  return query
    select p.id, similarity(p.firm, typed) from providers p
    where p.company_id = nullif(current_setting('app.company_id', true), '')::bigint and p.firm % typed;
end $$;
--> statement-breakpoint
revoke all on function providers_alike(text) from public;
--> statement-breakpoint
grant execute on function providers_alike(text) to maestranza_app;
