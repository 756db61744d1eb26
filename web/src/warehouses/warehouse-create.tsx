import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { NewWarehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import styles from '../frames/form-page.module.css'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { FormProblems } from '../ui/form-problems.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { ButtonLink } from '../ui/links.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { warehousesKey } from './queries.ts'
import { blankWarehouse, WarehouseFields, type WarehouseTyped } from './warehouse-form.tsx'

export default function WarehouseCreate() {
  return useMay('warehouses.write') ? <CreateForm /> : <NotFound title="No tiene permiso para crear bodegas" />
}

function CreateForm() {
  const navigate = useNavigate()
  const workshop = useWorkshop()
  const form = useForm<WarehouseTyped, unknown, NewWarehouse>({
    resolver: formResolver<WarehouseTyped, NewWarehouse>(NewWarehouse),
    defaultValues: blankWarehouse(workshop.id),
  })
  const leaveSaved = useLeaveGuard(form.formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(warehouses.createWarehouse, { body, idempotencyKey }),
    refresh: [warehousesKey],
    done: 'Bodega creada correctamente ✅',
    failed: 'Error al crear la bodega ❌',
    onDone: (warehouse) => {
      leaveSaved()
      void navigate({ to: '/warehouse/$id', params: { id: String(warehouse.id) } })
    },
  })
  return (
    <form className={styles.page} onSubmit={submit} noValidate>
      <Link to="/warehouse" className={styles.back}>
        <IconArrowLeft size={14} stroke={1.9} aria-hidden />
        Bodegas
      </Link>
      <PageHeader title="Nueva bodega" />
      <div className={styles.card}>
        <WarehouseFields form={form} isNew />
        <FormProblems />
        <div className={styles.buttons}>
          <ButtonLink to="/warehouse" variant="subtle">
            Cancelar
          </ButtonLink>
          <Button type="submit" loading={isPending}>
            Crear bodega
          </Button>
        </div>
      </div>
    </form>
  )
}
