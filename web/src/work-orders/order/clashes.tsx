import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { workOrdersKey } from '../queries.ts'
import { sayClash } from '../words.ts'
import styles from './order.module.css'
import { type OrderForm, type OrderTyped, plannedOf } from './typed.ts'

const PAUSE = 400

/** Boxes and mechanics that are needed elsewhere at that hour: said while it is typed, and no reason not to save it. */
export function Clashes({ form, order }: { form: OrderForm; order?: WorkOrder }) {
  const zone = useZone()
  const may = useMay('work-orders.write')
  const typed = useWatch({ control: form.control }) as OrderTyped
  const [planned] = useDebouncedValue(JSON.stringify(plannedOf(typed, zone, order?.id)), PAUSE)
  const asked = useQuery({
    queryKey: [...workOrdersKey, 'clashes', planned],
    queryFn: async ({ signal }) =>
      (await call(workOrders.plannedClashes, { body: JSON.parse(planned) as ReturnType<typeof plannedOf>, signal }))
        .data,
    enabled: may && form.formState.isDirty,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  }).data
  const clashes = (form.formState.isDirty ? asked : undefined) ?? order?.clashes ?? []
  const [first, ...rest] = clashes.map((clash) => sayClash(clash, zone))
  return (
    <div aria-live="polite" className={styles.notices}>
      {first && (
        <div className={styles.notice} data-tone="warning">
          <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
          {rest.length === 0 ? (
            <span>{first}</span>
          ) : (
            <details className={styles.clashes}>
              <summary>
                {first} <u>{rest.length === 1 ? 'y 1 cruce más' : `y ${rest.length} cruces más`}</u>
              </summary>
              <ul>
                {rest.map((text, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two works may meet the same order
                  <li key={i}>{text}</li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
    </div>
  )
}
