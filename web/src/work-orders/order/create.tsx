import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconChevronDown, IconRepeat, IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Fragment, Suspense, useEffect, useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import { workOrders } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES, WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import page from '../../frames/form-page.module.css'
import { call } from '../../platform/api.ts'
import { useMay, useMe, useWorkshop, useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { ScreenSkeleton, useArrived } from '../../ui/faces.tsx'
import { FormProblems } from '../../ui/form-problems.tsx'
import { lazy } from '../../ui/lazy.ts'
import { useLeaveGuard } from '../../ui/leave-guard.ts'
import { NotFound } from '../../ui/not-found.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { InTurn } from '../../ui/turns.tsx'
import { warehouseChoicesQuery } from '../../warehouses/queries.ts'
import { settingsQuery } from '../../workshops/queries.ts'
import { asksAboutKilometers, confirmLower } from '../board/moves.ts'
import { trucksQuery } from '../choices.ts'
import { workOrdersKey } from '../queries.ts'
import { Clashes } from './clashes.tsx'
import { useDraft } from './draft.ts'
import { ClosingFields } from './edit-drawer.tsx'
import { DeadlineField, EquipmentPart, PlanningPart, RequestField, RequestPart, TruckField } from './general.tsx'
import { RestoredNotice } from './notices.tsx'
import styles from './order.module.css'
import { NoSettings, OrderSection } from './section.tsx'
import { ServicesPart } from './services.tsx'
import { SuppliesPart } from './supplies.tsx'
import { blankOrder, type OrderBody, type OrderTyped, orderResolver } from './typed.ts'
import { WorksPart } from './works.tsx'

const RepeatDrawer = lazy(() => import('./repeat-drawer.tsx'))
const TemplatePicker = lazy(() => import('./template-picker.tsx'))

export default function OrderCreate() {
  const may = useMay('work-orders.write')
  const settings = useQuery(settingsQuery)
  const arrived = useArrived(settings.data)
  if (!may) return <NotFound title="No tiene permiso para crear órdenes de trabajo" />
  if (settings.isError && !settings.data)
    return <NoSettings error={settings.error} onRetry={() => void settings.refetch()} />
  if (!arrived) return <ScreenSkeleton />
  return <CreateForm hasWarehouse={arrived[0]?.pivot.setting_value === true} />
}

function CreateForm({ hasWarehouse }: { hasWarehouse: boolean }) {
  const navigate = useNavigate()
  const zone = useZone()
  const workshop = useWorkshop()
  const search = useSearch({ strict: false }) as { status?: unknown; truck?: unknown }
  const status = OPEN_STATUSES.find((name) => name === search.status)
  const form = useForm<OrderTyped, unknown, OrderBody>({
    resolver: useMemo(() => orderResolver(zone), [zone]),
    defaultValues: blankOrder({
      workshop_id: workshop.id ?? 0,
      has_warehouse: hasWarehouse,
      status,
    }),
  })
  useAskedTruck(form, Number(search.truck))
  useOnlyWarehouse(form, hasWarehouse)
  const leaveSaved = useLeaveGuard(form.formState.isDirty)
  const draft = useDraft(form, 'new', true)

  const save = (body: OrderBody, idempotencyKey: string) =>
    call(body.has_warehouse ? workOrders.createWorkOrderWithWarehouse : workOrders.createWorkOrder, {
      body,
      idempotencyKey,
    })
  const [unfolded, setUnfolded] = useState<boolean>()
  const [filling, setFilling] = useState<'template' | 'order'>()
  const { errors, dirtyFields } = form.formState
  const isFull = (draft.restoredAt ? Object.keys(dirtyFields) : []).some((name) => !BRIEF.includes(name as never))
  const isWrong = Object.keys(errors).some((name) => !['truck_id', 'request', 'deadline_at', 'works'].includes(name))
  const isWhole = isWrong || (unfolded ?? isFull)
  const Filling = filling && (filling === 'order' ? RepeatDrawer : TemplatePicker)
  const { submit, isPending } = useSubmit({
    form,
    save,
    refresh: [workOrdersKey, ['fleet'], ['warehouses']],
    done: 'Orden de trabajo creada correctamente ✅',
    failed: 'Error al crear la orden de trabajo ❌',
    onDone: (order) => {
      leaveSaved()
      draft.forget()
      void navigate({
        to: '/ordenes-de-trabajo/$id',
        params: { id: String(order.id) },
        replace: true,
      })
    },
    recover: async (failure, body) => {
      if (!asksAboutKilometers(failure)) return false
      return (await confirmLower(failure)) && { again: { ...body, confirm_lower: true } }
    },
  })
  return (
    <>
      <div className={styles.createHead}>
        <Link to="/ordenes-de-trabajo" className={page.back}>
          <IconArrowLeft size={14} stroke={1.9} aria-hidden />
          Órdenes de trabajo
        </Link>
        <PageHeader title="Nueva orden de trabajo" />
      </div>
      <form className={styles.create} onSubmit={submit} noValidate id="order-form">
        <div className={styles.notices}>
          <OpenOrders truck={form.watch('truck_id')} />
          <Clashes form={form} />
          <RestoredNotice
            at={draft.restoredAt}
            onDiscard={() => {
              draft.forget()
              form.reset()
            }}
          />
        </div>
        <Main form={form} />
        <InTurn>
          <WorksPart form={form} readOnly={false} />
        </InTurn>
        <InTurn>
          <Ways isWhole={isWhole} onUnfold={() => setUnfolded(!isWhole)} onFill={setFilling} />
          {isWhole && <Details form={form} />}
        </InTurn>
        <FormProblems />
        <footer className={styles.createFoot}>
          <Button variant="subtle" onClick={() => void navigate({ to: '/ordenes-de-trabajo' })}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Crear orden
          </Button>
        </footer>
      </form>
      {Filling && (
        <Suspense fallback={null}>
          <Filling
            form={form}
            onClose={() => setFilling(undefined)}
            onDone={() => {
              setFilling(undefined)
              setUnfolded(true)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

interface WaysProps {
  isWhole: boolean
  onUnfold: () => void
  onFill: (from: 'template' | 'order') => void
}

/** To say more: by hand, or as it was before. */
const Ways = ({ isWhole, onUnfold, onFill }: WaysProps) => (
  <div className={styles.ways}>
    <Button
      variant="subtle"
      className={styles.unfold}
      aria-expanded={isWhole}
      leftSection={<IconChevronDown size={16} stroke={1.9} data-turned={isWhole || undefined} />}
      onClick={onUnfold}
    >
      Más detalles
    </Button>
    <Button variant="subtle" leftSection={<IconTemplate size={16} stroke={1.7} />} onClick={() => onFill('template')}>
      Usar plantilla
    </Button>
    <Button variant="subtle" leftSection={<IconRepeat size={16} stroke={1.7} />} onClick={() => onFill('order')}>
      Repetir una orden
    </Button>
  </div>
)

/** The truck, what is wrong, and when it is needed. */
const Main = ({ form }: { form: Form }) => (
  <section className={styles.section} aria-label="Lo principal">
    <div className={styles.grid}>
      <TruckField form={form} />
      <DeadlineField form={form} />
      <div className={styles.full}>
        <RequestField form={form} />
      </div>
    </div>
  </section>
)

/** All else that may be known when an order is made. */
const Details = ({ form }: { form: Form }) => (
  <>
    <EquipmentPart form={form} rest />
    <RequestPart form={form} rest />
    <PlanningPart form={form} rest />
    <SuppliesPart form={form} readOnly={false} />
    <ServicesPart form={form} readOnly={false} />
    <OrderSection id="cierre" title="Cierre">
      <ClosingFields form={form} />
      <p className={styles.nothing}>Las firmas, fotos y comentarios se agregan cuando la orden exista.</p>
    </OrderSection>
  </>
)

/** Said by whoever brings the truck; the rest is asked for where it matters. */
const BRIEF: (keyof OrderTyped)[] = [
  'workshop_id',
  'truck_id',
  'coupled_id',
  'kilometer',
  'request',
  'deadline_at',
  'works',
]

const SOME = 3

/** A truck that is in the workshop already: what is wrong with it may belong in the order that is open. */
function OpenOrders({ truck }: { truck: number | null }) {
  const open = useQuery({
    queryKey: [...workOrdersKey, 'open-of', truck],
    queryFn: async ({ signal }) =>
      (
        await call(workOrders.listWorkOrders, {
          query: { filter: { Truck: [truck ?? 0], Status: OPEN_STATUSES } },
          signal,
        })
      ).data,
    enabled: truck !== null,
  }).data
  if (truck === null || !open?.length) return null
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
      <span>
        {open.length === 1 ? 'Este equipo ya tiene una orden abierta: ' : 'Este equipo ya tiene órdenes abiertas: '}
        {open.slice(0, SOME).map(({ id, code, request, status }, index) => (
          <Fragment key={id}>
            {index > 0 && '; '}
            <Link to="/ordenes-de-trabajo/$id" params={{ id: String(id) }}>
              {code}
            </Link>
            {`, ${WORK_ORDER_STATES[status].label.toLowerCase()}${request ? `, ${request}` : ''}`}
          </Fragment>
        ))}
        {open.length > SOME && ` y ${open.length - SOME} más`}
      </span>
    </p>
  )
}

type Form = Parameters<typeof useDraft>[0]

/** Opened from a truck's page, it is about that truck. */
function useAskedTruck(form: Form, asked: number) {
  const trucks = useQuery({ ...trucksQuery(undefined, true), enabled: asked > 0 }).data
  const { workshop_id: own } = useMe()
  const truck = trucks?.find(({ id }) => id === asked)
  useEffect(() => {
    if (!truck || form.getValues('truck_id') !== null) return
    // One of another workshop is repaired here.
    form.setValue('workshop_id', own ?? truck.workshop_id)
    form.setValue('truck_id', truck.id, { shouldDirty: true })
    form.setValue('coupled_id', truck.coupled_id)
  }, [truck, form, own])
}

/** Where a workshop has one warehouse there is nothing to choose. */
function useOnlyWarehouse(form: Form, hasWarehouse: boolean) {
  const workshop = form.watch('workshop_id')
  const choices = useQuery({ ...warehouseChoicesQuery(workshop), enabled: hasWarehouse && workshop > 0 }).data
  useEffect(() => {
    if (choices?.length === 1 && form.getValues('warehouse_id') === null)
      form.setValue('warehouse_id', choices[0]?.id ?? null)
  }, [choices, form])
}
