import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { assistantPlays, gameProposals } from '../../../assistant/proposals/tables.ts'
import { awardNominations, awardNominees } from '../../../awards/awards/tables.ts'
import { badgeRequests } from '../../../awards/badgeRequests/tables.ts'
import { badgeGrants } from '../../../awards/badges/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { qualifierAttempts, qualifierUnmatched } from '../../../brackets/qualifiers/tables.ts'
import { corrections } from '../../../brackets/results/tables.ts'
import { flowRows, flowSessions } from '../../../flows/flowSessions/tables.ts'
import { streamAssignments } from '../../../streaming/streamAssignments/tables.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { importedPeople } from '../../../teams/teamImports/tables.ts'
import { fieldAnswers, teamMembers, teams, teamWithdrawals } from '../../../teams/teams/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { Moved, Place } from '../types.ts'

/**
 * The places of a person who has not signed in, which the person's account takes over. They have
 * done nothing themselves, so that only what others wrote about them is listed. This is the one place where rows of
 * other slices are changed: a person is the same person in all of them, in one transaction.
 */

/** A column that names users. */
interface Named {
  readonly table: PgTable
  readonly column: PgColumn
  /** What tells the row from others of its table. */
  readonly key: SQL
  /** Rows that stay with the placeholder, since the account has such a row itself. `$to` is the account. */
  readonly unless?: (to: string) => SQL
}

/** A column whose text names users by GUID: JSON of records of tournaments, or a list. */
interface Told {
  readonly table: PgTable
  readonly column: PgColumn
  readonly key: SQL
  /** Whether the row is of one of the tournaments. */
  readonly within: (tournamentGuids: SQL) => SQL
  /** Of a list; JSON otherwise. */
  readonly type?: SQL
}

const named: Readonly<Record<string, Named>> = {
  captains: { table: teams, column: teams.captainGuid, key: sql`${teams.guid}` },
  members: { table: teamMembers, column: teamMembers.userGuid, key: sql`${teamMembers.teamGuid}` },
  answers: { table: fieldAnswers, column: fieldAnswers.userGuid, key: sql`${fieldAnswers.guid}` },
  appearances: { table: appearances, column: appearances.userGuid, key: sql`${appearances.tournamentGuid}` },
  mentions: {
    table: importedPeople,
    column: importedPeople.userGuid,
    key: sql`(${importedPeople.teamGuid} || ' ' || ${importedPeople.mention})`,
  },
  attempts: { table: qualifierAttempts, column: qualifierAttempts.userGuid, key: sql`${qualifierAttempts.guid}` },
  unmatched: {
    table: qualifierUnmatched,
    column: qualifierUnmatched.userGuid,
    key: sql`(${qualifierUnmatched.qualifierGuid} || ' ' || ${qualifierUnmatched.position})`,
  },
  badges: {
    table: badgeGrants,
    column: badgeGrants.userGuid,
    key: sql`${badgeGrants.guid}`,
    unless: (to) => sql`exists (
      select from ${badgeGrants} own where own.user_guid = ${to} and own.badge_guid = ${badgeGrants.badgeGuid}
        and own.revoked_at is null)`,
  },
  nominees: { table: awardNominees, column: awardNominees.targetGuid, key: sql`${awardNominees.guid}` },
  nominations: {
    table: awardNominations,
    column: awardNominations.targetGuid,
    key: sql`${awardNominations.guid}`,
    unless: (to) => sql`exists (
      select from ${awardNominations} own where own.category_guid = ${awardNominations.categoryGuid}
        and own.user_guid = ${awardNominations.userGuid} and own.target_guid = ${to})`,
  },
  streams: { table: streamAssignments, column: streamAssignments.userGuid, key: sql`${streamAssignments.guid}` },
}

const json = sql`jsonb`
const of = (column: PgColumn) => (guids: SQL) => sql`${column} = any(${guids})`

const told: Readonly<Record<string, Told>> = {
  games: { table: matches, column: matches.games, key: sql`${matches.guid}`, within: of(matches.tournamentGuid) },
  correctedFrom: {
    ...{ table: corrections, column: corrections.before, key: sql`${corrections.guid}` },
    within: of(corrections.tournamentGuid),
  },
  correctedTo: {
    ...{ table: corrections, column: corrections.after, key: sql`${corrections.guid}` },
    within: of(corrections.tournamentGuid),
  },
  returns: {
    ...{ table: corrections, column: corrections.returned, key: sql`${corrections.guid}` },
    within: of(corrections.tournamentGuid),
  },
  withdrawals: {
    ...{ table: teamWithdrawals, column: teamWithdrawals.state, key: sql`${teamWithdrawals.teamGuid}` },
    within: (guids) =>
      sql`${teamWithdrawals.teamGuid} in (select t.guid from ${teams} t where t.tournament_guid = any(${guids}))`,
  },
  speakers: {
    ...{ table: flowSessions, column: flowSessions.speakers, key: sql`${flowSessions.guid}` },
    within: of(flowSessions.tournamentGuid),
  },
  flowRows: {
    ...{ table: flowRows, column: flowRows.data, key: sql`(${flowRows.sessionGuid} || ' ' || ${flowRows.position})` },
    within: (guids) =>
      sql`${flowRows.sessionGuid} in (select f.guid from ${flowSessions} f where f.tournament_guid = any(${guids}))`,
  },
  nomineesMembers: {
    ...{ table: awardNominees, column: awardNominees.members, key: sql`${awardNominees.guid}` },
    ...{ within: () => sql`${awardNominees.members} <> '{}'`, type: sql`uuid[]` },
  },
  nominationsMembers: {
    ...{ table: awardNominations, column: awardNominations.members, key: sql`${awardNominations.guid}` },
    ...{ within: () => sql`${awardNominations.members} <> '{}'`, type: sql`uuid[]` },
  },
  badgeRequests: {
    ...{ table: badgeRequests, column: badgeRequests.badges, key: sql`${badgeRequests.guid}` },
    within: of(badgeRequests.tournamentGuid),
  },
  expected: {
    ...{ table: assistantPlays, column: assistantPlays.expected, key: sql`${assistantPlays.guid}` },
    within: of(assistantPlays.tournamentGuid),
  },
  proposals: {
    ...{ table: gameProposals, column: gameProposals.players, key: sql`${gameProposals.guid}` },
    within: of(gameProposals.tournamentGuid),
  },
}

