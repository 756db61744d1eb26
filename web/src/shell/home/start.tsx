import { Button } from '@mantine/core'
import { IconArrowRight, IconCircle, IconCircleCheckFilled, IconFileImport, IconUserPlus } from '@tabler/icons-react'
import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import type { ImportKind } from '#contract/imports/imports.ts'
import { providers } from '#contract/providers/providers.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { call } from '../../platform/api.ts'
import { preferencesQuery } from '../../platform/session.ts'
import { recall } from '../../platform/storage.ts'
import { ErrorState } from '../../ui/faces.tsx'
import { lazy } from '../../ui/lazy.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { say } from '../../ui/snackbar.tsx'
import { SectionHead } from '../../workshops/roster.tsx'
import styles from './start.module.css'

const ImportDrawer = lazy(() => import('../../imports/import-drawer.tsx'))
const InviteDrawer = lazy(() => import('../../identity/invite-drawer.tsx'))

type Opened = ImportKind | 'invite'

interface StepShown {
  title: string
  about: string
  topic: string
  counted: () => Promise<{ total: number }>
  /** How many there are from the beginning. */
  given?: number
  /** What it opens here, and where else it is done. */
  opens?: Opened
  to: string
  action: string
}

const one = { query: { per_page: 1 } }
/** What a company brings along before its first order; done is what is there, whoever brought it and however. */
const STEPS: StepShown[] = [
  {
    title: 'Sus equipos',
    about: 'Con la planilla que ya tiene: basta la patente; el kilometraje, la marca y el tipo vienen si están.',
    topic: 'fleet',
    counted: () => call(fleet.listTrucks, one),
    opens: 'trucks',
    to: '/truck/create',
    action: 'Crear uno',
  },
  {
    title: 'Sus insumos',
    about: 'Repuestos, aceites y filtros, con su código y su costo.',
    topic: 'supplies',
    counted: () => call(supplies.listSupplies, one),
    opens: 'supplies',
    to: '/nuevo-insumo',
    action: 'Crear uno',
  },
  {
    title: 'Sus proveedores',
    about: 'A quienes compra repuestos y encarga servicios.',
    topic: 'providers',
    counted: () => call(providers.listProviders, one),
    opens: 'providers',
    to: '/provider/create',
    action: 'Crear uno',
  },
  {
    title: 'Una bodega',
    about: 'De ella sale lo que usan las órdenes de trabajo.',
    topic: 'warehouses',
    counted: () => call(warehouses.listWarehouses, one),
    to: '/warehouse/create',
    action: 'Crear bodega',
  },
  {
    title: 'Sus especialistas',
    about: 'Mecánicos y eléctricos a quienes se asignan los trabajos.',
    topic: 'workshops',
    counted: () => call(rosters.listSpecialists, one),
    to: '/configuracion/especialistas',
    action: 'Agregar especialistas',
  },
  {
    title: 'Su gente',
    about: 'Invite a la jefatura, a bodega y a quienes trabajan con una tableta: cada uno elige su contraseña.',
    topic: 'identity',
    counted: () => call(identity.listUsers, one),
    // Oneself.
    given: 1,
    opens: 'invite',
    to: '/configuracion/usuarios',
    action: 'Ver usuarios',
  },
  {
    title: 'Su primera orden de trabajo',
    about: 'El equipo, qué le pasa y para cuándo: lo demás se agrega después.',
    topic: 'work-orders',
    counted: () => call(workOrders.listWorkOrders, one),
    to: '/ordenes-de-trabajo/nueva',
    action: 'Crear la primera orden',
  },
]

const countedQuery = ({ topic, counted, title }: StepShown) =>
  queryOptions({ queryKey: [topic, 'first-steps', title], queryFn: async () => (await counted()).total })

/** Keeps in the person's own preferences whether the start shows the steps. */
export function useHideSteps() {
  const client = useQueryClient()
  const hide = async (first_steps_hidden: boolean) => {
    try {
      const now = await client.fetchQuery(preferencesQuery)
      const kept = await call(identity.updatePreferences, { body: { ...now, first_steps_hidden } })
      client.setQueryData(preferencesQuery.queryKey, kept)
      if (first_steps_hidden)
        say('Primeros pasos ocultos', {
          detail: 'Siguen en Configuración, Primeros pasos.',
          undo: () => void hide(false),
        })
    } catch (error) {
      say('No se pudo guardar', { tone: 'danger', detail: (error as Error).message })
    }
  }
  return hide
}

