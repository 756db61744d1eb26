import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode, IconCamera, IconCheck, IconMinus, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showKm, showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrder, WorkOrderCard } from '#contract/work-orders/orders.ts'
import type { AvailableSupply } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { useZone } from '../../platform/session.ts'
import { FullscreenDialog } from '../../ui/drawer.tsx'
import { lazy } from '../../ui/lazy.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { Plate } from '../../ui/plate.tsx'
import { say } from '../../ui/snackbar.tsx'
import { CommentBox } from '../order/comments.tsx'
import { FileButton, useUpload } from '../order/files.tsx'
import { PlannedState, usePlanning } from '../order/planning.tsx'
import { availableSuppliesQuery, commentsQuery, workOrderQuery } from '../queries.ts'
import styles from './my-works.module.css'

const Scanner = lazy(() => import('./scanner.tsx'))
const canScan = () => 'BarcodeDetector' in window && Boolean(navigator.mediaDevices?.getUserMedia)

interface MyOrderSheetProps {
  order: WorkOrderCard
  onClose: () => void
  onFinish: (order: WorkOrderCard) => void
}

/** What a mechanic adds to an order while working on it: parts, photos, notes. */
export function MyOrderSheet({ order, onClose, onFinish }: MyOrderSheetProps) {
  const zone = useZone()
  const whole = useQuery(workOrderQuery(order.id)).data
  const comments = useQuery(commentsQuery(order.id)).data
  const { upload, share } = useUpload(order.id)
  const isOpen = !isClosed(order)
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={order.code}
      footer={
        <>
          <ButtonLink to="/ordenes-de-trabajo/$id" params={{ id: String(order.id) }} variant="subtle" size="md">
            Ver orden
          </ButtonLink>
          {isOpen && (
            <Button size="md" leftSection={<IconCheck size={18} stroke={1.9} />} onClick={() => onFinish(order)}>
              Firmar y finalizar
            </Button>
          )}
        </>
      }
    >
      <div className={styles.sheet}>
        <div className={styles.sheetHead}>
          <Plate text={showPatent(order.patent)} size="lg" />
          <div>
            <strong>{order.request}</strong>
            {whole?.kilometer != null && <span>{showKm(whole.kilometer)}</span>}
          </div>
        </div>
        {whole?.description_of_requeriment && <p className={styles.text}>{whole.description_of_requeriment}</p>}

        <h2>Repuestos</h2>
        {whole && whole.supplies.length > 0 && (
          <ul className={styles.used}>
            {whole.supplies.map((line) => (
              <li key={line.id}>
                <span>{line.name}</span>
                <span className={styles.amount}>{showAmount(line.count, line.unit)}</span>
              </li>
            ))}
          </ul>
        )}
        {whole && whole.planned_supplies.length > 0 && <Planned order={whole} isOpen={isOpen} />}
        {isOpen && <PartPicker order={order.id} />}

        <h2>Fotos</h2>
        <div className={styles.sheetRow}>
          {isOpen && (
            <FileButton
              label="Tomar foto"
              size="lg"
              icon={<IconCamera size={20} stroke={1.7} />}
              accept="image/*"
              camera
              onFiles={upload}
            />
          )}
          <span className={styles.jobMeta}>
            {share === undefined
              ? whole && `${whole.files_total} ${whole.files_total === 1 ? 'archivo' : 'archivos'}`
              : `Subiendo ${Math.round(share * 100)} %`}
          </span>
        </div>

        <h2>Notas</h2>
        <ul className={styles.notes}>
          {comments?.slice(-5).map((comment) => (
            <li key={comment.id}>
              <span>{comment.text}</span>
              <small className={styles.small}>
                {comment.user_name} · {showMoment(comment.created_at, zone)}
              </small>
            </li>
          ))}
        </ul>
        <CommentBox order={order.id} label="Nota" />
      </div>
    </FullscreenDialog>
  )
}

