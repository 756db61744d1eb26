import { useQuery } from '@tanstack/react-query'
import { showDate, showMoment } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { fleet, type Reading, showPatent, type Truck, TruckEdit } from '#contract/fleet/fleet.ts'
import styles from '../frames/detail-page.module.css'
import { EditForm, useEdit } from '../frames/edit-form.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Facts, Section } from '../ui/detail-frame.tsx'
import { Plate } from '../ui/plate.tsx'
import { MeterLine, makesLine } from './meter-line.tsx'
import { couplingsQuery, fleetKey, readingsQuery, truckQuery } from './queries.ts'
import { TruckFields, type TruckTyped } from './truck-form.tsx'

export function GeneralTab({ truck }: { truck: Truck }) {
  const mayWrite = useMay('fleet.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <Edit truck={truck} /> : <ReadOnly truck={truck} />}
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

function Edit({ truck }: { truck: Truck }) {
  const edit = useEdit<Truck, TruckTyped, TruckEdit>({
    row: truck,
    typedOf,
    resolver: formResolver(TruckEdit),
    query: truckQuery(truck.id),
    save: (body) => call(fleet.updateTruck, { params: { id: truck.id }, body }),
    refresh: [fleetKey],
    what: 'este equipo',
    done: 'Equipo actualizado correctamente ✅',
    failed: 'Error al actualizar el equipo',
  })
  return (
    <EditForm edit={edit}>
      <TruckFields form={edit.form} truckId={truck.id} />
    </EditForm>
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
