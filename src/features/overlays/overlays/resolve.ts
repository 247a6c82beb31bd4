import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maySee } from './policy.ts'
import { findOverlay } from './store/overlays.ts'
import type { Overlay } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    overlay: Overlay
  }
}

/** `:overlay` in an address, by GUID, in the tournament that stands before it. One that the actor may not see does not exist. (D5) */
export const resolveOverlay: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findOverlay(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid || !maySee(actor, record)) throw unknownOverlay()
  return { record }
}

export function unknownOverlay() {
  return missing('overlay.unknown', 'There is no such overlay.')
}
