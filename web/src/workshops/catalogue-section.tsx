import { zodResolver } from '@hookform/resolvers/zod'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CostCenterEdit } from '#contract/fleet/fleet.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { useWorkshop } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
import { CATALOGUES, type CatalogueRow, type CatalogueShown } from './catalogues.ts'
import { FormDrawer } from './parts.tsx'
import styles from './section.module.css'

export const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

export function CatalogueSection({ slug }: { slug: keyof typeof CATALOGUES }) {
  const shown: CatalogueShown = CATALOGUES[slug]
  const workshop = useWorkshop()
  const [looked, setLooked] = useState('')
  const [opened, setOpened] = useState<CatalogueRow | 'new'>()
  const list = useQuery({
    queryKey: [shown.topic, 'configuration', slug],
    queryFn: async ({ signal }) => (await shown.list(signal)).data,
  })
  const rows = list.data?.filter(({ name }) => plain(name).includes(plain(looked.trim())))
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpened('new')}>
      {shown.fresh}
    </Button>
  )
  return (
    <>
      <header className={styles.head}>
        <h2>{shown.title}</h2>
        {add}
        <p>{shown.about}</p>
      </header>
      <TextInput
        className={styles.search}
        aria-label={`Buscar ${shown.one}`}
        placeholder="Buscar por nombre"
        leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
        value={looked}
        onChange={(event) => setLooked(event.currentTarget.value)}
      />
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : rows === undefined ? (
        <ScreenSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={IconTag}
          title={looked ? 'Nada coincide con la búsqueda' : 'Aún no hay nada aquí'}
          action={looked ? undefined : add}
        >
          {looked ? undefined : shown.about}
        </EmptyState>
      ) : (
        <SimpleTable<CatalogueRow>
          label={shown.title}
          rows={rows}
          keyOf={(row) => row.id}
          columns={[
            {
              label: 'Nombre',
              grows: true,
              cell: (row) =>
                row.workshop_id === null && !workshop.mayChoose ? (
                  row.name
                ) : (
                  <button type="button" className={styles.open} onClick={() => setOpened(row)}>
                    {row.name}
                  </button>
                ),
            },
            ...(shown.described
              ? [{ label: 'Descripción', folds: true, cell: (row: CatalogueRow) => row.description }]
              : []),
            {
              label: 'Taller',
              cell: (row) => workshop.list.find(({ id }) => id === row.workshop_id)?.name ?? ALL_WORKSHOPS,
            },
          ]}
        />
      )}
      {opened && (
        <CatalogueDrawer
          shown={shown}
          row={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function CatalogueDrawer({ shown, row, onClose }: { shown: CatalogueShown; row?: CatalogueRow; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(CostCenterEdit),
    defaultValues: { name: row?.name ?? '', description: row?.description ?? '' },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: ({ name, description }, key) => {
      const body = shown.described ? { name, description } : { name }
      return row ? shown.update(row.id, body) : shown.create(body, key)
    },
    refresh: [[shown.topic]],
    done: 'Guardado correctamente ✅',
    failed: 'No se pudo guardar',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? row.name : shown.fresh}
      save="Guardar"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      uses={row && { thing: shown.thing, id: row.id }}
      remove={row && { what: `«${row.name}»`, act: () => shown.remove(row.id), refresh: [shown.topic] }}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={80} />
      {shown.described && <TextAreaField control={form.control} name="description" label="Descripción" />}
    </FormDrawer>
  )
}
