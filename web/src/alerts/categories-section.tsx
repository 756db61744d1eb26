import { Button } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import {
  type AlertCategory,
  APPLIES_TO,
  type AppliesTo,
  alertCategories,
  NewAlertCategory,
} from '#contract/alerts/categories.ts'
import { sayDay } from '#contract/base/dates.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useSubmit } from '../platform/submit.ts'
import { choicesOf } from '../ui/choices.ts'
import { NumberField, TextField, WordField } from '../ui/field.tsx'
import { say } from '../ui/snackbar.tsx'
import { ListSection, useWorkshopName } from '../workshops/catalogue-section.tsx'
import { FormDrawer } from '../workshops/parts.tsx'
import { alertsKey, categoriesQuery } from './queries.ts'

const ABOUT =
  'Cómo se agrupan las alertas. Las que son un documento u obligación se ofrecen para cada equipo al que corresponden.'
const everyText = (months: number | null) =>
  months === null ? null : months === 12 ? 'Cada año' : months === 1 ? 'Cada mes' : `Cada ${months} meses`

export default function AlertCategoriesSection() {
  const client = useQueryClient()
  const workshopName = useWorkshopName()
  const list = useQuery(categoriesQuery)
  const addChile = async () => {
    try {
      await call(alertCategories.addChileanObligations, { body: {} })
      say('Categorías agregadas ✅')
    } catch {
      say('Error al crear la categoría ❌', { tone: 'danger' })
    }
    void client.invalidateQueries({ queryKey: alertsKey })
  }
  return (
    <ListSection<AlertCategory>
      title="Categorías de alerta"
      fresh="Nueva categoría"
      about={ABOUT}
      list={list}
      empty={{
        icon: IconBellRinging,
        action: (
          <Button variant="default" onClick={() => void addChile()}>
            Agregar los documentos de Chile
          </Button>
        ),
      }}
      columns={[
        { label: 'Documento de', folds: true, cell: (row) => row.applies_to && APPLIES_TO[row.applies_to].label },
        {
          label: 'Plazo',
          folds: true,
          cell: (row) =>
            [everyText(row.every_months), row.due_day && `el ${sayDay(`2000-${row.due_day}`, '2000')}`]
              .filter(Boolean)
              .join(', ') || null,
        },
        { label: 'Taller', folds: true, cell: workshopName },
      ]}
      drawer={(row, onClose) => <AlertCategoryDrawer category={row} onClose={onClose} />}
    />
  )
}

interface CategoryTyped {
  name: string
  applies_to: AppliesTo | null
  every_months: number | null
  due_day: string
  days: number | null
}

const SHAPES = choicesOf(APPLIES_TO)
/** `30-09` as it is typed, `09-30` as it is kept. */
const turned = (day: string) =>
  day
    .trim()
    .split(/[-/]/)
    .reverse()
    .map((part) => part.padStart(2, '0'))
    .join('-')

function AlertCategoryDrawer({ category, onClose }: { category: AlertCategory | undefined; onClose: () => void }) {
  const form = useForm<CategoryTyped, unknown, NewAlertCategory>({
    resolver: formResolver(NewAlertCategory, (typed) => ({
      ...typed,
      due_day: typed.applies_to !== null && typed.due_day ? turned(typed.due_day) : null,
      ...(typed.applies_to === null && { every_months: null, days: null }),
    })),
    defaultValues: {
      name: category?.name ?? '',
      applies_to: category?.applies_to ?? null,
      every_months: category?.every_months ?? null,
      due_day: category?.due_day ? turned(category.due_day) : '',
      days: category?.days ?? null,
    },
  })
  const { control } = form
  const isObligation = useWatch({ control, name: 'applies_to' }) !== null
  const { submit, isPending } = useSubmit({
    form,
    save: ({ workshop_id: _, ...body }, idempotencyKey): Promise<AlertCategory> =>
      category
        ? call(alertCategories.updateCategory, { params: { id: category.id }, body })
        : call(alertCategories.createCategory, { body, idempotencyKey }),
    refresh: [alertsKey],
    done: 'Guardado correctamente ✅',
    failed: 'No se pudo guardar',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={category?.name ?? 'Nueva categoría'}
      save="Guardar"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      remove={
        category && {
          what: `«${category.name}»`,
          act: () => call(alertCategories.deleteCategory, { params: { id: category.id } }),
          refresh: alertsKey,
        }
      }
    >
      <TextField control={control} name="name" label="Nombre" required autoFocus maxLength={80} />
      <WordField
        control={control}
        name="applies_to"
        label="Documento u obligación de"
        description="Sin elegir es solo una categoría"
        choices={SHAPES}
        clearable
        placeholder="No es un documento"
      />
      {isObligation && (
        <>
          <NumberField control={control} name="every_months" label="Se renueva cada" digits={3} suffix="meses" />
          <TextField
            control={control}
            name="due_day"
            label="Vence el mismo día para todos"
            description="Día y mes, por ejemplo 30-09. Vacío: cada equipo tiene su fecha"
            placeholder="dd-mm"
            maxLength={5}
          />
          <NumberField control={control} name="days" label="Avisar con" digits={3} suffix="días" />
        </>
      )}
    </FormDrawer>
  )
}
