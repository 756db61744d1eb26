import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconBookmark, IconCheck, IconDeviceFloppy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { type View, views } from '#contract/identity/views.ts'
import { call } from '../platform/api.ts'
import { useMay, useMe } from '../platform/session.ts'
import { lazy } from '../ui/lazy.ts'
import { say } from '../ui/snackbar.tsx'
import type { Look } from './view-drawer.tsx'
import styles from './views.module.css'

const ViewDrawer = lazy(() => import('./view-drawer.tsx'))

/** Of all lists at once: they are few, and seldom change. */
const viewsQuery = queryOptions({
  queryKey: ['identity', 'views'],
  queryFn: async ({ signal }) => (await call(views.listViews, { signal })).data,
  staleTime: 300_000,
})

interface ViewsProps {
  /** The list, as the browser remembers it. */
  list: string
  look: Look
  onApply: (view: View, replace: boolean) => void
  /** The address asks for nothing: what the person's role begins with is shown. */
  bare: boolean
  /** Only its sign. */
  brief?: boolean
}

/** Views that were saved of this list: one is chosen, kept up to date, or given a name. */
export default function Views({ list, look, onApply, bare, brief = false }: ViewsProps) {
  const client = useQueryClient()
  const me = useMe()
  const manages = useMay('people.manage')
  const found = useQuery(viewsQuery).data
  const mine = found?.filter((view) => view.list === list) ?? []
  const [activeId, setActive] = useState<number>()
  const [editing, setEditing] = useState<View | 'new'>()
  const active = mine.find(({ id }) => id === activeId) ?? mine.find((view) => isSame(view, look))
  const apply = (view: View, replace = false) => {
    setActive(view.id)
    onApply(view, replace)
  }

  const begun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the views are known
  useEffect(() => {
    if (begun.current || !found) return
    begun.current = true
    const own = mine.find(({ roles }) => roles.includes(me.role))
    if (bare && own) apply(own, true)
  }, [found])

  const { update, remove } = useChanges(look)
  const mayChange = active && (active.mine || manages)
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          {brief ? (
            <Tooltip label="Vistas guardadas">
              <ActionIcon variant="default" aria-label="Vistas guardadas" className={styles.brief}>
                <IconBookmark size={16} stroke={1.7} />
              </ActionIcon>
            </Tooltip>
          ) : (
            <Button
              variant="default"
              leftSection={<IconBookmark size={16} stroke={1.7} />}
              className={styles.button}
              aria-label={active ? `Vistas guardadas: ${active.name}` : 'Vistas guardadas'}
            >
              <span className={styles.name}>{active?.name ?? 'Vistas'}</span>
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          <Group label="Mis vistas" of={mine.filter((view) => view.mine)} active={active} onApply={apply} />
          <Group label="Compartidas" of={mine.filter((view) => !view.mine)} active={active} onApply={apply} />
          {mine.length === 0 && <Menu.Label>Aún no hay vistas guardadas de esta lista</Menu.Label>}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setEditing('new')}>
            Guardar esta vista…
          </Menu.Item>
          {active && mayChange && (
            <>
              {!isSame(active, look) && (
                <Menu.Item
                  leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
                  onClick={() => void update(active)}
                >
                  Actualizar «{active.name}»
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconPencil size={16} stroke={1.7} />} onClick={() => setEditing(active)}>
                Editar «{active.name}»…
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={16} stroke={1.7} />}
                color="danger"
                onClick={() => {
                  setActive(undefined)
                  void remove(active)
                }}
              >
                Eliminar «{active.name}»
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {editing && (
        <Suspense fallback={null}>
          <ViewDrawer
            list={list}
            look={look}
            view={editing === 'new' ? undefined : editing}
            onClose={() => setEditing(undefined)}
            onSaved={(view) => {
              setActive(view.id)
              setEditing(undefined)
              void client.invalidateQueries({ queryKey: viewsQuery.queryKey })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** What is done to a view that is there, said when it is. */
function useChanges(look: Look) {
  const client = useQueryClient()
  const put = async (act: () => Promise<unknown>, done: string, failed: string, undo?: () => void) => {
    try {
      await act()
      say(done, undo ? { undo } : {})
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    void client.invalidateQueries({ queryKey: viewsQuery.queryKey })
  }
  const update = ({ id, name, shared, roles }: View) =>
    put(
      () => call(views.updateView, { params: { id }, body: { name, shared, roles, ...look } }),
      `Vista «${name}» actualizada`,
      'No se pudo actualizar la vista',
    )
  const remove = ({ id, mine: _, user_name: __, ...view }: View) => {
    return put(
      () => call(views.deleteView, { params: { id } }),
      `Vista «${view.name}» eliminada`,
      'No se pudo eliminar la vista',
      () =>
        void put(
          () => call(views.createView, { body: view }),
          `Vista «${view.name}» repuesta`,
          'No se pudo reponer la vista',
        ),
    )
  }
  return { update, remove }
}

interface GroupProps {
  label: string
  of: View[]
  active: View | undefined
  onApply: (view: View) => void
}

function Group({ label, of, active, onApply }: GroupProps) {
  if (of.length === 0) return null
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {of.map((view) => (
        <Menu.Item
          key={view.id}
          onClick={() => onApply(view)}
          aria-current={view.id === active?.id ? 'true' : undefined}
          rightSection={view.id === active?.id ? <IconCheck size={16} stroke={1.7} aria-hidden /> : undefined}
          title={view.mine ? undefined : `De ${view.user_name}`}
        >
          {view.name}
        </Menu.Item>
      ))}
    </>
  )
}

const sorted = (keys: string[] | null) => keys && [...keys].sort().join()
/** Where a view says nothing of columns, any will do. */
const isSame = (view: View, look: Look) =>
  view.query === look.query && (view.hidden === null || sorted(view.hidden) === sorted(look.hidden))
