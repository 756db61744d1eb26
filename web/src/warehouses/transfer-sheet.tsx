import { Button, TextInput } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { type Control, Controller, useForm, useWatch } from 'react-hook-form'
import { showDay, showMoment } from '#contract/base/dates.ts'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { TRANSFER_FIELDS as F, LINE_FIELDS } from '#contract/warehouses/fields.ts'
import {
  ReceiveTransfer,
  type SentLine,
  type SentTransferSheet,
  TRANSFER_STATES,
} from '#contract/warehouses/transfers.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { useDownload } from '../ui/download.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { TextAreaField } from '../ui/field.tsx'
import { FigureInput } from '../ui/figure-input.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import styles from './document.module.css'
import { DocumentFacts } from './document-facts.tsx'
import { warehousesKey } from './queries.ts'
import { SupplySelect } from './supply-drawer.tsx'

interface SheetProps {
  transfer: SentTransferSheet
  /** The end it is looked at from. */
  warehouse: Warehouse
  onClose: () => void
}

/** What one workshop sent to another: where it arrives it is received, where it left it can be taken back until then. */
export default function TransferSheet(props: SheetProps) {
  const { transfer, warehouse } = props
  const mayReceive = useMay('transfers.receive')
  const isHere = transfer.to_warehouse_id === warehouse.id
  const { onItsWay } = TRANSFER_STATES[transfer.state]
  return onItsWay && isHere && mayReceive ? <Receive {...props} /> : <ReadOnly {...props} />
}

const titleOf = ({ code, workshop_name, to_workshop_name }: SentTransferSheet) =>
  `Traslado ${code} · ${workshop_name} → ${to_workshop_name}`

function Guide({ id }: { id: number }) {
  const { download, isDownloading } = useDownload(() => call(warehouses.transferPdf, { params: { id } }))
  return (
    <Button
      variant="default"
      leftSection={<IconPrinter size={16} stroke={1.7} />}
      loading={isDownloading}
      onClick={() => void download()}
    >
      Guía PDF
    </Button>
  )
}

function TransferFacts({ transfer }: { transfer: SentTransferSheet }) {
  const zone = useZone()
  const state = TRANSFER_STATES[transfer.state]
  const moment = (at: string | null, by: string | null) => at && `${showMoment(at, zone)}${by ? `, ${by}` : ''}`
  const rows: [string, ReactNode][] = [
    [
      F.state.label,
      <StatusPill key="state" tone={state.tone}>
        {state.label}
      </StatusPill>,
    ],
    [F.warehouse_id.label, `${transfer.warehouse_name} · ${transfer.workshop_name}`],
    [F.to_warehouse_id.label, `${transfer.to_warehouse_name} · ${transfer.to_workshop_name}`],
    [F.date.label, showDay(transfer.date)],
    [F.document.label, transfer.document],
    [F.reference.label, transfer.reference],
    [F.sent_at.label, moment(transfer.sent_at, transfer.sent_by)],
    [F.received_at.label, moment(transfer.received_at, transfer.received_by)],
    ['Entrada', transfer.receipt_code],
    ['Merma', transfer.loss_code && `${transfer.loss_code} · ${showMoney(transfer.missing_value)}`],
    [F.value.label, showMoney(transfer.value)],
    [F.note.label, transfer.note],
  ]
  return <DocumentFacts rows={rows} />
}

const supplyColumns = (): TableColumn<SentLine>[] => [
  { label: LINE_FIELDS.code.label, cell: (line) => <span className="mono">{line.code}</span> },
  { label: LINE_FIELDS.name.label, grows: true, cell: (line) => line.name },
  { label: LINE_FIELDS.unit.label, folds: true, cell: (line) => line.unit },
  { label: 'Enviado', align: 'end', cell: (line) => showQuantity(line.quantity) },
]

