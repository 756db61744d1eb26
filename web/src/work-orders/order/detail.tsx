import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import {
  IconArrowLeft,
  IconCheck,
  IconChevronDown,
  IconDotsVertical,
  IconLock,
  IconPrinter,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showMoment } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import {
  FINAL_STATUS,
  isClosed,
  nextOf,
  WORK_ORDER_STATES,
  WORK_ORDER_STATUS_NAMES,
} from '#contract/work-orders/states.ts'
import { DetailPage } from '../../frames/detail-page.tsx'
import page from '../../frames/form-page.module.css'
import { call } from '../../platform/api.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { useDownload } from '../../ui/download.ts'
import { Plate } from '../../ui/plate.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { settingsQuery } from '../../workshops/queries.ts'
import { PriorityBars } from '../priority.tsx'
import { workOrderQuery } from '../queries.ts'
import { showDue } from '../words.ts'
import { useOrderActions } from './actions.ts'
import { OrderActivity } from './activity.tsx'
import { Clashes } from './clashes.tsx'
import { ClocksPart } from './clocks.tsx'
import { CommentsPart } from './comments.tsx'
import { ConflictDialog } from './conflict.tsx'
import { useOrderEditing } from './editing.ts'
import { FilesPart } from './files.tsx'
import { ChangedNotice, OrderFormFrame, RestoredNotice, UnsavedNotice } from './form.tsx'
import styles from './order.module.css'
import { PresenceSign, usePresence } from './presence.tsx'
import { NoSettings, OrderSection } from './section.tsx'
import { Signatures } from './signatures.tsx'

export default function OrderDetail() {
  const settings = useQuery(settingsQuery)
  const hasWarehouse = settings.data?.[0]?.pivot.setting_value === true
  return (
    <DetailPage query={workOrderQuery} missing="Esta orden de trabajo no existe">
      {(order) =>
        settings.data ? (
          <OrderPage key={order.id} order={order} hasWarehouse={hasWarehouse} />
        ) : (
          settings.isError && <NoSettings error={settings.error} onRetry={() => void settings.refetch()} />
        )
      }
    </DetailPage>
  )
}

function OrderPage({ order, hasWarehouse }: { order: WorkOrder; hasWarehouse: boolean }) {
  const zone = useZone()
  const mayWrite = useMay('work-orders.write')
  const mayWork = useMay('work-orders.work')
  const isFinal = isClosed(order)
  const readOnly = isFinal || !mayWrite
  const editing = useOrderEditing(order, readOnly, hasWarehouse)
  const { form, isDirty, isPending, draft } = editing
  const actions = useOrderActions(order)
  const others = usePresence(order.id)
  useDocumentTitle(`${order.code} ${showPatent(order.patent)} · Maestranza`)
  return (
    <>
      <OrderHeader
        order={order}
        mayMove={mayWork && (!isFinal || mayWrite)}
        mayDelete={mayWrite && !isFinal}
        actions={{
          ...actions,
          // What was typed before somebody else finalized it is saved once it is open again.
          moveTo: (status) =>
            isFinal ? void actions.moveTo(status) : editing.saved(() => void actions.moveTo(status)),
        }}
      />
      <OrderFormFrame
        form={form}
        order={order}
        readOnly={readOnly}
        onSubmit={editing.submit}
        notices={
          <>
            {isFinal && (
              <p className={styles.notice} data-tone="success">
                <IconLock size={16} stroke={1.7} aria-hidden />
                Finalizada{order.finalized_at && ` el ${showMoment(order.finalized_at, zone)}`}.
                {mayWrite ? ' Para cambiarla hay que reabrirla.' : ' Solo un jefe de taller puede reabrirla.'}
              </p>
            )}
            <Clashes form={form} order={order} />
            <PresenceSign names={others} />
            {isFinal && isDirty && <UnsavedNotice onDiscard={editing.discard} />}
            {!isFinal && editing.isBehind && <ChangedNotice onBring={editing.bring} />}
            {!readOnly && <RestoredNotice at={draft.restoredAt} onDiscard={editing.discard} />}
          </>
        }
        closing={<Signatures order={order} saved={isFinal ? (then) => then() : editing.saved} readOnly={isFinal} />}
        buttons={
          readOnly ? undefined : (
            <>
              {isDirty && (
                <Button variant="subtle" disabled={isPending} onClick={editing.discard}>
                  Descartar
                </Button>
              )}
              <Button type="submit" form="order-form" variant="default" disabled={!isDirty} loading={isPending}>
                {isDirty ? 'Guardar' : 'Guardado'}
              </Button>
              <Button
                leftSection={<IconCheck size={16} stroke={1.9} />}
                loading={actions.isPending}
                onClick={() => editing.saved(() => void actions.moveTo(FINAL_STATUS))}
              >
                Finalizar
              </Button>
            </>
          )
        }
      >
        <ClocksPart order={order} saved={readOnly ? (then) => then() : editing.saved} />
        <FilesPart order={order.id} isFinal={isFinal} />
        <CommentsPart order={order.id} />
        <OrderSection id="actividad" title="Actividad">
          <OrderActivity id={order.id} />
        </OrderSection>
      </OrderFormFrame>
      {editing.conflict && (
        <ConflictDialog code={order.code} differences={editing.conflict.differences} onAnswer={editing.answer} />
      )}
    </>
  )
}

