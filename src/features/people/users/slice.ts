import type { Slice } from '../../slice.ts'
import { usersConstraints } from './constraints.ts'
import { usersEvents } from './events.ts'
import { resolveIdentity, resolveUser } from './resolve.ts'
import { identitiesOperations } from './routes/identities.ts'
import { operationsOverProfile, usersOperations } from './routes/users.ts'
import { usersPersonalData } from './store/personal-data.ts'
import { setMissingBios } from './store/users.ts'

export const users: Slice = {
  name: 'users',
  operations: [...usersOperations, ...identitiesOperations],
  overProfile: operationsOverProfile,
  resolvers: { user: resolveUser, identity: resolveIdentity },
  constraints: usersConstraints,
  events: usersEvents,
  personalData: usersPersonalData,
  start: async ({ database }) => {
    while (await database.transaction(setMissingBios)) {}
  },
}
