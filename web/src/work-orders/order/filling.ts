import { say } from '../../ui/snackbar.tsx'
import { newWork, type OrderForm, type SupplyTyped, type WorkTyped } from './typed.ts'

interface Filling {
  /** Where it comes from. */
  name: string
  works: Partial<WorkTyped>[]
  supplies: SupplyTyped[]
  type_maintenance_id: number | null
  request: string | null
  detail?: string | undefined
}

const count = (some: unknown[], one: string, many: string) => `${some.length} ${some.length === 1 ? one : many}`

/** Adds the works and supplies that are not there yet; what an order says of itself stays. */
export function fill(form: OrderForm, { name, works, supplies, type_maintenance_id, request, detail }: Filling) {
  const now = form.getValues()
  const isThere = (work: WorkTyped) =>
    now.works.some(({ task_id, description }) => task_id === work.task_id && description === work.description)
  const again = works.map((work): WorkTyped => ({ ...newWork(), ...work })).filter((work) => !isThere(work))
  const used = supplies.filter((line) => !now.supplies.some(({ supply_id }) => supply_id === line.supply_id))
  form.setValue('works', [...now.works, ...again], { shouldDirty: true })
  form.setValue('supplies', [...now.supplies, ...used], { shouldDirty: true })
  if (now.type_maintenance_id === null) form.setValue('type_maintenance_id', type_maintenance_id, { shouldDirty: true })
  if (!now.request) form.setValue('request', request ?? '', { shouldDirty: true })
  say(`De ${name}: ${count(again, 'trabajo', 'trabajos')} y ${count(used, 'insumo', 'insumos')}`, { detail })
}
