import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import { type Permission, ROLES } from '#contract/base/permissions.ts'
import { identity, type Me, type Membership } from '#contract/identity/identity.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import { ApiFailure, call, failing } from './api.ts'
import { queryClient } from './queries.ts'
import { keep, recall } from './storage.ts'

export const isLoggedIn = () => recall('token') !== null

const rememberedMe = (): Me | undefined => {
  try {
    return JSON.parse(recall('me') ?? '') as Me
  } catch {
    return undefined
  }
}

async function askMe(signal: AbortSignal): Promise<Me> {
  try {
    return await call(identity.me, { signal })
  } catch (error) {
    // The company kept from before is no longer theirs: fall back to their first.
    if (!(error instanceof ApiFailure && error.status === 403 && recall('company') !== null)) throw error
    keep('company', null)
    return await call(identity.me, { signal })
  }
}

/** The person as last known opens the shell at once, and offline; the server's word follows. */
export const meQuery = queryOptions({
  queryKey: ['session', 'me'],
  queryFn: async ({ signal }) => {
    const me = await askMe(signal)
    keep('me', JSON.stringify(me))
    return me
  },
  initialData: rememberedMe,
  initialDataUpdatedAt: 0,
  staleTime: 60_000,
})

export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** What nobody may do here, whatever their role: see `Elsewhere`. */
export const Lacking = createContext<Permission[]>([])

export function useMay(permission: Permission) {
  const lacking = useContext(Lacking)
  return useMe().permissions.includes(permission) && !lacking.includes(permission)
}

export function useCompany(): Membership {
  const me = useMe()
  return me.companies.find((company) => company.id === me.company_id) ?? me.companies[0]!
}

/** Days and hours on screen are those of the company. */
export const useZone = () => useCompany().time_zone

/* The workshop in use */

export const workshopsQuery = queryOptions({
  queryKey: ['workshops', 'list'],
  queryFn: async ({ signal }) => (await call(workshops.listWorkshops, { signal })).data,
  staleTime: 300_000,
})

const choosers = new Set<() => void>()

const keptWorkshop = () => {
  const kept = recall('workshop')
  return kept === null ? undefined : Number(kept)
}

/** The workshop in use, as far as is known before there is a list of them. */
export const workshopOf = (me: Me) => (ROLES[me.role].everyWorkshop ? keptWorkshop() : (me.workshop_id ?? undefined))

export function chooseWorkshop(id: number | undefined) {
  keep('workshop', id === undefined ? null : String(id))
  for (const chooser of choosers) chooser()
}

/** The workshop everything on screen is about; undefined: all of them, which only some roles may see. */
export function useWorkshop() {
  const me = useMe()
  const mayChoose = ROLES[me.role].everyWorkshop
  const chosen = useSyncExternalStore(
    useCallback((chooser) => {
      choosers.add(chooser)
      return () => choosers.delete(chooser)
    }, []),
    keptWorkshop,
  )
  const list = useQuery(workshopsQuery).data
  const exists = chosen !== undefined && (list === undefined || list.some((workshop) => workshop.id === chosen))
  return {
    id: mayChoose ? (exists ? chosen : undefined) : (me.workshop_id ?? undefined),
    mayChoose,
    list: list ?? [],
    choose: chooseWorkshop,
  }
}

/** What the person chose for themself, wherever they log in. */
export const preferencesQuery = queryOptions({
  queryKey: ['identity', 'preferences'],
  queryFn: ({ signal }) =>
    call(identity.ownPreferences, { signal }).catch(failing('Error al obtener las preferencias.')),
})

/* Coming and going */

export function openSession({ token, device }: { token: string; device: string }, user: Me) {
  queryClient.clear()
  const company = Number(recall('company'))
  if (!user.companies.some(({ id }) => id === company)) {
    keep('company', null)
    keep('workshop', null)
  }
  keep('token', token)
  keep('device', device)
  if (company === user.company_id || recall('company') === null) {
    keep('me', JSON.stringify(user))
    queryClient.setQueryData(meQuery.queryKey, user)
  }
}

/**
 * Forgets who was here, once the screens that show it are gone: they would ask again without a session.
 * Company and workshop stay: the same person usually comes back.
 */
export async function forgetSession(leave: () => unknown) {
  keep('token', null)
  keep('me', null)
  await leave()
  queryClient.clear()
}

export async function closeSession(leave: () => unknown) {
  await call(identity.logout).catch(() => {})
  await forgetSession(leave)
}

/** Starts over in another company: nothing of the one before stays in memory. */
export function changeCompany(id: number) {
  keep('company', String(id))
  keep('workshop', null)
  keep('me', null)
  window.location.assign('/')
}
