import type { Slice } from '../../slice.ts'
import { identitiesOperations } from '../users/routes/identities.ts'
import { resolveIdentity } from './resolve.ts'

export const identities: Slice = {
  name: 'identities',
  operations: identitiesOperations,
  resolvers: { identity: resolveIdentity },
}
