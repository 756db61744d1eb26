import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Control, useFieldArray } from 'react-hook-form'
import { dayOf } from '#contract/base/dates.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { DayField } from '../ui/date-field.tsx'
import { NumberField } from '../ui/field.tsx'
import { useLabourCounts } from './labour.ts'
import { settingsQuery, workshopsKey } from './queries.ts'
import styles from './section.module.css'

export interface HourlyTyped {
  hourly_costs: { from_day: string; amount: number | null }[]
}

const hourlyCostsQuery = (id: number) =>
  queryOptions({
    queryKey: [...workshopsKey, 'hourly-costs', id],
    queryFn: ({ signal }) => call(rosters.hourlyCosts, { params: { id }, signal }),
    staleTime: 0,
  })

/** What an hour of a specialist costs, where labour counts and the person may know; `isReady` once it is known. */
export function useHourlyCosts(specialist: number | undefined) {
  const may = useMay('labour.rates')
  const settings = useQuery(settingsQuery)
  const counts = useLabourCounts() && may
  const costs = useQuery({ ...hourlyCostsQuery(specialist ?? 0), enabled: counts && specialist !== undefined })
  const asked = counts && specialist !== undefined
  return {
    counts,
    values: costs.data?.hourly_costs ?? [],
    // Not while they are fetched again: the form would go away with what was typed.
    isReady: !settings.isPending && (!asked || costs.isFetchedAfterMount),
  }
}

export function HourlyCostFields<Typed extends HourlyTyped, Body>(props: { control: Control<Typed, unknown, Body> }) {
  const control = props.control as unknown as Control<HourlyTyped>
  const today = dayOf(new Date(), useZone())
  const { fields, prepend, remove } = useFieldArray({ control, name: 'hourly_costs' })
  return (
    <section className={styles.hourly} aria-label="Costo por hora">
      <h3>Costo por hora</h3>
      <p>Vale también para lo ya trabajado desde ese día, salvo en los meses cerrados.</p>
      {fields.map((row, i) => (
        <div key={row.id} className={styles.hourlyRow}>
          <DayField control={control} name={`hourly_costs.${i}.from_day`} label="Desde" />
          <NumberField control={control} name={`hourly_costs.${i}.amount`} label="Por hora" prefix="$" />
          <Tooltip label="Quitar">
            <ActionIcon aria-label={`Quitar costo ${i + 1}`} onClick={() => remove(i)}>
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.7} />}
        onClick={() => prepend({ from_day: today, amount: null })}
      >
        Agregar costo
      </Button>
    </section>
  )
}
