import { Button } from '@mantine/core'
import { IconAlertTriangle, IconRestore } from '@tabler/icons-react'
import type { FormEventHandler, ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { showMoment } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { inForm } from '../../frames/fields.tsx'
import { useMay, useZone } from '../../platform/session.ts'
import { SelectField, TextAreaField } from '../../ui/field.tsx'
import { withChosen } from './fields.tsx'
import { EquipmentPart, PlanningPart, RequestPart, usePeople } from './general.tsx'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import { ServicesPart } from './services.tsx'
import { SuppliesPart } from './supplies.tsx'
import { costsOf, type OrderForm } from './typed.ts'
import { WorksPart } from './works.tsx'

const field = inForm(WORK_ORDER_FIELDS)

const PARTS: [id: string, label: string][] = [
  ['equipo', 'Equipo y kilometraje'],
  ['solicitud', 'Solicitud'],
  ['planificacion', 'Planificación'],
  ['trabajos', 'Trabajos'],
  ['insumos', 'Insumos'],
  ['servicios', 'Servicios y facturas'],
  ['cierre', 'Cierre y firmas'],
]
const SAVED_PARTS: [id: string, label: string][] = [
  ['horas', 'Horas de trabajo'],
  ['archivos', 'Fotos y archivos'],
  ['comentarios', 'Comentarios'],
  ['actividad', 'Actividad'],
]

interface OrderFormFrameProps {
  form: OrderForm
  /** As it is saved; none while it is being created. */
  order?: WorkOrder
  readOnly: boolean
  onSubmit: FormEventHandler
  /** Save and its neighbours. */
  buttons: ReactNode
  /** Above everything: who else is here, what was restored. */
  notices?: ReactNode
  /** In the closing section, under its fields. */
  closing?: ReactNode
  /** What an order has once it exists. */
  children?: ReactNode
}

/** The order from top to bottom, as a workshop fills it in, with what it costs always in sight. */
export function OrderFormFrame(props: OrderFormFrameProps) {
  const { form, order, readOnly, onSubmit, buttons, notices, closing, children } = props
  return (
    <div className={styles.frame}>
      <nav className={styles.index} aria-label="Secciones de la orden">
        {[...PARTS, ...(order ? SAVED_PARTS : [])].map(([id, label]) => (
          <a
            key={id}
            href={`#${id}`}
            onClick={(event) => {
              event.preventDefault()
              document.getElementById(id)?.scrollIntoView({ behavior: 'smooth', block: 'start' })
            }}
          >
            {label}
          </a>
        ))}
      </nav>
      <div className={styles.main}>
        {notices}
        <form className={styles.form} onSubmit={onSubmit} noValidate id="order-form">
          <fieldset className={styles.fieldset} disabled={readOnly}>
            <EquipmentPart form={form} order={order} />
            <RequestPart form={form} order={order} />
            <PlanningPart form={form} order={order} />
            <WorksPart form={form} order={order} readOnly={readOnly} />
            <SuppliesPart form={form} order={order} readOnly={readOnly} />
          </fieldset>
          <ServicesPart form={form} order={order} readOnly={readOnly} />
          <OrderSection id="cierre" title="Cierre y firmas">
            <fieldset className={styles.fieldset} disabled={readOnly}>
              <ClosingFields form={form} order={order} />
            </fieldset>
            {closing}
          </OrderSection>
        </form>
        {children}
      </div>
      <aside className={styles.foot}>
        <Costs form={form} />
        <div className={styles.buttons}>{buttons}</div>
      </aside>
    </div>
  )
}

function ClosingFields({ form, order }: { form: OrderForm; order?: WorkOrder }) {
  const { control } = form
  const { specialists, drivers } = usePeople(useWatch({ control, name: 'workshop_id' }) || undefined)
  return (
    <div className={styles.grid}>
      <div className={styles.full}>
        <TextAreaField control={control} {...field('observation')} rows={2} />
      </div>
      <SelectField
        control={control}
        {...field('delivered_to_driver_id')}
        clearable
        placeholder="Nadie aún"
        choices={withChosen(drivers, order?.delivered_to_driver_id, order?.delivered_to_driver)}
      />
      <SelectField
        control={control}
        {...field('reviewed_by_specialist_id')}
        clearable
        placeholder="Nadie aún"
        choices={withChosen(specialists, order?.reviewed_by_specialist_id, order?.reviewed_by_specialist)}
      />
    </div>
  )
}

function Costs({ form }: { form: OrderForm }) {
  const [supplies, services] = useWatch({ control: form.control, name: ['supplies', 'services'] })
  const { supplies_cost, services_cost, total_cost } = costsOf({ supplies, services })
  if (!useMay('costs.read')) return null
  return (
    <dl className={styles.costs} aria-label="Costos de la orden">
      <div>
        <dt>Insumos</dt>
        <dd>{showMoney(supplies_cost)}</dd>
      </div>
      <div>
        <dt>Servicios</dt>
        <dd>{showMoney(services_cost)}</dd>
      </div>
      <div className={styles.total}>
        <dt>Total</dt>
        <dd aria-live="polite">{showMoney(total_cost)}</dd>
      </div>
    </dl>
  )
}

export function RestoredNotice({ at, onDiscard }: { at: string | undefined; onDiscard: () => void }) {
  const zone = useZone()
  if (!at) return null
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconRestore size={16} stroke={1.7} aria-hidden />
      <span>Recuperamos lo que no alcanzó a guardar el {showMoment(at, zone)}.</span>
      <Button variant="subtle" size="xs" className={styles.noticeButton} onClick={onDiscard}>
        Descartar
      </Button>
    </p>
  )
}

export function UnsavedNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
      <span>Otra persona finalizó esta orden mientras usted escribía: lo suyo no está guardado.</span>
      <Button variant="subtle" size="xs" className={styles.noticeButton} onClick={onDiscard}>
        Descartar
      </Button>
    </p>
  )
}

export function ChangedNotice({ onBring }: { onBring: () => void }) {
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
      <span>Otra persona guardó cambios en esta orden mientras usted escribía.</span>
      <Button variant="subtle" size="xs" className={styles.noticeButton} onClick={onBring}>
        Traer sus cambios
      </Button>
    </p>
  )
}
