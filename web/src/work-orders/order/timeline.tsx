import { ActionIcon, Button, Textarea } from '@mantine/core'
import { IconBolt, IconCamera, IconPaperclip, IconSend } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Activity } from '#contract/base/activity.ts'
import { showMoney } from '#contract/base/money.ts'
import { ACTIVITY_FIELDS, WORK_ORDER_ACTIONS } from '#contract/work-orders/activity.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { type Comment, FILE_TYPES, type WorkOrderFile } from '#contract/work-orders/parts.ts'
import { entryOf } from '../../frames/activity-tab.tsx'
import { call } from '../../platform/api.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { ErrorState } from '../../ui/faces.tsx'
import { Face } from '../person.tsx'
import { commentsQuery, filesQuery, workOrdersKey } from '../queries.ts'
import { showWhen } from '../words.ts'
import { useComment } from './comments.tsx'
import { FileTile } from './file-tile.tsx'
import { FileIcon, useUpload } from './files.tsx'
import styles from './page.module.css'

const WORDS = {
  actions: {
    ...WORK_ORDER_ACTIONS,
    recosted: ({ because, supplies_cost }: Activity['changes']) => {
      const [was, is] = (supplies_cost ?? []).map((pesos) => showMoney(Number(pesos)))
      return `costo recalculado por ${because?.[1]}${was ? `: ${was} → ${is}` : ''}`
    },
  },
  fields: ACTIVITY_FIELDS,
}
const PAGE = 50

/** Who changed what in an order, the newest first. */
export const useActivity = (id: number) =>
  useInfiniteQuery({
    queryKey: [...workOrdersKey, 'activity', id],
    queryFn: ({ pageParam, signal }) =>
      call(workOrders.workOrderActivity, { params: { id }, query: { page: pageParam, per_page: PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total }) => (page * per_page < total ? page + 1 : undefined),
  })

type Item =
  | { kind: 'said'; at: string; who: string | null; comment?: Comment; files: WorkOrderFile[] }
  | { kind: 'done'; at: string; event: Activity }

const TOGETHER = 10 * 60_000
/** What they say by themselves: the comment, or the photo. */
const SHOWN_ITSELF = ['file_added']

/** Comments with the photos that their author sent around that time, and what happened between them; newest first. */
export function itemsOf(comments: Comment[], files: WorkOrderFile[], activity: Activity[]): Item[] {
  const said: Extract<Item, { kind: 'said' }>[] = comments.map((comment) => ({
    kind: 'said',
    at: comment.created_at,
    who: comment.user_name,
    comment,
    files: [],
  }))
  for (const file of files.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))) {
    const near = said.find(
      ({ who, at }) => who === file.user_name && Math.abs(Date.parse(at) - Date.parse(file.created_at)) < TOGETHER,
    )
    if (near) near.files.push(file)
    else said.push({ kind: 'said', at: file.created_at, who: file.user_name, files: [file] })
  }
  const done: Item[] = activity
    .filter(({ action }) => !SHOWN_ITSELF.includes(action))
    .map((event) => ({ kind: 'done', at: event.at, event }))
  return [...said, ...done].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

const FEW = 7

interface TimelineProps {
  order: number
  /** What was added to a finalized order stays as it is. */
  isFinal: boolean
  activity: ReturnType<typeof useActivity>
}

/** What was said, shown and done in an order. */
export function OrderTimeline({ order, isFinal, activity }: TimelineProps) {
  const mayWork = useMay('work-orders.work')
  const comments = useQuery(commentsQuery(order))
  const files = useQuery(filesQuery(order))
  const [onlySaid, setOnlySaid] = useState(false)
  const [shown, setShown] = useState(FEW)
  const events = activity.data?.pages.flatMap(({ data }) => data) ?? []
  const all = itemsOf(comments.data ?? [], files.data ?? [], events)
  const items = onlySaid ? all.filter(({ kind }) => kind === 'said') : all
  const failed = [comments, files, activity].find(({ isError, data }) => isError && !data)
  const isMore = items.length > shown || (!onlySaid && activity.hasNextPage)
  const more = () => {
    if (items.length <= shown + FEW && activity.hasNextPage) void activity.fetchNextPage()
    setShown(shown + PAGE)
  }
  return (
    <section id="actividad" className={styles.card} aria-labelledby="actividad-title">
      <header className={styles.cardHead}>
        <h2 id="actividad-title">Actividad</h2>
        {all.length > 0 && (
          <Button size="xs" variant="subtle" className={styles.cardAction} onClick={() => setOnlySaid(!onlySaid)}>
            {onlySaid ? 'Ver todo' : 'Solo comentarios'}
          </Button>
        )}
      </header>
      {failed && (
        <ErrorState
          error={failed.error}
          onRetry={() => {
            for (const query of [comments, files, activity]) if (query.isError) void query.refetch()
          }}
        />
      )}
      {!failed && items.length === 0 && comments.data && (
        <p className={styles.quiet}>{onlySaid ? 'Nadie ha comentado.' : 'Aquí queda cada cambio de la orden.'}</p>
      )}
      <ol className={styles.items}>
        {items
          .slice(0, shown)
          .map((item) =>
            item.kind === 'said' ? (
              <Said
                key={`c${item.comment?.id ?? `f${item.files[0]?.id}`}`}
                item={item}
                mayDelete={mayWork && !isFinal}
              />
            ) : (
              <Happened key={item.event.id} event={item.event} />
            ),
          )}
      </ol>
      {isMore && (
        <Button
          size="xs"
          variant="subtle"
          className={styles.moreItems}
          loading={activity.isFetchingNextPage}
          onClick={more}
        >
          Ver más
        </Button>
      )}
      {mayWork && <WritingBox order={order} mayAttach={!isFinal} />}
    </section>
  )
}

