import type { Slice } from '../../slice.ts'
import { usersConstraints } from './constraints.ts'
import { resolveUser } from './resolve.ts'
import { usersOperations } from './routes/users.ts'
import { usersPersonalData } from './store/personal-data.ts'

export const users: Slice = {
  name: 'users',
  operations: usersOperations,
  resolvers: { user: resolveUser },
  constraints: usersConstraints,
  personalData: usersPersonalData,
}
