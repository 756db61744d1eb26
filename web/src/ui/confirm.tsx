import { type ComponentType, Suspense, useEffect, useSyncExternalStore } from 'react'
import type { Asked, Question } from './confirm-dialog.tsx'
import { lazy } from './lazy.ts'

const load = () => import('./confirm-dialog.tsx')
const ConfirmDialog = lazy(load)

type Answered = { answer: (yes: boolean) => void }
/** A question of ours, or a dialog that asks in its own way. */
type Open = Asked | (Answered & { dialog: ComponentType<Answered> })

let asked: Open | undefined
const watchers = new Set<() => void>()
const change = (next: Open | undefined) => {
  asked = next
  for (const watcher of watchers) watcher()
}

/** Asks before what cannot be undone. Closing it is a no. */
export const confirm = (question: Question | { dialog: ComponentType<Answered> }) =>
  new Promise<boolean>((resolve) => {
    asked?.answer(false)
    change({
      ...question,
      answer: (yes) => {
        change(undefined)
        resolve(yes)
      },
    })
  })

export const confirmLeaving = () =>
  confirm({
    title: '¿Salir sin guardar?',
    message: 'Lo que escribió se perderá.',
    accept: 'Salir sin guardar',
    cancel: 'Seguir editando',
    danger: true,
  })

/** Where the questions appear; once, beside everything else. */
export function Confirm() {
  const question = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => asked,
  )
  // Fetched before it is needed: it may be asked when there is no network.
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), 5000)
    return () => clearTimeout(timer)
  }, [])
  if (!question) return null
  return (
    <Suspense fallback={null}>
      {'dialog' in question ? <question.dialog answer={question.answer} /> : <ConfirmDialog {...question} />}
    </Suspense>
  )
}
