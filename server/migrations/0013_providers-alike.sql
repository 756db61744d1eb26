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
