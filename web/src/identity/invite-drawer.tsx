import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { USER_FIELDS } from '#contract/identity/fields.ts'
import { identity, NewUser, type OneTimeLink } from '#contract/identity/identity.ts'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'
import { FormDrawer } from '../workshops/parts.tsx'
import { identityKey } from '../workshops/queries.ts'
import { useRosterScope } from '../workshops/roster.tsx'
import { LinkBox } from './one-time-link.tsx'
import { PlaceFields } from './place-fields.tsx'

const field = inForm(USER_FIELDS)

export default function InviteDrawer({ onClose }: { onClose: () => void }) {
  const { initial } = useRosterScope()
  const [made, setMade] = useState<{ name: string; email: string; link: OneTimeLink }>()
  const form = useForm({
    resolver: zodResolver(NewUser),
    defaultValues: { name: '', email: '', role: 'viewer', workshop_id: initial ?? null, specialist_id: null },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: async (body, idempotencyKey) => {
      const { id, name, email } = await call(identity.createUser, { body, idempotencyKey })
      return { name, email, link: await call(identity.createLink, { params: { id }, body: {} }) }
    },
    refresh: [identityKey],
    done: 'Invitación creada correctamente ✅',
    failed: 'No se pudo invitar',
    onDone: setMade,
  })
  if (made)
    return (
      <Drawer opened onClose={onClose} title="Invitación lista" footer={<Button onClick={onClose}>Listo</Button>}>
        <LinkBox link={made.link}>
          {made.link.mailed
            ? `La invitación va en camino a ${made.email}: con ella elige su contraseña y entra.`
            : made.link.token === null
              ? `${made.name} quedó en la lista. Como no hay servidor de correo, pida a un super administrador que le entregue el enlace.`
              : `Envíe este enlace a ${made.name}: con él elige su contraseña y entra.`}
        </LinkBox>
      </Drawer>
    )
  return (
    <FormDrawer
      title="Invitar"
      save="Crear invitación"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} {...field('name')} required autoFocus maxLength={120} />
      <TextField control={form.control} {...field('email')} type="email" required maxLength={200} />
      <PlaceFields control={form.control} />
    </FormDrawer>
  )
}
