import type { Slice } from '../../slice.ts'
import { userMediaFields } from './commands/media.ts'
import { usersConstraints } from './constraints.ts'
import { usersEvents } from './events.ts'
import { resolveIdentity, resolveUser, userProblems } from './resolve.ts'
import { identitiesOperations } from './routes/identities.ts'
import { operationsOverProfile, usersOperations } from './routes/users.ts'
import { usersPersonalData } from './store/personal-data.ts'
import { setMissingBios } from './store/users.ts'

export const users: Slice = {
  name: 'users',
  tags: {
    users: 'Profiles: the public ones, the caller’s own, and how they are found.',
    identities: 'Accounts on ranking and streaming platforms, claimed and proven.',
  },
  operations: [...usersOperations, ...identitiesOperations],
  overProfile: operationsOverProfile,
  parameters: {
    user: {
      description: 'GUID, chat-platform ID or verified ranking ID of a user, or `@me` for the caller.',
      resolve: resolveUser,
      problems: userProblems,
    },
    platformId: { description: 'ID of an account on one of the ranking platforms, 1 to 20 digits.' },
    identity: {
      description: 'The platform of the account: `ranking-a`, `ranking-b` or `streaming`.',
      resolve: resolveIdentity,
      problems: { 'identity.platform_invalid': 'invalid' },
    },
  },
  constraints: usersConstraints,
  events: usersEvents,
  mediaFields: userMediaFields,
  personalData: usersPersonalData,
  start: async ({ database }) => {
    while (await database.transaction(setMissingBios)) {}
  },
}