function Said({ item, mayDelete }: { item: Extract<Item, { kind: 'said' }>; mayDelete: boolean }) {
  const zone = useZone()
  const who = item.who ?? 'Alguien'
  return (
    <li className={styles.said}>
      <Face name={who} named />
      <div>
        <div className={styles.saidHead}>
          <strong>{who}</strong>
          <time dateTime={item.at}>{showWhen(item.at, zone)}</time>
        </div>
        {item.comment && <p>{item.comment.text}</p>}
        {item.files.length > 0 && (
          <ul className={styles.photos}>
            {item.files.map((file) => (
              <FileTile key={file.id} file={file} mayDelete={mayDelete} />
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

/** What such a change is about is part of the sentence. */
const ABOUT = ['Trabajo', 'Repuesto', 'Archivo']

/** One quiet line; what each field was opens under it. */
function Happened({ event }: { event: Activity }) {
  const zone = useZone()
  const { who, what, changes } = entryOf(event, WORDS, zone)
  const about = changes.find(({ field }) => ABOUT.includes(field))
  const rest = changes.filter((change) => change !== about)
  const named = about?.to ?? about?.from
  const line: ReactNode = (
    <>
      <span>
        {who} {what}
        {named && (
          <>
            : <strong>{named}</strong>
          </>
        )}
      </span>
      <time dateTime={event.at}>{showWhen(event.at, zone)}</time>
    </>
  )
  return (
    <li className={styles.done}>
      <IconBolt size={14} stroke={1.7} className={styles.doneSign} aria-hidden />
      {rest.length === 0 ? (
        <div className={styles.doneLine}>{line}</div>
      ) : (
        <details>
          <summary className={styles.doneLine}>{line}</summary>
          <dl className={styles.changes}>
            {rest.map(({ field, from, to }) => (
              <div key={field} className={styles.change}>
                <dt>{field}</dt>
                <dd>
                  {from !== null && (
                    <>
                      <del>{from}</del> <span aria-hidden>→</span>
                      <span className="only-read-aloud"> pasó a </span>{' '}
                    </>
                  )}
                  {to ?? 'nada'}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}

/** A note, a photo or a paper: Ctrl+Enter sends what is written. */
function WritingBox({ order, mayAttach }: { order: number; mayAttach: boolean }) {
  const { text, setText, send, isPending } = useComment(order)
  const { upload, share } = useUpload(order)
  return (
    <div className={styles.writing}>
      <Textarea
        className={styles.writingText}
        aria-label="Nuevo comentario"
        placeholder="Escribir un comentario…"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={4000}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            void send()
          }
        }}
      />
      {share !== undefined && <span className={styles.share}>{Math.round(share * 100)} %</span>}
      {text.trim() ? (
        <ActionIcon variant="filled" size={32} aria-label="Comentar" loading={isPending} onClick={() => void send()}>
          <IconSend size={16} stroke={1.7} />
        </ActionIcon>
      ) : (
        mayAttach && (
          <>
            <FileIcon
              label="Tomar foto"
              icon={<IconCamera size={18} stroke={1.7} />}
              accept="image/*"
              camera
              onFiles={upload}
            />
            <FileIcon
              label="Agregar archivo"
              icon={<IconPaperclip size={18} stroke={1.7} />}
              accept={FILE_TYPES.join()}
              onFiles={upload}
            />
          </>
        )
      )}
    </div>
  )
}
