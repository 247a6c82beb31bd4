import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownAssignment } from './rules.ts'
import { findAssignment } from './store.ts'
import type { ListedAssignment } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    assignment: ListedAssignment
  }
}

/** Resolves `:assignment` in a path, within the tournament named before it. */
export const resolveAssignment: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findAssignment(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid) throw unknownAssignment()
  return { record }
}
