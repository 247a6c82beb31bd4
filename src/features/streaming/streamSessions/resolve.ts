import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { findSession } from './store/sessions.ts'
import type { StreamSession } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    streamSession: StreamSession
  }
}

/** Resolves `:streamSession` in a path, within the tournament named before it, if there is one. (D5) */
export const resolveStreamSession: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament | undefined
  const record = isGuid(value) ? await findSession(db, normaliseGuid(value)) : undefined
  if (record === undefined || (tournament !== undefined && record.tournamentGuid !== tournament.guid)) {
    throw missing('stream_session.unknown', 'There is no such stream session.')
  }
  return { record }
}
