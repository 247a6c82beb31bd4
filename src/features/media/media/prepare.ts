import type { Actor, SignedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { isForOverlays, type MediaKind, mediaKinds } from '../../../core/media.ts'
import { forbidden, invalid, missing } from '../../../core/problem.ts'
import type { StoredUpload } from '../../../core/uploads.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Decoded } from '../../../infra/decoder/requests.ts'
import { notPossibleInRehearsals } from '../../../infra/http/refusals.ts'
import { storeObject } from '../../../infra/media/objects/keep.ts'
import { dyingAt } from '../../../infra/storage/steps.ts'
import type { Services } from '../../../services.ts'
import { resolvePlatform } from '../../listing/platforms/resolve.ts'
import { findTeam, findTeamByGuid } from '../../teams/teams/store/teams.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import type { UploadBody } from './bodies.ts'
import { mayUpload } from './policy.ts'
import { checkRoom, faultOf, missingField, quotaOf, roomOf } from './rules.ts'
import { findSameUpload, isBlocked } from './store/media.ts'
import { isEditorOfOverlay } from './store/overlay-editors.ts'
import { readUsed } from './store/quotas.ts'
import type { Target } from './types.ts'

/** Steps before the transaction of an upload: reads the target, decodes the file and stores it. */

export const blockedUpload = () => invalid('media.blocked', 'This file was taken down, and is not taken again.')

/**
 * Returns the target of an upload once the received fields determine it, otherwise null. So a caller without the right
 * is refused before the file arrives. (M4)
 * @param isWhole whether all fields have arrived
 * @throws Problem `media.field_missing`, `media.kind_forbidden`, `tournament.unknown`, `team.unknown`,
 *   `platform.unknown`
 */
export async function readTarget(
  db: Db,
  actor: SignedIn,
  { kind, ...named }: UploadBody,
  isWhole: boolean,
): Promise<Target | null> {
  if (kind === undefined) return isWhole ? failing(missingField('kind', 'it says what the file is for')) : null
  const place = await readPlace(db, actor, kind, named, isWhole)
  if (place === null) return isWhole ? failing(missingPlace(kind)) : null
  const { tournamentGuid, team, platformGuid } = place
  const isInTournament = tournamentGuid !== null
  const isOverlayEditor =
    isInTournament && isForOverlays(kind) && (await isEditorOfOverlay(db, tournamentGuid, actor.guid))
  if (!mayUpload(place.actor, kind, { team, isInTournament, isOverlayEditor })) {
    throw forbidden('media.kind_forbidden', `You may not upload media of the kind ${kind} there.`)
  }
  return { kind, tournamentGuid, teamGuid: team?.guid ?? null, platformGuid }
}

function failing(problem: Error): never {
  throw problem
}

function missingPlace(kind: MediaKind) {
  const { target } = mediaKinds[kind]
  const name = target === 'team' ? 'team' : target === 'platform' ? 'platform' : 'tournament'
  return missingField(name, `media of the kind ${kind} belong to one${name === 'team' ? ', in a tournament' : ''}`)
}

type Named = Omit<UploadBody, 'kind'>

/** Returns null while the field is missing. Ignores fields that the kind does not need. */
async function readPlace(
  db: Db,
  actor: SignedIn,
  kind: MediaKind,
  { tournament, team, platform }: Named,
  isWhole: boolean,
) {
  const nowhere = { actor: actor as Actor, tournamentGuid: null, team: null, platformGuid: null }
  switch (mediaKinds[kind].target) {
    case 'user':
      return nowhere
    case 'library':
      if (kind !== 'badge_image') return nowhere
      if (tournament !== undefined) return inTournament(db, actor, tournament)
      // For a tournament's badge, the field `tournament` may still arrive.
      return isWhole ? nowhere : null
    case 'tournament':
      return tournament === undefined ? null : inTournament(db, actor, tournament)
    case 'team':
      return team === undefined ? null : inTeam(db, actor, tournament, team)
    case 'platform': {
      if (platform === undefined) return null
      const seen = await resolvePlatform({ db, actor, records: {}, query: {} }, platform)
      const { guid } = seen.record as { readonly guid: string }
      return { ...nowhere, actor: seen.actor ?? actor, platformGuid: guid }
    }
  }
}

async function inTournament(db: Db, actor: SignedIn, identifier: string) {
  const seen = await resolveTournament({ db, actor, records: {}, query: {} }, identifier)
  // A medium would be its owner's, too.
  if (seen.isRehearsal === true) throw notPossibleInRehearsals()
  const { guid } = seen.record as { readonly guid: string }
  return { actor: seen.actor ?? actor, tournamentGuid: guid, team: null, platformGuid: null }
}

/** A team is given by its GUID, or by its short ID together with its tournament. */
async function inTeam(db: Db, actor: SignedIn, tournament: string | undefined, identifier: string) {
  const named = tournament === undefined ? undefined : await inTournament(db, actor, tournament)
  if (named === undefined && !isGuid(identifier)) return null
  const found =
    named === undefined
      ? await findTeamByGuid(db, normaliseGuid(identifier))
      : await findTeam(db, named.tournamentGuid, identifier)
  if (found === undefined) throw unknownTeam()
  // A team of a hidden tournament is hidden, too.
  const place = named ?? (await inTournament(db, actor, found.tournamentGuid).catch(() => failing(unknownTeam())))
  return { ...place, team: { guid: found.guid, captainGuid: found.captainGuid } }
}

function unknownTeam() {
  return missing('team.unknown', 'There is no such team.')
}

/** The result of an upload: a stored file, or the GUID of the equal medium that its owner has already. */
export type Kept = { readonly same: string } | { readonly decoded: Decoded; readonly file: string }

/**
 * Decodes, re-encodes and stores a file before its row is inserted, so that a row never lacks its object. If the upload
 * is refused later, the sweep deletes the object. (M6, M12)
 * @throws Problem `media.blocked`, the problems of decoding, `media.quota_exceeded`, `service.busy`
 */
export async function decodeAndStoreUpload(
  db: Db,
  actor: SignedIn,
  target: Target,
  upload: StoredUpload,
  services: Services,
): Promise<Kept> {
  const reached = dyingAt(services.config.media.diesAfter)
  reached('received')
  if (await isBlocked(db, upload.digest)) throw blockedUpload()
  const same = await findSameUpload(db, upload.digest, actor.guid, target)
  if (same !== null) return { same }
  const made = upload.beside('made')
  const decoded = await services.decoder.decode(target.kind, upload.path, made, actor.guid)
  if ('fault' in decoded) throw faultOf(decoded.fault, target.kind)
  reached('decoded')
  // The transaction checks the quota again under a lock. This check avoids storing files that exceed it.
  const room = roomOf(target, actor.guid)
  checkRoom(quotaOf(room.of, services.config.media.quotas), await readUsed(db, room.guid), decoded.bytes)
  await storeObject(services.storage, decoded, made, upload.beside('kept'))
  return { decoded, file: made }
}
