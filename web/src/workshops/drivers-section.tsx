import { IconSteeringWheel } from '@tabler/icons-react'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { DRIVER_FIELDS } from '#contract/workshops/fields.ts'
import { type Driver, DriverEdit, fullName, LICENCE_CLASSES, rosters } from '#contract/workshops/rosters.ts'
import { inForm, listColumns } from '../frames/fields.tsx'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { DayField } from '../ui/date-field.tsx'
import { TextField } from '../ui/field.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { WordField } from './parts.tsx'
import { PersonFields, personColumns, personValues } from './roster.tsx'
import { RosterDrawer, RosterSection } from './roster-section.tsx'

const field = inForm(DRIVER_FIELDS)

const classes = LICENCE_CLASSES.map((value) => ({ value, label: value }))

/** A licence that is over keeps its driver from the road: it is said in words, not only in colour. */
function Expiry({ day }: { day: string }) {
  const zone = useZone()
  return day < dayOf(new Date(), zone) ? (
    <StatusPill tone="danger">{`Vencida ${showDay(day)}`}</StatusPill>
  ) : (
    <span className="figures">{showDay(day)}</span>
  )
}

const columns: Column<Driver>[] = [
  ...personColumns<Driver>(),
  ...listColumns<Driver, keyof typeof DRIVER_FIELDS>(DRIVER_FIELDS, {
    phone: { width: 150, rank: 7, cell: (row) => row.phone && <span className="figures">{row.phone}</span> },
    licence_class: { sort: true, width: 90, rank: 5 },
    licence_expires_on: {
      sort: true,
      width: 150,
      rank: 2,
      cell: (row) => row.licence_expires_on && <Expiry day={row.licence_expires_on} />,
    },
  }),
]

export default function DriversSection() {
  return (
    <RosterSection
      name="drivers"
      title="Conductores"
      lead="Quienes conducen los equipos, con su licencia y hasta cuándo vale."
      about="Quienes conducen los equipos, para elegirlos en las órdenes de trabajo."
      noun={{ one: 'conductor', many: 'conductores' }}
      icon={IconSteeringWheel}
      endpoint={rosters.listDrivers}
      columns={columns}
      searchLabel="Nombre o RUT"
      drawer={(row, onClose) => (
        <RosterDrawer
          row={row}
          thing="drivers"
          noun="conductor"
          nameOf={fullName}
          resolver={formResolver(DriverEdit)}
          values={{
            ...personValues(row),
            phone: row?.phone ?? '',
            licence_class: row?.licence_class ?? null,
            licence_expires_on: row?.licence_expires_on ?? null,
          }}
          create={(body: DriverEdit, idempotencyKey) => call(rosters.createDriver, { body, idempotencyKey })}
          update={(id, body) => call(rosters.updateDriver, { params: { id }, body })}
          remove={(id) => call(rosters.deleteDriver, { params: { id } })}
          fields={(control) => (
            <>
              <PersonFields control={control} />
              <TextField control={control} {...field('phone')} maxLength={40} />
              <WordField control={control} {...field('licence_class')} choices={classes} clearable />
              <DayField control={control} {...field('licence_expires_on')} clearable />
            </>
          )}
          onClose={onClose}
        />
      )}
    />
  )
}
