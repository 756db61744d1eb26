import { Button } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import styles from './snackbar.module.css'

interface Said {
  tone?: 'neutral' | 'danger'
  /** A second, quieter line. */
  detail?: string
  /** Takes back what was just done. */
  undo?: () => void
  /** What it is about, to be looked at beside what is being typed. */
  see?: { label: string; path: string } | undefined
}

interface Message extends Said {
  id: number
  message: string
}

const SHOWN_FOR = 6_000
const AT_ONCE = 3

let messages: Message[] = []
let lastId = 0
const watchers = new Set<() => void>()
const change = (next: Message[]) => {
  messages = next
  for (const watcher of watchers) watcher()
}
const close = (id: number) => change(messages.filter((message) => message.id !== id))

/** Says something at the bottom of the screen, with a way to close it. */
export function say(message: string, said: Said = {}) {
  lastId += 1
  // Said again, it is shown anew and not twice.
  const others = messages.filter((other) => other.message !== message)
  change([...others, { ...said, id: lastId, message }].slice(-AT_ONCE))
}

/** Takes a message back, once it is no longer true. */
export const unsay = (message: string) => change(messages.filter((other) => other.message !== message))

/** Says once that a list to choose from could not be read. */
export const useSaid = (isError: boolean, sentence: string) =>
  useEffect(() => {
    if (isError) say(sentence, { tone: 'danger' })
  }, [isError, sentence])

export const hush = () => change([])

export function Snackbar() {
  const shown = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => messages,
  )
  return (
    <div className={styles.place}>
      {shown.map((message) => (
        <Bar key={message.id} {...message} />
      ))}
    </div>
  )
}

function Bar({ id, message, tone = 'neutral', detail, undo, see }: Message) {
  useEffect(() => {
    const timer = setTimeout(() => close(id), tone === 'danger' ? SHOWN_FOR * 2 : SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [id, tone])
  return (
    <div className={styles.bar} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      <div className={styles.text}>
        <div>{message}</div>
        {detail && detail !== message && <div className={styles.detail}>{detail}</div>}
      </div>
      <div className={styles.actions}>
        {see && (
          <Button component="a" href={see.path} target="_blank" variant="subtle" className={styles.action}>
            Ver {see.label}
          </Button>
        )}
        {undo && (
          <Button
            variant="subtle"
            className={styles.action}
            onClick={() => {
              close(id)
              undo()
            }}
          >
            Deshacer
          </Button>
        )}
        <Button variant="subtle" className={styles.action} onClick={() => close(id)}>
          Cerrar
        </Button>
      </div>
    </div>
  )
}
