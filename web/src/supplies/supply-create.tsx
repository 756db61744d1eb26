import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { NewSupply, supplies } from '#contract/supplies/supplies.ts'
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
import { suppliesKey } from './queries.ts'
import { SupplyFields, type SupplyTyped } from './supply-form.tsx'

/** No workshop yet: refused until one is chosen. */
const NONE = 0

export default function SupplyCreate() {
  return useMay('supplies.write') ? <CreateForm /> : <NotFound title="No tiene permiso para crear insumos" />
}

function CreateForm() {
  const navigate = useNavigate()
  const workshop = useWorkshop()
  const form = useForm<SupplyTyped, unknown, NewSupply>({
    resolver: formResolver(NewSupply),
    defaultValues: {
      code: '',
      name: '',
      workshop_id: workshop.id ?? NONE,
      cost: null as unknown as number,
      category_id: null,
      measurement_units_id: null,
      description: '',
    },
  })
  const leaveSaved = useLeaveGuard(form.formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(supplies.createSupply, { body, idempotencyKey }),
    refresh: [suppliesKey],
    done: 'Insumo creado correctamente ✅',
    failed: 'Error al crear el insumo ❌',
    onDone: (supply) => {
      leaveSaved()
      void navigate({ to: '/insumo/$id', params: { id: String(supply.id) } })
    },
  })
  return (
    <form className={styles.page} onSubmit={submit} noValidate>
      <Link to="/inventario" className={styles.back}>
        <IconArrowLeft size={14} stroke={1.9} aria-hidden />
        Inventario
      </Link>
      <PageHeader title="Nuevo insumo" />
      <div className={styles.card}>
        <SupplyFields form={form} isNew />
        <FormProblems />
        <div className={styles.buttons}>
          <ButtonLink to="/inventario" variant="subtle">
            Cancelar
          </ButtonLink>
          <Button type="submit" loading={isPending}>
            Crear insumo
          </Button>
        </div>
      </div>
    </form>
  )
}
