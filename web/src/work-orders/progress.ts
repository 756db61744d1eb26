import { mayWork, type Work, type WorkProgress } from '#contract/work-orders/lines.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { confirm } from '../ui/confirm.tsx'

export type Act = (work: Work, body: Partial<WorkProgress> & Pick<WorkProgress, 'action'>) => void

export const nameOf = (work: Work) => work.task ?? work.description ?? 'Trabajo'

/** Whose clock runs on a work; a work that runs without one is at whoever has it. */
export const isAt = (work: Work, specialist: number | null) => {
  const clocks = work.times.filter(({ until_at }) => until_at === null)
  return clocks.length === 0 ? mayWork(work, 'pause') : clocks.some((each) => each.specialist_id === specialist)
}

/** Moves a work on; asks where somebody would be at two at once. Undefined where they say no. */
export async function sendProgress(id: number, body: Partial<WorkProgress> & Pick<WorkProgress, 'action'>) {
  const send = (more?: Partial<WorkProgress>) =>
    call(workOrderParts.progressWork, { params: { id }, body: { ...body, ...more } })
  try {
    return await send()
  } catch (error) {
    const question = error instanceof ApiFailure ? error.errors.confirm_switch?.[0] : undefined
    if (!question) throw error
    const yes = await confirm({ title: '¿Cambiar de trabajo?', message: question, accept: 'Pausar y cambiar' })
    return yes ? send({ confirm_switch: true }) : undefined
  }
}
