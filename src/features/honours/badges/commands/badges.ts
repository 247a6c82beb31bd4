import { membersOf } from '../../../../core/events.ts'
import { missing, type Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readTexts } from '../rules/badges.ts'
import { insertBadge, keepTournament } from '../store/badges.ts'
import { type Badge, badgeSettings, type NewBadge } from '../types.ts'
import { readPicture, usePicture } from './pictures.ts'

/** What a change is made in, beside the database. */
export interface Surroundings {
  readonly mediaUrl: string
  readonly now: Date
}

/**
 * Makes a badge with its picture, which is from then on in use; nobody holds it yet. Call it with the tournament or edition locked
 * where that is locked at all, and before any badge is. (badges: Records; M25)
 * @param badge `pictureOwners` are those whose pictures it may show beside those of `by`: whoever asked for it
 * @param by GUID of whoever makes it; null for the service itself
 * @throws Problem `badge.invalid`, `media.reference_invalid`, `tournament.unknown`
 */
export async function makeBadge(
  tx: Tx,
  { pictureOwners = [], ...badge }: NewBadge & { readonly pictureOwners?: readonly string[] },
  by: string | null,
  { mediaUrl, now }: Surroundings,
): Promise<Badge> {
  const texts = readTexts(badge)
  const { mediaGuid, tournamentGuid = null } = badge
  if (tournamentGuid !== null && !(await keepTournament(tx, tournamentGuid))) throw unknownTournament()
  const owners = by === null ? pictureOwners : [by, ...pictureOwners]
  const imageUrl = await readPicture(tx, mediaUrl, mediaGuid, { owners, tournamentGuid })
  const made = await insertBadge(tx, { ...badge, ...texts, imageUrl, createdBy: by }, now)
  await usePicture(tx, made.guid, mediaGuid, now)
  emit(tx, { type: 'badge.created', subject: made.guid, actor: by, after: membersOf(made, badgeSettings) })
  return made
}

export function unknownTournament(): Problem {
  return missing('tournament.unknown', 'There is no such tournament.')
}
