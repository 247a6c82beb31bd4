import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { findPlatformFor } from './store.ts'
import type { Platform } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    platform: Platform
  }
}

/**
 * Resolves `:platform` in an address, a context id in any case, together with the actor's role on the platform. (D6)
 */
export const resolvePlatform: Resolver = async ({ db, actor }, value) => {
  const seen = await findPlatformFor(db, value, actor.guid)
  if (seen === undefined) throw missing('platform.unknown', 'There is no such platform.')
  return { record: seen.platform, actor: { ...actor, platformRole: seen.role } }
}
