import { useQuery } from '@tanstack/react-query'
import { DIRECTIONS } from '#contract/warehouses/stock.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import { SectionHead } from '../workshops/roster.tsx'
import { transactionTypesQuery } from './queries.ts'

const ABOUT: Record<string, string> = {
  purchase: 'Entra a lo que costó y mueve el costo promedio. También la escribe la recepción de una orden de compra.',
  return: 'Vuelve a la bodega lo que había salido.',
  adjustment: 'Lo escribe un conteo físico, o se registra a mano.',
  transfer: 'Los dos lados se escriben juntos al traspasar entre bodegas.',
  consumption: 'Lo escriben las órdenes de trabajo, o se registra a mano.',
  waste: 'Lo que se perdió, se venció o se rompió.',
  provider_return: 'Lo que se devuelve a quien lo vendió.',
}

/** Fixed: each moves the stock and its cost in its own way. */
export default function TransactionTypesSection() {
  const types = useQuery(transactionTypesQuery()).data ?? []
  return (
    <>
      <SectionHead title="Tipos de movimiento">
        Por qué entra o sale algo de una bodega. Son fijos: cada uno mueve el stock y su costo a su manera.
      </SectionHead>
      <Table
        label="Tipos de movimiento"
        rows={types}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Nombre', cell: ({ name }) => name },
          {
            label: 'Sentido',
            cell: ({ type }) => <StatusPill tone={DIRECTIONS[type].tone}>{DIRECTIONS[type].label}</StatusPill>,
          },
          { label: 'Qué hace', grows: true, folds: true, cell: ({ key }) => ABOUT[key] },
        ]}
      />
    </>
  )
}
