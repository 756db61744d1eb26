import { fleet } from '#contract/fleet/fleet.ts'
import { listActivity } from '../platform/operations/audit.ts'
import type { Domain } from '../platform/operations/domain.ts'
import {
  CATALOGUES,
  createInCatalogue,
  deleteFromCatalogue,
  listCatalogue,
  pageCatalogue,
  requireInCatalogue,
  updateInCatalogue,
} from './catalogues.ts'
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
import { listReadings, recordReading, voidReading } from './readings.ts'
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
    bind(fleet.listBrands, ({ db, actor, query }) => listCatalogue(db, actor, 'brand', query))
    bind(fleet.createBrand, ({ db, actor, body }) => createInCatalogue(db, actor, 'brand', body))
    bind(fleet.listTruckTypes, ({ db, actor, query }) => pageCatalogue(db, actor, 'truck_type', query))
    bind(fleet.chooseTruckTypes, ({ db, actor, query }) => listCatalogue(db, actor, 'truck_type', query))
    bind(fleet.createTruckType, ({ db, actor, body }) => createInCatalogue(db, actor, 'truck_type', body))
    bind(fleet.listCostCenters, ({ db, actor, query }) => listCatalogue(db, actor, 'cost_center', query))
    bind(fleet.createCostCenter, ({ db, actor, body }) => createInCatalogue(db, actor, 'cost_center', body))
    bind(
      fleet.updateBrand,
      ({ db, actor, params, body }) => updateInCatalogue(db, actor, 'brand', params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, 'brand', params.id),
    )
    bind(fleet.deleteBrand, ({ db, actor, params }) => deleteFromCatalogue(db, actor, 'brand', params.id))
    bind(
      fleet.updateTruckType,
      ({ db, actor, params, body }) => updateInCatalogue(db, actor, 'truck_type', params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, 'truck_type', params.id),
    )
    bind(fleet.deleteTruckType, ({ db, actor, params }) => deleteFromCatalogue(db, actor, 'truck_type', params.id))
    bind(
      fleet.updateCostCenter,
      ({ db, actor, params, body }) => updateInCatalogue(db, actor, 'cost_center', params.id, body),
      ({ db, actor, params }) => requireInCatalogue(db, actor, 'cost_center', params.id),
    )
    bind(fleet.deleteCostCenter, ({ db, actor, params }) => deleteFromCatalogue(db, actor, 'cost_center', params.id))
  },
  messages: {
    couplings_open_truck: { field: 'until', message: 'El equipo lleva otro acoplado ahora: indique hasta cuándo.' },
    couplings_open_coupled: { field: 'until', message: 'Otro equipo lleva el acoplado ahora: indique hasta cuándo.' },
    trucks_code_unique: { field: 'code', message: 'Ya existe un equipo con este código.' },
    trucks_patent_unique: { field: 'patent', message: 'Ya existe un equipo con esta patente.' },
    coupled_patent_unique: { field: 'patent', message: 'Ya existe un acoplado con esta patente.' },
    brands_name_unique: { field: 'name', message: CATALOGUES.brand.exists },
    truck_types_name_unique: { field: 'name', message: CATALOGUES.truck_type.exists },
    cost_centers_name_unique: { field: 'name', message: CATALOGUES.cost_center.exists },
  },
  finders: [{ may: 'fleet.read', find: findTrucks }],
}