function ReadOnly({ transfer, warehouse, onClose }: SheetProps) {
  const mayWrite = useMay('warehouses.write')
  const { onItsWay } = TRANSFER_STATES[transfer.state]
  const isHere = transfer.to_warehouse_id === warehouse.id
  const cancel = onItsWay && !isHere ? { id: transfer.id, label: 'Anular envío', about: CANCELS } : undefined
  const undo =
    isHere && transfer.receipt_id ? { id: transfer.receipt_id, label: 'Anular recepción', about: UNDOES } : undefined
  const act = cancel ?? undo
  const { voidIt, isPending } = useVoid()
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={titleOf(transfer)}
      footer={
        <>
          <span className={styles.spread}>
            {mayWrite && act && (
              <Button variant="default" color="red" loading={isPending} onClick={() => voidIt(act)}>
                {act.label}
              </Button>
            )}
            <Guide id={transfer.id} />
          </span>
          <Button variant="default" onClick={onClose}>
            Cerrar
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        <TransferFacts transfer={transfer} />
        <Table
          label="Insumos"
          rows={transfer.supplies}
          keyOf={(line) => line.supply_id}
          columns={[
            ...supplyColumns(),
            {
              label: 'Recibido',
              align: 'end',
              cell: (line) => (line.received === null ? null : showQuantity(line.received)),
            },
            {
              label: 'Diferencia',
              folds: true,
              cell: (line) => (line.missing > 0 ? `Faltan ${showQuantity(line.missing)}: ${line.reason ?? ''}` : null),
            },
            { label: F.value.label, align: 'end', folds: true, cell: (line) => showMoney(line.value) },
          ]}
        />
      </div>
    </FullscreenDialog>
  )
}

const CANCELS = 'Lo enviado vuelve a esta bodega, al costo con que salió.'
const UNDOES = 'Lo recibido sale de esta bodega y vuelve a estar en tránsito, con lo que se dio por perdido.'

function useVoid() {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const voidIt = async ({ id, label, about }: { id: number; label: string; about: string }) => {
    const sure = await confirm({ title: `¿${label}?`, message: about, accept: label, danger: true })
    if (!sure) return
    setPending(true)
    try {
      await call(purchasing.voidTransaction, { params: { id }, body: {} })
      say('Traslado actualizado correctamente ✅')
    } catch (error) {
      say('Error al anular ❌', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: warehousesKey })
    }
  }
  return { voidIt, isPending }
}

interface ReceiveTyped {
  note: string
  supplies: { supply_id: number; received: number | null; reason: string; to_supply_id: number | null }[]
}
type ReceiveControl = Control<ReceiveTyped, unknown, ReceiveTransfer>

/** Each line starts as it was sent; what is less asks why. Enter goes to the next line. */
function Receive({ transfer, onClose }: SheetProps) {
  const form = useForm<ReceiveTyped, unknown, ReceiveTransfer>({
    resolver: formResolver<ReceiveTyped, ReceiveTransfer>(ReceiveTransfer),
    defaultValues: {
      note: '',
      supplies: transfer.supplies.map(({ supply_id, quantity }) => ({
        supply_id,
        received: quantity,
        reason: '',
        to_supply_id: null,
      })),
    },
  })
  const { control, formState } = form
  const leaveSaved = useLeaveGuard(formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      call(warehouses.receiveTransfer, { params: { id: transfer.id }, body, idempotencyKey }),
    refresh: [warehousesKey],
    done: 'Traslado recibido correctamente ✅',
    failed: 'Error al recibir ❌',
    onDone: () => {
      leaveSaved()
      onClose()
    },
  })
  const rows = transfer.supplies.map((line, index) => ({ ...line, index }))
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={titleOf(transfer)}
      dirty={formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <span className={styles.spread}>
            <Guide id={transfer.id} />
          </span>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Recibir
          </Button>
        </>
      )}
    >
      <div className={styles.sheet}>
        <div className={styles.linesHead}>
          <h2>Qué llegó</h2>
          <span className={styles.hint}>Si llegó menos, escriba cuánto y por qué: lo que falta queda como merma.</span>
        </div>
        <Table
          label="Qué llegó"
          rows={rows}
          keyOf={(line) => line.supply_id}
          columns={[
            { label: LINE_FIELDS.code.label, folds: true, cell: (line) => <span className="mono">{line.code}</span> },
            {
              label: LINE_FIELDS.name.label,
              grows: true,
              cell: (line) => (
                <Here control={control} line={line} index={line.index} warehouse={transfer.to_warehouse_id} />
              ),
            },
            {
              label: 'Enviado',
              align: 'end',
              cell: (line) => `${showQuantity(line.quantity)} ${line.unit ?? ''}`.trim(),
            },
            {
              label: 'Recibido',
              align: 'end',
              cell: (line) => <Received control={control} line={line} index={line.index} />,
            },
          ]}
        />
        <TextAreaField control={control} name="note" label={F.note.label} rows={2} />
        <TransferFacts transfer={transfer} />
      </div>
    </FullscreenDialog>
  )
}