/** Gives everything that names `from` to `to`, in these tournaments, which are locked. Returns the changed rows. */
export async function movePlaces(
  tx: Tx,
  {
    from,
    to,
    tournamentGuids,
  }: { readonly from: string; readonly to: string; readonly tournamentGuids: readonly string[] },
): Promise<Moved> {
  const moved: Record<string, string[]> = {}
  const within = sql`${sql.param([...tournamentGuids])}::uuid[]`
  for (const [name, { table, column, key, unless }] of Object.entries(named)) {
    const stays = unless === undefined ? sql`true` : sql`not ${unless(to)}`
    moved[name] = await keysOf(
      tx,
      sql`update ${table} set ${bare(column)} = ${to} where ${column} = ${from} and ${stays} returning ${key}::text as key`,
    )
  }
  for (const [name, { table, column, key, within: isWithin, type = json }] of Object.entries(told)) {
    moved[name] = await keysOf(
      tx,
      sql`update ${table} set ${bare(column)} = replace(${column}::text, ${from}, ${to})::${type}
        where ${isWithin(within)} and position(${from} in ${column}::text) > 0 returning ${key}::text as key`,
    )
  }
  return Object.fromEntries(Object.entries(moved).filter(([, keys]) => keys.length > 0))
}

/** Gives back what was moved, except what `from` no longer has. */
export async function movePlacesBack(tx: Tx, moved: Moved, from: string, to: string): Promise<void> {
  for (const [name, keys] of Object.entries(moved)) {
    const isMoved = (key: SQL) => sql`${key}::text = any(${sql.param([...keys])}::text[])`
    const place = named[name]
    if (place !== undefined) {
      const { table, column, key } = place
      await tx.session.orm.execute(
        sql`update ${table} set ${bare(column)} = ${to} where ${column} = ${from} and ${isMoved(key)}`,
      )
    }
    const text = told[name]
    if (text !== undefined) {
      const { table, column, key, type = json } = text
      await tx.session.orm.execute(
        sql`update ${table} set ${bare(column)} = replace(${column}::text, ${from}, ${to})::${type} where ${isMoved(key)}`,
      )
    }
  }
}

/** The name of a column without its table, as `set` wants it. */
function bare({ name }: PgColumn): SQL {
  return sql`${sql.identifier(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))}`
}

async function keysOf(tx: Tx, statement: SQL): Promise<string[]> {
  return (await tx.session.orm.execute<{ key: string }>(statement)).rows.map(({ key }) => key)
}

/** Lists the tournaments in which a person is in a team, has played, or has results in the qualifier. */
export async function listPlaces(db: Db, userGuid: string): Promise<readonly Place[]> {
  const { rows } = await db.session.orm.execute<Place & Record<string, unknown>>(sql`
    select json_build_object('guid', t.guid, 'id', t.id, 'name', t.name) as tournament,
      case when m.guid is not null then json_build_object('guid', m.guid, 'id', m.id, 'name', m.name) end as team,
      coalesce(m.captain_guid = ${userGuid}, false) as "isCaptain"
    from ${tournaments} t
    left join lateral (
      select g.guid, g.id, g.name, g.captain_guid from ${teamMembers} p join ${teams} g on g.guid = p.team_guid
      where p.tournament_guid = t.guid and p.user_guid = ${userGuid}) m on true
    where t.guid in (
      select p.tournament_guid from ${teamMembers} p where p.user_guid = ${userGuid}
      union select a.tournament_guid from ${appearances} a where a.user_guid = ${userGuid})
    order by t.created_at, t.guid`)
  return rows
}

/** Whether the user, or a team that they took over, has played in the tournaments since. */
export async function hasPlayedSince(
  db: Db,
  userGuid: string,
  { moved, since }: { readonly moved: Moved; readonly since: Date },
): Promise<boolean> {
  const at = sql`${since.toISOString()}::timestamptz`
  const guids = (keys: readonly string[] = []) => sql`${sql.param([...keys])}::uuid[]`
  const { rows } = await db.session.orm.execute<{ played: boolean }>(sql`
    select exists (
        select from ${matches} m
        where (m.team1_guid = any(${guids(moved.members)}) or m.team2_guid = any(${guids(moved.members)}))
          and (m.started_at > ${at} or (m.completed_at > ${at} and m.started))
      ) or exists (
        select from ${qualifierAttempts} a where a.user_guid = ${userGuid} and a.created_at > ${at} and a.team_guid = any(${guids(moved.members)})
      ) as played`)
  return rows[0]?.played === true
}
