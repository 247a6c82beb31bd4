import { sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db/database.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { isDraft, tournaments } from '../../tournaments/tournaments/tables.ts'
import type { PastMatch } from './types.ts'

/** The newest matches tell most, and more do not change the answer. */
const mostMatches = 2_000
const mostTournaments = 50

const played = sql`${matches.status} = 'completed' and ${matches.outcome} in ('score', 'draw')
  and ${matches.startedAt} < ${matches.completedAt}`
const columns = sql`${matches.bestOf} as "bestOf",
  extract(epoch from ${matches.completedAt} - ${matches.startedAt})::int as seconds`

/** Only matches that were over by then, if an instant is given. */
const overBy = (instant: Date | null) => sql`(${instant?.toISOString() ?? null}::timestamptz is null
  or ${matches.completedAt} < ${instant?.toISOString() ?? null}::timestamptz)`

/**
 * How long the matches of a tournament took that were played, the newest first.
 * @param by the matches that were over by then; null for all
 */
export async function listOwnDurations(
  db: Db,
  tournamentGuid: string,
  by: Date | null = null,
): Promise<readonly PastMatch[]> {
  const { rows } = await db.session.orm.execute<PastMatch & Record<string, unknown>>(sql`
    select ${columns} from ${matches}
    where ${matches.tournamentGuid} = ${tournamentGuid} and ${played} and ${overBy(by)}
    order by ${matches.completedAt} desc, ${matches.guid} limit ${mostMatches}`)
  return rows
}

/**
 * The same of the newest tournaments of an organiser. Drafts do not count, since not all staff of a tournament may know
 * the drafts of its organiser.
 */
export async function listPastDurations(
  db: Db,
  organiserGuid: string,
  by: Date | null = null,
): Promise<readonly PastMatch[]> {
  const { rows } = await db.session.orm.execute<PastMatch & Record<string, unknown>>(sql`
    select ${columns} from ${matches}
    where ${matches.tournamentGuid} = any(array(
        select ${tournaments.guid} from ${tournaments}
        where ${tournaments.organiserGuid} = ${organiserGuid} and not (${isDraft(tournaments)})
        order by ${tournaments.createdAt} desc limit ${mostTournaments}))
      and ${played} and ${overBy(by)}
    order by ${matches.completedAt} desc, ${matches.guid} limit ${mostMatches}`)
  return rows
}
