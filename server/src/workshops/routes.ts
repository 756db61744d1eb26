import { workshops } from '#contract/workshops.ts'
import type { Domain } from '../platform/domain.ts'
import { listWorkshops } from './workshops.ts'

export const workshopsDomain: Domain = {
  routes(bind) {
    bind(workshops.listWorkshops, ({ db, actor }) => listWorkshops(db, actor))
  },
  messages: {
    workshops_name_unique: { field: 'name', message: 'Ya existe un taller con este nombre.' },
  },
}
