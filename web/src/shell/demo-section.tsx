import { Button } from '@mantine/core'
import { IconBuilding, IconRestore } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type DemoLeaving, identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { forgetSession } from '../platform/session.ts'
import { keep } from '../platform/storage.ts'
import { confirm } from '../ui/confirm.tsx'
import { say } from '../ui/snackbar.tsx'
import { SectionHead } from '../workshops/roster.tsx'
import styles from './demo-section.module.css'

const WAYS = {
  leave: {
    icon: IconBuilding,
    title: 'Empezar con su empresa',
    about:
      'La demostración se va completa, y en su lugar queda una empresa vacía: la suya. Le pedimos su nombre, su primer taller y cómo quiere entrar.',
    action: 'Dejar la demostración',
    question: '¿Dejar la demostración?',
    told: 'Se borran sus empresas, personas y datos, también lo que usted haya agregado. No se puede deshacer.',
  },
  again: {
    icon: IconRestore,
    title: 'Volver a empezar la demostración',
    about: 'Todo queda como la primera vez, con fechas hasta hoy. Lo que se haya agregado o cambiado se pierde.',
    action: 'Reiniciar la demostración',
    question: '¿Reiniciar la demostración?',
    told: 'Se borra lo que se haya agregado o cambiado, y todos vuelven a entrar. Toma cerca de un minuto.',
  },
} as const satisfies Record<DemoLeaving['how'], object>

/** What can be done with the demonstration as a whole; it is there only where there is nothing else. */
export default function DemoSection() {
  const navigate = useNavigate()
  const [busy, setBusy] = useState<DemoLeaving['how']>()
  const leave = async (how: DemoLeaving['how']) => {
    const { question, told, action } = WAYS[how]
    if (!(await confirm({ title: question, message: told, accept: action, danger: true }))) return
    setBusy(how)
    try {
      const { code } = await call(identity.leaveDemo, { body: { how } })
      for (const name of ['company', 'workshop', 'import', 'importAfter', 'board', 'channel', 'preferences'] as const)
        keep(name, null)
      const next = code ? `/configurar?codigo=${code}` : '/inicio'
      await forgetSession(() => navigate({ to: '/maintenance', search: { next }, replace: true }))
    } catch (error) {
      say('No se pudo hacer', { tone: 'danger', detail: (error as Error).message })
      setBusy(undefined)
    }
  }
  return (
    <>
      <SectionHead title="Demostración">
        Esta empresa es inventada: pruebe lo que quiera. Aquí se reinicia, o se deja atrás para siempre.
      </SectionHead>
      <ul className={styles.ways}>
        {(['leave', 'again'] as const).map((how) => {
          const { icon: Icon, title, about, action } = WAYS[how]
          return (
            <li key={how} className={styles.way}>
              <Icon size={22} stroke={1.7} aria-hidden />
              <div>
                <strong>{title}</strong>
                <p>{about}</p>
              </div>
              <Button
                variant={how === 'leave' ? 'filled' : 'default'}
                loading={busy === how}
                disabled={busy !== undefined && busy !== how}
                onClick={() => void leave(how)}
              >
                {action}
              </Button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