/** What was asked for: what is there is one tap away. */
function Planned({ order, isOpen }: { order: WorkOrder; isOpen: boolean }) {
  const { take, isPending } = usePlanning(order.id)
  return (
    <ul className={styles.used} aria-label="Pedidos y apartados">
      {order.planned_supplies.map((line) => (
        <li key={line.id}>
          <span>
            {line.name} <PlannedState line={line} />
          </span>
          {isOpen && line.reserved > 0 && (
            <Button
              size="md"
              variant="default"
              style={{ flex: 'none' }}
              loading={isPending}
              aria-label={`Usar ${line.name}`}
              onClick={() => void take(line, line.reserved)}
            >
              Usar
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

interface ChosenPartProps {
  part: AvailableSupply
  count: number
  onCount: (count: number) => void
  isPending: boolean
  onUse: () => void
  /** Where there is none to use. */
  onAsk: () => void
  onCancel: () => void
}

function ChosenPart({ part, count, onCount, isPending, onUse, onAsk, onCancel }: ChosenPartProps) {
  const isMissing = part.available !== null && part.available < count
  return (
    <div className={styles.chosen}>
      <div>
        <strong>{part.name}</strong>
        <small className={styles.small}>
          <span className="mono">{part.code}</span>
          {part.available !== null && ` · quedan ${showAmount(part.available, part.unit)}`}
        </small>
      </div>
      {isMissing && (
        <p className={styles.small} role="status">
          {part.elsewhere.length > 0
            ? `No hay suficiente en la bodega de la orden. Hay en ${part.elsewhere.map((place) => `${place.warehouse_name} (${showAmount(place.stock, part.unit)})`).join(', ')}.`
            : 'No hay suficiente en ninguna bodega.'}
        </p>
      )}
      <div className={styles.stepper}>
        <ActionIcon
          variant="default"
          size={48}
          aria-label="Uno menos"
          disabled={count <= 1}
          onClick={() => onCount(count - 1)}
        >
          <IconMinus size={20} stroke={1.9} />
        </ActionIcon>
        <output aria-live="polite">{showQuantity(count)}</output>
        <ActionIcon variant="default" size={48} aria-label="Uno más" onClick={() => onCount(count + 1)}>
          <IconPlus size={20} stroke={1.9} />
        </ActionIcon>
      </div>
      <div className={styles.sheetRow}>
        <Button size="lg" variant="subtle" onClick={onCancel}>
          Cancelar
        </Button>
        <Button size="lg" loading={isPending} onClick={isMissing ? onAsk : onUse} className={styles.grow}>
          {isMissing ? 'Pedir' : 'Usar'}
        </Button>
      </div>
    </div>
  )
}

/** By typing, by a scanner that types, or by the camera. One tap takes one; the steppers take more. */
function PartPicker({ order }: { order: number }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [chosen, setChosen] = useState<AvailableSupply>()
  const [count, setCount] = useState(1)
  const { take, ask, isPending } = usePlanning(order)
  const done = (went: boolean) => went && setChosen(undefined)
  const [scanning, setScanning] = useState(false)
  const found = useQuery({ ...availableSuppliesQuery(order, search), enabled: search.length >= 2 }).data

  const look = async (code: string) => {
    setScanning(false)
    try {
      const answer = await client.fetchQuery(availableSuppliesQuery(order, code))
      const exact =
        answer.find((one) => one.code.toLowerCase() === code.toLowerCase()) ?? (answer.length === 1 && answer[0])
      if (exact) return choose(exact)
      setText(code)
      if (answer.length === 0) say('Ningún repuesto disponible tiene ese código', { tone: 'danger', detail: code })
    } catch (error) {
      setText(code)
      say('No se pudo buscar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  const choose = (supply: AvailableSupply) => {
    setChosen(supply)
    setCount(1)
    setText('')
  }
  if (chosen)
    return (
      <ChosenPart
        part={chosen}
        count={count}
        onCount={setCount}
        isPending={isPending}
        onUse={() => void take(chosen, count).then(done)}
        onAsk={() => void ask(chosen, count).then(done)}
        onCancel={() => setChosen(undefined)}
      />
    )
  return (
    <>
      <div className={styles.sheetRow}>
        <TextInput
          className={styles.grow}
          size="lg"
          aria-label="Buscar repuesto"
          placeholder="Código o nombre"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !text.trim()) return
            event.preventDefault()
            void look(text.trim())
          }}
        />
        {canScan() && (
          <ActionIcon variant="default" size={50} aria-label="Escanear con la cámara" onClick={() => setScanning(true)}>
            <IconBarcode size={24} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      {search.length >= 2 && (
        <ul className={styles.found}>
          {found?.slice(0, 8).map((supply) => (
            <li key={supply.supply_id}>
              <button type="button" onClick={() => choose(supply)}>
                <span>
                  {supply.name}
                  <small className={`mono ${styles.small}`}>{supply.code}</small>
                </span>
                {supply.available !== null && (
                  <span className={styles.amount}>{showAmount(supply.available, supply.unit)}</span>
                )}
              </button>
            </li>
          ))}
          {found?.length === 0 && <li className={styles.nobody}>Nada coincide</li>}
        </ul>
      )}
      {scanning && (
        <Suspense fallback={null}>
          <Scanner onCode={(code) => void look(code)} onClose={() => setScanning(false)} />
        </Suspense>
      )}
    </>
  )
}
