import { useRef, useSyncExternalStore } from 'react'
import styles from './form-problems.module.css'

/* Problems of a form that belong to none of its fields, kept by the form's element. */

const problems = new WeakMap<HTMLFormElement, string[]>()
const watchers = new Set<() => void>()

const HOST = 'data-form-problems'

/** Shows the messages above the buttons of the form; false when the form has no place for them. */
export function showProblems(form: HTMLFormElement, messages: string[]): boolean {
  if (messages.length > 0) problems.set(form, messages)
  else problems.delete(form)
  for (const watcher of watchers) watcher()
  return form.querySelector(`[${HOST}]`) !== null
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The place for those messages: every form has one above its buttons. */
export function FormProblems() {
  const place = useRef<HTMLDivElement>(null)
  const messages = useSyncExternalStore(watch, () => {
    const form = place.current?.closest('form')
    return form ? problems.get(form) : undefined
  })
  return (
    <div ref={place} role="alert" className={styles.problems} {...{ [HOST]: true }} hidden={!messages}>
      {messages?.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  )
}
