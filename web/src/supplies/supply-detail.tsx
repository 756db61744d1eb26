import { ActionIcon, Menu, Skeleton, Tooltip } from '@mantine/core'
import { IconDotsVertical, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { showMoney } from '#contract/money.ts'
import { SUPPLY_STATES, type Supply, type SupplyState, supplies } from '#contract/supplies.ts'
import { ApiFailure, call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { NotFound } from '../ui/not-found.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { CostsTab } from './costs-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { suppliesKey, supplyQuery } from './queries.ts'
import { SupplyActivity } from './supply-activity.tsx'
import styles from './supply-detail.module.css'

export default function SupplyDetail() {
  const { id } = useParams({ strict: false })
  const known = Number.isSafeInteger(Number(id)) && Number(id) > 0
  const supply = useQuery({ ...supplyQuery(Number(id)), enabled: known })
  if (!known || (supply.error instanceof ApiFailure && supply.error.status === 404))
    return <NotFound title="Este insumo no existe" />
  if (supply.data) return <SupplyPage key={supply.data.id} supply={supply.data} />
  if (supply.isError) return <ErrorState error={supply.error} onRetry={() => void supply.refetch()} />
  return <Waiting />
}

function SupplyPage({ supply }: { supply: Supply }) {
  const mayWrite = useMay('supplies.write')
  const { setState, remove, isPending } = useSupplyActions(supply)
  const state = SUPPLY_STATES[supply.state]
  return (
    <DetailFrame
      back={{ to: '/inventario', label: 'Inventario' }}
      header={
        <div className={styles.words}>
          <div className={styles.line}>
            <h1 className={styles.code}>{supply.name}</h1>
            <StatusPill tone={state.tone}>{state.label}</StatusPill>
          </div>
          <div className={styles.meta}>
            <span className="mono">{supply.code}</span>
            <span className={styles.cost}>
              {showMoney(supply.cost)}
              {supply.measurement_unit_name && ` por ${supply.measurement_unit_name.toLowerCase()}`}
            </span>
            {[supply.category_name, supply.workshop_name].filter(Boolean).map((word) => (
              <span key={word}>{word}</span>
            ))}
          </div>
        </div>
      }
      actions={
        mayWrite && (
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <Tooltip label="Más acciones">
                <ActionIcon variant="default" aria-label="Más acciones" loading={isPending}>
                  <IconDotsVertical size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>
              {supply.state === 'active' ? (
                <Menu.Item
                  leftSection={<IconPlayerPause size={16} stroke={1.7} />}
                  onClick={() => setState('inactive')}
                >
                  Desactivar
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconPlayerPlay size={16} stroke={1.7} />} onClick={() => setState('active')}>
                  Activar
                </Menu.Item>
              )}
              <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.7} />} onClick={remove}>
                Eliminar
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )
      }
      tabs={[
        { value: 'general', label: 'General', content: <GeneralTab supply={supply} />, keep: true },
        { value: 'costs', label: 'Precios', content: <CostsTab supply={supply} /> },
        { value: 'activity', label: 'Actividad', content: <SupplyActivity supply={supply} /> },
      ]}
    />
  )
}

const SAID: Record<SupplyState, string> = { active: 'Insumo activado', inactive: 'Insumo desactivado' }

function useSupplyActions(supply: Supply) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)

  const attempt = async (act: () => Promise<void>, failed: string) => {
    setPending(true)
    try {
      await act()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: suppliesKey })
    }
  }

  const putState = (from: Supply, state: SupplyState): Promise<void> =>
    attempt(async () => {
      const after = await call(supplies.updateSupply, { params: { id: from.id }, body: { ...from, state } })
      client.setQueryData(supplyQuery(from.id).queryKey, after)
      say(SAID[state], { undo: () => void putState(after, from.state) })
    }, 'Error al actualizar el insumo ❌')

  const setState = (state: SupplyState) => putState(supply, state)

  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar el insumo ${supply.code}?`,
      message: 'No se puede deshacer. Un insumo que ya se usó se desactiva en vez de eliminarse.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    await attempt(async () => {
      try {
        await call(supplies.deleteSupply, { params: { id: supply.id } })
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 409)) throw error
        const instead = await confirm({
          title: 'No se puede eliminar',
          message: error.message,
          accept: supply.state === 'active' ? 'Desactivar' : 'Entendido',
        })
        if (instead && supply.state === 'active') await setState('inactive')
        return
      }
      await navigate({ to: '/inventario' })
      client.removeQueries({ queryKey: supplyQuery(supply.id).queryKey })
      say('Insumo eliminado correctamente ✅')
    }, 'Error al eliminar el insumo ❌')
  }

  return { setState, remove, isPending }
}

function Waiting() {
  const shown = useNoticeable(true)
  if (!shown) return null
  return (
    <div className={styles.waiting} role="status" aria-label="Cargando">
      <Skeleton h={14} w={70} />
      <div className={styles.words}>
        <Skeleton h={22} w={260} />
        <Skeleton h={12} w={320} />
      </div>
      <Skeleton h={36} w={300} maw="100%" />
      <Skeleton h={320} />
    </div>
  )
}
