import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TemplateRow } from '#contract/work-orders/templates.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorState } from '../../ui/faces.tsx'
import { say } from '../../ui/snackbar.tsx'
import { templateQuery, templatesQuery } from '../templates.ts'
import { fill } from './filling.ts'
import styles from './page.module.css'
import type { OrderForm } from './typed.ts'

interface TemplatePickerProps {
  form: OrderForm
  onDone: () => void
  onClose: () => void
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
const counted = (total: number, one: string, many: string) => `${total} ${total === 1 ? one : many}`

/** The works and supplies of a template, into the order that is typed. */
export default function TemplatePicker({ form, onDone, onClose }: TemplatePickerProps) {
  const client = useQueryClient()
  const templates = useQuery(templatesQuery)
  const [text, setText] = useState('')
  const { workshop_id } = form.getValues()
  const shown = templates.data?.filter(({ name }) => plain(name).includes(plain(text.trim())))
  const take = async (row: TemplateRow) => {
    try {
      const { name, type_maintenance_id, works, supplies } = await client.fetchQuery(templateQuery(row.id, workshop_id))
      const lacking = supplies.filter(({ supply_id }) => supply_id === null).map(({ name }) => name)
      fill(form, {
        name,
        works: works.map(({ description, task_id, hours }) => ({ description: description ?? '', task_id, hours })),
        supplies: supplies.flatMap(({ supply_id, code, name, unit, count, cost }) =>
          supply_id === null ? [] : [{ supply_id, code, name, unit, count, cost }],
        ),
        type_maintenance_id,
        request: name,
        detail: lacking.length > 0 ? `No están en este taller: ${lacking.join(', ')}.` : undefined,
      })
      onDone()
    } catch (error) {
      say(`No se pudo leer «${row.name}»`, {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    }
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Usar plantilla"
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <TextInput
        label="Buscar"
        description="Sus trabajos e insumos se agregan a la orden, y se pueden cambiar."
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (shown?.[0] && workshop_id) void take(shown[0])
        }}
      />
      {templates.isError && !templates.data && (
        <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />
      )}
      {!workshop_id ? (
        <p className={styles.faint}>Elija primero el equipo: los insumos son los de su taller.</p>
      ) : shown?.length === 0 ? (
        <p className={styles.faint}>
          {text
            ? 'Nada coincide.'
            : 'Aún no hay plantillas. Se guardan desde una orden, en Más acciones, o en Configuración, Plantillas.'}
        </p>
      ) : (
        <ul className={styles.repeats}>
          {shown?.map((row) => (
            <li key={row.id}>
              <button type="button" onClick={() => void take(row)}>
                <strong>{row.name}</strong>
                <span>
                  {[
                    row.type_maintenance,
                    counted(row.works_total, 'trabajo', 'trabajos'),
                    counted(row.supplies_total, 'insumo', 'insumos'),
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  )
}
