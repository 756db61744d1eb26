import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { showDate, showMoment } from '#contract/dates.ts'
import { showMoney } from '#contract/money.ts'
import { COST_SOURCES, type Supply, SupplyEdit, supplies } from '#contract/supplies.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { Facts, Section } from '../ui/detail-frame.tsx'
import form from '../ui/form-page.module.css'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { CostLine } from './cost-line.tsx'
import { costsQuery, suppliesKey, supplyQuery } from './queries.ts'
import styles from './supply-detail.module.css'
import { SupplyFields, type SupplyTyped } from './supply-form.tsx'

export function GeneralTab({ supply }: { supply: Supply }) {
  const mayWrite = useMay('supplies.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <EditForm supply={supply} /> : <ReadOnly supply={supply} />}
      <Aside supply={supply} />
    </div>
  )
}

const typedOf = (supply: Supply): SupplyTyped => ({
  code: supply.code,
  name: supply.name,
  workshop_id: supply.workshop_id,
  cost: supply.cost,
  category_id: supply.category_id,
  measurement_units_id: supply.measurement_units_id,
  description: supply.description ?? '',
  state: supply.state,
  updated_at: supply.updated_at,
})

function EditForm({ supply }: { supply: Supply }) {
  const client = useQueryClient()
  const edit = useForm<SupplyTyped, unknown, SupplyEdit>({
    resolver: zodResolver(SupplyEdit) as Resolver<SupplyTyped, unknown, SupplyEdit>,
    defaultValues: typedOf(supply),
  })
  const { isDirty } = edit.formState
  useLeaveGuard(isDirty)

  // While nobody types, the form follows what others change; once somebody does, it waits for them to decide.
  useEffect(() => {
    if (!isDirty) edit.reset(typedOf(supply))
  }, [supply, isDirty, edit])

  const { submit, isPending } = useSubmit({
    form: edit,
    save: (body) => call(supplies.updateSupply, { params: { id: supply.id }, body }),
    refresh: [suppliesKey],
    done: 'insumo actualizado correctamente',
    failed: 'Error al actualizar el insumo ❌',
    onDone: (after) => {
      client.setQueryData(supplyQuery(supply.id).queryKey, after)
      edit.reset(typedOf(after))
    },
    recover: async (failure) => {
      if (failure.status !== 409 || !failure.message.startsWith('Otra persona')) return false
      const reload = await confirm({
        title: 'Otra persona cambió este insumo',
        message: 'Se cargarán sus cambios y se conservará lo que usted escribió, para que lo revise y guarde de nuevo.',
        accept: 'Recargar',
        cancel: 'Ahora no',
      })
      if (reload) {
        const now = await client.fetchQuery({ ...supplyQuery(supply.id), staleTime: 0 })
        edit.reset(typedOf(now), { keepDirtyValues: true })
      }
      return true
    },
  })

  return (
    <form className={form.card} onSubmit={submit} noValidate>
      <SupplyFields form={edit} />
      <div className={form.buttons}>
        {isDirty && <span className={form.changed}>Hay cambios sin guardar</span>}
        <Button variant="subtle" disabled={!isDirty || isPending} onClick={() => edit.reset(typedOf(supply))}>
          Descartar
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isPending}>
          Guardar cambios
        </Button>
      </div>
    </form>
  )
}

function ReadOnly({ supply }: { supply: Supply }) {
  return (
    <Section title="Datos del insumo">
      <Facts
        rows={[
          ['Código', supply.code],
          ['Nombre', supply.name],
          ['Ubicación', supply.workshop_name],
          ['Costo unitario', showMoney(supply.cost)],
          ['Categoría', supply.category_name],
          ['Unidad de medida', supply.measurement_unit_name],
          ['Descripción', supply.description],
        ]}
      />
    </Section>
  )
}

function Aside({ supply }: { supply: Supply }) {
  const zone = useZone()
  const costs = useQuery(costsQuery(supply.id)).data?.data
  const last = costs?.[0]
  const before = costs?.[1]
  const change = last && before && before.cost > 0 ? Math.round((last.cost / before.cost - 1) * 100) : undefined
  return (
    <div className={styles.aside}>
      <Section title="Costo unitario">
        <div className={styles.big}>{showMoney(supply.cost)}</div>
        <div className={styles.small}>
          {last ? `${COST_SOURCES[last.source].label}, ${showDate(last.at, zone)}` : '\u00a0'}
        </div>
        {costs && costs.length > 1 && (
          <div className={styles.chart}>
            <CostLine costs={costs} height={72} />
          </div>
        )}
        {before && change !== undefined && change !== 0 && (
          <div className={styles.small}>
            {change > 0 ? `Subió ${change} %` : `Bajó ${-change} %`} desde {showMoney(before.cost)}.
          </div>
        )}
      </Section>
      <div className={styles.small}>Última modificación: {showMoment(supply.updated_at, zone)}</div>
    </div>
  )
}
