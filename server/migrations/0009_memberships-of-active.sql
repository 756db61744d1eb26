-- Only where they are active: an invitation not accepted yet, or access that was ended, opens no company.
create or replace function memberships_of(person bigint)
  returns table (company_id bigint, role text, workshop_id bigint, workshop_name text)
  language plpgsql stable security definer set search_path = public rows 2
as $$ begin
  return query
    select m.company_id, m.role, m.workshop_id, w.name
    from memberships m left join workshops w on w.company_id = m.company_id and w.id = m.workshop_id
    where m.user_id = person and m.state = 'active';
end $$;
