import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { instantOf, localOf } from '#contract/base/dates.ts'
import { type Coupling, fleet, NewCoupling, showPatent, type Truck } from '#contract/fleet/fleet.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { DateTimeField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { NumberField, SelectField } from '../ui/field.tsx'
import { coupledQuery, fleetKey } from './queries.ts'

interface CouplingTyped {
  coupled_id: number | null
  from: string
  until: string
  from_km: number | null
  until_km: number | null
}

interface CouplingDrawerProps {
  truck: Truck
  /** Left out: one that nobody noted when it happened. */
  coupling?: Coupling
  onClose: () => void
}

/** Which unit the truck pulled, from when until when. */
export default function CouplingDrawer({ truck, coupling, onClose }: CouplingDrawerProps) {
  const zone = useZone()
  const units = useQuery(coupledQuery(truck.workshop_id)).data ?? []
  const clock = (at: string | null | undefined) => (at ? `${localOf(at, zone).replace('T', ' ')}:00` : '')
  const instant = (local: string, was?: string | null) =>
    was && clock(was) === local ? was : local ? instantOf(local.replace(' ', 'T'), zone) : null
  const form = useForm<CouplingTyped, unknown, NewCoupling>({
    resolver: formResolver<CouplingTyped, NewCoupling>(NewCoupling, (typed) => ({
      ...typed,
      from: instant(typed.from, coupling?.from) ?? '',
      until: instant(typed.until, coupling?.until),
    })),
    defaultValues: {
      coupled_id: coupling?.coupled_id ?? null,
      from: clock(coupling?.from),
      until: clock(coupling?.until),
      from_km: coupling?.from_km ?? null,
      until_km: coupling?.until_km ?? null,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      coupling
        ? call(fleet.updateCoupling, { params: { id: coupling.id }, body })
        : call(fleet.addCoupling, { params: { id: truck.id }, body, idempotencyKey }),
    refresh: [fleetKey, ['alerts']],
    done: 'Acoplado corregido correctamente ✅',
    failed: 'Error al corregir el acoplado',
    onDone: onClose,
  })
  const remove = useSubmit({
    form,
    prepare: async (body) =>
      (await confirm({
        title: '¿Quitar este período?',
        message: 'El acoplado dejará de contar los kilómetros de este período.',
        accept: 'Quitar período',
        danger: true,
      }))
        ? body
        : undefined,
    save: () => call(fleet.deleteCoupling, { params: { id: coupling?.id ?? 0 } }),
    refresh: [fleetKey, ['alerts']],
    done: 'Período quitado',
    failed: 'Error al quitar el período',
    onDone: onClose,
  })
  const latest = localOf(new Date(), zone).replace('T', ' ')
  return (
    <Drawer
      opened
      onClose={onClose}
      title={coupling ? 'Corregir acoplado' : 'Agregar acoplado anterior'}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          {coupling && (
            <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => void remove.submit()}>
              Quitar
            </Button>
          )}
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Guardar
          </Button>
        </>
      )}
    >
      <SelectField
        control={form.control}
        name="coupled_id"
        label="Acoplado"
        required
        choices={units.map((unit) => ({ value: unit.id, label: showPatent(unit.patent) }))}
      />
      <DateTimeField control={form.control} name="from" label="Desde" required latest={latest} />
      <NumberField
        control={form.control}
        name="from_km"
        label="Kilometraje al comenzar"
        description="Si se conoce; si no, se calcula con las lecturas."
        digits={7}
        suffix="km"
      />
      <DateTimeField control={form.control} name="until" label="Hasta" placeholder="Todavía lo lleva" latest={latest} />
      <NumberField control={form.control} name="until_km" label="Kilometraje al terminar" digits={7} suffix="km" />
    </Drawer>
  )
}
