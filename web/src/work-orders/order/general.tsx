import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { showKm } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import { PLACES, type WorkOrder } from '#contract/work-orders/orders.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { CoupledDrawer } from '../../fleet/coupled-drawer.tsx'
import { coupledQuery } from '../../fleet/queries.ts'
import { inForm } from '../../frames/fields.tsx'
import { useMay, useWorkshop } from '../../platform/session.ts'
import { choicesOf } from '../../ui/choices.ts'
import { DateTimeField, DayField } from '../../ui/date-field.tsx'
import { NumberField, SelectField, TextAreaField, TextField, WordField } from '../../ui/field.tsx'
import { lazy } from '../../ui/lazy.ts'
import { useClosed } from '../../workshops/closed.ts'
import { boxesQuery, driversQuery, maintenanceTypesQuery, specialistsQuery, trucksQuery } from '../choices.ts'
import { SwitchField, withChosen } from './fields.tsx'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import { TypeDrawer } from './task-drawers.tsx'
import type { OrderForm } from './typed.ts'

const TruckDrawer = lazy(() => import('../../fleet/truck-drawer.tsx'))

const field = inForm(WORK_ORDER_FIELDS)

interface PartProps {
  form: OrderForm
  /** As it is saved; none while it is being created. */
  order?: WorkOrder
}

interface RestProps extends PartProps {
  /** What every order says stands elsewhere already. */
  rest?: boolean
}

export const priorityChoices = choicesOf(PRIORITIES)
const placeChoices = choicesOf(PLACES)

