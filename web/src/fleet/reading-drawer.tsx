import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { instantOf, localOf } from '#contract/base/dates.ts'
import { showKm } from '#contract/base/money.ts'
import { fleet, type Truck } from '#contract/fleet/fleet.ts'
import { NewReading } from '#contract/fleet/meter.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { DateTimeField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { NumberField, TextAreaField } from '../ui/field.tsx'
import { fleetKey } from './queries.ts'

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
  const form = useForm<ReadingTyped, unknown, NewReading>({
    resolver: formResolver<ReadingTyped, NewReading>(readingIn(zone)),
    defaultValues: { km: null, date: '', note: '' },
  })

  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(fleet.recordReading, { params: { id: truck.id }, body, idempotencyKey }),
    refresh: [fleetKey],
    done: 'Kilometraje registrado correctamente ✅',
    failed: 'Error al registrar el kilometraje',
    onDone: onClose,
    // A figure below what is known, or too far from it, has to be meant.
    recover: async (failure, body) => {
      const asked = failure.status === 422 ? failure.errors.km?.[0] : undefined
      if (asked?.includes('Confirme') && (await confirmReading(asked)))
        return { again: { ...body, confirm_lower: true } }
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
        digits={7}
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

const confirmReading = (asked: string) =>
  confirm({
    title: '¿El kilometraje es correcto?',
    message: `${asked} Las lecturas anteriores que sean mayores dejarán de contar.`,
    accept: 'Sí, es correcto',
    danger: true,
  })
