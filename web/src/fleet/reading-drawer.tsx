import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { instantOf, localOf } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { fleet, NewReading, type Truck } from '#contract/fleet/fleet.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { DateTimeField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { NumberField, TextAreaField } from '../ui/field.tsx'
import { fleetKey, readingsQuery, truckQuery } from './queries.ts'

interface ReadingTyped {
  km: number | null
  date: string
  note: string
}

/** The date as a clock of the company shows it; empty: now. */
const readingIn = (zone: string) =>
  NewReading.extend({
    date: z.string().transform((local) => (local ? instantOf(local.replace(' ', 'T'), zone) : undefined)),
  })

export default function ReadingDrawer({ truck, onClose }: { truck: Truck; onClose: () => void }) {
  const zone = useZone()
  const client = useQueryClient()
  const readings = useQuery(readingsQuery(truck.id)).data?.data
  const form = useForm<ReadingTyped, unknown, NewReading>({
    resolver: formResolver<ReadingTyped, NewReading>(readingIn(zone)),
    defaultValues: { km: null, date: '', note: '' },
  })

  /** Only the newest reading can be a correction; an older one must fit between its neighbours, which the server sees. */
  const isNewest = (date: string | undefined) => {
    const last = readings?.find((reading) => !reading.superseded)
    return !date || !last || Date.parse(date) >= Date.parse(last.date)
  }

  const { submit, isPending } = useSubmit({
    form,
    prepare: async (body) => {
      const confirm_lower = body.km < truck.mileage && isNewest(body.date)
      if (confirm_lower && !(await confirmLower(body.km, truck.mileage))) return undefined
      return { ...body, confirm_lower }
    },
    save: (body, idempotencyKey) => call(fleet.recordReading, { params: { id: truck.id }, body, idempotencyKey }),
    refresh: [fleetKey],
    done: 'Kilometraje registrado correctamente ✅',
    failed: 'Error al registrar el kilometraje',
    onDone: onClose,
    recover: () => {
      // Somebody may have recorded a higher one meanwhile: the next try asks about that one.
      void client.invalidateQueries({ queryKey: truckQuery(truck.id).queryKey })
      return false
    },
  })

  return (
    <Drawer
      opened
      onClose={onClose}
      title="Registrar kilometraje"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Registrar
          </Button>
        </>
      )}
    >
      <NumberField
        control={form.control}
        name="km"
        label="Kilometraje"
        description={`Último conocido: ${showKm(truck.mileage)}`}
        digits={10}
        suffix="km"
        required
        autoFocus
      />
      <DateTimeField
        control={form.control}
        name="date"
        label="Fecha y hora"
        placeholder="Ahora"
        latest={localOf(new Date(), zone).replace('T', ' ')}
      />
      <TextAreaField control={form.control} name="note" label="Nota" placeholder="Por ejemplo: cambio de odómetro" />
    </Drawer>
  )
}

const confirmLower = (km: number, known: number) =>
  confirm({
    title: '¿Corregir el kilometraje?',
    message: `${showKm(km)} es menos que lo último conocido (${showKm(known)}). Quedará como corrección, y las lecturas mayores dejarán de contar.`,
    accept: 'Registrar corrección',
    danger: true,
  })
