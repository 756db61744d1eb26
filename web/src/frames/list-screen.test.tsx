// @vitest-environment happy-dom
import { IconTruck } from '@tabler/icons-react'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { fleet, type Truck } from '#contract/fleet/fleet.ts'
import { ana } from '../test/ana.ts'
import { type Sent, show, stubServer } from '../test/stage.tsx'
import { ListScreen } from './list-screen.tsx'
import { type Column, foldColumns } from './list-table.tsx'

const columns: Column<Truck>[] = [
  {
    key: 'code',
    label: 'Código',
    width: 100,
    rank: 1,
    sort: true,
    fixed: true,
    cell: (t) => t.code,
    file: (t) => t.code,
  },
  {
    key: 'mileage',
    label: 'Kilometraje',
    width: 120,
    rank: 2,
    sort: true,
    cell: (t) => t.mileage,
    file: (t) => t.mileage,
  },
  { key: 'brand_name', label: 'Marca', width: 150, rank: 3, cell: (t) => t.brand_name, file: (t) => t.brand_name },
]
const brands = [
  { value: '3', label: 'Volvo' },
  { value: '5', label: 'Scania' },
]

interface Shown {
  locked?: string
  onBulk?: (codes: string[]) => void
  summary?: (reply: unknown, counting: boolean) => ReactNode
  pageQuery?: object
  scope?: Record<string, unknown>
}
function Trucks({ locked, onBulk, summary, scope, pageQuery }: Shown) {
  return (
    <ListScreen
      name="test"
      title="Equipos"
      noun={{ one: 'equipo', many: 'equipos', none: 'Ningún' }}
      icon={IconTruck}
      about="Aquí van los equipos."
      endpoint={fleet.listTrucks}
      queryKey={['fleet']}
      columns={columns}
      filters={[
        { key: 'WorkshopId', label: 'Taller', useChoices: () => [{ value: '9', label: 'Quilicura' }], locked },
        { key: 'Brand', label: 'Marca', useChoices: () => brands },
      ]}
      searchLabel="Buscar equipo"
      {...(summary && { summary })}
      {...(pageQuery && { pageQuery: { ...pageQuery } })}
      {...(scope && { scope })}
      pathOf={(truck) => `/truck/${truck.id}`}
      create={{ label: 'Nuevo equipo', to: '/truck/create' }}
      bulk={
        onBulk && {
          name: ({ code }) => code,
          actions: (chosen, clear) => (
            <button
              type="button"
              onClick={() => {
                onBulk(chosen.map(({ code }) => code))
                clear()
              }}
            >
              Retirar
            </button>
          ),
        }
      }
    />
  )
}

/** The list, as told; whoever looks at it is known, and has saved no views. */
const serve = (answer: Parameters<typeof stubServer>[0]) =>
  stubServer((sent) =>
    sent.path === '/api/v1/me'
      ? { body: ana }
      : sent.path === '/api/v1/views'
        ? { body: { data: [], total: 0 } }
        : answer(sent),
  )

const trucks = (total: number) => (sent: Sent) => ({
  body: {
    data: Array.from({ length: Math.min(total, 2) }, (_, i) => ({ id: i + 1, code: `C-${i + 1}`, mileage: 10 })),
    total,
    page: Number(sent.query.page ?? 1),
    per_page: 25,
  },
})

it('asks the server for what the address says, and shows it', async () => {
  const log = serve(trucks(60))
  await show(<Trucks />, '/truck?filter[Search]=vol&filter[Brand]=3,5&filter[WorkshopId]=9&sort=-mileage&page=2')
  expect(await screen.findByText('60 equipos')).toBeTruthy()
  expect(log.find(({ path }) => path.endsWith('/trucks'))).toMatchObject({
    path: '/api/v1/trucks',
    query: { page: '2', sort: '-mileage', filter: { Search: 'vol', Brand: '3,5', WorkshopId: '9' } },
  })
  expect(screen.getByLabelText<HTMLInputElement>('Buscar equipo').value).toBe('vol')
  expect(screen.getByRole('button', { name: /Filtros/ }).textContent).toContain('2')
  expect(screen.getByRole('columnheader', { name: 'Kilometraje' }).getAttribute('aria-sort')).toBe('descending')
  expect(screen.getByText('26–50 de 60')).toBeTruthy()
})

function InWorkshop() {
  const [workshop, setWorkshop] = useState<number>()
  return (
    <>
      <button type="button" onClick={() => setWorkshop(9)}>
        Quilicura
      </button>
      <Trucks scope={{ WorkshopId: workshop && [workshop] }} />
    </>
  )
}

