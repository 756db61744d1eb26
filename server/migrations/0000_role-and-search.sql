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
