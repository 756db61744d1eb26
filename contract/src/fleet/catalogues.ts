import { z } from 'zod'
import {
  ById,
  catalogue,
  choosing,
  endpoint,
  Id,
  IdList,
  listing,
  Nothing,
  OptionalId,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'

/* Catalogues: a row without a workshop is shared by all workshops of the company. */

export const Named = z.object({ id: Id, company_id: Id, name: z.string(), workshop_id: Id.nullable() })
export type Named = z.infer<typeof Named>
export const NewNamed = z.object({ name: Text(80), workshop_id: OptionalId })
export type NewNamed = z.infer<typeof NewNamed>

export const CostCenter = Named.extend({ description: z.string().nullable() })
export type CostCenter = z.infer<typeof CostCenter>
export const NewCostCenter = NewNamed.extend({ description: OptionalText(500) })

/** A choice stays in its workshop. */
export const NamedEdit = NewNamed.omit({ workshop_id: true })
export type NamedEdit = z.infer<typeof NamedEdit>
export const CostCenterEdit = NewCostCenter.omit({ workshop_id: true })

const ofWorkshop = choosing({ Search, WorkshopId: IdList })

export const fleetCatalogues = {
  listBrands: endpoint({
    method: 'GET',
    path: '/v1/getBrands',
    may: 'fleet.read',
    summary: 'Truck brands',
    query: ofWorkshop,
    reply: catalogue(Named),
  }),
  createBrand: endpoint({
    method: 'POST',
    path: '/v1/brands',
    may: 'fleet.write',
    summary: 'Create a truck brand',
    body: NewNamed,
    reply: Named,
    status: 201,
  }),
  listTruckTypes: endpoint({
    method: 'GET',
    path: '/v1/type_of_truck',
    may: 'fleet.read',
    summary: 'Truck types, page by page',
    query: listing(['name'], { Search, WorkshopId: IdList }),
    reply: page(Named),
  }),
  chooseTruckTypes: endpoint({
    method: 'GET',
    path: '/v1/getTypeOfTruck',
    may: 'fleet.read',
    summary: 'All truck types, to choose from',
    query: ofWorkshop,
    reply: catalogue(Named),
  }),
  createTruckType: endpoint({
    method: 'POST',
    path: '/v1/type_of_truck',
    may: 'fleet.write',
    summary: 'Create a truck type',
    body: NewNamed,
    reply: Named,
    status: 201,
  }),
  listCostCenters: endpoint({
    method: 'GET',
    path: '/v1/center_costs',
    may: 'fleet.read',
    summary: 'Cost centres',
    query: ofWorkshop,
    reply: catalogue(CostCenter),
  }),
  createCostCenter: endpoint({
    method: 'POST',
    path: '/v1/center_costs',
    may: 'fleet.write',
    summary: 'Create a cost centre',
    body: NewCostCenter,
    reply: CostCenter,
    status: 201,
  }),
  updateBrand: endpoint({
    method: 'PUT',
    path: '/v1/brands/:id',
    may: 'people.manage',
    summary: 'Change a truck brand',
    params: ById,
    body: NamedEdit,
    reply: Named,
  }),
  deleteBrand: endpoint({
    method: 'DELETE',
    path: '/v1/brands/:id',
    may: 'people.manage',
    summary: 'Delete a truck brand that nothing uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
  updateTruckType: endpoint({
    method: 'PUT',
    path: '/v1/type_of_truck/:id',
    may: 'people.manage',
    summary: 'Change a truck type',
    params: ById,
    body: NamedEdit,
    reply: Named,
  }),
  deleteTruckType: endpoint({
    method: 'DELETE',
    path: '/v1/type_of_truck/:id',
    may: 'people.manage',
    summary: 'Delete a truck type that nothing uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
  updateCostCenter: endpoint({
    method: 'PUT',
    path: '/v1/center_costs/:id',
    may: 'people.manage',
    summary: 'Change a cost centre',
    params: ById,
    body: CostCenterEdit,
    reply: CostCenter,
  }),
  deleteCostCenter: endpoint({
    method: 'DELETE',
    path: '/v1/center_costs/:id',
    may: 'people.manage',
    summary: 'Delete a cost centre that nothing uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
}