it('counts what the filters would leave in the workshop in use', async () => {
  serve((sent) => trucks((sent.query.filter as { WorkshopId?: string })?.WorkshopId === '9' ? 7 : 60)(sent))
  await show(<InWorkshop />)
  const filters = await screen.findByRole('button', { name: 'Filtros' })
  await userEvent.click(filters)
  expect(await screen.findByRole('button', { name: 'Ver 60 equipos' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Cerrar' }))
  await waitFor(() => expect(document.activeElement).toBe(filters))
  await userEvent.click(screen.getByRole('button', { name: 'Quilicura' }))
  await userEvent.click(filters)
  expect(await screen.findByRole('button', { name: 'Ver 7 equipos' })).toBeTruthy()
})

it('shows the rows before it knows how many there are, and then says it', async () => {
  let answer = () => {}
  const exact = new Promise<void>((resolve) => {
    answer = resolve
  })
  const log = serve(async (sent) => {
    const isBounded = sent.query.count === 'bounded'
    if (!isBounded) await exact
    const { body } = trucks(isBounded ? 10_000 : 123_456)(sent)
    return { body: isBounded ? { ...body, at_least: true } : { ...body, sum: 77 } }
  })
  const summary = (reply: unknown) => <p>Suma: {(reply as { sum?: number }).sum ?? 'falta'}</p>
  await show(<Trucks summary={summary} />, '/truck?filter[Brand]=3')
  expect(await screen.findByText('Más de 10.000 equipos')).toBeTruthy()
  expect(screen.getByText('Suma: falta')).toBeTruthy()
  expect(screen.getByText('1–25 de más de 10.000')).toBeTruthy()
  answer()
  expect(await screen.findByText('123.456 equipos')).toBeTruthy()
  expect(screen.getByText('1–25 de 123.456')).toBeTruthy()
  expect(screen.getByText('Suma: 77')).toBeTruthy()
  expect(log.filter(({ path, query }) => path === '/api/v1/trucks' && query.count !== 'bounded')).toMatchObject([
    { query: { per_page: '1', filter: { Brand: '3' } } },
  ])
})

it('fetches what takes longer than its rows with a call of its own', async () => {
  let answer = () => {}
  const sums = new Promise<void>((resolve) => {
    answer = resolve
  })
  const log = serve(async (sent) => {
    const { body } = trucks(60)(sent)
    if (sent.query.totals === 'none') return { body }
    await sums
    return { body: { ...body, sum: 77 } }
  })
  const summary = (reply: unknown, counting: boolean) => (
    <p>{counting ? 'Sumando' : `Suma: ${(reply as { sum?: number }).sum}`}</p>
  )
  await show(<Trucks summary={summary} pageQuery={{ totals: 'none' }} />)
  expect(await screen.findByText('60 equipos')).toBeTruthy()
  expect(screen.getByText('Sumando')).toBeTruthy()
  answer()
  expect(await screen.findByText('Suma: 77')).toBeTruthy()
  expect(log.filter(({ path, query }) => path === '/api/v1/trucks' && query.totals !== 'none')).toMatchObject([
    { query: { per_page: '1' } },
  ])
})

it('does not count a filter the person cannot change', async () => {
  serve(trucks(60))
  await show(<Trucks locked="Quilicura" />, '/truck?filter[Brand]=3&filter[WorkshopId]=9')
  expect((await screen.findByRole('button', { name: /Filtros/ })).textContent).toBe('Filtros1 activo')
  expect(screen.queryByRole('button', { name: /Quitar filtro Taller/ })).toBeNull()
})

it('writes order, filters and search into the address, and starts over at the first page', async () => {
  serve(trucks(60))
  const { address } = await show(<Trucks />, '/truck?filter[Brand]=3,5&page=2')
  await userEvent.click(await screen.findByRole('button', { name: 'Código' }))
  await waitFor(() => expect(address()).toBe('/truck?filter[Brand]=3%2C5&sort=code'))
  await userEvent.click(screen.getByRole('button', { name: 'Quitar filtro Marca: Volvo' }))
  await waitFor(() => expect(address()).toBe('/truck?filter[Brand]=5&sort=code'))
  await userEvent.type(screen.getByLabelText('Buscar equipo'), 'krtx')
  await waitFor(() => expect(decodeURIComponent(address())).toContain('filter[Search]=krtx'))
})

it('moves through the rows with the arrows', async () => {
  serve(trucks(2))
  await show(<Trucks />, '/truck')
  await screen.findByRole('link', { name: 'C-1' })
  await userEvent.click(screen.getByLabelText('Buscar equipo'))
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('C-1')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('C-2')
})

it('has a face for nothing yet, for no match and for a failure', async () => {
  serve(trucks(0))
  await show(<Trucks />, '/truck')
  expect(await screen.findByText('Aún no hay equipos')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Nuevo equipo' })).toHaveLength(2)
})

it('offers to clear what leaves nothing', async () => {
  serve((sent) => trucks(typeof sent.query.filter === 'object' ? 0 : 2)(sent))
  const { address } = await show(<Trucks />, '/truck?filter[Search]=zzz&filter[Brand]=3')
  expect(await screen.findByText('Se buscó «zzz» con un filtro.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Limpiar búsqueda y filtros' }))
  expect(await screen.findByRole('link', { name: 'C-1' })).toBeTruthy()
  expect(address()).toBe('/truck')
})

it('says why it failed and tries again', async () => {
  let broken = true
  serve((sent) => (broken ? { status: 403, body: { message: 'No puede ver esto.' } } : trucks(2)(sent)))
  await show(<Trucks />, '/truck?filter[Brand]=3')
  expect(await screen.findByText('No puede ver esto.')).toBeTruthy()
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }))
  const table = await screen.findByRole('table', { name: 'Equipos' })
  expect(within(table).getByText('C-1')).toBeTruthy()
})

