import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldPath, type UseFormReturn, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { dayOf } from '#contract/base/dates.ts'
import { TRUCK_FIELDS } from '#contract/fleet/fields.ts'
import { type Coupled, type NewTruck, showPatent, type Truck, type TruckEdit } from '#contract/fleet/fleet.ts'
import { inForm } from '../frames/fields.tsx'
import styles from '../frames/form-page.module.css'
import { useWorkshop, useZone } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { DayField } from '../ui/date-field.tsx'
import { NumberField, SelectField, TextField } from '../ui/field.tsx'
import { AddDrawer } from '../workshops/add-drawer.tsx'
import type { CatalogueRow } from '../workshops/catalogues.ts'
import { BRANDS, COST_CENTERS, TRUCK_TYPES } from './catalogues.ts'
import { CoupledDrawer } from './coupled-drawer.tsx'
import { brandsQuery, costCentersQuery, coupledQuery, truckTypesQuery } from './queries.ts'

const field = inForm(TRUCK_FIELDS)

/** What is typed: creating adds the mileage, editing the state and when it was read. */
export type TruckTyped = z.input<typeof NewTruck> & z.input<typeof TruckEdit>

/** No workshop yet: refused until one is chosen. */
const NONE = 0

/** Nothing typed yet. */
export const blankTruck = (workshop_id = NONE): TruckTyped => ({
  code: '',
  patent: '',
  workshop_id,
  type_of_truck_id: null,
  brand_id: null,
  cost_center_id: null,
  coupled_id: null,
  move_coupled: false,
  mileage: 0,
})

export const typedOf = (truck: Truck): TruckTyped => ({
  code: truck.code,
  patent: showPatent(truck.patent),
  workshop_id: truck.workshop_id,
  type_of_truck_id: truck.type_of_truck_id,
  brand_id: truck.brand_id,
  cost_center_id: truck.cost_center_id,
  cost_center_from: truck.cost_center_from,
  coupled_id: truck.coupled_id,
  move_coupled: false,
  state: truck.state,
  updated_at: truck.updated_at,
})

type Adding = { what: 'brand' | 'type' | 'cost-center' | 'coupled'; looked: string }

/** What can be added to a truck's lists by its name. */
const LISTS = {
  brand: { catalogue: BRANDS, query: brandsQuery, field: 'brand_id' },
  type: { catalogue: TRUCK_TYPES, query: truckTypesQuery, field: 'type_of_truck_id' },
  'cost-center': { catalogue: COST_CENTERS, query: costCentersQuery, field: 'cost_center_id' },
} as const

interface TruckFieldsProps<Body> {
  form: UseFormReturn<TruckTyped, unknown, Body>
  /** The truck being edited; none while it is being created. */
  truckId?: number
}

