import { apiTokens } from '#contract/identity/api-tokens.ts'
import { factors } from '#contract/identity/factors.ts'
import { identity } from '#contract/identity/identity.ts'
import { oidc } from '#contract/identity/oidc.ts'
import { security } from '#contract/identity/security.ts'
import { views } from '#contract/identity/views.ts'
import type { Domain } from '../platform/http/domain.ts'
import { ACCESS_RULES_CHANGED } from '../workshops/company.ts'
import { createApiToken, deleteApiToken, forgetApiTokens, listApiTokens } from './api-tokens.ts'
import { demoEntries, enterDemo } from './demo.ts'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
  waysToConfirm,
} from './factors.ts'
import { readLink, useLink } from './links.ts'
import {
  beginEntry,
  beginLink,
  closeSecretsJob,
  describeDoor,
  finishEntry,
  finishLink,
  getProvider,
  ownLink,
  removeLink,
  removeProvider,
  setProvider,
} from './oidc.ts'
import {
  changePassword,
  confirmOneself,
  endOtherSessions,
  endSession,
  listSessions,
  preferencesOf,
  updatePreferences,
  updateProfile,
} from './profile.ts'
import { listSecurityEvents, noteOwn } from './security.ts'
import { describeMe, login, logout, sweep } from './sessions.ts'
import { leaveDemo, needsSetUp, setUp } from './set-up.ts'
import { createUser, listUsers, removeFactorsOf, renewLink, requireUser, updateUser } from './users.ts'
import { createView, deleteView, listViews, requireView, updateView } from './views.ts'

