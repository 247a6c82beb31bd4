import { firstParty, type Policy } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { forbidden, missing, type Problem } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import type { User } from '../../people/users/types.ts'
import { findKey } from './store.ts'
import type { StreamKey } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    streamKey: StreamKey
  }
}

/**
 * Resolves `:streamKey` in a path: one of the caller's own keys or, after a user in the path, a key of that user for
 * administrators. A caller without the right gets the same error for every key. (D5, D40)
 */
export const resolveStreamKey: Resolver = async ({ db, actor, records }, value) => {
  const user = records.user as User | undefined
  const policy: Policy = user === undefined ? firstParty : ownersAndDevelopers
  if (!policy.allows(actor, {})) throw forbidden('role.missing', `Only ${policy.who} may do this.`)
  const owner = user?.guid ?? actor.guid
  const record = owner !== null && isGuid(value) ? await findKey(db, owner, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownKey()
  return { record }
}

export function unknownKey(): Problem {
  return missing('stream_key.unknown', 'There is no such stream key.')
}
