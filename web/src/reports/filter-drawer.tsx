import { Button, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { showPatent } from '#contract/fleet/fleet.ts'
import { MOST_YEARS, type Period, periodOf, yearBefore } from '#contract/reports/periods.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { useCompany, useWorkshop } from '../platform/session.ts'
import { stayInForm } from '../ui/combobox.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { lazy } from '../ui/lazy.ts'
import type { Filters, ReportFilters } from './filters.ts'
import { truckChoicesQuery } from './queries.ts'
import styles from './reports.module.css'

const RangeFilterField = lazy(() => import('../ui/date-filter.tsx').then((m) => ({ default: m.RangeFilterField })))

interface FilterDrawerProps {
  filters: ReportFilters
  by: 'days' | 'years'
  /** What has no truck is not filtered by one. */
  trucks: boolean
  onClose: () => void
}

const ALL = 'all'
const AGAINST = [
  { value: 'before', label: 'El período anterior' },
  { value: 'year', label: 'El mismo período del año anterior' },
  { value: 'other', label: 'Otro período' },
]
type Against = 'before' | 'year' | 'other'

const asText = ({ from, to }: Period) => `${from},${to}`
const againstOf = ({ filter: { CompareDate }, range, today }: ReportFilters): Against =>
  !CompareDate ? 'before' : asText(periodOf(CompareDate, today)) === asText(yearBefore(range, today)) ? 'year' : 'other'

/** From when to when, which workshop, which trucks. */
export default function FilterDrawer({ filters, by, trucks, onClose }: FilterDrawerProps) {
  const workshop = useWorkshop()
  const company = useCompany()
  const [draft, setDraft] = useState<Filters>(filters.filter)
  const [years, setYears] = useState(filters.years)
  const [place, setPlace] = useState(String(filters.asked.WorkshopId?.[0] ?? ALL))
  const choices = useQuery(truckChoicesQuery(place === ALL ? undefined : [Number(place)])).data
  const { today } = filters
  const range = periodOf(draft.BetweenDate ?? `${filters.range.from},${filters.range.to}`, today)
  const [against, setAgainst] = useState<Against>(() => againstOf(filters))
  const compared =
    against === 'year' ? asText(yearBefore(range, today)) : against === 'other' ? draft.CompareDate : undefined
  const yearsWrong = years.from > years.to || years.to - years.from >= MOST_YEARS
  const apply = () => {
    if (yearsWrong) return
    const isThisYear = years.from === years.to && String(years.to) === filters.today.slice(0, 4)
    // All workshops is what the header then says too: an address without a workshop means the header's.
    if (workshop.mayChoose && place === ALL) workshop.choose(undefined)
    filters.change({
      ...draft,
      BetweenYear: by === 'years' && !isThisYear ? `${years.from},${years.to}` : undefined,
      BetweenDate: by === 'days' ? draft.BetweenDate : undefined,
      CompareDate: by === 'days' ? compared : undefined,
      WorkshopId: workshop.mayChoose && place !== ALL ? [Number(place)] : undefined,
    })
    onClose()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Filtrar reporte"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
      footer={
        <>
          <Button
            variant="subtle"
            onClick={() => {
              filters.change({})
              onClose()
            }}
          >
            Limpiar
          </Button>
          <Button type="submit">Aplicar filtros</Button>
        </>
      }
    >
      {by === 'days' ? (
        <Suspense fallback={<TextInput label="Desde – hasta" disabled />}>
          <RangeFilterField
            label="Desde – hasta"
            hint="Días completos. Sin elegir: el mes en curso"
            today={filters.today}
            value={draft.BetweenDate ?? `${filters.range.from},${filters.range.to}`}
            onChange={(BetweenDate) => setDraft({ ...draft, BetweenDate: BetweenDate && wholeDays(BetweenDate) })}
          />
          <Comparing
            against={against}
            today={today}
            value={draft.CompareDate}
            onAgainst={setAgainst}
            onChange={(CompareDate) => setDraft({ ...draft, CompareDate })}
          />
        </Suspense>
      ) : (
        <div className={styles.years}>
          {(['from', 'to'] as const).map((end) => (
            <NumberInput
              key={end}
              label={end === 'from' ? 'Desde el año' : 'Hasta el año'}
              value={years[end]}
              min={1900}
              max={2199}
              thousandSeparator=""
              allowDecimal={false}
              onChange={(year) => setYears({ ...years, [end]: Number(year) })}
              error={end === 'to' && yearsWrong ? `Elija hasta ${MOST_YEARS} años, en orden.` : undefined}
            />
          ))}
        </div>
      )}
      {workshop.mayChoose ? (
        <Select
          label="Taller"
          data={[
            { value: ALL, label: ALL_WORKSHOPS },
            ...workshop.list.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={place}
          onChange={(value) => setPlace(value ?? ALL)}
          allowDeselect={false}
        />
      ) : (
        <TextInput label="Taller" value={company.workshop_name ?? ''} disabled readOnly />
      )}
      {trucks && (
        <MultiSelect
          onKeyDown={stayInForm}
          label="Equipos"
          data={
            choices?.map(({ id, code, patent }) => ({ value: String(id), label: `${code} · ${showPatent(patent)}` })) ??
            []
          }
          value={draft.Truck?.map(String) ?? []}
          onChange={(ids) => setDraft({ ...draft, Truck: ids.length > 0 ? ids.map(Number) : undefined })}
          placeholder={draft.Truck?.length ? undefined : 'Todos'}
          searchable
          clearable
          hidePickedOptions
        />
      )}
    </Drawer>
  )
}

interface ComparingProps {
  against: Against
  today: string
  value: string | undefined
  onAgainst: (against: Against) => void
  onChange: (value: string | undefined) => void
}

const Comparing = ({ against, today, value, onAgainst, onChange }: ComparingProps) => (
  <>
    <Select
      label="Comparar con"
      data={AGAINST}
      value={against}
      onChange={(chosen) => onAgainst(chosen as Against)}
      allowDeselect={false}
    />
    {against === 'other' && (
      <RangeFilterField
        label="Período de comparación"
        hint="Sin elegir: el anterior"
        today={today}
        value={value}
        onChange={(between) => onChange(between && wholeDays(between))}
      />
    )}
  </>
)

const wholeDays = (between: string) =>
  between
    .split(',')
    .map((end) => end.slice(0, 10))
    .join(',')
