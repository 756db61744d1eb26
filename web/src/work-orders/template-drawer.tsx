import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { unitOf } from '#contract/base/units.ts'
import { ALREADY_LISTED } from '#contract/warehouses/transactions.ts'
import {
  type MaintenanceTemplate,
  maintenanceTemplates,
  TemplateEdit,
  type TemplateSupply,
} from '#contract/work-orders/templates.ts'
import type { RosterState } from '#contract/workshops/rosters.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { FigureInput } from '../ui/figure-input.tsx'
import { say } from '../ui/snackbar.tsx'
import { FormDrawer, StateField } from '../workshops/parts.tsx'
import { maintenanceTypesQuery, tasksQuery } from './choices.ts'
import { withChosen } from './order/fields.tsx'
import styles from './order/page.module.css'
import { SupplyPicker } from './order/supplies.tsx'
import { WorkLine } from './order/works.tsx'
import { workOrdersKey } from './queries.ts'

type SupplyLine = Pick<TemplateSupply, 'code' | 'name' | 'unit'> & { count: number | null }

export interface TemplateTyped {
  name: string
  type_maintenance_id: number | null
  works: { description: string; task_id: number | null; hours: number | null }[]
  supplies: SupplyLine[]
  state: RosterState
  updated_at?: string | undefined
}

const typedOf = ({
  name,
  type_maintenance_id,
  works,
  supplies,
  state,
  updated_at,
}: MaintenanceTemplate): TemplateTyped => ({
  name,
  type_maintenance_id,
  works: works.map(({ description, task_id, hours }) => ({ description: description ?? '', task_id, hours })),
  supplies: supplies.map(({ code, name, unit, count }) => ({ code, name, unit, count })),
  state,
  updated_at,
})

interface TemplateDrawerProps {
  /** Left out: a new one. */
  template?: MaintenanceTemplate
  /** What a new one begins with. */
  from?: Partial<TemplateTyped>
  onClose: () => void
}

