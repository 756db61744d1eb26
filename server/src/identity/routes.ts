import { identity } from '#contract/identity.ts'
import type { Domain } from '../platform/domain.ts'
import { describeMe, login, logout, sweep } from './sessions.ts'

export const identityDomain: Domain = {
  routes(bind) {
    bind.public(identity.login, ({ db, body, caller }) => login(db, body, caller))
    bind(identity.logout, ({ db, actor }) => logout(db, actor))
    bind(identity.me, ({ db, actor }) => describeMe(db, actor))
  },
  messages: {
    users_email_unique: { field: 'email', message: 'Ya existe una persona con este correo.' },
  },
  jobs: [{ name: 'identity-sweep', schedule: '17 4 * * *', run: (database) => database.write(null, sweep) }],
}
