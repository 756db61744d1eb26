import { queryOptions } from '@tanstack/react-query'
import { type ImportKind, imports } from '#contract/imports/imports.ts'
import { call } from '../platform/api.ts'

/** The last import of this person. Keyed by its channel: the events on it refresh it. */
export const currentImportQuery = (user_id: number) =>
  queryOptions({
    queryKey: [`imports.${user_id}`, 'current'],
    queryFn: async ({ signal }) => (await call(imports.currentImport, { query: { user_id }, signal })) ?? null,
    staleTime: 0,
  })

export const pastImportsQuery = (user_id: number, kind: ImportKind) =>
  queryOptions({
    queryKey: [`imports.${user_id}`, 'past', kind],
    queryFn: async ({ signal }) =>
      (await call(imports.listImports, { query: { per_page: 5, filter: { Kind: kind } }, signal })).data,
  })
