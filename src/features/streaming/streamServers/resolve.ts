import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { forbidden, missing, type Problem } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import { findServer } from './store.ts'
import type { StreamServer } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    streamServer: StreamServer
  }
}

/**
 * Resolves `:streamServer` in a path, for users who manage servers. Other users get the same error for every server.
 * (D5)
 */
export const resolveStreamServer: Resolver = async ({ db, actor }, value) => {
  if (!ownersAndDevelopers.allows(actor, {})) {
    throw forbidden('role.missing', `Only ${ownersAndDevelopers.who} may do this.`)
  }
  const record = isGuid(value) ? await findServer(db, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownServer()
  return { record }
}

export function unknownServer(): Problem {
  return missing('stream_server.unknown', 'There is no such media server.')
}