export const identityDomain: Domain = {
  routes(bind) {
    bind.public(identity.needsSetUp, async ({ db }) => ({ needed: await needsSetUp(db) }))
    bind.public(identity.demoEntries, ({ db }) => demoEntries(db))
    bind.public(identity.enterDemo, ({ db, body, caller }) => enterDemo(db, body.role, caller))
    bind.inSteps(identity.leaveDemo, ({ step, body }) => leaveDemo(step, body))
    bind.publicInSteps(identity.setUp, ({ step, body, caller }) => setUp(step, body, caller))
    bind.publicInSteps(identity.login, ({ step, body, caller }) => login(step, body, caller))
    bind(identity.logout, ({ db, actor }) => logout(db, actor))
    bind(views.listViews, ({ db, actor }) => listViews(db, actor))
    bind(views.createView, ({ db, actor, body }) => createView(db, actor, body))
    bind(
      views.updateView,
      ({ db, actor, params, body }) => updateView(db, actor, params.id, body),
      ({ db, actor, params }) => requireView(db, actor, params.id),
    )
    bind(views.deleteView, ({ db, actor, params }) => deleteView(db, actor, params.id))
    bind(identity.me, ({ db, actor }) => describeMe(db, actor))
    bind(
      identity.updateProfile,
      ({ db, actor, body }) => updateProfile(db, actor, body),
      ({ db, actor }) => describeMe(db, actor),
    )
    bind.inSteps(identity.changePassword, ({ step, actor, body }) => changePassword(step, actor, body))
    bind(identity.listUsers, ({ db, actor, query }) => listUsers(db, actor, query))
    bind(identity.createUser, ({ db, actor, body }) => createUser(db, actor, body))
    bind(identity.getUser, ({ db, actor, params }) => requireUser(db, actor, params.id))
    bind(
      identity.updateUser,
      ({ db, actor, params, body }) => updateUser(db, actor, params.id, body),
      ({ db, actor, params }) => requireUser(db, actor, params.id, true),
    )
    bind(identity.createLink, ({ db, actor, params }) => renewLink(db, actor, params.id))
    bind.public(identity.readLink, ({ db, body }) => readLink(db, body.token))
    bind.publicInSteps(identity.useLink, ({ step, body, caller }) => useLink(step, body, caller))
    bind(identity.listSessions, ({ db, actor, params }) => listSessions(db, actor, params.id))
    bind(identity.endSession, ({ db, actor, params }) => endSession(db, actor, params.id))
    bind(identity.endOtherSessions, ({ db, actor, query }) =>
      endOtherSessions(db, actor, query.end_api_tokens === 'true'),
    )
    // Only the server writes to the log: what a caller says of an export counts for nothing.
    bind(security.noteExport, async () => undefined)
    bind(security.listEvents, ({ db, actor, query }) => listSecurityEvents(db, actor, query))
    bind(factors.listFactors, ({ db, actor }) => listFactors(db, actor))
    bind(factors.beginTotp, ({ db, actor }) => beginTotp(db, actor))
    bind(factors.confirmTotp, ({ db, actor, body }) => confirmTotp(db, actor, body))
    bind(factors.beginPasskey, ({ db, actor }) => beginPasskey(db, actor))
    bind(factors.addPasskey, ({ db, actor, body }) => addPasskey(db, actor, body))
    bind(factors.renewRecoveryCodes, ({ db, actor }) => renewRecoveryCodes(db, actor))
    bind(factors.removeFactor, ({ db, actor, params }) => removeFactor(db, actor, params.id))
    bind(factors.removeFactorsOf, ({ db, actor, params }) => removeFactorsOf(db, actor, params.id))
    bind(factors.waysToConfirm, ({ db, actor }) => waysToConfirm(db, actor))
    bind.inSteps(factors.confirmOneself, ({ step, actor, body }) => confirmOneself(step, actor, body))
    bind(oidc.getProvider, ({ db, actor }) => getProvider(db, actor))
    bind.inSteps(oidc.setProvider, ({ step, actor, body }) => setProvider(step, actor, body))
    bind(oidc.removeProvider, ({ db, actor }) => removeProvider(db, actor))
    bind.publicInSteps(oidc.describeDoor, ({ step, body }) => describeDoor(step, body.company_id))
    bind.publicInSteps(oidc.begin, ({ step, body, caller }) => beginEntry(step, body.company_id, caller))
    bind.publicInSteps(oidc.finish, ({ step, body, caller }) => finishEntry(step, body.query, caller))
    bind(oidc.ownLink, ({ db, actor }) => ownLink(db, actor))
    bind.inSteps(oidc.beginLink, ({ step, actor }) => beginLink(step, actor))
    bind.inSteps(oidc.finishLink, ({ step, actor, body }) => finishLink(step, actor, body.query))
    bind(oidc.removeLink, ({ db, actor }) => removeLink(db, actor))
    bind(apiTokens.listApiTokens, ({ db, actor }) => listApiTokens(db, actor))
    bind(apiTokens.createApiToken, ({ db, actor, body }) => createApiToken(db, actor, body))
    bind(apiTokens.deleteApiToken, ({ db, actor, params }) => deleteApiToken(db, actor, params.id))
    bind(identity.ownPreferences, ({ db, actor }) => preferencesOf(db, actor, actor.user_id))
    bind(identity.preferencesOf, ({ db, actor, params }) => preferencesOf(db, actor, params.id))
    bind(
      identity.updatePreferences,
      ({ db, actor, body }) => updatePreferences(db, actor, body),
      ({ db, actor }) => preferencesOf(db, actor, actor.user_id),
    )
  },
  messages: {
    oidc_links_subject: { field: 'query', message: 'Otra persona de la empresa ya está vinculada a esa cuenta.' },
    saved_views_name_unique: { field: 'name', message: 'Ya tiene una vista con este nombre.' },
    users_email_unique: { field: 'email', message: 'Ya existe una persona con este correo.' },
    memberships_specialist_unique: { field: 'specialist_id', message: 'Este especialista ya tiene un usuario.' },
  },
  listens: { [ACCESS_RULES_CHANGED]: (db, actor, _ids, why) => noteOwn(db, actor, 'rules', why) },
  jobs: [
    closeSecretsJob,
    {
      name: 'identity-sweep',
      schedule: '17 4 * * *',
      run: (database) =>
        database.write(null, (db) =>
          sweep(db)
            .then(() => forgetApiTokens(db))
            .then(() => undefined),
        ),
    },
  ],
}
