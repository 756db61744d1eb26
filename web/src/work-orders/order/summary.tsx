import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { showDay } from '#contract/base/dates.ts'
import { showKm, showMoney } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { PLACES, type WorkOrder } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { truckQuery } from '../../fleet/queries.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { Face } from '../person.tsx'
import { showAge, showDue, showWhen } from '../words.ts'
import styles from './page.module.css'
import { costsOf, type OrderForm, type OrderTyped } from './typed.ts'

interface SummaryProps {
  form: OrderForm
  order: WorkOrder
  /** Opens the form at a field; left out where nothing may be changed. */
  onEdit?: (field: keyof OrderTyped) => void
}

/** Truck, people, days and costs at a glance; each value leads to where it is changed. */
export function Summary({ form, order, onEdit }: SummaryProps) {
  const zone = useZone()
  const truck = useQuery({ ...truckQuery(order.truck_id), enabled: useMay('fleet.read') }).data
  const due = showDue(order, zone)
  const { dirtyFields } = form.formState
  const row = (label: string, field: keyof OrderTyped, value: ReactNode, more?: ReactNode) => (
    <Row
      label={label}
      onEdit={onEdit && (() => onEdit(field))}
      more={dirtyFields[field] ? <span data-tone="warning">sin guardar</span> : more}
    >
      {value}
    </Row>
  )
  const stay =
    order.workshop_entry_at && !isClosed(order) ? `${showAge(order.workshop_entry_at)} en el taller` : undefined
  return (
    <section id="datos" className={styles.card} aria-labelledby="datos-title">
      <h2 id="datos-title" className="only-read-aloud">
        Datos
      </h2>
      <dl className={styles.facts}>
        {row(
          'Equipo',
          'truck_id',
          <Link to="/truck/$id" params={{ id: String(order.truck_id) }} className={styles.plainLink}>
            {[order.truck_code, truck?.brand_name].filter(Boolean).join(' ')}
          </Link>,
          [truck?.type_name, order.coupled_patent && `acoplado ${showPatent(order.coupled_patent)}`]
            .filter(Boolean)
            .join(' · '),
        )}
        {row('Kilometraje', 'kilometer', order.kilometer === null ? null : showKm(order.kilometer))}
        {row('Box', 'box_id', order.box_name, order.place === 'WORKSHOP' ? undefined : PLACES[order.place].label)}
        {row('Responsable', 'responsible_specialist_id', <Person name={order.responsible_specialist} />)}
        {row(
          'Solicita',
          'applicant_driver_id',
          <Person name={order.applicant_driver ?? order.applicant} />,
          order.applicant_driver ? 'conductor' : undefined,
        )}
        {order.type_maintenance && row('Tipo', 'type_maintenance_id', order.type_maintenance)}
        {order.codes && row('Códigos', 'codes', <span className="mono">{order.codes}</span>)}
        {row('Ingreso', 'workshop_entry_at', order.workshop_entry_at && showWhen(order.workshop_entry_at, zone), stay)}
        {isClosed(order)
          ? row(
              'Salida',
              'workshop_departure_at',
              order.workshop_departure_at && showWhen(order.workshop_departure_at, zone),
            )
          : row(
              'Plazo',
              order.deadline_at || !order.date_estimed ? 'deadline_at' : 'date_estimed',
              order.deadline_at
                ? showWhen(order.deadline_at, zone)
                : order.date_estimed &&
                    [showDay(order.date_estimed), order.hour_estimed?.slice(0, 5)].filter(Boolean).join(' '),
              due?.tone && <span data-tone={due.tone}>{due.text}</span>,
            )}
        <Row
          label="Taller"
          more={`creada ${showWhen(order.created_at, zone).toLowerCase()}${order.user_name ? ` por ${order.user_name}` : ''}`}
        >
          {order.workshop_name}
        </Row>
      </dl>
      <Costs form={form} order={order} />
    </section>
  )
}

const Person = ({ name }: { name: string | null | undefined }) =>
  name ? (
    <span className={styles.person}>
      <Face name={name} named />
      {name}
    </span>
  ) : null

interface RowProps {
  label: string
  children: ReactNode
  more?: ReactNode
  onEdit?: () => void
}

const Row = ({ label, children, more, onEdit }: RowProps) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd>
      <span className={styles.factWords}>
        <span className={styles.factValue}>
          {children ?? <span className={styles.none}>{onEdit ? 'Agregar' : '—'}</span>}
        </span>
        {more && <span className={styles.factMore}>{more}</span>}
      </span>
      {onEdit && (
        <Tooltip label="Editar">
          <ActionIcon
            className={styles.factEdit}
            size={24}
            aria-label={`Editar ${label.toLowerCase()}`}
            onClick={onEdit}
          >
            <IconPencil size={14} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
    </dd>
  </div>
)

/** What it costs as it is typed; those who may not read costs see nothing. */
export function Costs({ form, order }: { form: OrderForm; order?: WorkOrder }) {
  const [supplies, services] = useWatch({ control: form.control, name: ['supplies', 'services'] })
  const { supplies_cost, services_cost, total_cost } = costsOf({ supplies, services }, order?.service_adjustments)
  const waited = order?.planned_supplies.length ?? 0
  const labour = order?.labour ?? null
  if (!useMay('costs.read')) return null
  return (
    <div className={styles.costs}>
      <dl aria-label="Costos de la orden">
        <div className={styles.cost}>
          <dt>Insumos</dt>
          <dd>{showMoney(supplies_cost)}</dd>
        </div>
        <div className={styles.cost}>
          <dt>Servicios</dt>
          <dd>{showMoney(services_cost)}</dd>
        </div>
        <div className={styles.cost} data-total>
          <dt>Total</dt>
          <dd aria-live="polite">{showMoney(total_cost)}</dd>
        </div>
        {labour !== null && (
          <>
            <div className={styles.cost}>
              <dt>Mano de obra</dt>
              <dd>{showMoney(labour)}</dd>
            </div>
            <div className={styles.cost} data-total>
              <dt>Con mano de obra</dt>
              <dd>{showMoney((total_cost ?? 0) + labour)}</dd>
            </div>
          </>
        )}
      </dl>
      {waited > 0 && (
        <p className={styles.waited}>
          {waited === 1 ? '1 repuesto pedido, aún no sumado' : `${waited} repuestos pedidos, aún no sumados`}
        </p>
      )}
    </div>
  )
}
