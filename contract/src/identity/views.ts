import { z } from 'zod'
import { ROLE_NAMES } from '../base/permissions.ts'
import { ById, catalogue, endpoint, Id, Nothing, Text } from '../base/wire.ts'

/* How somebody looks at a list: what is filtered, in which order, with which columns. Of one person, or of all. */

const fields = {
  /** The list, as the application calls it. */
  list: Text(60),
  name: Text(60),
  /** What follows the `?` of its address. */
  query: z.string().max(4000),
  /** Columns that are not shown; null: as the list has them. */
  hidden: z.array(z.string().max(60)).max(60).nullable().default(null),
  /** Everyone of the company sees it. Said by those who manage people and catalogues. */
  shared: z.boolean().default(false),
  /** Whose list opens with it, where nothing else was asked for. */
  roles: z.array(z.enum(ROLE_NAMES)).max(ROLE_NAMES.length).default([]),
}
export const NewView = z.object(fields)
export type NewView = z.infer<typeof NewView>

export const View = z.object({
  id: Id,
  ...fields,
  hidden: z.array(z.string()).nullable(),
  shared: z.boolean(),
  roles: z.array(z.enum(ROLE_NAMES)),
  /** It is theirs; others may be shared with them. */
  mine: z.boolean(),
  user_name: z.string(),
})
export type View = z.infer<typeof View>

/** A view stays one of its list. */
export const ViewEdit = NewView.omit({ list: true })
export type ViewEdit = z.infer<typeof ViewEdit>

export const views = {
  listViews: endpoint({
    method: 'GET',
    path: '/v1/views',
    may: 'session',
    summary: 'The saved views of all lists: those of the person, and those that are shared',
    reply: catalogue(View),
  }),
  createView: endpoint({
    method: 'POST',
    path: '/v1/views',
    may: 'session',
    summary: 'Save how a list is looked at; to share it, or to have roles begin with it, needs people.manage',
    body: NewView,
    reply: View,
    status: 201,
  }),
  updateView: endpoint({
    method: 'PUT',
    path: '/v1/views/:id',
    may: 'session',
    summary: 'Change a saved view: its own, or a shared one with people.manage',
    params: ById,
    body: ViewEdit,
    reply: View,
  }),
  deleteView: endpoint({
    method: 'DELETE',
    path: '/v1/views/:id',
    may: 'session',
    summary: 'Delete a saved view: its own, or a shared one with people.manage',
    params: ById,
    reply: Nothing,
  }),
}
