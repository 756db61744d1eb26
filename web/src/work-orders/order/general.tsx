import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { showKm } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { PLACES, type WorkOrder } from '#contract/work-orders/orders.ts'
import { fullName } from '#contract/workshops/workshops.ts'
import { CoupledDrawer } from '../../fleet/coupled-drawer.tsx'
import { coupledQuery } from '../../fleet/queries.ts'
import { useWorkshop } from '../../platform/session.ts'
import { choicesOf } from '../../ui/choices.ts'
import { DateTimeField, DayField } from '../../ui/date-field.tsx'
import { NumberField, SelectField, TextAreaField, TextField, WordField } from '../../ui/field.tsx'
import { boxesQuery, driversQuery, maintenanceTypesQuery, specialistsQuery, trucksQuery } from '../queries.ts'
import { SwitchField, withChosen } from './fields.tsx'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import { TypeDrawer } from './task-drawers.tsx'
import type { OrderForm } from './typed.ts'

interface PartProps {
  form: OrderForm
  /** As it is saved; none while it is being created. */
  order?: WorkOrder
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

export function EquipmentPart({ form, order }: PartProps) {
  const { control, setValue, getValues } = form
  const workshop = useWorkshop()
  const client = useQueryClient()
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const truckId = useWatch({ control, name: 'truck_id' })
  const trucks = useQuery({ ...trucksQuery(workshopId), enabled: Boolean(workshopId) }).data
  const units = useQuery({ ...coupledQuery(workshopId), enabled: Boolean(workshopId) }).data
  const truck = trucks?.find(({ id }) => id === truckId)
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

  const takeTruck = (id: number | null) => {
    const next = trucks?.find((one) => one.id === id)
    const km = getValues('kilometer')
    setValue('coupled_id', next?.coupled_id ?? null, { shouldDirty: true })
    if (km === null || km === truck?.mileage) setValue('kilometer', next?.mileage ?? null, { shouldDirty: true })
    return true
  }

  return (
    <OrderSection id="equipo" title="Equipo y kilometraje">
      <div className={styles.grid}>
        <SelectField
          control={control}
          name="truck_id"
          label="Equipo"
          required
          placeholder={workshopId ? 'Código o patente' : 'Elija primero el taller'}
          disabled={!workshopId}
          choices={withChosen(
            trucks?.map(({ id, code, patent }) => ({ value: id, label: `${code} · ${showPatent(patent)}` })),
            order?.truck_id,
            order && `${order.truck_code} · ${showPatent(order.patent)}`,
          )}
          accept={takeTruck}
        />
        <SelectField
          control={control}
          name="coupled_id"
          label="Acoplado"
          clearable
          placeholder="Sin acoplado"
          disabled={!workshopId}
          choices={withChosen(
            units?.map(({ id, patent }) => ({ value: id, label: showPatent(patent) })),
            order?.coupled_id,
            order?.coupled_patent && showPatent(order.coupled_patent),
          )}
          addLabel="Nuevo acoplado"
          onAdd={setAddingUnit}
        />
        <NumberField
          control={control}
          name="kilometer"
          label="Kilometraje"
          description={truck ? `Último conocido: ${showKm(truck.mileage)}` : 'El del tablero al llegar'}
          digits={10}
          suffix="km"
        />
        <SelectField
          control={control}
          name="workshop_id"
          label="Taller"
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

export function RequestPart({ form, order }: PartProps) {
  const { control, setValue } = form
  const client = useQueryClient()
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const types = useQuery(maintenanceTypesQuery).data
  const { drivers } = usePeople(workshopId)
  const [addingType, setAddingType] = useState<string>()
  return (
    <OrderSection id="solicitud" title="Solicitud">
      <div className={styles.grid}>
        <div className={styles.full}>
          <TextField
            control={control}
            name="request"
            label="Solicitud"
            placeholder="Qué se pide, en pocas palabras: «Cambio de pastillas de freno eje delantero»"
            maxLength={500}
          />
        </div>
        <div className={styles.full}>
          <TextAreaField
            control={control}
            name="description_of_requeriment"
            label="Descripción del requerimiento"
            rows={3}
          />
        </div>
        <SelectField
          control={control}
          name="type_maintenance_id"
          label="Tipo de mantención"
          clearable
          choices={withChosen(
            types?.filter(({ state }) => state === 'active').map(({ id, name }) => ({ value: id, label: name })),
            order?.type_maintenance_id,
            order?.type_maintenance,
          )}
          addLabel="Nuevo tipo de mantención"
          onAdd={setAddingType}
        />
        <WordField control={control} name="priority" label="Prioridad" choices={priorityChoices} />
        <SelectField
          control={control}
          name="applicant_driver_id"
          label="Conductor que solicita"
          clearable
          placeholder="Ninguno"
          choices={withChosen(drivers, order?.applicant_driver_id, order?.applicant_driver)}
        />
        <TextField
          control={control}
          name="applicant"
          label="Solicitante"
          placeholder="Si no es un conductor"
          maxLength={120}
        />
        <div className={styles.full}>
          <TextField
            control={control}
            name="codes"
            label="Códigos de falla"
            placeholder="P0101, SPN 3251 FMI 2…"
            maxLength={200}
          />
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

export function PlanningPart({ form, order }: PartProps) {
  const { control } = form
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const { specialists } = usePeople(workshopId)
  const boxes = useQuery({ ...boxesQuery(workshopId), enabled: Boolean(workshopId) }).data
  return (
    <OrderSection id="planificacion" title="Planificación">
      <div className={styles.switches}>
        <SwitchField control={control} name="planned" label="Planificada" description="En verde en el calendario" />
        <SwitchField
          control={control}
          name="waiting_for_parts"
          label="Espera repuestos"
          description="Se avisa en la tarjeta"
        />
      </div>
      <div className={styles.grid}>
        <SelectField
          control={control}
          name="responsible_specialist_id"
          label="Responsable"
          clearable
          placeholder="Sin responsable"
          choices={withChosen(specialists, order?.responsible_specialist_id, order?.responsible_specialist)}
        />
        <WordField control={control} name="place" label="Lugar" choices={placeChoices} />
        <SelectField
          control={control}
          name="box_id"
          label="Box"
          clearable
          placeholder="Sin box"
          choices={withChosen(
            boxes?.map(({ id, name }) => ({ value: id, label: name })),
            order?.box_id,
            order?.box_name,
          )}
        />
        <DateTimeField control={control} name="deadline_at" label="Plazo de entrega" />
        <DayField control={control} name="date_estimed" label="Fecha estimada" clearable />
        <TextField
          control={control}
          name="hour_estimed"
          label="Hora estimada"
          placeholder="14:30"
          maxLength={5}
          format={asHour}
        />
        <DateTimeField
          control={control}
          name="workshop_entry_at"
          label="Ingreso al taller"
          placeholder="Al recibirla"
        />
        <DateTimeField
          control={control}
          name="workshop_departure_at"
          label="Salida del taller"
          placeholder="Al finalizarla"
        />
      </div>
    </OrderSection>
  )
}