interface OrderHeaderProps {
  order: WorkOrder
  mayMove: boolean
  mayDelete: boolean
  actions: {
    moveTo: (status: WorkOrder['status']) => void
    remove: () => void
    isPending: boolean
  }
}

function OrderHeader({ order, mayMove, mayDelete, actions }: OrderHeaderProps) {
  const zone = useZone()
  const { download, isDownloading } = useDownload(() => call(workOrders.workOrderPdf, { params: { id: order.id } }))
  const state = WORK_ORDER_STATES[order.status]
  const due = showDue(order, zone)
  const isFinal = isClosed(order)
  return (
    <div className={styles.head}>
      <Link to="/ordenes-de-trabajo" className={page.back}>
        <IconArrowLeft size={14} stroke={1.9} aria-hidden />
        Órdenes de trabajo
      </Link>
      <header className={styles.header}>
        <Plate text={showPatent(order.patent)} size="lg" />
        <div className={styles.words}>
          <div className={styles.line}>
            <h1 className={styles.code}>{order.code}</h1>
            {mayMove ? (
              <Menu position="bottom-start" width={200}>
                <Menu.Target>
                  <button type="button" className={styles.state} aria-label={`Estado: ${state.label}. Mover a…`}>
                    <StatusPill tone={state.tone}>{state.label}</StatusPill>
                    <IconChevronDown size={14} stroke={1.9} aria-hidden />
                  </button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Label>Mover a…</Menu.Label>
                  {WORK_ORDER_STATUS_NAMES.map((status) => (
                    <Menu.Item
                      key={status}
                      disabled={!nextOf(order.status).includes(status)}
                      onClick={() => actions.moveTo(status)}
                    >
                      <StatusPill tone={WORK_ORDER_STATES[status].tone}>{WORK_ORDER_STATES[status].label}</StatusPill>
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            ) : (
              <StatusPill tone={state.tone}>{state.label}</StatusPill>
            )}
            <PriorityBars priority={order.priority} word />
          </div>
          <div className={styles.meta}>
            {due && !isFinal && <span data-tone={due.tone}>{due.text}</span>}
            {order.coupled_patent && <span>Acoplado {showPatent(order.coupled_patent)}</span>}
            <span>{order.workshop_name}</span>
            <span>
              Creada el {showMoment(order.created_at, zone)}
              {order.user_name && ` por ${order.user_name}`}
            </span>
          </div>
        </div>
        <div className={styles.actions}>
          {isFinal && mayMove && (
            <Button variant="default" loading={actions.isPending} onClick={() => actions.moveTo(state.next[0])}>
              Reabrir
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} stroke={1.7} />}
            loading={isDownloading}
            onClick={() => void download()}
          >
            PDF
          </Button>
          {mayDelete && (
            <Menu position="bottom-end" width={180}>
              <Menu.Target>
                <Tooltip label="Más acciones">
                  <ActionIcon variant="default" aria-label="Más acciones">
                    <IconDotsVertical size={16} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  color="red"
                  leftSection={<IconTrash size={16} stroke={1.7} />}
                  onClick={() => void actions.remove()}
                >
                  Eliminar
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
      </header>
    </div>
  )
}
