import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import {
  IconArrowLeft,
  IconCamera,
  IconChevronDown,
  IconChevronUp,
  IconDeviceFloppy,
  IconDots,
  IconLock,
  IconPencil,
  IconPrinter,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { FINAL_STATUS, isClosed, WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { DetailPage } from '../../frames/detail-page.tsx'
import back from '../../frames/form-page.module.css'
import { call } from '../../platform/api.ts'
import { Elsewhere, useIsHome } from '../../platform/elsewhere.tsx'
import { useMay, useZone } from '../../platform/session.ts'
import { useDownload } from '../../ui/download.ts'
import { FormProblems } from '../../ui/form-problems.tsx'
import { useKey } from '../../ui/keys.ts'
import { lazy } from '../../ui/lazy.ts'
import { Plate } from '../../ui/plate.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { InTurn } from '../../ui/turns.tsx'
import { settingsQuery } from '../../workshops/queries.ts'
import { Face } from '../person.tsx'
import { PriorityBars } from '../priority.tsx'
import { workOrderQuery } from '../queries.ts'
import { showDue } from '../words.ts'
import { useOrderActions } from './actions.ts'
import { Clashes } from './clashes.tsx'
import { ClosingCard } from './closing.tsx'
import { ConflictDialog } from './conflict.tsx'
import { EditDrawer } from './edit-drawer.tsx'
import { useOrderEditing } from './editing.ts'
import { FileIcon, useUpload } from './files.tsx'
import { useNeighbours } from './neighbours.ts'
import { NextStep, worksLeft } from './next-step.tsx'
import { ChangedNotice, RestoredNotice, UnsavedNotice } from './notices.tsx'
import notice from './order.module.css'
import styles from './page.module.css'
import { PresenceSign, usePresence } from './presence.tsx'
import { NoSettings } from './section.tsx'
import { ServicesPart } from './services.tsx'
import { SignDialog } from './signatures.tsx'
import { Summary } from './summary.tsx'
import { SuppliesPart } from './supplies.tsx'
import { OrderTimeline, useActivity } from './timeline.tsx'
import { Track } from './track.tsx'
import type { OrderTyped } from './typed.ts'
import { WorksPart } from './works.tsx'

const TemplatePicker = lazy(() => import('./template-picker.tsx'))
const TemplateDrawer = lazy(() => import('../template-drawer.tsx'))

export default function OrderDetail() {
  // Taken out here: what is first read inside the page, which draws later, would not draw it again when it comes.
  const { data: settings, error, refetch } = useQuery(settingsQuery)
  const hasWarehouse = settings?.[0]?.pivot.setting_value === true
  return (
    <DetailPage query={workOrderQuery} missing="Esta orden de trabajo no existe">
      {(order) =>
        settings ? (
          <Elsewhere workshop={order.workshop_id} lacking={['work-orders.write', 'work-orders.work']}>
            <OrderPage key={order.id} order={order} hasWarehouse={hasWarehouse} />
          </Elsewhere>
        ) : (
          error && <NoSettings error={error} onRetry={() => void refetch()} />
        )
      }
    </DetailPage>
  )
}

/** Long: the page from top to bottom; what each part does is its own. */
function OrderPage({ order, hasWarehouse }: { order: WorkOrder; hasWarehouse: boolean }) {
  const mayWrite = useMay('work-orders.write')
  const mayWork = useMay('work-orders.work')
  const isFinal = isClosed(order)
  const readOnly = isFinal || !mayWrite
  const editing = useOrderEditing(order, readOnly, hasWarehouse)
  const { form, isDirty, isPending } = editing
  const actions = useOrderActions(order)
  const activity = useActivity(order.id)
  const [edited, setEdited] = useState<keyof OrderTyped>()
  const [asked, setAsked] = useState(0)
  const [delivering, setDelivering] = useState(false)
  const [templates, setTemplates] = useState<'use' | 'save'>()
  const edit = readOnly ? undefined : setEdited
  useKey('e', edit && (() => edit('request')))
  useDocumentTitle(`${order.code} ${showPatent(order.patent)} · Maestranza`)
  const mayMove = mayWork && (!isFinal || mayWrite)
  // What was typed before somebody else finalized it is saved once it is open again.
  const moveTo = (status: WorkOrder['status']) =>
    isFinal ? void actions.moveTo(status) : editing.saved(() => void actions.moveTo(status))
  const commit = () => void editing.submit()
  const next = (
    <NextStep
      order={order}
      mayMove={mayMove}
      isPending={actions.isPending}
      onMove={moveTo}
      onAsk={() => setAsked(asked + 1)}
      onDeliver={() => setDelivering(true)}
    />
  )
  return (
    <article className={styles.page}>
      <OrderHeader
        order={order}
        onEdit={edit}
        onRemove={mayWrite && !isFinal ? () => void actions.remove() : undefined}
        onTemplates={mayWrite ? setTemplates : undefined}
        next={next}
      />
      <Track
        order={order}
        activity={activity.data?.pages.flatMap(({ data }) => data) ?? []}
        onEnd={mayMove ? () => moveTo(FINAL_STATUS) : undefined}
      />
      <Notices order={order} editing={editing} />
      <Strip order={order} />
      <div className={styles.columns}>
        <form className={styles.main} onSubmit={editing.submit} noValidate id="order-form">
          <Request order={order} onEdit={edit} />
          <InTurn>
            <WorksPart form={form} order={order} readOnly={readOnly} commit={commit} absorb={editing.absorb} />
          </InTurn>
          <InTurn>
            <SuppliesPart form={form} order={order} readOnly={readOnly} ask={asked} />
          </InTurn>
          <InTurn>
            <ServicesPart form={form} order={order} readOnly={readOnly} commit={commit} />
          </InTurn>
          <InTurn>
            <ClosingCard
              form={form}
              order={order}
              readOnly={readOnly}
              saved={isFinal ? (then) => then() : editing.saved}
              onEdit={edit}
            />
          </InTurn>
          <FormProblems />
        </form>
        <div className={styles.summary}>
          <InTurn>
            <Summary form={form} order={order} onEdit={edit} />
          </InTurn>
        </div>
        <div className={styles.aside}>
          <InTurn>
            <OrderTimeline order={order.id} isFinal={isFinal} activity={activity} />
          </InTurn>
        </div>
      </div>
      {isDirty && !readOnly && (
        <div className={styles.saveBar} role="status">
          <span>Hay cambios sin guardar</span>
          <Button variant="subtle" disabled={isPending} onClick={editing.discard}>
            Descartar
          </Button>
          <Button type="submit" form="order-form" loading={isPending}>
            Guardar
          </Button>
        </div>
      )}
      {mayWork && !(isDirty && !readOnly) && <PhoneBar order={order} isFinal={isFinal} next={next} />}
      {edited && !readOnly && (
        <EditDrawer
          form={form}
          order={order}
          at={edited}
          isPending={isPending}
          onSave={() => editing.saved(() => setEdited(undefined))}
          onClose={() => setEdited(undefined)}
        />
      )}
      <Suspense fallback={null}>
        {templates === 'use' && !readOnly && (
          <TemplatePicker form={form} onClose={() => setTemplates(undefined)} onDone={() => setTemplates(undefined)} />
        )}
        {templates === 'save' && <TemplateDrawer from={templateOf(order)} onClose={() => setTemplates(undefined)} />}
      </Suspense>
      {delivering && <SignDialog order={order} kind="delivered" onClose={() => setDelivering(false)} />}
      {editing.conflict && (
        <ConflictDialog code={order.code} differences={editing.conflict.differences} onAnswer={editing.answer} />
      )}
    </article>
  )
}

/** What was done and used, as the maintenance it was. */
const templateOf = ({ request, type_maintenance_id, works, supplies, planned_supplies }: WorkOrder) => ({
  name: request?.slice(0, 120) ?? '',
  type_maintenance_id,
  works: works.map(({ description, task_id, duration, hours }) => ({
    description: description ?? '',
    task_id,
    hours: duration === null ? hours : Math.round(duration * 4) / 4,
  })),
  supplies: [...Map.groupBy([...supplies, ...planned_supplies], ({ code }) => code).values()].map((lines) => ({
    code: lines[0]!.code,
    name: lines[0]!.name,
    unit: lines[0]!.unit,
    count: lines.reduce((sum, { count }) => sum + count, 0),
  })),
})

interface NoticesProps {
  order: WorkOrder
  editing: ReturnType<typeof useOrderEditing>
}

function Notices({ order, editing }: NoticesProps) {
  const zone = useZone()
  const mayWrite = useMay('work-orders.write')
  const others = usePresence(order.id)
  const isFinal = isClosed(order)
  const isHome = useIsHome(order.workshop_id)
  return (
    <div className={notice.notices}>
      {!isHome && (
        <p className={notice.notice}>
          <IconLock size={16} stroke={1.7} aria-hidden />
          {`Es una orden de ${order.workshop_name}: aquí solo se puede ver.`}
        </p>
      )}
      {isFinal && isHome && (
        <p className={notice.notice} data-tone="success">
          <IconLock size={16} stroke={1.7} aria-hidden />
          Finalizada{order.finalized_at && ` el ${showMoment(order.finalized_at, zone)}`}.
          {mayWrite ? ' Para cambiarla hay que reabrirla.' : ' Solo un jefe de taller puede reabrirla.'}
        </p>
      )}
      <Clashes form={editing.form} order={order} />
      <PresenceSign names={others} />
      {isFinal && editing.isDirty && <UnsavedNotice onDiscard={editing.discard} />}
      {!isFinal && editing.isBehind && <ChangedNotice onBring={editing.bring} />}
      {!isFinal && mayWrite && <RestoredNotice at={editing.draft.restoredAt} onDiscard={editing.discard} />}
    </div>
  )
}

interface OrderHeaderProps {
  order: WorkOrder
  onEdit?: (field: keyof OrderTyped) => void
  onRemove?: () => void
  onTemplates?: (what: 'use' | 'save') => void
  next: ReactNode
}

function OrderHeader({ order, onEdit, onRemove, onTemplates, next }: OrderHeaderProps) {
  const zone = useZone()
  const { download, isDownloading } = useDownload(() => call(workOrders.workOrderPdf, { params: { id: order.id } }))
  const { place, total, before, after } = useNeighbours(order.id)
  const state = WORK_ORDER_STATES[order.status]
  const due = showDue(order, zone)
  const title = order.request ?? order.type_maintenance ?? 'Sin solicitud'
  return (
    <>
      <div className={styles.over}>
        <Link to="/ordenes-de-trabajo" className={back.back}>
          <IconArrowLeft size={14} stroke={1.9} aria-hidden />
          Órdenes de trabajo
        </Link>
        {place >= 0 && total > 1 && (
          <span className={styles.places}>
            {place + 1} de {total} en {state.label.toLowerCase()}
            <ActionIcon size={26} variant="default" aria-label="Orden anterior" disabled={!before} onClick={before}>
              <IconChevronUp size={14} stroke={1.9} />
            </ActionIcon>
            <ActionIcon size={26} variant="default" aria-label="Orden siguiente" disabled={!after} onClick={after}>
              <IconChevronDown size={14} stroke={1.9} />
            </ActionIcon>
          </span>
        )}
      </div>
      <header className={styles.header}>
        <Plate text={showPatent(order.patent)} size="lg" />
        <div className={styles.words}>
          <h1 className={styles.title}>
            {title}
            {onEdit && (
              <Tooltip label="Editar">
                <ActionIcon
                  size={28}
                  className={styles.titleEdit}
                  aria-label="Editar solicitud"
                  onClick={() => onEdit('request')}
                >
                  <IconPencil size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            )}
          </h1>
          <div className={styles.meta}>
            <strong className={styles.code}>{order.code}</strong>
            <StatusPill tone={state.tone}>{state.label}</StatusPill>
            <span className={styles.metaItem}>
              <PriorityBars priority={order.priority} />
              {`Prioridad ${PRIORITIES[order.priority].label.toLowerCase()}`}
            </span>
            <span>
              {[order.type_maintenance, order.planned ? 'planificada' : 'no planificada'].filter(Boolean).join(', ')}
            </span>
            {order.truck_workshop && <span>{`Equipo de ${order.truck_workshop}`}</span>}
            {order.waiting_for_parts && <span data-tone="orange">Espera repuestos</span>}
            {due && !isClosed(order) && <span data-tone={due.tone}>{due.text}</span>}
          </div>
        </div>
        <div className={styles.tools}>
          <Tooltip label="PDF">
            <ActionIcon size={36} aria-label="PDF" loading={isDownloading} onClick={() => void download()}>
              <IconPrinter size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
          {(onEdit || onRemove || onTemplates) && (
            <Menu position="bottom-end" width={230}>
              <Menu.Target>
                <Tooltip label="Más acciones">
                  <ActionIcon size={36} aria-label="Más acciones">
                    <IconDots size={18} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
              </Menu.Target>
              <Menu.Dropdown>
                {onEdit && (
                  <Menu.Item leftSection={<IconPencil size={16} stroke={1.7} />} onClick={() => onEdit('request')}>
                    Editar orden
                  </Menu.Item>
                )}
                {onTemplates && onEdit && (
                  <Menu.Item leftSection={<IconTemplate size={16} stroke={1.7} />} onClick={() => onTemplates('use')}>
                    Usar plantilla
                  </Menu.Item>
                )}
                {onTemplates && (
                  <Menu.Item
                    leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
                    onClick={() => onTemplates('save')}
                  >
                    Guardar como plantilla
                  </Menu.Item>
                )}
                {onRemove && (
                  <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.7} />} onClick={onRemove}>
                    Eliminar
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
          <div className={styles.headNext}>{next}</div>
        </div>
      </header>
    </>
  )
}

/** What was said when the truck was brought, in the words of who brought it. */
function Request({ order, onEdit }: { order: WorkOrder; onEdit?: (field: keyof OrderTyped) => void }) {
  const who = order.applicant_driver ?? order.applicant
  if (!order.description_of_requeriment) return null
  return (
    <section className={styles.request} aria-label="Descripción del requerimiento">
      {who && <Face name={who} named />}
      <blockquote>
        {order.description_of_requeriment}
        {who && <footer>{[who, order.applicant_driver && 'conductor'].filter(Boolean).join(', ')}</footer>}
      </blockquote>
      {onEdit && (
        <ActionIcon
          size={28}
          className={styles.requestEdit}
          aria-label="Editar descripción"
          onClick={() => onEdit('description_of_requeriment')}
        >
          <IconPencil size={15} stroke={1.7} />
        </ActionIcon>
      )}
    </section>
  )
}

/** On a phone: where the parts are. */
function Strip({ order }: { order: WorkOrder }) {
  const parts = [
    [
      'trabajos',
      'Trabajos',
      order.works.length > 0 && `${order.works.length - worksLeft(order)}/${order.works.length}`,
    ],
    ['insumos', 'Insumos', order.supplies.length],
    ['servicios', 'Servicios', order.services.length],
    ['datos', 'Datos', 0],
    ['actividad', 'Actividad', order.comments_total + order.files_total],
  ] as const
  return (
    <nav className={styles.strip} aria-label="Secciones de la orden">
      {parts.map(([id, label, count]) => (
        <a
          key={id}
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(id)?.scrollIntoView({ behavior: 'smooth', block: 'start' })
          }}
        >
          {label} {count ? <span>{count}</span> : null}
        </a>
      ))}
    </nav>
  )
}

/** At the foot of a phone: what it costs, the camera, and what is next. */
function PhoneBar({ order, isFinal, next }: { order: WorkOrder; isFinal: boolean; next: ReactNode }) {
  const { upload } = useUpload(order.id)
  return (
    <div className={styles.phoneBar}>
      {order.total_cost !== null && (
        <div className={styles.phoneTotal}>
          <span>
            {isFinal ? 'Total' : 'Total a hoy'}
            {order.total_with_labour !== null && ` (${showMoney(order.total_with_labour)} con mano de obra)`}
          </span>
          <strong>{showMoney(order.total_cost)}</strong>
        </div>
      )}
      <div className={styles.phoneButtons}>
        {!isFinal && (
          <FileIcon
            size={52}
            label="Tomar foto"
            icon={<IconCamera size={22} stroke={1.7} />}
            accept="image/*"
            camera
            onFiles={upload}
          />
        )}
        {next}
      </div>
    </div>
  )
}
