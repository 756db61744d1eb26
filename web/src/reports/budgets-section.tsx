import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconCopy } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { type Control, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { dayOf, showMonth } from '#contract/base/dates.ts'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { type Budgets, BudgetsEdit, budgets, readPesos } from '#contract/reports/budgets.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirmLeaving } from '../ui/confirm.tsx'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { say } from '../ui/snackbar.tsx'
import { SectionHead } from '../workshops/roster.tsx'
import styles from './budgets.module.css'
import { reportsKey } from './queries.ts'

const budgetsOf = (year: number) =>
  queryOptions({
    queryKey: [...reportsKey, 'budgets', year],
    queryFn: ({ signal }) => call(budgets.getBudgets, { query: { year }, signal }),
  })

/** What each cost centre may cost, typed or pasted once a year. */
export default function BudgetsSection() {
  const now = Number(dayOf(new Date(), useZone()).slice(0, 4))
  const [year, setYear] = useState(now)
  const [dirty, setDirty] = useState(false)
  const found = useQuery(budgetsOf(year))
  const go = async (next: number) => {
    if (!dirty || (await confirmLeaving())) {
      setDirty(false)
      setYear(next)
    }
  }
  return (
    <>
      <SectionHead title="Presupuestos">
        Lo que puede costar cada centro de costo en cada mes, en insumos y servicios. El inicio y los reportes dicen
        cuánto de eso se ha usado. Se puede pegar desde una planilla: parte en la celda elegida.
      </SectionHead>
      <div className={styles.year}>
        <ActionIcon variant="default" size={36} aria-label={`Ver ${year - 1}`} onClick={() => void go(year - 1)}>
          <IconChevronLeft size={16} stroke={1.7} />
        </ActionIcon>
        <h3 aria-live="polite">{year}</h3>
        <ActionIcon variant="default" size={36} aria-label={`Ver ${year + 1}`} onClick={() => void go(year + 1)}>
          <IconChevronRight size={16} stroke={1.7} />
        </ActionIcon>
      </div>
      {found.isError && !found.data ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <Grid key={`${year} ${found.data.updated_at}`} found={found.data} onDirty={setDirty} />
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}

interface Typed {
  year: number
  budgets: { cost_center_id: number | null; months: string[] }[]
  updated_at?: string | null
}

/** What stands in a cell is text until it is sent; what is no amount says so under itself. */
const TypedBudgets = BudgetsEdit.extend({
  budgets: z.array(
    BudgetsEdit.shape.budgets.element.extend({
      months: z.array(
        z.preprocess(
          (text) => (typeof text === 'string' ? (readPesos(text) ?? (text.trim() ? text : null)) : text),
          BudgetsEdit.shape.budgets.element.shape.months.element,
        ),
      ),
    }),
  ),
})

const shown = (amount: number | null) => (amount === null ? '' : showNumber(amount))
const typedOf = ({ year, data, updated_at }: Budgets): Typed => ({
  year,
  budgets: data.map(({ cost_center_id, months }) => ({ cost_center_id, months: months.map(shown) })),
  updated_at,
})

type Form = UseFormReturn<Typed, unknown, BudgetsEdit>
const cellOf = (row: number, month: number) => `budgets.${row}.months.${month}` as const

function Grid({ found, onDirty }: { found: Budgets; onDirty: (dirty: boolean) => void }) {
  const client = useQueryClient()
  const form: Form = useForm<Typed, unknown, BudgetsEdit>({
    resolver: formResolver<Typed, BudgetsEdit>(TypedBudgets),
    defaultValues: typedOf(found),
  })
  const { isDirty } = form.formState
  const leaveSaved = useLeaveGuard(isDirty)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(budgets.setBudgets, { body }),
    refresh: [reportsKey],
    done: 'Presupuestos guardados correctamente ✅',
    failed: 'No se pudieron guardar los presupuestos',
    onDone: (saved) => {
      leaveSaved()
      onDirty(false)
      client.setQueryData(budgetsOf(found.year).queryKey, saved)
    },
  })
  const copy = async () => {
    try {
      const last = await client.fetchQuery(budgetsOf(found.year - 1))
      let copied = 0
      for (const [row, { cost_center_id }] of found.data.entries()) {
        const months = last.data.find((one) => one.cost_center_id === cost_center_id)?.months ?? []
        for (const [month, amount] of months.entries()) {
          if (amount === null) continue
          copied += 1
          form.setValue(cellOf(row, month), shown(amount), { shouldDirty: true })
        }
      }
      say(copied === 0 ? `${found.year - 1} no tiene presupuestos` : `Copiado de ${found.year - 1}: falta guardar`)
    } catch (error) {
      say('No se pudo copiar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      <FormProblems />
      <div className={styles.buttons}>
        <Button variant="default" leftSection={<IconCopy size={16} stroke={1.7} />} onClick={() => void copy()}>
          Copiar {found.year - 1}
        </Button>
        <Button type="submit" loading={isPending} disabled={!isDirty}>
          Guardar
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className={styles.scroll} aria-label={`Presupuestos de ${found.year}`} tabIndex={0}>
        <table className={styles.grid}>
          <thead>
            <tr>
              <th scope="col">Centro de costo</th>
              {found.data[0]?.months.map((_, month) => (
                <th key={nameOf(month)} scope="col">
                  {nameOf(month)}
                </th>
              ))}
              <th scope="col">Año</th>
            </tr>
          </thead>
          <tbody>
            {found.data.map(({ cost_center_id, cost_center, months }, row) => (
              <tr key={cost_center_id ?? 'none'}>
                <th scope="row">{cost_center ?? 'Sin centro de costo'}</th>
                {months.map((_, month) => (
                  <Cell
                    key={nameOf(month)}
                    form={form}
                    row={row}
                    month={month}
                    rows={found.data.length}
                    label={`${cost_center ?? 'Sin centro de costo'}, ${nameOf(month)}`}
                  />
                ))}
                <RowTotal control={form.control} row={row} />
              </tr>
            ))}
          </tbody>
          <Totals control={form.control} />
        </table>
      </section>
    </form>
  )
}

const nameOf = (month: number) => showMonth(`2000-${String(month + 1).padStart(2, '0')}`).slice(0, 3)

interface CellProps {
  form: Form
  row: number
  month: number
  rows: number
  label: string
}

function Cell({ form, row, month, rows, label }: CellProps) {
  const name = cellOf(row, month)
  const error = form.formState.errors.budgets?.[row]?.months?.[month]?.message
  const { onBlur, ...field } = form.register(name)
  const focus = (to: number) => {
    if (to >= 0 && to < rows) form.setFocus(cellOf(to, month), { shouldSelect: true })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    focus(row + (event.key === 'ArrowUp' || event.shiftKey ? -1 : 1))
  }
  /** What comes out of a spreadsheet: lines of cells, from this one on. */
  const paste = (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map((line) => line.split('\t'))
    if (lines.length === 1 && lines[0]?.length === 1) return
    event.preventDefault()
    for (const [down, cells] of lines.entries())
      for (const [right, text] of cells.entries()) {
        if (row + down >= rows || month + right >= 12) continue
        const amount = readPesos(text)
        form.setValue(cellOf(row + down, month + right), amount === undefined ? text.trim() : shown(amount), {
          shouldDirty: true,
          shouldValidate: amount === undefined,
        })
      }
  }
  return (
    <td data-wrong={error ? true : undefined}>
      <input
        {...field}
        onBlur={(event) => {
          const amount = readPesos(event.target.value)
          if (amount != null && shown(amount) !== event.target.value)
            form.setValue(name, shown(amount), { shouldDirty: true })
          return onBlur(event)
        }}
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${name}-wrong` : undefined}
        onKeyDown={press}
        onPaste={paste}
      />
      {error && (
        <small id={`${name}-wrong`} role="alert">
          {error}
        </small>
      )}
    </td>
  )
}

const sumOf = (texts: (string | undefined)[]) => texts.reduce((sum, text) => sum + (readPesos(text ?? '') ?? 0), 0)

function RowTotal({ control, row }: { control: Control<Typed, unknown, BudgetsEdit>; row: number }) {
  const months = useWatch({ control, name: `budgets.${row}.months` })
  return <td className={styles.total}>{showMoney(sumOf(months))}</td>
}

function Totals({ control }: { control: Control<Typed, unknown, BudgetsEdit> }) {
  const rows = useWatch({ control, name: 'budgets' })
  const months = rows[0]?.months.map((_, month) => sumOf(rows.map((row) => row.months[month]))) ?? []
  return (
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        {months.map((sum, month) => (
          <td key={nameOf(month)} className={styles.total}>
            {showNumber(sum)}
          </td>
        ))}
        <td className={styles.total}>{showMoney(months.reduce((all, sum) => all + sum, 0))}</td>
      </tr>
    </tfoot>
  )
}
