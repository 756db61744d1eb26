import { zodResolver } from '@hookform/resolvers/zod'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconTag, type TablerIcon } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import type { Section } from '../frames/domain.ts'
import { useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { type Catalogue, CatalogueEntry, type CatalogueRow } from './catalogues.ts'
import { FormDrawer } from './parts.tsx'
import styles from './section.module.css'

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

interface ListSectionProps<Row> {
  title: string
  /** With its article, as in «Nueva marca». */
  fresh: string
  about: string
  list: UseQueryResult<Row[]>
  /** Besides the name. */
  columns: TableColumn<Row>[]
  /** What is said where nothing is left; left out where there is always something. */
  empty?: { icon: TablerIcon; title?: string; text?: string; action?: ReactNode }
  /** Between the heading and the table. */
  search?: ReactNode
  drawer: (row: Row | undefined, onClose: () => void) => ReactNode
}

/** A short list of the configuration: its table, and the drawer of the row that was opened. */
export function ListSection<Row extends { id: number; name: string; workshop_id?: number | null }>(
  props: ListSectionProps<Row>,
) {
  const { title, fresh, about, list, columns, empty, search, drawer } = props
  const { mayChoose } = useWorkshop()
  const [opened, setOpened] = useState<Row | 'new'>()
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpened('new')}>
      {fresh}
    </Button>
  )
  return (
    <>
      <header className={styles.head}>
        <h2>{title}</h2>
        {add}
        <p>{about}</p>
      </header>
      {search}
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <ScreenSkeleton />
      ) : empty && list.data.length === 0 ? (
        <EmptyState
          icon={empty.icon}
          title={empty.title ?? 'Aún no hay nada aquí'}
          action={'action' in empty ? empty.action : add}
        >
          {'text' in empty ? empty.text : about}
        </EmptyState>
      ) : (
        <Table<Row>
          label={title}
          rows={list.data}
          keyOf={(row) => row.id}
          columns={[
            {
              label: 'Nombre',
              grows: true,
              // What all workshops share is changed by those who work in all of them.
              cell: (row) =>
                row.workshop_id === null && !mayChoose ? (
                  row.name
                ) : (
                  <button type="button" className={styles.open} onClick={() => setOpened(row)}>
                    {row.name}
                  </button>
                ),
            },
            ...columns,
          ]}
        />
      )}
      {opened && drawer(opened === 'new' ? undefined : opened, () => setOpened(undefined))}
    </>
  )
}

/** Whose a row of a catalogue is. */
export function useWorkshopName() {
  const { list } = useWorkshop()
  return (row: { workshop_id: number | null }) => list.find(({ id }) => id === row.workshop_id)?.name ?? ALL_WORKSHOPS
}

interface CatalogueSectionProps {
  slug: string
  of: Catalogue
}

function CatalogueSection({ slug, of }: CatalogueSectionProps) {
  const workshopName = useWorkshopName()
  const [looked, setLooked] = useState('')
  const list = useQuery({
    queryKey: [of.topic, 'configuration', slug],
    queryFn: async ({ signal }) => (await of.list(signal)).data,
    select: (rows) => rows.filter(({ name }) => plain(name).includes(plain(looked.trim()))),
  })
  return (
    <ListSection<CatalogueRow>
      title={of.title}
      fresh={of.fresh}
      about={of.about}
      list={list}
      search={
        <TextInput
          className={styles.search}
          aria-label={`Buscar ${of.one}`}
          placeholder="Buscar por nombre"
          leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
          value={looked}
          onChange={(event) => setLooked(event.currentTarget.value)}
        />
      }
      empty={
        looked
          ? { icon: IconTag, title: 'Nada coincide con la búsqueda', text: undefined, action: undefined }
          : { icon: IconTag }
      }
      columns={[
        ...(of.described ? [{ label: 'Descripción', folds: true, cell: (row: CatalogueRow) => row.description }] : []),
        { label: 'Taller', cell: workshopName },
      ]}
      drawer={(row, onClose) => <CatalogueDrawer of={of} row={row} onClose={onClose} />}
    />
  )
}

function CatalogueDrawer({ of, row, onClose }: { of: Catalogue; row?: CatalogueRow; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(CatalogueEntry),
    defaultValues: { name: row?.name ?? '', description: row?.description ?? '' },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: ({ name, description }, key): Promise<unknown> => {
      const body = of.described ? { name, description } : { name }
      return row ? of.update(row.id, body) : of.create(body, key)
    },
    refresh: [[of.topic]],
    done: 'Guardado correctamente ✅',
    failed: 'No se pudo guardar',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? row.name : of.fresh}
      save="Guardar"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      uses={row && { thing: of.thing, id: row.id }}
      remove={row && { what: `«${row.name}»`, act: () => of.remove(row.id), refresh: [of.topic] }}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={80} />
      {of.described && <TextAreaField control={form.control} name="description" label="Descripción" />}
    </FormDrawer>
  )
}

/** A catalogue as a part of the configuration. */
export const catalogueSection = (of: Catalogue, at: Pick<Section, 'slug' | 'icon' | 'rank'>): Section => ({
  ...at,
  group: 'Catálogos',
  label: of.title,
  may: 'people.manage',
  content: () => <CatalogueSection slug={at.slug} of={of} />,
})
