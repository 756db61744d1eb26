import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { showDate, showMoment } from '#contract/dates.ts'
import { fleet, type Reading, showPatent, type Truck, TruckEdit } from '#contract/fleet.ts'
import { showKm } from '#contract/money.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { Facts, Section } from '../ui/detail-frame.tsx'
import form from '../ui/form-page.module.css'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { Plate } from '../ui/plate.tsx'
import { MeterLine, makesLine } from './meter-line.tsx'
import { couplingsQuery, fleetKey, readingsQuery, truckQuery } from './queries.ts'
import styles from './truck-detail.module.css'
import { TruckFields, type TruckTyped } from './truck-form.tsx'

export function GeneralTab({ truck }: { truck: Truck }) {
  const mayWrite = useMay('fleet.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <EditForm truck={truck} /> : <ReadOnly truck={truck} />}
      <Aside truck={truck} />
    </div>
  )
}

const typedOf = (truck: Truck): TruckTyped => ({
  code: truck.code,
  patent: showPatent(truck.patent),
  workshop_id: truck.workshop_id,
  type_of_truck_id: truck.type_of_truck_id,
  brand_id: truck.brand_id,
  cost_center_id: truck.cost_center_id,
  coupled_id: truck.coupled_id,
  move_coupled: false,
  state: truck.state,
  updated_at: truck.updated_at,
})

function EditForm({ truck }: { truck: Truck }) {
  const client = useQueryClient()
  const edit = useForm<TruckTyped, unknown, TruckEdit>({
    resolver: zodResolver(TruckEdit) as Resolver<TruckTyped, unknown, TruckEdit>,
    defaultValues: typedOf(truck),
  })
  const { isDirty } = edit.formState
  useLeaveGuard(isDirty)

  // While nobody types, the form follows what others change; once somebody does, it waits for them to decide.
  useEffect(() => {
    if (!isDirty) edit.reset(typedOf(truck))
  }, [truck, isDirty, edit])

  const { submit, isPending } = useSubmit({
    form: edit,
    save: (body) => call(fleet.updateTruck, { params: { id: truck.id }, body }),
    refresh: [fleetKey],
    done: 'Equipo actualizado correctamente ✅',
    failed: 'Error al actualizar el equipo',
    onDone: (after) => {
      client.setQueryData(truckQuery(truck.id).queryKey, after)
      edit.reset(typedOf(after))
    },
    recover: async (failure) => {
      if (failure.status !== 409) return false
      const reload = await confirm({
        title: 'Otra persona cambió este equipo',
        message: 'Se cargarán sus cambios y se conservará lo que usted escribió, para que lo revise y guarde de nuevo.',
        accept: 'Recargar',
        cancel: 'Ahora no',
      })
      if (reload) {
        const typed = edit.getValues()
        const read = edit.formState.defaultValues ?? {}
        const now = await client.fetchQuery({ ...truckQuery(truck.id), staleTime: 0 })
        edit.reset(typedOf(now))
        for (const field of Object.keys(typed) as (keyof TruckTyped)[])
          if (typed[field] !== read[field]) edit.setValue(field, typed[field], { shouldDirty: true })
      }
      return true
    },
  })

  return (
    <form className={form.card} onSubmit={submit} noValidate>
      <TruckFields form={edit} truckId={truck.id} />
      <div className={form.buttons}>
        {isDirty && <span className={form.changed}>Hay cambios sin guardar</span>}
        <Button variant="subtle" disabled={!isDirty || isPending} onClick={() => edit.reset(typedOf(truck))}>
          Descartar
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isPending}>
          Guardar cambios
        </Button>
      </div>
    </form>
  )
}

function ReadOnly({ truck }: { truck: Truck }) {
  return (
    <Section title="Datos del equipo">
      <Facts
        rows={[
          ['Código', truck.code],
          ['Patente', <Plate key="patent" text={showPatent(truck.patent)} />],
          ['Taller', truck.workshop_name],
          ['Tipo', truck.type_name],
          ['Marca', truck.brand_name],
          ['Centro de costo', truck.cost_center_name],
          ['Acoplado', truck.coupled_patent && <Plate key="coupled" text={showPatent(truck.coupled_patent)} />],
        ]}
      />
    </Section>
  )
}

const MONTH = 30 * 86_400_000

/** What was driven since the reading of three months ago, or the first, brought to a month. */
function monthlyPace(readings: Reading[]) {
  const counted = readings.filter((reading) => !reading.superseded)
  const last = counted[0]
  const before = last && counted.find((reading) => Date.parse(last.date) - Date.parse(reading.date) >= MONTH * 3)
  const from = before ?? counted.at(-1)
  if (!last || !from) return undefined
  const elapsed = Date.parse(last.date) - Date.parse(from.date)
  return elapsed < MONTH ? undefined : Math.round(((last.km - from.km) / elapsed) * MONTH)
}

function Aside({ truck }: { truck: Truck }) {
  const zone = useZone()
  const readings = useQuery(readingsQuery(truck.id)).data?.data
  const current = useQuery(couplingsQuery(truck.id)).data?.find((coupling) => coupling.until === null)
  const last = readings?.find((reading) => !reading.superseded)
  const pace = readings && monthlyPace(readings)
  return (
    <div className={styles.aside}>
      <Section title="Kilometraje">
        <div className={styles.big}>{showKm(truck.mileage)}</div>
        <div className={styles.small}>{last ? `Última lectura: ${showMoment(last.date, zone)}` : '\u00a0'}</div>
        {readings && makesLine(readings) && (
          <div className={styles.chart}>
            <MeterLine readings={readings} height={72} />
          </div>
        )}
        {pace !== undefined && (
          <div className={styles.small}>Recorre unos {showKm(pace)} al mes, según los últimos tres meses.</div>
        )}
      </Section>
      <Section title="Acoplado actual">
        {current ? (
          <Facts
            rows={[
              ['Patente', <Plate key="patent" text={showPatent(current.patent)} />],
              ['Desde', showDate(current.from, zone)],
              ['Recorrido juntos', showKm(current.kilometers)],
            ]}
          />
        ) : (
          <div className={styles.small}>No lleva acoplado.</div>
        )}
      </Section>
      <div className={styles.small}>Última modificación: {showMoment(truck.updated_at, zone)}</div>
    </div>
  )
}
