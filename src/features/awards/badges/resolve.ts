import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { unknownBadge } from './rules/badges.ts'
import { findBadge } from './store/badges.ts'
import type { Badge } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    badge: Badge
  }
}

/** Resolves `:badge` in a path, by GUID. */
export const resolveBadge: Resolver = async ({ db }, value) => {
  const record = isGuid(value) ? await findBadge(db, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownBadge()
  return { record }
}
