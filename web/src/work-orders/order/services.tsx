import { Button } from '@mantine/core'
import { IconFileInvoice, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { showDay } from '#contract/base/dates.ts'
import { BAD_QUANTITY, showMoney, showQuantity } from '#contract/base/money.ts'
import { INVOICE_TYPES } from '#contract/warehouses/transactions.ts'
import { type Invoice, sayPaper } from '#contract/work-orders/invoices.ts'
import { lineAmount } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { useMay } from '../../platform/session.ts'
import { providerChoicesQuery } from '../../providers/queries.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { FigureInput } from '../../ui/figure-input.tsx'
import { useKey } from '../../ui/keys.ts'
import { lazy } from '../../ui/lazy.ts'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { useClosed } from '../../workshops/closed.ts'
import { servicesOfQuery } from '../choices.ts'
import styles from './order.module.css'
import page from './page.module.css'
import { Card } from './section.tsx'
import type { OrderForm, ServiceTyped } from './typed.ts'

const InvoiceDrawer = lazy(() => import('./invoice-drawer.tsx'))
const NewServiceDrawer = lazy(() => import('../../providers/service-drawer.tsx'))

const COST_COLUMNS: TableColumn<ServiceTyped>[] = [
  { label: 'Precio unitario', align: 'end', folds: true, cell: (line) => showMoney(line.unit_price) },
  { label: 'Total', align: 'end', cell: (line) => showMoney(lineAmount(line.quantity, line.unit_price ?? 0)) },
]

interface ServicesPartProps {
  form: OrderForm
  order?: WorkOrder
  readOnly: boolean
  /** Saves what the drawer changed; left out while the order is being created. */
  commit?: () => void
}

interface Billed {
  provider_id: number
  provider_name: string
  invoice?: Invoice
}

export function ServicesPart({ form, order, readOnly, commit }: ServicesPartProps) {
  const { control, setValue, clearErrors, formState } = form
  const lines = useWatch({ control, name: 'services' })
  const workshop = useWatch({ control, name: 'workshop_id' })
  const mayReadCosts = useMay('costs.read')
  const [editing, setEditing] = useState<number | 'new'>()
  const [opened, setOpened] = useState<Billed>()
  const mayAdd = !readOnly && Boolean(workshop)
  useKey('s', mayAdd ? () => setEditing('new') : undefined)
  const change = (next: ServiceTyped[]) => {
    clearErrors('services')
    setValue('services', next, { shouldDirty: true })
    setEditing(undefined)
    commit?.()
  }
  const wrong = (index: number) =>
    Object.values((formState.errors.services?.[index] ?? {}) as Record<string, { message?: string }>)
      .map(({ message }) => message)
      .filter(Boolean)
  const closed = useClosed()
  /** Lines of a closed month are read. */
  const rows = lines.map((line, index) => ({
    ...line,
    index,
    closed: closed.onDay(order?.services.find(({ id }) => id === line.id)?.day),
  }))
  return (
    <Card
      id="servicios"
      title="Servicios"
      count={lines.length > 0 && lines.length}
      action={
        !readOnly && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.9} />}
            aria-label="Agregar servicio"
            disabled={!workshop}
            onClick={() => setEditing('new')}
          >
            Servicio
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p className={page.quiet}>Nada encargado a proveedores.</p>
      ) : (
        <Table
          label="Servicios"
          bare
          rows={rows}
          keyOf={(line) => line.id ?? `new-${line.index}`}
          columns={[
            {
              label: 'Servicio',
              grows: true,
              cell: (line) => (
                <span className={styles.lineName}>
                  {readOnly || line.closed ? (
                    <span>{line.name}</span>
                  ) : (
                    <button
                      type="button"
                      className={page.edit}
                      aria-label={`Editar ${line.name}`}
                      onClick={() => setEditing(line.index)}
                    >
                      {line.name}
                    </button>
                  )}
                  <span className={styles.lineMore}>{line.provider_name}</span>
                  {line.closed && <span className={styles.lineMore}>{line.closed}</span>}
                  {wrong(line.index).map((message) => (
                    <span key={message} className={styles.lineError} role="alert">
                      {message}
                    </span>
                  ))}
                </span>
              ),
            },
            ...(order
              ? [
                  {
                    label: 'Documento',
                    cell: (line: (typeof rows)[number]) =>
                      line.id !== undefined && <InvoiceOf order={order} line={line} onOpen={setOpened} />,
                  },
                ]
              : []),
            { label: 'Cantidad', align: 'end', folds: true, cell: (line) => showQuantity(line.quantity) },
            ...(mayReadCosts ? COST_COLUMNS : []),
          ]}
        />
      )}
      {order && mayReadCosts && <Beyond order={order} />}
      {order && opened && (
        <Suspense fallback={null}>
          <InvoiceDrawer order={order} {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
      {editing !== undefined && (
        <ServiceLineDrawer
          workshop={workshop}
          line={editing === 'new' ? undefined : lines[editing]}
          saves={commit !== undefined}
          onClose={() => setEditing(undefined)}
          onRemove={editing === 'new' ? undefined : () => change(lines.toSpliced(editing, 1))}
          onSave={(line) => change(editing === 'new' ? [...lines, line] : lines.with(editing, line))}
        />
      )}
    </Card>
  )
}

/** What papers say of the order beyond its services. */
function Beyond({ order }: { order: WorkOrder }) {
  if (order.service_adjustments.length === 0) return null
  return (
    <ul className={styles.beyond} aria-label="Según sus facturas">
      {order.service_adjustments.map((line) => (
        <li key={line.id}>
          <span>
            {sayPaper(line)}
            <span className={styles.lineMore}>
              {line.provider_name}, {showDay(line.day)}
            </span>
          </span>
          <span>{showMoney(line.amount)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The paper its provider left for the order: one for all of their services in it. */
function InvoiceOf({ order, line, onOpen }: { order: WorkOrder; line: ServiceTyped; onOpen: (one: Billed) => void }) {
  const mayWrite = useMay('work-orders.write')
  const { provider_id, provider_name } = line
  const invoice = order.invoices.find((each) => each.provider_id === provider_id)
  const said = invoice ? `${INVOICE_TYPES[invoice.bill_invoice].label} ${invoice.document}` : 'Sin factura'
  const others = invoice ? invoice.shares.length - 1 : 0
  if (!mayWrite) return <span data-tone={invoice ? undefined : 'warning'}>{said}</span>
  return (
    <button
      type="button"
      className={page.paper}
      data-tone={invoice ? undefined : 'warning'}
      title={invoice ? showDay(invoice.date) : undefined}
      aria-label={invoice ? `Ver factura: ${said}` : `Registrar factura de ${provider_name}`}
      onClick={() => onOpen({ provider_id, provider_name, invoice })}
    >
      <IconFileInvoice size={15} stroke={1.7} aria-hidden />
      {said}
      {others > 0 && ` (y ${others} ${others === 1 ? 'orden' : 'órdenes'} más)`}
    </button>
  )
}

interface ServiceLineDrawerProps {
  workshop: number
  line?: ServiceTyped
  /** It saves, and does not only put it into the order that is being created. */
  saves: boolean
  onSave: (line: ServiceTyped) => void
  onRemove?: () => void
  onClose: () => void
}

/** Long: provider, service, quantity and price are one form, in which each answer changes what the next may be. */
function ServiceLineDrawer({ workshop, line, saves, onSave, onRemove, onClose }: ServiceLineDrawerProps) {
  const mayAdd = useMay('providers.write')
  const providers = useQuery(providerChoicesQuery(workshop)).data
  const [provider, setProvider] = useState<number | null>(line?.provider_id ?? null)
  const [service, setService] = useState<number | null>(line?.service_id ?? null)
  const [quantity, setQuantity] = useState<number | ''>(line?.quantity ?? 1)
  const [price, setPrice] = useState<number | ''>(line?.unit_price ?? '')
  const [touched, setTouched] = useState(false)
  const [adding, setAdding] = useState(false)
  const services = useQuery({ ...servicesOfQuery(provider ?? 0), enabled: provider !== null }).data
  const offered = services
    ?.filter(({ state }) => state === 'active')
    .map(({ id, name, code }) => ({
      value: id,
      label: `${code} · ${name}`,
    }))
  if (line && offered && provider === line.provider_id && !offered.some(({ value }) => value === line.service_id))
    offered.unshift({ value: line.service_id, label: `${line.code} · ${line.name}` })
  const chosen = services?.find(({ id }) => id === service)
  const owner = providers?.find(({ id }) => id === provider)
  const isComplete = service !== null && quantity !== '' && quantity > 0 && price !== ''
  const touch =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setTouched(true)
      set(value)
    }
  const choose = (id: number | null, known = services) => {
    setTouched(true)
    setService(id)
    const found = known?.find((one) => one.id === id)
    if (found) setPrice(found.unit_price)
  }
  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        title={line ? 'Editar servicio' : 'Agregar servicio'}
        dirty={touched}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (!isComplete || provider === null) return
          onSave({
            id: line?.service_id === service ? line?.id : undefined,
            service_id: service,
            provider_id: provider,
            provider_name: owner?.name ?? line?.provider_name ?? '',
            code: chosen?.code ?? line?.code ?? '',
            name: chosen?.name ?? line?.name ?? '',
            quantity,
            unit_price: price,
          })
        }}
        footer={(close) => (
          <>
            <span className={styles.drawerSum} aria-live="polite">
              {isComplete ? `Total: ${showMoney(lineAmount(quantity, price))}` : ''}
            </span>
            <Button variant="subtle" onClick={close}>
              Cancelar
            </Button>
            {onRemove && (
              <Button variant="subtle" color="red" onClick={onRemove}>
                Quitar
              </Button>
            )}
            <Button type="submit" disabled={!isComplete}>
              {!line ? 'Agregar' : saves ? 'Guardar' : 'Aplicar'}
            </Button>
          </>
        )}
      >
        <Combobox<number>
          label="Proveedor"
          withAsterisk
          data-autofocus
          placeholder="Elija"
          choices={providers?.map(({ id, name }) => ({ value: id, label: name }))}
          value={provider}
          onPick={(id) => {
            touch(setProvider)(id)
            choose(null)
          }}
        />
        <Combobox<number>
          label="Servicio"
          withAsterisk
          disabled={provider === null}
          placeholder={provider === null ? 'Elija primero el proveedor' : 'Elija'}
          choices={offered}
          value={service}
          onPick={(id) => choose(id)}
        />
        {mayAdd && provider !== null && (
          <Button
            variant="subtle"
            className={styles.addHere}
            leftSection={<IconPlus size={16} stroke={1.7} />}
            onClick={() => setAdding(true)}
          >
            Nuevo servicio
          </Button>
        )}
        <FigureInput
          label="Cantidad"
          withAsterisk
          value={quantity}
          onFigure={(value) => touch(setQuantity)(value ?? '')}
          error={quantity !== '' && quantity <= 0 ? BAD_QUANTITY : undefined}
          decimals={4}
        />
        <FigureInput
          label="Precio unitario"
          withAsterisk
          prefix="$"
          value={price}
          onFigure={(value) => touch(setPrice)(value ?? '')}
        />
      </Drawer>
      {adding && owner && (
        <Suspense fallback={null}>
          <NewServiceDrawer
            provider={owner}
            onClose={() => setAdding(false)}
            onMade={(made) => {
              setAdding(false)
              choose(made.id, [...(services ?? []), made])
            }}
          />
        </Suspense>
      )}
    </>
  )
}
