import { Skeleton } from '@mantine/core'
import { type ComponentType, createContext, Fragment, Suspense, useContext } from 'react'
import type { Permission } from '#contract/base/permissions.ts'
import { useMe } from '../platform/session.ts'
import type { DetailTab } from '../ui/detail-frame.tsx'

interface Piece<Props> {
  /** Left out: shown to everyone who sees the page. */
  may?: Permission
  /** Lazy: what is added is known before its page is opened. */
  content: ComponentType<Props>
}
interface Tab<Props> extends Piece<Props> {
  value: string
  label: string
  /** What the page opens with. */
  first?: true
}

/** Something that a domain puts on a page of a domain below it. */
export interface Addition {
  slot: unknown
  piece: unknown
}

class SlotOf<Added extends { may?: Permission }> {
  add(piece: Added): Addition {
    return { slot: this, piece }
  }
  of(additions: Addition[]): Added[] {
    return additions.filter(({ slot }) => slot === this).map(({ piece }) => piece as Added)
  }
}
/** A place on a page for what domains above its own add to it. `Props` is what the page tells each piece. */
export class Slot<Props> extends SlotOf<Piece<Props>> {}
export class TabSlot<Props> extends SlotOf<Tab<Props>> {}

export const Additions = createContext<Addition[]>([])

function useAdded<Added extends { may?: Permission }>(slot: SlotOf<Added>): Added[] {
  const { permissions } = useMe()
  return slot.of(useContext(Additions)).filter(({ may }) => may === undefined || permissions.includes(may))
}

/** The tabs that domains above add to this page. */
export const useAddedTabs = <Props extends object>(slot: TabSlot<Props>, props: Props): DetailTab[] =>
  useAdded(slot).map(({ value, label, first, content: Content }) => ({
    value,
    label,
    first,
    content: (
      <Suspense fallback={<Skeleton h={320} />}>
        <Content {...props} />
      </Suspense>
    ),
  }))

interface AddedProps<Props> {
  slot: Slot<Props>
  with: Props
  /** The page waits for it with what stands beside it. */
  together?: boolean
}
/** What domains above add in this place. */
export function Added<Props extends object>({ slot, with: props, together = false }: AddedProps<Props>) {
  return useAdded(slot).map(({ content: Content }, place) => {
    const content = <Content {...props} />
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the domains stay as they are while the page is open
      <Fragment key={place}>{together ? content : <Suspense fallback={null}>{content}</Suspense>}</Fragment>
    )
  })
}
