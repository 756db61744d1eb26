import { queryOptions } from '@tanstack/react-query'
import { maintenanceTemplates } from '#contract/work-orders/templates.ts'
import { call } from '../platform/api.ts'
import { workOrdersKey } from './queries.ts'

export const templatesQuery = queryOptions({
  queryKey: [...workOrdersKey, 'templates'],
  queryFn: async ({ signal }) =>
    (
      await call(maintenanceTemplates.listTemplates, {
        query: { per_page: 500, filter: { State: ['active'] } },
        signal,
      })
    ).data,
})

/** With the supplies of a workshop; left out, of any. */
export const templateQuery = (id: number, workshop_id: number | undefined) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'template', id, workshop_id ?? 'any'],
    queryFn: ({ signal }) => call(maintenanceTemplates.getTemplate, { params: { id }, query: { workshop_id }, signal }),
    staleTime: 0,
  })