/** Enter goes on to why less came, then to the next line, and sends from the last. */
const onEnter = (index: number) => (event: KeyboardEvent<HTMLInputElement>) => {
  if (event.key !== 'Enter') return
  const field = (name: string) => event.currentTarget.form?.querySelector<HTMLInputElement>(`[data-line="${name}"]`)
  const reason = field(`reason ${index}`)
  const next = reason && !reason.value && reason !== event.currentTarget ? reason : field(`received ${index + 1}`)
  if (!next) return
  event.preventDefault()
  next.focus()
  next.select()
}

interface LineProps {
  control: ReceiveControl
  line: SentLine
  index: number
}

function Received({ control, line, index }: LineProps) {
  return (
    <Controller
      control={control}
      name={`supplies.${index}.received`}
      render={({ field, fieldState }) => (
        <FigureInput
          aria-label={`Recibido de ${line.name}`}
          ref={field.ref}
          value={field.value}
          onFigure={field.onChange}
          onBlur={field.onBlur}
          onKeyDown={onEnter(index)}
          error={fieldState.error?.message}
          decimals={4}
          hideControls
          data-line={`received ${index}`}
          data-autofocus={index === 0 || undefined}
          w={110}
          ml="auto"
        />
      )}
    />
  )
}

/** What it is called in this workshop, and, where less came, why. */
function Here({ control, line, index, warehouse }: LineProps & { warehouse: number }) {
  const received = useWatch({ control, name: `supplies.${index}.received` })
  const isLess = received !== null && received < line.quantity
  return (
    <span className={styles.lineName}>
      {line.name}
      <Controller
        control={control}
        name={`supplies.${index}.to_supply_id`}
        render={({ field, fieldState }) => (
          <BecomesHere
            line={line}
            warehouse={warehouse}
            chosen={field.value}
            error={fieldState.error?.message}
            onChoose={field.onChange}
          />
        )}
      />
      {isLess && (
        <Controller
          control={control}
          name={`supplies.${index}.reason`}
          render={({ field, fieldState }) => (
            <TextInput
              {...field}
              aria-label={`Por qué falta de ${line.name}`}
              placeholder={`Por qué faltan ${showQuantity(line.quantity - received)}`}
              error={fieldState.error?.message}
              onKeyDown={onEnter(index)}
              maxLength={200}
              data-line={`reason ${index}`}
              mt={6}
              maw={420}
            />
          )}
        />
      )}
    </span>
  )
}

interface BecomesProps {
  line: SentLine
  warehouse: number
  chosen: number | null
  error: string | undefined
  onChoose: (id: number | null) => void
}

/** The supply of this workshop that it goes into: the one with its code, a new one, or the one that is chosen. */
function BecomesHere({ line, warehouse, chosen, error, onChoose }: BecomesProps) {
  const [named, setNamed] = useState<{ supply_id: number; code: string; name: string }>()
  const [choosing, setChoosing] = useState(false)
  if (choosing || error || chosen !== null)
    return (
      <SupplySelect
        label={`Entra como`}
        warehouse={warehouse}
        list="workshop"
        chosen={named}
        disabled={false}
        error={error}
        onChoose={(supply) => {
          setNamed(supply && { supply_id: supply.id, code: supply.code, name: supply.name })
          onChoose(supply?.id ?? null)
        }}
      />
    )
  const isSame = line.to?.code === line.code && line.to.name === line.name
  return (
    <small className={styles.hint}>
      {line.to
        ? isSame
          ? 'Entra con el mismo código'
          : `Entra como ${line.to.code} · ${line.to.name}`
        : 'Se crea en este taller'}{' '}
      <Button
        variant="subtle"
        size="compact-xs"
        onClick={() => setChoosing(true)}
        aria-label={`Elegir otro insumo para ${line.name}`}
      >
        Elegir otro
      </Button>
    </small>
  )
}
