import { type CostCenter, fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import type { Domain } from '../platform/http/domain.ts'
import { listActivity } from '../platform/operations/audit.ts'
import {
  addToCatalogue,
  changeInCatalogue,
  listCatalogue,
  pageCatalogue,
  removeFromCatalogue,
  requireInCatalogue,
} from '../workshops/catalogues.ts'
import { MONTHS_CLOSED } from '../workshops/months.ts'
import { BRANDS, COST_CENTERS, TRUCK_TYPES } from './catalogues.ts'
import {
  addCoupling,
  createCoupled,
  deleteCoupling,
  getCoupled,
  listCoupled,
  listCouplings,
  requireCoupling,
  updateCoupling,
} from './couplings.ts'
import { keepClosedReadings, listReadings, recordReading, voidReading } from './readings.ts'
import { chooseTrucks, createTruck, deleteTruck, findTrucks, listTrucks, requireTruck, updateTruck } from './trucks.ts'

export const fleetDomain: Domain = {
  routes(bind) {
    bind(fleet.listTrucks, ({ db, actor, query }) => listTrucks(db, actor, query))
    bind(fleet.chooseTrucks, ({ db, actor, query }) => chooseTrucks(db, actor, query))
    bind(fleet.getTruck, ({ db, actor, params }) => requireTruck(db, actor, params.id))
    bind(fleet.createTruck, ({ db, actor, body }) => createTruck(db, actor, body))
    bind(
      fleet.updateTruck,
      ({ db, actor, params, body }) => updateTruck(db, actor, params.id, body),
      ({ db, actor, params }) => requireTruck(db, actor, params.id, true),
    )
    bind(fleet.deleteTruck, ({ db, actor, params }) => deleteTruck(db, actor, params.id))
    bind(fleet.truckActivity, async ({ db, actor, params, query }) => {
      await requireTruck(db, actor, params.id)
      return listActivity(db, actor, 'truck', params.id, query)
    })
    bind(fleet.listReadings, async ({ db, actor, params, query }) => {
      await requireTruck(db, actor, params.id)
      return listReadings(db, actor, params.id, query)
    })
    bind(fleet.recordReading, ({ db, actor, params, body }) => recordReading(db, actor, params.id, body))
    bind(fleet.voidReading, ({ db, actor, params }) => voidReading(db, actor, params.id, true))
    bind(fleet.restoreReading, ({ db, actor, params }) => voidReading(db, actor, params.id, false))
    bind(fleet.addCoupling, ({ db, actor, params, body }) => addCoupling(db, actor, params.id, body))
    bind(
      fleet.updateCoupling,
      ({ db, actor, params, body }) => updateCoupling(db, actor, params.id, body),
      ({ db, actor, params }) => requireCoupling(db, actor, params.id),
    )
    bind(fleet.deleteCoupling, ({ db, actor, params }) => deleteCoupling(db, actor, params.id))
    bind(fleet.listCouplings, async ({ db, actor, params }) => {
      await requireTruck(db, actor, params.id)
      return listCouplings(db, actor, params.id)
    })
    bind(fleet.listCoupled, ({ db, actor, query }) => listCoupled(db, actor, query))
    bind(fleet.getCoupled, ({ db, actor, params }) => getCoupled(db, actor, params.id))
    bind(fleet.createCoupled, ({ db, actor, body }) => createCoupled(db, actor, body))
    bind(fleetCatalogues.listBrands, ({ db, actor, query }) => listCatalogue(db, actor, BRANDS, query))
    bind(fleetCatalogues.createBrand, ({ db, actor, body }) => addToCatalogue(db, actor, BRANDS, body))
    bind(fleetCatalogues.listTruckTypes, ({ db, actor, query }) => pageCatalogue(db, actor, TRUCK_TYPES, query))
    bind(fleetCatalogues.chooseTruckTypes, ({ db, actor, query }) => listCatalogue(db, actor, TRUCK_TYPES, query))
    bind(fleetCatalogues.createTruckType, ({ db, actor, body }) => addToCatalogue(db, actor, TRUCK_TYPES, body))
    bind(fleetCatalogues.listCostCenters, ({ db, actor, query }) =>
      listCatalogue<CostCenter>(db, actor, COST_CENTERS, query),
    )
    bind(fleetCatalogues.createCostCenter, ({ db, actor, body }) =>
      addToCatalogue<CostCenter>(db, actor, COST_CENTERS, body),
    )
    bind(
      fleetCatalogues.updateBrand,
      ({ db, actor, params, body }) => changeInCatalogue(db, actor, BRANDS, params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, BRANDS, params.id),
    )
    bind(fleetCatalogues.deleteBrand, ({ db, actor, params }) => removeFromCatalogue(db, actor, BRANDS, params.id))
    bind(
      fleetCatalogues.updateTruckType,
      ({ db, actor, params, body }) => changeInCatalogue(db, actor, TRUCK_TYPES, params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, TRUCK_TYPES, params.id),
    )
    bind(fleetCatalogues.deleteTruckType, ({ db, actor, params }) =>
      removeFromCatalogue(db, actor, TRUCK_TYPES, params.id),
    )
    bind(
      fleetCatalogues.updateCostCenter,
      ({ db, actor, params, body }) => changeInCatalogue<CostCenter>(db, actor, COST_CENTERS, params.id, body),
      ({ db, actor, params }) => requireInCatalogue<CostCenter>(db, actor, COST_CENTERS, params.id),
    )
    bind(fleetCatalogues.deleteCostCenter, ({ db, actor, params }) =>
      removeFromCatalogue(db, actor, COST_CENTERS, params.id),
    )
  },
  messages: {
    couplings_open_truck: { field: 'until', message: 'El equipo lleva otro acoplado ahora: indique hasta cuándo.' },
    couplings_open_coupled: { field: 'until', message: 'Otro equipo lleva el acoplado ahora: indique hasta cuándo.' },
    trucks_code_unique: { field: 'code', message: 'Ya existe un equipo con este código.' },
    trucks_patent_unique: { field: 'patent', message: 'Ya existe un equipo con esta patente.' },
    coupled_patent_unique: { field: 'patent', message: 'Ya existe un acoplado con esta patente.' },
    brands_name_unique: { field: 'name', message: BRANDS.exists },
    truck_types_name_unique: { field: 'name', message: TRUCK_TYPES.exists },
    cost_centers_name_unique: { field: 'name', message: COST_CENTERS.exists },
  },
  finders: [{ may: 'fleet.read', find: findTrucks }],
  listens: { [MONTHS_CLOSED]: keepClosedReadings },
}
