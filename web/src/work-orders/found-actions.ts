import { IconArrowsExchange, IconClipboardPlus } from '@tabler/icons-react'
import { isClosed, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import type { FoundActions } from '../frames/domain.ts'
import { say } from '../ui/snackbar.tsx'
import { sendMove } from './board/moves.ts'
import { workOrdersKey } from './queries.ts'

/** What is done with a truck or an order as soon as it is found. */
const actions: FoundActions = {
  truck: ({ id, title }) => [
    {
      label: `Nueva orden para ${title}`,
      icon: IconClipboardPlus,
      may: 'work-orders.write',
      to: `/ordenes-de-trabajo/nueva?truck=${id}`,
    },
  ],
  // Its detail begins with where it stands.
  work_order: ({ id, title, detail }) =>
    WORK_ORDER_STATUS_NAMES.filter((status) => !detail.startsWith(WORK_ORDER_STATES[status].label)).map((status) => {
      const [code = title] = title.split(' · ')
      const { label } = WORK_ORDER_STATES[status]
      return {
        label: `Mover ${code} a ${label}`,
        icon: IconArrowsExchange,
        may: 'work-orders.work',
        run: async (client) => {
          try {
            if (await sendMove(id, { status }))
              say(isClosed({ status }) ? `${code} finalizada ✅` : `${code} pasó a ${label}`)
          } catch (error) {
            say(`No se pudo mover ${code}`, {
              tone: 'danger',
              detail: error instanceof Error ? error.message : undefined,
            })
          }
          void client.invalidateQueries({ queryKey: workOrdersKey })
        },
      }
    }),
}
export default actions
