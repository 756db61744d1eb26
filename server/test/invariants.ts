import type pg from 'pg'

/** Questions whose answer must always be empty, whatever has run. Each domain adds its own. */
const INVARIANTS: Record<string, string> = {
  'mileage is the highest reading that counts': `
    select t.company_id, t.id from trucks t
    where t.mileage is distinct from
      (select max(km) from truck_readings r where r.company_id = t.company_id and r.truck_id = t.id and not r.superseded)`,
  'readings that count never go down': `
    select * from (
      select company_id, id, km, lag(km) over (partition by company_id, truck_id order by date, id) as before
      from truck_readings where not superseded) r
    where km < before`,
  'a unit is pulled by one truck at a time': `
    select a.company_id, a.id from couplings a join couplings b on a.company_id = b.company_id and a.id < b.id
      and (a.coupled_id = b.coupled_id or a.truck_id = b.truck_id)
      and tstzrange(a.from_at, a.until_at) && tstzrange(b.from_at, b.until_at)`,
  'a service is of the workshop of its provider, unless that one serves all': `
    select s.company_id, s.id from provider_services s
    join providers p on p.company_id = s.company_id and p.id = s.provider_id
    where p.workshop_id is not null and s.workshop_id is distinct from p.workshop_id`,
  'the cost of a supply is the newest in its history': `
    select s.company_id, s.id from supplies s
    where s.cost is distinct from
      (select cost from supply_costs k where k.company_id = s.company_id and k.supply_id = s.id order by at desc, id desc limit 1)`,
}

export async function brokenInvariants(owner: pg.Pool) {
  const broken: string[] = []
  for (const [name, question] of Object.entries(INVARIANTS)) {
    const { rows } = await owner.query(question)
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return broken
}