it('folds the columns that matter least where room is short', () => {
  const keys = (list: Column<Truck>[]) => list.map((column) => column.key)
  expect(keys(foldColumns(columns, 0).inRow)).toEqual(['code', 'mileage', 'brand_name'])
  expect(keys(foldColumns(columns, 230).inRow)).toEqual(['code', 'mileage'])
  expect(keys(foldColumns(columns, 230).folded)).toEqual(['brand_name'])
  expect(keys(foldColumns(columns, 40).inRow)).toEqual(['code'])
})

it('does something with several rows at once, without opening any', async () => {
  serve(trucks(2))
  const done: string[][] = []
  await show(<Trucks onBulk={(codes) => done.push(codes)} />, '/truck')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Elegir C-2' }))
  expect(within(screen.getByRole('toolbar')).getByText('1 equipo')).toBeTruthy()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Elegir toda la página' }))
  await userEvent.click(screen.getByRole('button', { name: 'Retirar' }))
  expect(done.map((codes) => codes.toSorted())).toEqual([['C-1', 'C-2']])
  expect(screen.queryByRole('toolbar')).toBeNull()
  expect(window.location.pathname).not.toContain('/truck/')
})

/** A window as narrow as a phone's, whose end comes into sight when told. */
function onAPhone() {
  const real = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.defineProperty(real.call(window, query), 'matches', { value: query === '(max-width: 640px)' }),
  )
  const watched: (() => void)[] = []
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        watched.push(() => seen([{ isIntersecting: true }]))
      }
      observe() {}
      disconnect() {}
    },
  )
  return () => watched.at(-1)?.()
}

it('is cards on a phone, and more of them as one scrolls', async () => {
  const reachEnd = onAPhone()
  const log = serve(({ query }) => {
    const page = Number(query.page ?? 1)
    const data = Array.from({ length: 25 }, (_, i) => ({ id: page * 100 + i, code: `C-${(page - 1) * 25 + i + 1}` }))
    return { body: { data, total: 60, page, per_page: 25 } }
  })
  const { address } = await show(<Trucks />, '/truck?page=2')
  const list = await screen.findByRole('list', { name: 'Equipos' })
  // Whatever page the address asks for: there are none here.
  expect((await within(list).findAllByRole('link')).at(0)?.textContent).toBe('C-1')
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByText('60 equipos')).toBeTruthy()
  const pages = () => log.filter(({ path }) => path === '/api/v1/trucks').length
  const asked = pages()
  reachEnd()
  expect(await within(list).findByRole('link', { name: 'C-30' })).toBeTruthy()
  expect(pages()).toBe(asked + 1)
  expect(screen.getByText('50 de 60')).toBeTruthy()

  // What the headers of the table do.
  await userEvent.click(screen.getByRole('button', { name: 'Ordenar' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Kilometraje' }))
  await waitFor(() => expect(address()).toContain('sort=mileage'))
  // What there is no room for is one tap away; what creates never is.
  expect(screen.getByRole('link', { name: 'Nuevo equipo' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Exportar a Excel' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Más acciones' }))
  expect(screen.getByRole('button', { name: 'Exportar a Excel' })).toBeTruthy()
})

it('tells the server once, with the first page, that a list leaves as a file', async () => {
  const log = serve(({ query }) => {
    const page = Number(query.page ?? 1)
    return { body: { data: [{ id: page, code: `C-${page}` }], total: 700, page, per_page: 500 } }
  })
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:none')
  await show(<Trucks />)
  await userEvent.click(await screen.findByRole('button', { name: 'Exportar a Excel' }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const marked = log.filter(({ headers }) => headers['x-purpose'] === 'export')
  expect(marked.map(({ method, path, query }) => [method, path, query.page, query.count])).toEqual([
    ['GET', '/api/v1/trucks', '1', 'exact'],
  ])
  expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
  saved.mockRestore()
})
