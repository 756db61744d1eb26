import { Button, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useRequestKey } from '../../platform/submit.ts'
import { say } from '../../ui/snackbar.tsx'
import { workOrdersKey } from '../queries.ts'
import styles from './order.module.css'

/** What is being written about an order, and the way to send it. */
export function useComment(order: number) {
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
  return { text, setText, send, isPending }
}

export function CommentBox({ order, label }: { order: number; label: string }) {
  const { text, setText, send, isPending } = useComment(order)
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
