import type { Slice } from '../../slice.ts'
import { resolveIdentity } from './resolve.ts'
import { identitiesOperations } from './routes.ts'

export const identities: Slice = {
  name: 'identities',
  operations: identitiesOperations,
  resolvers: { identity: resolveIdentity },
}
