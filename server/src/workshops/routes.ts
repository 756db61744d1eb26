import { companies } from '#contract/workshops/company.ts'
import { months } from '#contract/workshops/months.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { companySecurity } from '#contract/workshops/security.ts'
import { server } from '#contract/workshops/server.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import type { Domain } from '../platform/http/domain.ts'
import { describeServer } from '../platform/running/postgres-version.ts'
import {
  deleteLogo,
  getAccessRules,
  getCompany,
  getLogo,
  getStorage,
  keepLogo,
  listSettings,
  movedLogos,
  setLogo,
  updateAccessRules,
  updateCompany,
  updateSettings,
} from './company.ts'
import { hourlyCosts, updateHourlyCosts } from './hourly-costs.ts'
import { closedMonths, closedMonthsActivity, closeMonths } from './months.ts'
import { addToRoster, changeInRoster, listRoster, removeFromRoster, requireInRoster } from './rosters.ts'
import { listUses } from './uses.ts'
import {
  createWorkshop,
  deleteWorkshop,
  listLocations,
  listWorkshops,
  requireLocation,
  updateWorkshop,
} from './workshops.ts'

export const workshopsDomain: Domain = {
  routes(bind) {
    bind(workshops.listWorkshops, ({ db, actor }) => listWorkshops(db, actor))
    bind(workshops.listLocations, ({ db, actor, query }) => listLocations(db, actor, query))
    bind(workshops.createWorkshop, ({ db, actor, body }) => createWorkshop(db, actor, body))
    bind(
      workshops.updateWorkshop,
      ({ db, actor, params, body }) => updateWorkshop(db, actor, params.id, body),
      ({ db, actor, params }) => requireLocation(db, actor, params.id, true),
    )
    bind(workshops.deleteWorkshop, ({ db, actor, params }) => deleteWorkshop(db, actor, params.id))
    bind(companies.getCompany, ({ db, actor }) => getCompany(db, actor))
    bind(
      companies.updateCompany,
      ({ db, actor, body }) => updateCompany(db, actor, body),
      ({ db, actor }) => getCompany(db, actor, true),
    )
    bind(companySecurity.getAccessRules, ({ db, actor }) => getAccessRules(db, actor))
    bind(
      companySecurity.updateAccessRules,
      ({ db, actor, body }) => updateAccessRules(db, actor, body),
      ({ db, actor }) => getAccessRules(db, actor, true),
    )
    bind(server.getServer, ({ db }) => describeServer(db))
    bind(companies.getStorage, ({ db, actor }) => getStorage(db, actor))
    bind(companies.getLogo, ({ db, actor }) => getLogo(db, actor))
    bind.after(
      ({ files, actor, body }) => keepLogo(files, actor, body.file),
      companies.updateLogo,
      ({ db, actor, made }) => setLogo(db, actor, made),
    )
    bind(companies.deleteLogo, ({ db, actor }) => deleteLogo(db, actor))
    bind(workshops.listUses, ({ db, actor, params }) => listUses(db, actor, params.thing, params.id))
    bind(companies.listSettings, ({ db, actor }) => listSettings(db, actor))
    bind(companies.updateSettings, ({ db, actor, body }) => updateSettings(db, actor, body))
    bind(months.closedMonths, ({ db, actor }) => closedMonths(db, actor))
    bind(months.closeMonths, ({ db, actor, body }) => closeMonths(db, actor, body))
    bind(months.closedMonthsActivity, ({ db, actor, query }) => closedMonthsActivity(db, actor, query))
    bind(rosters.listBoxes, ({ db, actor, query }) => listRoster(db, actor, 'box', query))
    bind(rosters.createBox, ({ db, actor, body }) => addToRoster(db, actor, 'box', body))
    bind(
      rosters.updateBox,
      ({ db, actor, params, body }) => changeInRoster(db, actor, 'box', params.id, body),
      ({ db, actor, params }) => requireInRoster(db, actor, 'box', params.id, true),
    )
    bind(rosters.deleteBox, ({ db, actor, params }) => removeFromRoster(db, actor, 'box', params.id))
    bind(rosters.listSpecialists, ({ db, actor, query }) => listRoster(db, actor, 'specialist', query))
    bind(rosters.createSpecialist, ({ db, actor, body }) => addToRoster(db, actor, 'specialist', body))
    bind(
      rosters.updateSpecialist,
      ({ db, actor, params, body }) => changeInRoster(db, actor, 'specialist', params.id, body),
      ({ db, actor, params }) => requireInRoster(db, actor, 'specialist', params.id, true),
    )
    bind(rosters.deleteSpecialist, ({ db, actor, params }) => removeFromRoster(db, actor, 'specialist', params.id))
    bind(rosters.hourlyCosts, ({ db, actor, params }) => hourlyCosts(db, actor, params.id))
    bind(
      rosters.updateHourlyCosts,
      ({ db, actor, params, body }) => updateHourlyCosts(db, actor, params.id, body),
      ({ db, actor, params }) => hourlyCosts(db, actor, params.id),
    )
    bind(rosters.listDrivers, ({ db, actor, query }) => listRoster(db, actor, 'driver', query))
    bind(rosters.createDriver, ({ db, actor, body }) => addToRoster(db, actor, 'driver', body))
    bind(
      rosters.updateDriver,
      ({ db, actor, params, body }) => changeInRoster(db, actor, 'driver', params.id, body),
      ({ db, actor, params }) => requireInRoster(db, actor, 'driver', params.id, true),
    )
    bind(rosters.deleteDriver, ({ db, actor, params }) => removeFromRoster(db, actor, 'driver', params.id))
  },
  moves: [movedLogos],
  messages: {
    workshops_name_unique: { field: 'name', message: 'Ya existe un taller con este nombre.' },
    boxes_name_unique: { field: 'name', message: 'El taller ya tiene un box con este nombre.' },
    specialists_dni_unique: { field: 'dni', message: 'El taller ya tiene un especialista con este RUT.' },
    drivers_dni_unique: { field: 'dni', message: 'El taller ya tiene un conductor con este RUT.' },
  },
}
