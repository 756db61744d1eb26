import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDotsVertical, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../platform/api.ts'
import { confirm } from '../ui/confirm.tsx'
import { say } from '../ui/snackbar.tsx'

type State = 'active' | 'inactive'

interface DetailActionsProps<Row> {
  row: Row
  queryKey: QueryKey
  refresh: QueryKey
  /** Left out for what is never set aside. */
  state?: {
    of: (row: Row) => State
    put: (row: Row, state: State) => Promise<Row>
    said: Record<State, string>
    failed: string
  }
  remove: { act: () => Promise<unknown>; title: string; message: string; done: string; failed: string }
  /** Where one is taken once it is gone; a drawer closes instead. */
  leadsTo?: string
  onDone?: () => void
  position?: 'bottom-end' | 'top-start'
  className?: string | undefined
}

/** What can be done with the thing of a page or drawer: set it aside and back, or delete it; what is in use is set aside instead. */
export function DetailActions<Row>(props: DetailActionsProps<Row>) {
  const { row, queryKey, refresh, state, remove, leadsTo, onDone, position = 'bottom-end', className } = props
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const isActive = state?.of(row) === 'active'

  const attempt = async (act: () => Promise<void>, failed: string) => {
    setPending(true)
    try {
      await act()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: refresh })
    }
  }

  const putState = async (from: Row, to: State): Promise<void> => {
    if (!state) return
    await attempt(async () => {
      const after = await state.put(from, to)
      client.setQueryData(queryKey, after)
      say(state.said[to], { undo: () => void putState(after, state.of(from)) })
      onDone?.()
    }, state.failed)
  }

  const erase = async () => {
    if (!(await confirm({ title: remove.title, message: remove.message, accept: 'Eliminar', danger: true }))) return
    await attempt(async () => {
      try {
        await remove.act()
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 409)) throw error
        const instead = await confirm({
          title: 'No se puede eliminar',
          message: error.message,
          accept: isActive ? 'Desactivar' : 'Entendido',
        })
        if (instead && isActive) await putState(row, 'inactive')
        return
      }
      if (leadsTo) await navigate({ to: leadsTo })
      client.removeQueries({ queryKey })
      say(remove.done)
      onDone?.()
    }, remove.failed)
  }

  return (
    <Menu position={position} width={200}>
      <Menu.Target>
        <Tooltip label="Más acciones">
          <ActionIcon variant="default" aria-label="Más acciones" loading={isPending} className={className}>
            <IconDotsVertical size={16} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {state && (
          <Menu.Item
            leftSection={
              isActive ? <IconPlayerPause size={16} stroke={1.7} /> : <IconPlayerPlay size={16} stroke={1.7} />
            }
            onClick={() => void putState(row, isActive ? 'inactive' : 'active')}
          >
            {isActive ? 'Desactivar' : 'Activar'}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.7} />} onClick={() => void erase()}>
          Eliminar
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
