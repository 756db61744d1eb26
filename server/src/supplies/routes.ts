import { supplies } from '#contract/supplies/supplies.ts'
import type { Domain } from '../platform/http/domain.ts'
import { listActivity } from '../platform/operations/audit.ts'
import {
  addToCatalogue,
  changeInCatalogue,
  listCatalogue,
  removeFromCatalogue,
  requireInCatalogue,
} from '../workshops/catalogues.ts'
import { MONTHS_CLOSED } from '../workshops/months.ts'
import { CATEGORIES, MEASUREMENT_UNITS } from './catalogues.ts'
import { openFilings } from './filings.ts'
import {
  createSupply,
  deleteSupply,
  findSupplies,
  listCosts,
  listSupplies,
  requireSupply,
  updateSupply,
} from './supplies.ts'

export const suppliesDomain: Domain = {
  routes(bind) {
    bind(supplies.listSupplies, ({ db, actor, query }) => listSupplies(db, actor, query))
    bind(supplies.getSupply, ({ db, actor, params }) => requireSupply(db, actor, params.id))
    bind(supplies.createSupply, ({ db, actor, body }) => createSupply(db, actor, body))
    bind(
      supplies.updateSupply,
      ({ db, actor, params, body }) => updateSupply(db, actor, params.id, body),
      ({ db, actor, params }) => requireSupply(db, actor, params.id, true),
    )
    bind(supplies.deleteSupply, ({ db, actor, params }) => deleteSupply(db, actor, params.id))
    bind(supplies.supplyActivity, async ({ db, actor, params, query }) => {
      await requireSupply(db, actor, params.id)
      return listActivity(db, actor, 'supply', params.id, query)
    })
    bind(supplies.supplyCosts, async ({ db, actor, params, query }) => {
      await requireSupply(db, actor, params.id)
      return listCosts(db, actor, params.id, query)
    })
    bind(supplies.listCategories, ({ db, actor, query }) => listCatalogue(db, actor, CATEGORIES, query))
    bind(supplies.createCategory, ({ db, actor, body }) => addToCatalogue(db, actor, CATEGORIES, body))
    bind(supplies.listMeasurementUnits, ({ db, actor, query }) => listCatalogue(db, actor, MEASUREMENT_UNITS, query))
    bind(supplies.createMeasurementUnit, ({ db, actor, body }) => addToCatalogue(db, actor, MEASUREMENT_UNITS, body))
    bind(
      supplies.updateCategory,
      ({ db, actor, params, body }) => changeInCatalogue(db, actor, CATEGORIES, params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, CATEGORIES, params.id),
    )
    bind(supplies.deleteCategory, ({ db, actor, params }) => removeFromCatalogue(db, actor, CATEGORIES, params.id))
    bind(
      supplies.updateMeasurementUnit,
      ({ db, actor, params, body }) => changeInCatalogue(db, actor, MEASUREMENT_UNITS, params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, MEASUREMENT_UNITS, params.id),
    )
    bind(supplies.deleteMeasurementUnit, ({ db, actor, params }) =>
      removeFromCatalogue(db, actor, MEASUREMENT_UNITS, params.id),
    )
  },
  messages: {
    supplies_code_unique: { field: 'code', message: 'Ya existe un insumo con este código en el taller.' },
    categories_name_unique: { field: 'name', message: CATEGORIES.exists },
    measurement_units_name_unique: { field: 'name', message: MEASUREMENT_UNITS.exists },
  },
  finders: [{ may: 'supplies.read', find: findSupplies }],
  listens: { [MONTHS_CLOSED]: openFilings },
}
