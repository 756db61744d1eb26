import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { showMoney } from '#contract/base/money.ts'
import type { Me } from '#contract/identity/identity.ts'
import type { PurchaseOrder } from '#contract/purchasing/purchasing.ts'
import { queryClient } from '../../platform/queries.ts'
import { useMay, useWorkshop, workshopOf } from '../../platform/session.ts'
import { purchasingKey, updatePurchaseStatus } from '../../purchasing/queries.ts'
import { confirm } from '../../ui/confirm.tsx'
import { say } from '../../ui/snackbar.tsx'
import { purchasesQuery } from '../queries.ts'
import styles from './home.module.css'
import { HomeCard } from './parts.tsx'

export function askApprovals(me: Me) {
  if (me.permissions.includes('purchasing.approve'))
    void queryClient.prefetchQuery(purchasesQuery(workshopOf(me), 'pending', 4))
}

/** Purchase orders that wait for somebody who approves. */
export function Approvals() {
  const may = useMay('purchasing.approve')
  const workshop = useWorkshop()
  const waiting = useQuery({ ...purchasesQuery(workshop.id, 'pending', 4), enabled: may }).data
  if (!may || !waiting || waiting.total === 0) return null
  return (
    <HomeCard title="Esperan su aprobación" count={waiting.total}>
      <ul className={styles.rows}>
        {waiting.data.map((order) => (
          <Waiting key={order.id} order={order} />
        ))}
      </ul>
    </HomeCard>
  )
}

function Waiting({ order }: { order: PurchaseOrder }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const approve = async () => {
    const sure = await confirm({
      title: `¿Aprobar ${order.code}?`,
      message: `${order.provider_name}, ${showMoney(order.total)}.`,
      accept: 'Aprobar',
    })
    if (!sure) return
    setPending(true)
    try {
      await updatePurchaseStatus(order.id, 'approved')
      say(`${order.code} aprobada`)
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      say(`No se pudo aprobar ${order.code}`, {
        tone: 'danger',
        detail: cause instanceof Error ? cause.message : undefined,
      })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: purchasingKey })
    }
  }
  const lines = order.supplies.length
  return (
    <li className={styles.approval}>
      <span className={styles.rowLine}>
        <span>
          Orden de compra <span className="mono">{order.code}</span>
        </span>
        <strong>{showMoney(order.total)}</strong>
      </span>
      <Link
        to="/warehouse/$id"
        params={{ id: String(order.warehouse_id) }}
        search={{ tab: 'purchases-orders', order: order.id }}
        className={styles.strongLink}
      >
        {order.provider_name}, {lines === 1 ? '1 insumo' : `${lines} insumos`}
      </Link>
      <span className={styles.rowLine}>
        <span>{order.user_name && `Pide ${order.user_name}`}</span>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCheck size={14} stroke={1.9} />}
          aria-label={`Aprobar ${order.code}`}
          loading={isPending}
          onClick={() => void approve()}
        >
          Aprobar
        </Button>
      </span>
    </li>
  )
}
