import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Asked, Question } from './confirm-dialog.tsx'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

let asked: Asked | undefined
const watchers = new Set<() => void>()
const change = (next: Asked | undefined) => {
  asked = next
  for (const watcher of watchers) watcher()
}

/** Asks before what cannot be undone. Closing it is a no. */
export const confirm = (question: Question) =>
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
  if (!question) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog {...question} />
    </Suspense>
  )
}
