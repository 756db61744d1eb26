import { Button, Select, Skeleton, TextInput } from '@mantine/core'
import { IconCircleCheck, IconFileCertificate, IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { alertCategories, type Missing } from '#contract/alerts/categories.ts'
import { call } from '../platform/api.ts'
import { useMe, useWorkshop } from '../platform/session.ts'
import { DayInput } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { EmptyState, ErrorState } from '../ui/faces.tsx'
import { say } from '../ui/snackbar.tsx'
import styles from './alerts.module.css'
import { UnitName, unitText } from './parts.tsx'
import { alertsKey, categoriesQuery, missingQuery } from './queries.ts'

const keyOf = ({ category_id, truck_id, coupled_id }: Missing) => `${category_id} ${truck_id} ${coupled_id}`
const SHOWN = 60

/** Obligations that nobody watches yet: a date each, and their alerts are made together. */
export default function ObligationsDrawer({
  onClose,
  trucks,
  units,
}: {
  onClose: () => void
  /** Only of these. */
  trucks?: number[]
  units?: number[]
}) {
  const { attempt, isPending } = useAttempt()
  const workshop = useWorkshop()
  const me = useMe()
  const filter = trucks
    ? { Trucks: trucks, Coupled: units }
    : { WorkshopId: workshop.id === undefined ? undefined : [workshop.id] }
  const missing = useQuery(missingQuery(filter))
  const categories = useQuery(categoriesQuery)
  const [category, setCategory] = useState<string | null>(null)
  const [looked, setLooked] = useState('')
  const [dates, setDates] = useState<Record<string, string | null>>({})

  const names = [
    ...new Map(missing.data?.map(({ category_id, category_name }) => [String(category_id), category_name])),
  ]
  const chosen = category ?? names[0]?.[0] ?? null
  const rows = (missing.data ?? [])
    .filter(({ category_id }) => String(category_id) === chosen)
    .filter((row) => unitText(row).toLowerCase().replaceAll('·', '').includes(looked.trim().toLowerCase()))
  const dateOf = (row: Missing) => (keyOf(row) in dates ? dates[keyOf(row)]! : row.date)
  const ready = rows.filter((row) => dateOf(row) !== null)
  const hasObligations = categories.data?.some(({ applies_to }) => applies_to !== null)

  const addChile = () =>
    attempt(async () => {
      await call(alertCategories.addChileanObligations, { body: {} })
      return 'Categorías agregadas ✅'
    }, 'Error al crear la categoría ❌')
  const save = () =>
    attempt(async () => {
      const { total } = await call(alertCategories.createObligations, {
        body: {
          category_id: Number(chosen),
          units: ready.map((row) => ({ truck_id: row.truck_id, coupled_id: row.coupled_id, date: dateOf(row)! })),
          emails_to_notifications: { selected: [me.email] },
        },
      })
      setDates({})
      setCategory(null)
      return total === 1 ? 'Alerta creada correctamente ✅' : `${total} alertas creadas correctamente ✅`
    }, 'Error al crear alerta ⛔️')

  return (
    <Drawer
      opened
      onClose={onClose}
      title="Documentos por registrar"
      dirty={Object.keys(dates).length > 0}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (ready.length > 0) void save()
      }}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cerrar
          </Button>
          {rows.length > 0 && (
            <Button type="submit" loading={isPending} disabled={ready.length === 0}>
              {ready.length === 0
                ? 'Crear alertas'
                : ready.length === 1
                  ? 'Crear 1 alerta'
                  : `Crear ${ready.length} alertas`}
            </Button>
          )}
        </>
      )}
    >
      {missing.isError ? (
        <ErrorState error={missing.error} onRetry={() => void missing.refetch()} />
      ) : !missing.data || !categories.data ? (
        <Skeleton h={200} />
      ) : !hasObligations ? (
        <NoObligations onAdd={() => void addChile()} isPending={isPending} />
      ) : names.length === 0 ? (
        <EmptyState icon={IconCircleCheck} title="Todo registrado">
          Cada equipo tiene una alerta por cada documento que le corresponde.
        </EmptyState>
      ) : (
        <>
          <p className={styles.summaryText}>
            Equipos sin alerta de un documento que les corresponde. Ingrese cuándo vence cada uno: se avisará a{' '}
            {me.email}.
          </p>
          <Select
            label="Documento"
            data={names.map(([value, label]) => ({ value, label }))}
            value={chosen}
            onChange={setCategory}
            allowDeselect={false}
          />
          {names.length > 0 && (missing.data.length > 8 || looked) && (
            <TextInput
              aria-label="Buscar equipo"
              placeholder="Código o patente"
              leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
              value={looked}
              onChange={(event) => setLooked(event.currentTarget.value)}
            />
          )}
          <MissingList rows={rows} dateOf={dateOf} onDate={(row, date) => setDates({ ...dates, [keyOf(row)]: date })} />
        </>
      )}
    </Drawer>
  )
}

/** Says what came of it, and reads the alerts again. */
function useAttempt() {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const attempt = async (act: () => Promise<string>, failed: string) => {
    setPending(true)
    try {
      say(await act())
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: alertsKey })
    }
  }
  return { attempt, isPending }
}

function NoObligations({ onAdd, isPending }: { onAdd: () => void; isPending: boolean }) {
  return (
    <EmptyState
      icon={IconFileCertificate}
      title="Sin documentos definidos"
      action={
        <Button onClick={onAdd} loading={isPending}>
          Agregar los de Chile
        </Button>
      }
    >
      Permiso de circulación, SOAP, revisión técnica y gases, con sus plazos. Después se editan en Configuración.
    </EmptyState>
  )
}

interface MissingListProps {
  rows: Missing[]
  dateOf: (row: Missing) => string | null
  onDate: (row: Missing, date: string | null) => void
}

function MissingList({ rows, dateOf, onDate }: MissingListProps) {
  return (
    <>
      <div className={styles.missingList}>
        {rows.slice(0, SHOWN).map((row) => (
          <div key={keyOf(row)} className={styles.missing}>
            <UnitName of={row} />
            <DayInput
              label={`Vencimiento de ${unitText(row)}`}
              value={dateOf(row)}
              onChange={(date) => onDate(row, date)}
            />
          </div>
        ))}
      </div>
      {rows.length === 0 && <p className={styles.summaryText}>Ningún equipo coincide.</p>}
      {rows.length > SHOWN && (
        <p className={styles.summaryText}>
          Se muestran {SHOWN} de {rows.length}: busque por código para ver los demás.
        </p>
      )}
    </>
  )
}
