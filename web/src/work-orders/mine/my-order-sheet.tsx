import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode, IconCamera, IconCheck, IconMinus, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showKm, showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { type AvailableSupply, workOrderParts } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { useZone } from '../../platform/session.ts'
import { useRequestKey } from '../../platform/submit.ts'
import { FullscreenDialog } from '../../ui/drawer.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Plate } from '../../ui/plate.tsx'
import { say } from '../../ui/snackbar.tsx'
import { CommentBox } from '../order/comments.tsx'
import { FileButton, useUpload } from '../order/files.tsx'
import { availableSuppliesQuery, commentsQuery, workOrderQuery, workOrdersKey } from '../queries.ts'
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
  const isMissing = part.stock !== null && part.stock <= 0
  return (
    <div className={styles.chosen}>
      <div>
        <strong>{part.name}</strong>
        <small className={styles.small}>
          <span className="mono">{part.code}</span>
          {part.stock !== null && ` · quedan ${showAmount(part.stock, part.unit)}`}
        </small>
      </div>
      {isMissing && (
        <p className={styles.small} role="status">
          {part.elsewhere.length > 0
            ? `No hay en la bodega de la orden. Hay en ${part.elsewhere.map((place) => `${place.warehouse_name} (${showAmount(place.stock, part.unit)})`).join(', ')}.`
            : 'No hay en ninguna bodega.'}
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

/** A part is taken from the warehouse of the order, or asked for where there is none. */
function useTaking(order: number, onDone: () => void) {
  const client = useQueryClient()
  const request = useRequestKey()
  const [isPending, setPending] = useState(false)
  const send = async (body: object, deliver: (key: string) => Promise<unknown>, done: string, failed: string) => {
    setPending(true)
    try {
      await deliver(request.keyFor(body))
      request.arrived(body)
      say(done)
      onDone()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: workOrdersKey })
    }
  }
  const params = { id: order }
  return {
    isPending,
    take: ({ supply_id, name, unit }: AvailableSupply, count: number) => {
      const body = { supply_id, count }
      const deliver = (idempotencyKey: string) => call(workOrderParts.useSupply, { params, body, idempotencyKey })
      return send(body, deliver, `${name}: ${showAmount(count, unit)} a la orden`, 'No se pudo agregar')
    },
    /** A note on the order: whoever keeps the warehouse or leads the workshop reads it there. */
    ask: ({ name, code, unit }: AvailableSupply, count: number) => {
      const wanted = `${showAmount(count, unit)} de ${name} (${code})`
      const body = { text: `Se pide repuesto: ${wanted}. No hay en la bodega de la orden.` }
      const deliver = (idempotencyKey: string) => call(workOrderParts.addComment, { params, body, idempotencyKey })
      return send(body, deliver, `Pedido anotado en la orden: ${wanted}`, 'No se pudo pedir')
    },
  }
}

/** By typing, by a scanner that types, or by the camera. One tap takes one; the steppers take more. */
function PartPicker({ order }: { order: number }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [chosen, setChosen] = useState<AvailableSupply>()
  const [count, setCount] = useState(1)
  const { take, ask, isPending } = useTaking(order, () => setChosen(undefined))
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
        onUse={() => void take(chosen, count)}
        onAsk={() => void ask(chosen, count)}
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
                {supply.stock !== null && (
                  <span className={styles.amount}>{showAmount(supply.stock, supply.unit)}</span>
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
