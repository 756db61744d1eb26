import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { showMoment } from '#contract/dates.ts'
import { showMoney, showNumber } from '#contract/money.ts'
import { type Warehouse, WarehouseEdit, warehouses } from '#contract/warehouses.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { Facts, Section } from '../ui/detail-frame.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { warehouseQuery, warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'
import { WarehouseFields, type WarehouseTyped } from './warehouse-form.tsx'

export function GeneralTab({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <EditForm warehouse={warehouse} /> : <ReadOnly warehouse={warehouse} />}
      <Aside warehouse={warehouse} />
    </div>
  )
}

const typedOf = ({ code, workshop_id, name, direction, description, updated_at }: Warehouse): WarehouseTyped => ({
  code,
  workshop_id,
  name,
  direction: direction ?? '',
  description: description ?? '',
  updated_at,
})

function EditForm({ warehouse }: { warehouse: Warehouse }) {
  const client = useQueryClient()
  const edit = useForm<WarehouseTyped, unknown, WarehouseEdit>({
    resolver: zodResolver(WarehouseEdit) as unknown as Resolver<WarehouseTyped, unknown, WarehouseEdit>,
    defaultValues: typedOf(warehouse),
  })
  const { isDirty } = edit.formState
  useLeaveGuard(isDirty, `/warehouse/${warehouse.id}`)

  // While nobody types, the form follows what others change; once somebody does, it waits for them to decide.
  useEffect(() => {
    if (!isDirty) edit.reset(typedOf(warehouse))
  }, [warehouse, isDirty, edit])

  const { submit, isPending } = useSubmit({
    form: edit,
    save: (body) => call(warehouses.updateWarehouse, { params: { id: warehouse.id }, body }),
    refresh: [warehousesKey],
    done: 'Bodega actualizada correctamente ✅',
    failed: 'Error al actualizar la bodega ❌',
    onDone: (after) => {
      client.setQueryData(warehouseQuery(warehouse.id).queryKey, after)
      edit.reset(typedOf(after))
    },
    recover: async (failure) => {
      if (failure.status !== 409) return false
      const reload = await confirm({
        title: 'No se pudo guardar',
        message: failure.message,
        accept: 'Recargar',
        cancel: 'Ahora no',
      })
      if (reload) edit.reset(typedOf(await client.fetchQuery({ ...warehouseQuery(warehouse.id), staleTime: 0 })))
      return true
    },
  })

  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <WarehouseFields form={edit} fixedWorkshop={warehouse.supplies_count > 0} />
      <div className={styles.buttons}>
        {isDirty && <span className={styles.changed}>Hay cambios sin guardar</span>}
        <Button variant="subtle" disabled={!isDirty || isPending} onClick={() => edit.reset(typedOf(warehouse))}>
          Descartar
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isPending}>
          Guardar cambios
        </Button>
      </div>
    </form>
  )
}

function ReadOnly({ warehouse }: { warehouse: Warehouse }) {
  return (
    <Section title="Datos de la bodega">
      <Facts
        rows={[
          ['Código', warehouse.code],
          ['Nombre', warehouse.name],
          ['Taller', warehouse.workshop_name],
          ['Dirección', warehouse.direction],
          ['Descripción', warehouse.description],
        ]}
      />
    </Section>
  )
}

function Aside({ warehouse }: { warehouse: Warehouse }) {
  const zone = useZone()
  const { id, value, supplies_count, below_minimum } = warehouse
  return (
    <div className={styles.aside}>
      <Section title="Valor del stock">
        <div className={styles.big}>{showMoney(value)}</div>
        <div className={styles.small}>
          {supplies_count === 1 ? '1 insumo en la bodega' : `${showNumber(supplies_count)} insumos en la bodega`}
        </div>
        <Link className={styles.more} to={`/warehouse/${id}?tab=stock` as never} replace>
          Ver stock
        </Link>
      </Section>
      <Section title="Bajo el mínimo">
        <div className={styles.big}>{showNumber(below_minimum)}</div>
        <div className={styles.small}>
          {below_minimum === 0 ? 'Nada por reponer.' : 'insumos con menos de lo que deberían tener'}
        </div>
        {below_minimum > 0 && (
          <Link className={styles.more} to={`/warehouse/${id}?tab=purchases-orders&reorder=1` as never} replace>
            Ver sugerencias de compra
          </Link>
        )}
      </Section>
      <div className={styles.small}>Última modificación: {showMoment(warehouse.updated_at, zone)}</div>
    </div>
  )
}