const useDone = () =>
  useQueries({ queries: STEPS.map(countedQuery) }).map(({ data }, i) => (data ?? 0) > (STEPS[i]?.given ?? 0))

/** On the start of a company that has hardly begun. */
export default function Start() {
  const hide = useHideSteps()
  const done = useDone().filter(Boolean).length
  return (
    <section className={styles.card} aria-label="Primeros pasos">
      <header className={styles.head}>
        <h2>{done === STEPS.length ? 'Su taller está en marcha' : 'Ponga en marcha su taller'}</h2>
        <p>
          {done === STEPS.length
            ? 'Está todo lo que hace falta para trabajar.'
            : 'Traiga lo que ya tiene en planillas. El orden es libre, y nada se pierde si sigue otro día.'}
        </p>
        <Button variant="subtle" className={styles.hide} onClick={() => void hide(true)}>
          Ocultar
        </Button>
        <span className={styles.progress}>
          <progress value={done} max={STEPS.length} aria-label="Primeros pasos listos" />
          {done} de {STEPS.length}
        </span>
      </header>
      <Steps />
    </section>
  )
}

/** The same in the configuration, to come back to. */
export function StartSection() {
  const hide = useHideSteps()
  const isHidden = useQuery(preferencesQuery).data?.first_steps_hidden
  return (
    <>
      <SectionHead title="Primeros pasos">
        Con esto el taller queda listo para trabajar. El orden es libre, y puede volver cuando quiera.
      </SectionHead>
      <div className={styles.card}>
        <Steps />
      </div>
      {isHidden && (
        <Button variant="default" mt={12} onClick={() => void hide(false)}>
          Mostrar también en Inicio
        </Button>
      )}
    </>
  )
}

function Steps() {
  const [opened, setOpened] = useState<Opened | null>(() => recall('import') as ImportKind | null)
  const close = () => setOpened(null)
  const next = useDone().indexOf(false)
  return (
    <>
      <ol className={styles.steps}>
        {STEPS.map((step, i) => (
          <Step key={step.title} step={step} isNext={i === next} onOpen={setOpened} />
        ))}
      </ol>
      {opened && (
        <Suspense fallback={null}>
          {opened === 'invite' ? <InviteDrawer onClose={close} /> : <ImportDrawer kind={opened} onClose={close} />}
        </Suspense>
      )}
    </>
  )
}

interface StepProps {
  step: StepShown
  /** The first that is not done. */
  isNext: boolean
  onOpen: (what: Opened) => void
}

function Step({ step, isNext, onOpen }: StepProps) {
  const { opens, given = 0 } = step
  const counted = useQuery(countedQuery(step))
  const count = (counted.data ?? 0) - given
  const isDone = count > 0
  if (counted.isError)
    return (
      <li>
        <ErrorState error={counted.error} onRetry={() => void counted.refetch()} />
      </li>
    )
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      {isDone ? <IconCircleCheckFilled size={22} aria-hidden /> : <IconCircle size={22} stroke={1.7} aria-hidden />}
      <div className={styles.words}>
        <strong>{step.title}</strong>
        <p>{step.about}</p>
      </div>
      <span className={styles.count}>{isDone ? `Listo: ${showNumber(count)}` : 'Pendiente'}</span>
      <div className={styles.ways}>
        {opens && (
          <Button
            variant={isNext ? 'filled' : 'default'}
            leftSection={
              opens === 'invite' ? <IconUserPlus size={16} stroke={1.7} /> : <IconFileImport size={16} stroke={1.7} />
            }
            aria-label={opens === 'invite' ? 'Invitar' : `Importar ${step.title.toLowerCase()}`}
            onClick={() => onOpen(opens)}
          >
            {opens === 'invite' ? 'Invitar' : 'Importar planilla'}
          </Button>
        )}
        <ButtonLink
          to={step.to}
          variant={opens ? 'subtle' : isNext ? 'filled' : 'default'}
          rightSection={opens ? undefined : <IconArrowRight size={16} stroke={1.7} />}
          aria-label={opens ? `${step.action}: ${step.title.toLowerCase()}` : undefined}
        >
          {step.action}
        </ButtonLink>
      </div>
    </li>
  )
}
