/* After costs of orders were written past the product: the tallies as it would leave them. */

const TALLY = `
  insert into order_tallies (company_id, workshop_id, type_maintenance_id, planned, place, priority, orders,
    supplies_cost, services_cost, labour_cost)
  select company_id, workshop_id, type_maintenance_id, planned, place, priority, count(*), sum(supplies_cost),
    sum(services_cost), sum(labour_cost)
  from work_order_costs`

export const TALLY_AGAIN = `with gone as (delete from order_tallies) ${TALLY} group by 1, 2, 3, 4, 5, 6`
/** Of one new order. */
export const TALLY_NEW = `${TALLY} where company_id = $1 and id = $2 group by 1, 2, 3, 4, 5, 6`
