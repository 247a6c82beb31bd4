import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db/database.ts'
import { eventLog } from '../../../infra/events/tables.ts'
import { media } from '../../../infra/media/tables.ts'
import { brackets, divisions } from '../../brackets/brackets/tables.ts'
import { matches } from '../../brackets/matches/tables.ts'
import type { ChangesSince, ComparedBracket, ComparedMedium } from './types.ts'

/** Lists the brackets that have matches, with these by number. */
export async function listBrackets(db: Db, tournamentGuid: string): Promise<readonly ComparedBracket[]> {
  const [found, all] = await Promise.all([
    db.session.orm
      .select({
        guid: brackets.guid,
        tournamentGuid: brackets.tournamentGuid,
        division: divisions.id,
        format: brackets.format,
        settings: brackets.settings,
      })
      .from(brackets)
      .innerJoin(divisions, eq(divisions.guid, brackets.divisionGuid))
      .where(eq(brackets.tournamentGuid, tournamentGuid))
      .orderBy(asc(divisions.order), asc(divisions.id), asc(brackets.order), asc(brackets.createdAt)),
    db.session.orm
      .select({
        bracketGuid: matches.bracketGuid,
        guid: matches.guid,
        number: matches.number,
        section: matches.section,
        round: matches.round,
        groupIndex: matches.groupIndex,
        status: matches.status,
        started: matches.started,
        scheduledAt: matches.scheduledAt,
      })
      .from(matches)
      .where(eq(matches.tournamentGuid, tournamentGuid))
      .orderBy(asc(matches.number)),
  ])
  const byBracket = Map.groupBy(all, ({ bracketGuid }) => bracketGuid)
  return found.flatMap((bracket) => {
    const own = byBracket.get(bracket.guid)
    return own === undefined ? [] : [{ ...bracket, matches: own }]
  })
}

/** Lists the named media, and media of the tournament with the same content. */
export async function listMedia(
  db: Db,
  named: readonly string[],
  tournamentGuid: string,
): Promise<readonly ComparedMedium[]> {
  if (named.length === 0) return []
  const given = sql`${sql.param([...named])}::uuid[]`
  return db.session.orm
    .select({
      guid: media.guid,
      digest: sql<string>`encode(${media.digest}, 'hex')`,
      tournamentGuid: media.tournamentGuid,
    })
    .from(media)
    .where(
      sql`${media.guid} = any(${given}) or (${media.tournamentGuid} = ${tournamentGuid}
        and ${media.digest} in (select m.digest from ${media} m where m.guid = any(${given})))`,
    )
    .orderBy(asc(media.guid))
}

/** When something in the tournament was last changed, to the millisecond; null if nothing was. */
export async function findLastChange(db: Db, tournamentGuid: string): Promise<Date | null> {
  const [row] = await db.session.orm
    .select({ at: eventLog.at })
    .from(eventLog)
    .where(eq(eventLog.tournament, tournamentGuid))
    .orderBy(desc(eventLog.seq))
    .limit(1)
  return row?.at ?? null
}

/** Finds out which of these records were changed in the tournament after the millisecond. */
export async function findChangesSince(
  db: Db,
  tournamentGuid: string,
  since: Date,
  { brackets: ofBrackets, matches: ofMatches }: Pick<ChangesSince, 'brackets' | 'matches'>,
): Promise<ChangesSince> {
  const { rows } = await db.session.orm.execute<Changes>(sql`
    with since as materialized (
      select e.type, e.subject, e.touches from ${eventLog} e
      where e.tournament = ${tournamentGuid} and date_trunc('milliseconds', e.at) > ${since.toISOString()}::timestamptz)
    select exists (select from since where type = 'tournament.updated') as settings,
      exists (select from since where type = 'channels.replaced') as channels,
      array(select distinct subject::text from since
        where subject = any(${sql.param([...ofBrackets])}::uuid[])) as brackets,
      array(select distinct touched from since cross join unnest(touches) as touched
        where touched = any(${sql.param([...ofMatches])}::text[])) as matches`)
  const [found] = rows
  if (found === undefined) throw new Error('an aggregate has no row')
  return { ...found, brackets: new Set(found.brackets), matches: new Set(found.matches) }
}

type Changes = Pick<ChangesSince, 'settings' | 'channels'> & Record<'brackets' | 'matches', readonly string[]>
