import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { fleet, NewTruck } from '#contract/fleet/fleet.ts'
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
import { fleetKey } from './queries.ts'
import { blankTruck, TruckFields, type TruckTyped } from './truck-form.tsx'

export default function TruckCreate() {
  return useMay('fleet.write') ? <CreateForm /> : <NotFound title="No tiene permiso para crear equipos" />
}

function CreateForm() {
  const navigate = useNavigate()
  const workshop = useWorkshop()
  const form = useForm<TruckTyped, unknown, NewTruck>({
    resolver: formResolver(NewTruck),
    defaultValues: blankTruck(workshop.id),
  })
  const leaveSaved = useLeaveGuard(form.formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(fleet.createTruck, { body, idempotencyKey }),
    refresh: [fleetKey],
    done: 'Equipo creado correctamente ✅',
    failed: 'Error al crear el equipo',
    onDone: (truck) => {
      leaveSaved()
      void navigate({ to: '/truck/$id', params: { id: String(truck.id) } })
    },
  })
  return (
    <form className={styles.page} onSubmit={submit} noValidate>
      <Link to="/truck" className={styles.back}>
        <IconArrowLeft size={14} stroke={1.9} aria-hidden />
        Equipos
      </Link>
      <PageHeader title="Nuevo equipo" />
      <div className={styles.card}>
        <TruckFields form={form} />
        <FormProblems />
        <div className={styles.buttons}>
          <ButtonLink to="/truck" variant="subtle">
            Cancelar
          </ButtonLink>
          <Button type="submit" loading={isPending}>
            Crear equipo
          </Button>
        </div>
      </div>
    </form>
  )
}
