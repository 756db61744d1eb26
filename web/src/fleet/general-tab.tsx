import { useQuery } from '@tanstack/react-query'
import { showDate, showMoment } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { TRUCK_FIELDS } from '#contract/fleet/fields.ts'
import { fleet, showPatent, type Truck, TruckEdit } from '#contract/fleet/fleet.ts'
import type { Reading } from '#contract/fleet/meter.ts'
import styles from '../frames/detail-page.module.css'
import { EditForm, useEdit } from '../frames/edit-form.tsx'
import { factsOf } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Facts, Section } from '../ui/detail-frame.tsx'
import { Plate } from '../ui/plate.tsx'
import { MeterLine, makesLine } from './meter-line.tsx'
import { couplingsQuery, fleetKey, readingsQuery, truckQuery } from './queries.ts'
import { TruckFields, type TruckTyped, typedOf } from './truck-form.tsx'

export function GeneralTab({ truck }: { truck: Truck }) {
  const mayWrite = useMay('fleet.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <Edit truck={truck} /> : <ReadOnly truck={truck} />}
      <Aside truck={truck} />
    </div>
  )
}

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
        rows={factsOf(TRUCK_FIELDS, truck, {
          patent: <Plate text={showPatent(truck.patent)} />,
          coupled_id: truck.coupled_patent && <Plate text={showPatent(truck.coupled_patent)} />,
          state: undefined,
        })}
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
