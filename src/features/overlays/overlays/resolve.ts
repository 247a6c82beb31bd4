import type { Actor } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maySee } from './policy.ts'
import { actorIn } from './queries.ts'
import { findOverlay } from './store/overlays.ts'
import type { Overlay } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    overlay: Overlay
  }
}

/**
 * Resolves `:overlay` in an address, a GUID, within the tournament of the address. Without a tournament in the address,
 * it accepts an overlay of any tournament, and also `@token`: the overlay of the presented view token. An overlay that
 * the actor may not see counts as unknown. (D5)
 */
export const resolveOverlay: Resolver = async ({ db, actor, records }, value) => {
  const tournament = records.tournament as Tournament | undefined
  if (tournament === undefined) return resolveAnywhere(db, actor, value)
  const record = isGuid(value) ? await findOverlay(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid || !maySee(actor, record)) throw unknownOverlay()
  return { record }
}

async function resolveAnywhere(db: Db, actor: Actor, value: string) {
  const guid = value === '@token' ? (actor.view?.overlayGuid ?? '') : value
  const record = isGuid(guid) ? await findOverlay(db, normaliseGuid(guid)) : undefined
  const there = record === undefined ? undefined : await actorIn(db, actor, record.tournamentGuid)
  if (record === undefined || there === undefined || !maySee(there, record)) throw unknownOverlay()
  return { record, actor: there, tournament: record.tournamentGuid }
}

export function unknownOverlay() {
  return missing('overlay.unknown', 'There is no such overlay.')
}
