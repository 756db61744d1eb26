import { Button, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { useRequestKey } from '../../platform/submit.ts'
import { say } from '../../ui/snackbar.tsx'
import card from '../card.module.css'
import { hueOf } from '../card.tsx'
import { commentsQuery, workOrdersKey } from '../queries.ts'
import { initials } from '../words.ts'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'

export function CommentsPart({ order }: { order: number }) {
  const zone = useZone()
  const may = useMay('work-orders.work')
  const comments = useQuery(commentsQuery(order)).data
  return (
    <OrderSection id="comentarios" title="Comentarios">
      {comments?.length === 0 && <p className={styles.nothing}>Nadie ha comentado.</p>}
      <ol className={styles.comments}>
        {comments?.map((comment) => (
          <li key={comment.id} className={styles.comment}>
            <span className={card.who} data-hue={hueOf(comment.user_name ?? '')} aria-hidden>
              {initials(comment.user_name ?? '?')}
            </span>
            <div>
              <div className={styles.commentHead}>
                <strong>{comment.user_name ?? 'Alguien'}</strong>
                <time>{showMoment(comment.created_at, zone)}</time>
              </div>
              <p>{comment.text}</p>
            </div>
          </li>
        ))}
      </ol>
      {may && <CommentBox order={order} />}
    </OrderSection>
  )
}

export function CommentBox({ order, label = 'Nuevo comentario' }: { order: number; label?: string }) {
  const client = useQueryClient()
  const request = useRequestKey()
  const [text, setText] = useState('')
  const [isPending, setPending] = useState(false)
  const send = async () => {
    if (!text.trim() || isPending) return
    setPending(true)
    try {
      await call(workOrderParts.addComment, {
        params: { id: order },
        body: { text },
        idempotencyKey: request.keyFor(text),
      })
      request.arrived(text)
      setText('')
      void client.invalidateQueries({ queryKey: workOrdersKey })
    } catch (error) {
      say('No se pudo enviar el comentario', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
    }
  }
  return (
    <div className={styles.commentBox}>
      <Textarea
        aria-label={label}
        placeholder="Escriba un comentario"
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
      <Button
        variant="default"
        leftSection={<IconSend size={16} stroke={1.7} />}
        onClick={() => void send()}
        loading={isPending}
        disabled={!text.trim()}
      >
        Comentar
      </Button>
    </div>
  )
}
