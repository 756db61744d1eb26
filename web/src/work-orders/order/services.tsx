import { ActionIcon, Button, Select, Tooltip } from '@mantine/core'
import { IconFileInvoice, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { showDay } from '#contract/base/dates.ts'
import { BAD_QUANTITY, showMoney, showQuantity } from '#contract/base/money.ts'
import { INVOICE_TYPES } from '#contract/warehouses/transactions.ts'
import { type Invoice, lineAmount } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { useMay } from '../../platform/session.ts'
import { providerChoicesQuery } from '../../providers/queries.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { FigureInput } from '../../ui/figure-input.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { useClosed } from '../../workshops/closed.ts'
import { servicesOfQuery } from '../queries.ts'
import { InvoiceDrawer } from './invoice-drawer.tsx'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import type { OrderForm, ServiceTyped } from './typed.ts'

const NewServiceDrawer = lazy(() => import('../../providers/service-drawer.tsx'))

const COST_COLUMNS: TableColumn<ServiceTyped>[] = [
  { label: 'Precio unitario', align: 'end', folds: true, cell: (line) => showMoney(line.unit_price) },
  { label: 'Total', align: 'end', cell: (line) => showMoney(lineAmount(line.quantity, line.unit_price ?? 0)) },
]

export function ServicesPart({ form, order, readOnly }: { form: OrderForm; order?: WorkOrder; readOnly: boolean }) {
  const { control, setValue, clearErrors, formState } = form
  const lines = useWatch({ control, name: 'services' })
  const workshop = useWatch({ control, name: 'workshop_id' })
  const mayReadCosts = useMay('costs.read')
  const [editing, setEditing] = useState<number | 'new'>()
  const setLines = (next: ServiceTyped[]) => {
    clearErrors('services')
    setValue('services', next, { shouldDirty: true })
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
    <OrderSection
      id="servicios"
      title="Servicios y facturas"
      aside={
        !readOnly && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.7} />}
            disabled={!workshop}
            onClick={() => setEditing('new')}
          >
            Agregar servicio
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p className={styles.nothing}>Nada encargado a proveedores.</p>
      ) : (
        <Table
          label="Servicios"
          rows={rows}
          keyOf={(line) => line.id ?? `new-${line.index}`}
          columns={[
            {
              label: 'Servicio',
              grows: true,
              cell: (line) => (
                <span className={styles.lineName}>
                  <span>{line.name}</span>
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
            { label: 'Cantidad', align: 'end', cell: (line) => showQuantity(line.quantity) },
            ...(mayReadCosts ? COST_COLUMNS : []),
            ...(readOnly
              ? []
              : [
                  {
                    label: 'Acciones',
                    align: 'end' as const,
                    cell: (line: (typeof rows)[number]) =>
                      !line.closed && (
                        <span className={styles.rowButtons}>
                          <Tooltip label="Editar">
                            <ActionIcon aria-label={`Editar ${line.name}`} onClick={() => setEditing(line.index)}>
                              <IconPencil size={16} stroke={1.7} />
                            </ActionIcon>
                          </Tooltip>
                          <Tooltip label="Quitar">
                            <ActionIcon
                              aria-label={`Quitar ${line.name}`}
                              onClick={() => setLines(lines.filter((_, index) => index !== line.index))}
                            >
                              <IconTrash size={16} stroke={1.7} />
                            </ActionIcon>
                          </Tooltip>
                        </span>
                      ),
                  },
                ]),
          ]}
        />
      )}
      {order && order.services.length > 0 && <Invoices order={order} />}
      {editing !== undefined && (
        <ServiceLineDrawer
          workshop={workshop}
          line={editing === 'new' ? undefined : lines[editing]}
          onClose={() => setEditing(undefined)}
          onSave={(line) => {
            setLines(editing === 'new' ? [...lines, line] : lines.map((old, index) => (index === editing ? line : old)))
            setEditing(undefined)
          }}
        />
      )}
    </OrderSection>
  )
}

/** One for each provider that did something in the order. */
function Invoices({ order }: { order: WorkOrder }) {
  const mayWrite = useMay('work-orders.write')
  const mayReadCosts = useMay('costs.read')
  const [opened, setOpened] = useState<{ provider_id: number; provider_name: string; invoice?: Invoice }>()
  const owed = [...Map.groupBy(order.services, ({ provider_id }) => provider_id)].map(([provider_id, lines]) => ({
    provider_id,
    provider_name: lines[0]!.provider_name,
    amount: lines.reduce((sum, line) => sum + (line.amount ?? 0), 0),
    invoice: order.invoices.find((invoice) => invoice.provider_id === provider_id),
  }))
  return (
    <>
      <ul className={styles.invoices}>
        {owed.map((each) => (
          <li key={each.provider_id} className={styles.invoice}>
            <IconFileInvoice size={16} stroke={1.7} aria-hidden />
            <span className={styles.lineName}>
              <span>{each.provider_name}</span>
              <span className={styles.lineMore}>
                {each.invoice
                  ? `${INVOICE_TYPES[each.invoice.bill_invoice].label} ${each.invoice.document} · ${showDay(each.invoice.date)}`
                  : 'Sin factura'}
              </span>
            </span>
            {mayReadCosts && <span className={styles.invoiceAmount}>{showMoney(each.amount)}</span>}
            {mayWrite && (
              <Button variant="default" size="xs" onClick={() => setOpened(each)}>
                {each.invoice ? 'Ver factura' : 'Registrar factura'}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {opened && <InvoiceDrawer order={order.id} {...opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

interface ServiceLineDrawerProps {
  workshop: number
  line?: ServiceTyped
  onSave: (line: ServiceTyped) => void
  onClose: () => void
}

/** Long: provider, service, quantity and price are one form, in which each answer changes what the next may be. */
function ServiceLineDrawer({ workshop, line, onSave, onClose }: ServiceLineDrawerProps) {
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
            <Button type="submit" disabled={!isComplete}>
              {line ? 'Aplicar' : 'Agregar'}
            </Button>
          </>
        )}
      >
        <Select<number>
          label="Proveedor"
          withAsterisk
          searchable
          data-autofocus
          placeholder="Elija"
          data={providers?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={provider}
          onChange={(id) => {
            touch(setProvider)(id)
            choose(null)
          }}
        />
        <Select<number>
          label="Servicio"
          withAsterisk
          searchable
          disabled={provider === null}
          placeholder={provider === null ? 'Elija primero el proveedor' : 'Elija'}
          data={offered ?? []}
          value={service}
          onChange={(id) => choose(id)}
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
