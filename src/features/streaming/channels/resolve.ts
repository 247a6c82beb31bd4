import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownChannel } from './rules.ts'
import { findChannel } from './store.ts'
import type { Channel } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    channel: Channel
  }
}

/** Resolves `:channel` in a path, within the tournament named before it. */
export const resolveChannel: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findChannel(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid) throw unknownChannel()
  return { record }
}