/** `1430` → `14:30`, while it is typed. */
const asHour = (text: string) => {
  const digits = text.replace(/\D/g, '').slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)}:${digits.slice(2)}` : digits
}

export const usePeople = (workshop: number | undefined) => ({
  specialists: useQuery({ ...specialistsQuery(workshop), enabled: Boolean(workshop) }).data?.map((who) => ({
    value: who.id,
    label: fullName(who),
  })),
  drivers: useQuery({ ...driversQuery(workshop), enabled: Boolean(workshop) }).data?.map((who) => ({
    value: who.id,
    label: fullName(who),
  })),
})

function useTruck({ control }: OrderForm) {
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const truckId = useWatch({ control, name: 'truck_id' })
  const trucks = useQuery(trucksQuery(workshopId, true)).data
  return { workshopId, trucks, truck: trucks?.find(({ id }) => id === truckId) }
}

/** The truck brings its workshop and what it pulls along. Its kilometres are only a hint: nobody has read the meter yet. */
export function TruckField({ form, order }: PartProps) {
  const { control, setValue } = form
  const { workshopId, trucks } = useTruck(form)
  const closed = useClosed()
  const client = useQueryClient()
  const mayCreate = useMay('fleet.write')
  const [adding, setAdding] = useState<string>()
  /** What it spent in a closed month is of its truck; what was read then is known. */
  const kept =
    order &&
    [
      ...order.supplies.map(({ created_at }) => closed.at(created_at)),
      ...order.services.map(({ day }) => closed.onDay(day)),
      closed.at(order.workshop_entry_at),
    ].find(Boolean)
  const takeTruck = (id: number | null) => {
    const next = trucks?.find((one) => one.id === id)
    if (next && !workshopId) setValue('workshop_id', next.workshop_id, { shouldDirty: true })
    setValue('coupled_id', next?.coupled_id ?? null, { shouldDirty: true })
    return true
  }

  return (
    <>
      <SelectField
        control={control}
        {...field('truck_id')}
        required
        placeholder="Código o patente"
        description={kept}
        disabled={Boolean(kept)}
        choices={withChosen(
          trucks?.map(({ id, code, patent, workshop_id, workshop_name }) => ({
            value: id,
            label: [
              code,
              showPatent(patent),
              ...(!workshopId || workshop_id === workshopId ? [] : [workshop_name]),
            ].join(' · '),
          })),
          order?.truck_id,
          order && `${order.truck_code} · ${showPatent(order.patent)}`,
        )}
        accept={takeTruck}
        {...(mayCreate && { addLabel: 'Nuevo equipo', onAdd: setAdding })}
      />
      {adding !== undefined && (
        <Suspense fallback={null}>
          <TruckDrawer
            workshop={workshopId}
            looked={adding}
            onClose={() => setAdding(undefined)}
            onMade={(made) => {
              client.setQueryData(trucksQuery(workshopId, true).queryKey, (list) => list && [...list, made])
              if (!workshopId) setValue('workshop_id', made.workshop_id, { shouldDirty: true })
              setValue('truck_id', made.id, { shouldDirty: true, shouldValidate: true })
              setValue('coupled_id', made.coupled_id, { shouldDirty: true })
              setAdding(undefined)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

export function EquipmentPart({ form, order, rest }: RestProps) {
  const { control, setValue, getValues } = form
  const workshop = useWorkshop()
  const client = useQueryClient()
  const { workshopId, truck } = useTruck(form)
  const units = useQuery({ ...coupledQuery(workshopId, true), enabled: Boolean(workshopId) }).data
  const closed = useClosed()
  const read = order?.kilometer == null ? undefined : closed.at(order.workshop_entry_at ?? order.created_at)
  const [addingUnit, setAddingUnit] = useState<string>()

  /** Everything chosen from the workshop's lists stays behind with it. */
  const changeWorkshop = (id: number | null) => {
    if (id === getValues('workshop_id')) return true
    for (const field of [
      'truck_id',
      'coupled_id',
      'kilometer',
      'applicant_driver_id',
      'box_id',
      'responsible_specialist_id',
      'warehouse_id',
      'reviewed_by_specialist_id',
      'delivered_to_driver_id',
    ] as const)
      setValue(field, null, { shouldDirty: true })
    return true
  }

  return (
    <OrderSection id="equipo" title="Equipo y kilometraje">
      <div className={styles.grid}>
        {!rest && <TruckField form={form} order={order} />}
        <SelectField
          control={control}
          {...field('coupled_id')}
          clearable
          placeholder="Sin acoplado"
          disabled={!workshopId}
          choices={withChosen(
            units?.map(({ id, patent, workshop_id, workshop_name }) => ({
              value: id,
              label: workshop_id === workshopId ? showPatent(patent) : `${showPatent(patent)} · ${workshop_name}`,
            })),
            order?.coupled_id,
            order?.coupled_patent && showPatent(order.coupled_patent),
          )}
          addLabel="Nuevo acoplado"
          onAdd={setAddingUnit}
        />
        <NumberField
          control={control}
          {...field('kilometer')}
          description={read ?? (truck ? `Última lectura: ${showKm(truck.mileage)}` : 'El del tablero al llegar')}
          disabled={Boolean(read)}
          digits={10}
          suffix="km"
        />
        <SelectField
          control={control}
          {...field('workshop_id')}
          description={order ? 'No cambia una vez creada' : workshop.mayChoose ? 'Dónde se atiende' : 'El suyo'}
          required
          disabled={!workshop.mayChoose || Boolean(order)}
          choices={
            workshop.list.length > 0 ? workshop.list.map(({ id, name }) => ({ value: id, label: name })) : undefined
          }
          accept={changeWorkshop}
        />
      </div>
      {addingUnit !== undefined && (
        <CoupledDrawer
          workshop={workshopId}
          looked={addingUnit}
          onClose={() => setAddingUnit(undefined)}
          onMade={(made) => {
            client.setQueryData(coupledQuery(workshopId).queryKey, (list) => list && [...list, made])
            setValue('coupled_id', made.id, { shouldDirty: true })
            setAddingUnit(undefined)
          }}
        />
      )}
    </OrderSection>
  )
}

export const RequestField = ({ form }: { form: OrderForm }) => (
  <TextField
    control={form.control}
    {...field('request')}
    placeholder="Qué se pide, en pocas palabras: «Cambio de pastillas de freno eje delantero»"
    maxLength={500}
  />
)

export function RequestPart({ form, order, rest }: RestProps) {
  const { control, setValue } = form
  const client = useQueryClient()
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const types = useQuery(maintenanceTypesQuery).data
  const { drivers } = usePeople(workshopId)
  const [addingType, setAddingType] = useState<string>()
  return (
    <OrderSection id="solicitud" title="Solicitud">
      <div className={styles.grid}>
        {!rest && (
          <div className={styles.full}>
            <RequestField form={form} />
          </div>
        )}
        <div className={styles.full}>
          <TextAreaField control={control} {...field('description_of_requeriment')} rows={3} />
        </div>
        <SelectField
          control={control}
          {...field('type_maintenance_id')}
          clearable
          choices={withChosen(
            types?.filter(({ state }) => state === 'active').map(({ id, name }) => ({ value: id, label: name })),
            order?.type_maintenance_id,
            order?.type_maintenance,
          )}
          addLabel="Nuevo tipo de mantención"
          onAdd={setAddingType}
        />
        <WordField control={control} {...field('priority')} choices={priorityChoices} />
        <SelectField
          control={control}
          {...field('applicant_driver_id')}
          clearable
          placeholder="Ninguno"
          choices={withChosen(drivers, order?.applicant_driver_id, order?.applicant_driver)}
        />
        <TextField control={control} {...field('applicant')} placeholder="Si no es un conductor" maxLength={120} />
        <div className={styles.full}>
          <TextField control={control} {...field('codes')} placeholder="P0101, SPN 3251 FMI 2…" maxLength={200} />
        </div>
      </div>
      {addingType !== undefined && (
        <TypeDrawer
          looked={addingType}
          onClose={() => setAddingType(undefined)}
          onMade={(made) => {
            client.setQueryData(maintenanceTypesQuery.queryKey, (list) => list && [...list, made])
            setValue('type_maintenance_id', made.id, { shouldDirty: true })
            setAddingType(undefined)
          }}
        />
      )}
    </OrderSection>
  )
}

/** A deadline ends the day it names. */
export const DeadlineField = ({ form }: { form: OrderForm }) => (
  <DateTimeField control={form.control} {...field('deadline_at')} hour="23:59" />
)

export function PlanningPart({ form, order, rest }: RestProps) {
  const { control } = form
  const closed = useClosed()
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const { specialists } = usePeople(workshopId)
  const boxes = useQuery({ ...boxesQuery(workshopId), enabled: Boolean(workshopId) }).data
  return (
    <OrderSection id="planificacion" title="Planificación">
      <div className={styles.switches}>
        <SwitchField control={control} {...field('planned')} description="En verde en el calendario" />
        <SwitchField control={control} {...field('waiting_for_parts')} description="Se avisa en la tarjeta" />
      </div>
      <div className={styles.grid}>
        <SelectField
          control={control}
          {...field('responsible_specialist_id')}
          clearable
          placeholder="Sin responsable"
          choices={withChosen(specialists, order?.responsible_specialist_id, order?.responsible_specialist)}
        />
        <WordField control={control} {...field('place')} choices={placeChoices} />
        <SelectField
          control={control}
          {...field('box_id')}
          clearable
          placeholder="Sin box"
          choices={withChosen(
            boxes?.map(({ id, name }) => ({ value: id, label: name })),
            order?.box_id,
            order?.box_name,
          )}
        />
        {!rest && <DeadlineField form={form} />}
        <DayField control={control} {...field('date_estimed')} clearable />
        <TextField control={control} {...field('hour_estimed')} placeholder="14:30" maxLength={5} format={asHour} />
        <DateTimeField
          control={control}
          {...field('workshop_entry_at')}
          placeholder="Al recibirla"
          description={closed.at(order?.workshop_entry_at)}
          disabled={Boolean(closed.at(order?.workshop_entry_at))}
        />
        <DateTimeField
          control={control}
          {...field('workshop_departure_at')}
          placeholder="Al finalizarla"
          description={closed.at(order?.workshop_departure_at)}
          disabled={Boolean(closed.at(order?.workshop_departure_at))}
        />
      </div>
    </OrderSection>
  )
}
