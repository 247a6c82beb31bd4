import type { Actor } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { findTeamOfUser } from '../../teams/teams/store/teams.ts'
import type { Team } from '../../teams/teams/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { maySeeSheet } from './policy.ts'
import { findSheet } from './store/sheets.ts'
import type { Sheet } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    sheet: Sheet
  }
}

/**
 * Resolves `:sheet` in a path, within the tournament named before it. A sheet that the actor may not see is unknown.
 * (D5)
 */
export const resolveSheet: Resolver = async ({ db, actor, records }, value) => {
  const { guid: tournamentGuid } = records.tournament as Tournament
  if (!isGuid(value)) throw unknownSheet()
  const [record, captained] = await Promise.all([
    findSheet(db, normaliseGuid(value)),
    findCaptained(db, tournamentGuid, actor),
  ])
  if (record?.tournamentGuid !== tournamentGuid || !maySeeSheet(actor, record, captained)) throw unknownSheet()
  return { record }
}

/** The team that the actor captains; null if there is none. */
export async function findCaptained(
  db: Db,
  tournamentGuid: string,
  { guid }: Pick<Actor, 'guid'>,
): Promise<Team | null> {
  if (guid === null) return null
  const team = await findTeamOfUser(db, tournamentGuid, guid)
  return team?.captainGuid === guid ? team : null
}

export function unknownSheet() {
  return missing('sheet.unknown', 'There is no such availability sheet in this tournament.')
}
