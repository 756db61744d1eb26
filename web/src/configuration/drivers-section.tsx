import { zodResolver } from '@hookform/resolvers/zod'
import { IconSteeringWheel } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { dayOf, showDay } from '#contract/dates.ts'
import { type Driver, DriverEdit, fullName, LICENCE_CLASSES, workshops } from '#contract/workshops.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { DayField } from '../ui/date-field.tsx'
import { TextField } from '../ui/field.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import type { Column } from '../ui/list-table.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { FormDrawer, StateField, WordField, WorkshopField } from './parts.tsx'
import { workshopsKey } from './queries.ts'
import {
  PersonFields,
  personColumns,
  personValues,
  SectionHead,
  stateColumn,
  stateFilter,
  useRosterScope,
  workshopColumn,
} from './roster.tsx'

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
  {
    key: 'phone',
    label: 'Teléfono',
    width: 150,
    rank: 7,
    cell: (row) => row.phone && <span className="figures">{row.phone}</span>,
    file: (row) => row.phone,
  },
  {
    key: 'licence_class',
    label: 'Licencia',
    sort: true,
    width: 90,
    rank: 5,
    cell: (row) => row.licence_class,
    file: (row) => row.licence_class,
  },
  {
    key: 'licence_expires_on',
    label: 'Vence',
    sort: true,
    width: 150,
    rank: 2,
    cell: (row) => row.licence_expires_on && <Expiry day={row.licence_expires_on} />,
    file: (row) => row.licence_expires_on,
  },
  workshopColumn(),
  stateColumn(),
]

export default function DriversSection() {
  const { filter, scope } = useRosterScope()
  const [opened, setOpened] = useState<Driver | 'new'>()
  return (
    <>
      <SectionHead title="Conductores">Quienes conducen los equipos, con su licencia y hasta cuándo vale.</SectionHead>
      <ListScreen
        name="drivers"
        title="Conductores"
        noun={{ one: 'conductor', many: 'conductores', none: 'Ningún' }}
        icon={IconSteeringWheel}
        about="Quienes conducen los equipos, para elegirlos en las órdenes de trabajo."
        endpoint={workshops.listDrivers}
        queryKey={workshopsKey}
        scope={scope}
        columns={columns}
        filters={[filter, stateFilter]}
        searchLabel="Nombre o RUT"
        open={setOpened}
        create={{ label: 'Nuevo conductor', act: () => setOpened('new') }}
        inside
      />
      {opened && <DriverDrawer row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function DriverDrawer({ row, onClose }: { row?: Driver; onClose: () => void }) {
  const { mayChoose, initial } = useRosterScope()
  const form = useForm({
    resolver: zodResolver(DriverEdit),
    defaultValues: {
      ...personValues(row),
      phone: row?.phone ?? '',
      licence_class: row?.licence_class ?? null,
      licence_expires_on: row?.licence_expires_on ?? null,
      workshop_id: row?.workshop_id ?? initial,
      state: row?.state ?? 'active',
      updated_at: row?.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      row
        ? call(workshops.updateDriver, { params: { id: row.id }, body })
        : call(workshops.createDriver, { body, idempotencyKey }),
    refresh: [workshopsKey],
    done: row ? 'Conductor actualizado correctamente ✅' : 'Conductor creado correctamente ✅',
    failed: 'No se pudo guardar el conductor',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? fullName(row) : 'Nuevo conductor'}
      save={row ? 'Guardar' : 'Crear conductor'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      remove={
        row && {
          what: fullName(row),
          act: () => call(workshops.deleteDriver, { params: { id: row.id } }),
          refresh: workshopsKey,
        }
      }
    >
      <PersonFields control={form.control} />
      <TextField control={form.control} name="phone" label="Teléfono" maxLength={40} />
      <WordField control={form.control} name="licence_class" label="Clase de licencia" choices={classes} clearable />
      <DayField control={form.control} name="licence_expires_on" label="Licencia vence" clearable />
      <WorkshopField control={form.control} name="workshop_id" mayChoose={mayChoose} />
      {row && <StateField control={form.control} name="state" />}
    </FormDrawer>
  )
}