/** The fields of a truck. What a list lacks is added from here, and what was typed stays. Long: field after field. */
export function TruckFields<Body>({ form, truckId }: TruckFieldsProps<Body>) {
  const { control, setValue, getValues } = form
  const client = useQueryClient()
  const today = dayOf(new Date(), useZone())
  const workshop = useWorkshop()
  const workshopId = useWatch({ control, name: 'workshop_id' as FieldPath<TruckTyped> }) as number
  const ofTruck = workshopId || undefined
  const brands = useQuery(brandsQuery(ofTruck)).data
  const types = useQuery(truckTypesQuery(ofTruck)).data
  const costCenters = useQuery(costCentersQuery(ofTruck)).data
  const units = useQuery(coupledQuery(ofTruck)).data
  const [adding, setAdding] = useState<Adding>()

  const choose = (field: 'brand_id' | 'type_of_truck_id' | 'cost_center_id' | 'coupled_id', id: number) => {
    setAdding(undefined)
    setValue(field, id, { shouldDirty: true, shouldValidate: true })
  }

  const moveWorkshop = (id: number | null) => {
    // Units and choices belong to a workshop: those of the one left behind cannot come along.
    if (id !== getValues('workshop_id')) {
      setValue('coupled_id', null, { shouldDirty: true })
      setValue('move_coupled', false)
    }
    return true
  }

  const takeUnit = async (id: number | null) => {
    const unit = units?.find((one) => one.id === id)
    const pulledByOther = unit?.truck_id != null && unit.truck_id !== truckId
    if (unit && pulledByOther && !(await confirmTaking(unit))) return false
    setValue('move_coupled', pulledByOther)
    return true
  }

  const close = () => setAdding(undefined)
  const lacking = adding && adding.what !== 'coupled' ? LISTS[adding.what] : undefined

  return (
    <>
      <div className={styles.grid}>
        <TextField control={control} {...field('code')} required maxLength={40} autoFocus={truckId === undefined} />
        <TextField
          control={control}
          {...field('patent')}
          required
          mono
          maxLength={30}
          placeholder="BBBB·12"
          format={(text) => text.toUpperCase()}
        />
        <SelectField
          control={control}
          {...field('workshop_id')}
          required
          choices={workshop.list.length > 0 ? workshop.list.map(asChoice) : undefined}
          disabled={!workshop.mayChoose}
          accept={moveWorkshop}
        />
        <SelectField
          control={control}
          {...field('type_of_truck_id')}
          choices={types?.map(asChoice)}
          clearable
          addLabel="Nuevo tipo"
          onAdd={(looked) => setAdding({ what: 'type', looked })}
        />
        <SelectField
          control={control}
          {...field('brand_id')}
          choices={brands?.map(asChoice)}
          clearable
          addLabel="Nueva marca"
          onAdd={(looked) => setAdding({ what: 'brand', looked })}
        />
        <SelectField
          control={control}
          {...field('cost_center_id')}
          choices={costCenters?.map(asChoice)}
          clearable
          addLabel="Nuevo centro de costo"
          onAdd={(looked) => setAdding({ what: 'cost-center', looked })}
          accept={(id) => {
            // Another one begins today, unless another day is said.
            if (truckId !== undefined && id !== getValues('cost_center_id'))
              setValue('cost_center_from', today, { shouldDirty: true })
            return true
          }}
        />
        {truckId !== undefined && (
          <DayField
            control={control}
            {...field('cost_center_from')}
            description="Lo gastado antes queda en el centro anterior"
            placeholder="Desde siempre"
            latest={today}
          />
        )}
        <SelectField
          control={control}
          {...field('coupled_id')}
          choices={units?.map((unit) => ({
            value: unit.id,
            label:
              unit.truck_code && unit.truck_id !== truckId
                ? `${showPatent(unit.patent)} — con ${unit.truck_code}`
                : showPatent(unit.patent),
          }))}
          placeholder={ofTruck ? 'Sin acoplado' : 'Elija primero el taller'}
          disabled={!ofTruck}
          clearable
          accept={takeUnit}
          addLabel="Nuevo acoplado"
          onAdd={(looked) => setAdding({ what: 'coupled', looked })}
        />
        {truckId === undefined && <NumberField control={control} {...field('mileage')} digits={10} suffix="km" />}
      </div>

      {adding && lacking && (
        <AddDrawer
          to={lacking.catalogue}
          looked={adding.looked}
          onClose={close}
          onMade={(made) => {
            client.setQueryData<CatalogueRow[]>(lacking.query(ofTruck).queryKey, (list) => list && [...list, made])
            choose(lacking.field, made.id)
          }}
        />
      )}
      {adding?.what === 'coupled' && (
        <CoupledDrawer
          workshop={ofTruck}
          looked={adding.looked}
          onClose={close}
          onMade={(made) => {
            client.setQueryData(coupledQuery(ofTruck).queryKey, (list) => list && [...list, made])
            setValue('move_coupled', false)
            choose('coupled_id', made.id)
          }}
        />
      )}
    </>
  )
}

const confirmTaking = ({ patent, truck_code }: Coupled) =>
  confirm({
    title: 'Acoplado en uso',
    message: `El acoplado ${showPatent(patent)} está con el equipo ${truck_code}. Al guardar pasará a este equipo.`,
    accept: 'Cambiar de equipo',
  })

const asChoice = ({ id, name }: { id: number; name: string }) => ({ value: id, label: name })
