import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { showDni } from '#contract/base/rut.ts'
import { type LikeProvider, type NewProvider, providers } from '#contract/providers/providers.ts'
import styles from '../frames/form-page.module.css'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { ButtonLink } from '../ui/links.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ALL, NewProviderForm, ProviderFields, type ProviderTyped } from './provider-form.tsx'
import likesStyles from './provider-likes.module.css'
import { likeQuery, providersKey } from './queries.ts'

export default function ProviderCreate() {
  return useMay('providers.write') ? <CreateForm /> : <NotFound title="No tiene permiso para crear proveedores" />
}

function CreateForm() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const workshop = useWorkshop()
  const form = useForm<ProviderTyped, unknown, NewProvider>({
    resolver: formResolver<ProviderTyped, NewProvider>(NewProviderForm),
    defaultValues: {
      name: '',
      dni: '',
      phone: '',
      email: '',
      address: '',
      payment_days: 30,
      workshop_id: workshop.id ?? ALL,
    },
  })
  const leaveSaved = useLeaveGuard(form.formState.isDirty)

  /** Asks before a second one; a RUT that is taken needs no question, the server refuses it under its field. */
  const isReallyNew = async ({ name, dni }: NewProvider) => {
    const found = await client.fetchQuery(likeQuery({ name, dni: dni ?? '' })).catch((): LikeProvider[] => [])
    const likes = found.filter((like) => like.because === 'name' && like.name !== null)
    if (likes.length === 0 || found.some((like) => like.because === 'dni')) return true
    return confirm({
      title: '¿No será el mismo proveedor?',
      message: (
        <>
          Ya existe{likes.length > 1 && 'n'}:
          <ul className={likesStyles.likes}>
            {likes.map((like) => (
              <li key={like.id}>
                <strong>{like.name}</strong>
                {like.dni && `, RUT ${showDni(like.dni)}`}
                {like.state === 'inactive' && ' (inactivo)'}
              </li>
            ))}
          </ul>
          Si es otro, créelo; si es el mismo, use el que ya está.
        </>
      ),
      accept: 'Crear de todos modos',
      cancel: 'Volver al formulario',
    })
  }

  const { submit, isPending } = useSubmit({
    form,
    prepare: async (body) => ((await isReallyNew(body)) ? body : undefined),
    save: (body, idempotencyKey) => call(providers.createProvider, { body, idempotencyKey }),
    refresh: [providersKey],
    done: 'Proveedor creado correctamente ✅',
    failed: 'Error al crear el proveedor ❌',
    onDone: (provider) => {
      leaveSaved()
      void navigate({ to: '/provider/$id', params: { id: String(provider.id) } })
    },
  })
  return (
    <form className={styles.page} onSubmit={submit} noValidate>
      <Link to="/provider" className={styles.back}>
        <IconArrowLeft size={14} stroke={1.9} aria-hidden />
        Proveedores
      </Link>
      <PageHeader title="Nuevo proveedor" />
      <div className={styles.card}>
        <ProviderFields form={form} />
        <FormProblems />
        <div className={styles.buttons}>
          <ButtonLink to="/provider" variant="subtle">
            Cancelar
          </ButtonLink>
          <Button type="submit" loading={isPending}>
            Crear proveedor
          </Button>
        </div>
      </div>
    </form>
  )
}
