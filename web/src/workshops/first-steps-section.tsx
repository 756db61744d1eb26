import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { showNumber } from '#contract/base/money.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { call } from '../platform/api.ts'
import { ErrorState } from '../ui/faces.tsx'
import { ButtonLink } from '../ui/links.tsx'
import styles from './first-steps-section.module.css'
import { SectionHead } from './roster.tsx'

interface StepShown {
  title: string
  about: string
  action: string
  to: string
  topic: string
  counted: () => Promise<{ total: number }>
  least: number
}

const one = { query: { per_page: 1 } }
/** What a workshop needs before its first order; `counted` asks how many there are. */
const STEPS: StepShown[] = [
  {
    title: 'Sus equipos',
    about: 'Impórtelos desde una planilla, o cree el primero a mano.',
    action: 'Ir a Equipos',
    to: '/truck',
    topic: 'fleet',
    counted: () => call(fleet.listTrucks, one),
    least: 1,
  },
  {
    title: 'Sus insumos',
    about: 'Repuestos, aceites, filtros: impórtelos con su código y costo.',
    action: 'Ir a Inventario',
    to: '/inventario',
    topic: 'supplies',
    counted: () => call(supplies.listSupplies, one),
    least: 1,
  },
  {
    title: 'Una bodega',
    about: 'De ella sale lo que usan las órdenes de trabajo.',
    action: 'Crear bodega',
    to: '/warehouse',
    topic: 'warehouses',
    counted: () => call(warehouses.listWarehouses, one),
    least: 1,
  },
  {
    title: 'Sus especialistas',
    about: 'Mecánicos y eléctricos a quienes se asignan los trabajos.',
    action: 'Agregar especialistas',
    to: '/configuracion/especialistas',
    topic: 'workshops',
    counted: () => call(rosters.listSpecialists, one),
    least: 1,
  },
  {
    title: 'Su gente',
    about: 'Invite a la jefatura, a bodega y a quienes trabajan con una tableta.',
    action: 'Invitar personas',
    to: '/configuracion/usuarios',
    topic: 'identity',
    counted: () => call(identity.listUsers, one),
    // Oneself is there from the start.
    least: 2,
  },
]

export default function FirstStepsSection() {
  return (
    <>
      <SectionHead title="Primeros pasos">
        Con esto el taller queda listo para trabajar. El orden es libre, y puede volver cuando quiera.
      </SectionHead>
      <ol className={styles.steps}>
        {STEPS.map((step) => (
          <Step key={step.to} step={step} />
        ))}
      </ol>
    </>
  )
}

function Step({ step }: { step: StepShown }) {
  const counted = useQuery({
    queryKey: [step.topic, 'first-steps', step.to],
    queryFn: async () => (await step.counted()).total,
  })
  const done = (counted.data ?? 0) >= step.least
  if (counted.isError) return <ErrorState error={counted.error} onRetry={() => void counted.refetch()} />
  return (
    <li className={styles.step} data-done={done || undefined}>
      {done ? (
        <IconCircleCheck size={22} stroke={1.7} aria-hidden />
      ) : (
        <IconCircle size={22} stroke={1.7} aria-hidden />
      )}
      <div>
        <strong>{step.title}</strong>
        <p>{step.about}</p>
      </div>
      <span className={styles.count}>{done ? `Listo: ${showNumber(counted.data ?? 0)}` : 'Pendiente'}</span>
      <ButtonLink to={step.to} variant={done ? 'default' : 'filled'}>
        {step.action}
      </ButtonLink>
    </li>
  )
}