/** Long: one form, from its name to its last supply. */
export default function TemplateDrawer({ template, from, onClose }: TemplateDrawerProps) {
  const workshop = useWorkshop()
  const types = useQuery(maintenanceTypesQuery).data
  const tasks = useQuery(tasksQuery).data ?? []
  const form = useForm<TemplateTyped, unknown, TemplateEdit>({
    resolver: formResolver<TemplateTyped, TemplateEdit>(TemplateEdit),
    defaultValues: template
      ? typedOf(template)
      : { name: '', type_maintenance_id: null, works: [], supplies: [], state: 'active', ...from },
  })
  const { control, setValue, clearErrors, formState } = form
  const works = useWatch({ control, name: 'works' })
  const supplies = useWatch({ control, name: 'supplies' })
  const setWorks = (next: TemplateTyped['works']) => {
    clearErrors('works')
    setValue('works', next, { shouldDirty: true })
  }
  const setSupplies = (next: SupplyLine[]) => {
    clearErrors(['works', 'supplies'])
    setValue('supplies', next, { shouldDirty: true })
  }
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      template
        ? call(maintenanceTemplates.updateTemplate, { params: { id: template.id }, body })
        : call(maintenanceTemplates.createTemplate, { body, idempotencyKey }),
    refresh: [workOrdersKey],
    done: template ? 'Plantilla actualizada correctamente ✅' : 'Plantilla creada correctamente ✅',
    failed: 'No se pudo guardar la plantilla',
    onDone: onClose,
  })
  const nameOf = (work: TemplateTyped['works'][number]) =>
    tasks.find(({ id }) => id === work.task_id)?.name ??
    template?.works.find(({ task_id }) => task_id === work.task_id)?.task ??
    work.description
  const wrong = (name: 'works' | 'supplies', index: number) =>
    Object.values((formState.errors[name]?.[index] ?? {}) as Record<string, { message?: string }>).find(
      ({ message }) => message,
    )?.message
  const missing = (line: SupplyLine) =>
    template?.supplies.find(({ code }) => code === line.code)?.supply_id === null ? 'No está en este taller' : undefined
  return (
    <FormDrawer
      title={template ? template.name : 'Nueva plantilla'}
      save={template ? 'Guardar' : 'Crear plantilla'}
      dirty={formState.isDirty}
      isPending={isPending}
      submit={(event) => {
        event.stopPropagation()
        void submit(event)
      }}
      onClose={onClose}
      {...(template && {
        remove: {
          what: `La plantilla «${template.name}»`,
          act: () => call(maintenanceTemplates.deleteTemplate, { params: { id: template.id } }),
          refresh: workOrdersKey,
        },
      })}
    >
      <TextField control={control} name="name" label="Nombre" required autoFocus maxLength={120} />
      <SelectField
        control={control}
        name="type_maintenance_id"
        label="Tipo de mantención"
        clearable
        choices={withChosen(
          types?.filter(({ state }) => state === 'active').map(({ id, name }) => ({ value: id, label: name })),
          template?.type_maintenance_id,
          template?.type_maintenance,
        )}
      />
      <Lines title="Trabajos" error={formState.errors.works?.message ?? formState.errors.works?.root?.message}>
        {works.map((work, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is what it says, and may be there twice
            key={index}
            name={nameOf(work)}
            more={work.task_id ? work.description : ''}
            error={wrong('works', index)}
            onRemove={() => setWorks(works.toSpliced(index, 1))}
          >
            <FigureInput
              aria-label={`Horas de ${nameOf(work)}`}
              className={styles.lineFigure}
              value={work.hours}
              onFigure={(hours) => setWorks(works.with(index, { ...work, hours }))}
              decimals={2}
              rightSection="h"
              rightSectionPointerEvents="none"
            />
          </Line>
        ))}
        <WorkLine
          tasks={tasks}
          input={{ current: null }}
          onAdd={({ description, task_id }) => setWorks([...works, { description, task_id, hours: null }])}
        />
      </Lines>
      <Lines title="Insumos" error={formState.errors.supplies?.message ?? formState.errors.supplies?.root?.message}>
        {supplies.map((line, index) => (
          <Line
            key={line.code}
            name={line.name}
            code={line.code}
            more={missing(line)}
            error={wrong('supplies', index)}
            onRemove={() => setSupplies(supplies.toSpliced(index, 1))}
          >
            <FigureInput
              aria-label={`Cantidad de ${line.name}`}
              className={styles.lineFigure}
              value={line.count}
              onFigure={(count) => setSupplies(supplies.with(index, { ...line, count }))}
              decimals={4}
              rightSection={line.unit && unitOf(line.count ?? 0, line.unit)}
              rightSectionWidth={line.unit ? 20 + unitOf(line.count ?? 0, line.unit).length * 7 : undefined}
              rightSectionPointerEvents="none"
            />
          </Line>
        ))}
        <SupplyPicker
          workshop={workshop.id ?? 0}
          warehouse={null}
          onPick={({ code, name, unit, count }) => {
            const isThere = supplies.some((line) => line.code.toLowerCase() === code.toLowerCase())
            if (isThere) say(ALREADY_LISTED)
            else setSupplies([...supplies, { code, name, unit, count }])
          }}
        />
      </Lines>
      {template && <StateField control={control} name="state" off="Deja de ofrecerse en las órdenes." />}
    </FormDrawer>
  )
}

const Lines = ({ title, error, children }: { title: string; error?: string | undefined; children: ReactNode }) => (
  <section className={styles.templateLines} aria-label={title}>
    <h3>{title}</h3>
    {children}
    {error && (
      <p className={styles.lineError} role="alert">
        {error}
      </p>
    )}
  </section>
)

interface LineProps {
  name: string
  code?: string
  more?: string | undefined
  error: string | undefined
  onRemove: () => void
  children: ReactNode
}

const Line = ({ name, code, more, error, onRemove, children }: LineProps) => (
  <div className={styles.templateLine}>
    <span className={styles.templateName}>
      {name}
      {(code || more) && (
        <span className={styles.lineMore}>
          {code && <span className="mono">{code}</span>} {more}
        </span>
      )}
      {error && (
        <span className={styles.lineError} role="alert">
          {error}
        </span>
      )}
    </span>
    {children}
    <ActionIcon size={32} aria-label={`Quitar ${name}`} onClick={onRemove}>
      <IconTrash size={16} stroke={1.7} />
    </ActionIcon>
  </div>
)
