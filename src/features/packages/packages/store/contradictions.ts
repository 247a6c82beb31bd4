import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { bracketEntrants, brackets } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'

export interface Contradiction {
  readonly kind: string
  readonly member: string
  /** The members that identify the row. */
  readonly of: Readonly<Record<string, string>>
  /** The end of a sentence about the member. */
  readonly words: string
}

interface Check {
  readonly kind: string
  readonly member: string
  readonly words: string
  /** A query of the GUIDs that identify wrong rows. */
  readonly wrong: SQL
  /** The member with that GUID; by default, `guid`. */
  readonly by?: string
}

/** A row of an imported tournament that contradicts another one; undefined where none does. (P6) */
export async function findContradiction(tx: Tx, tournament: string): Promise<Contradiction | undefined> {
  const checks = checksOf(tournament)
  const found = checks.map(
    ({ wrong }, index) => sql`(select ${index}::int as "index", w.guid from (${wrong}) w (guid) limit 1)`,
  )
  const { rows } = await tx.session.orm.execute<{ index: number; guid: string }>(
    sql`${sql.join(found, sql` union all `)} order by 1 limit 1`,
  )
  const [first] = rows
  const check = first && checks[first.index]
  if (first === undefined || check === undefined) return undefined
  const { kind, member, words, by = 'guid' } = check
  return { kind, member, words, of: { [by]: first.guid } }
}

function checksOf(tournament: string): readonly Check[] {
  const ofMatches = (condition: SQL) =>
    sql`select m.guid from ${matches} m where m.tournament_guid = ${tournament} and ${condition}`
  const inBracket = (column: string) => sql`${sql.raw(`m.${column}`)} is not null and not exists (
    select from ${matches} n where n.guid = ${sql.raw(`m.${column}`)} and n.bracket_guid = m.bracket_guid)`
  const entered = (column: string) => sql`${sql.raw(`m.${column}`)} is not null and not exists (
    select from ${bracketEntrants} e where e.bracket_guid = m.bracket_guid and e.team_guid = ${sql.raw(`m.${column}`)})`
  const match = (member: string, words: string, condition: SQL): Check => ({
    ...{ kind: 'matches', member, words },
    wrong: ofMatches(condition),
  })
  /** Placeholders `p` whose attempts `a` have come in. */
  const ofPlaceholders = (guid: SQL, condition: SQL) => sql`select ${guid} from ${qualifierAttempts} a
    join ${qualifiers} q on q.guid = a.qualifier_guid
    join ${qualifierAttempts} p on p.qualifier_guid = a.qualifier_guid and p.source = a.source
      and p.external_id = a.external_id and p.completion = 'placeholder'
    where q.tournament_guid = ${tournament} and a.completion <> 'placeholder' and ${condition}`
  return [
    match(
      'divisionGuid',
      'is not that of its bracket',
      sql`exists (select from ${brackets} b where b.guid = m.bracket_guid and b.division_guid <> m.division_guid)`,
    ),
    match('nextMatchGuid', 'leads to no match of its bracket', inBracket('next_match_guid')),
    match('loserMatchGuid', 'leads to no match of its bracket', inBracket('loser_match_guid')),
    match('team1Guid', 'is no entrant of its bracket', entered('team1_guid')),
    match('team2Guid', 'is no entrant of its bracket', entered('team2_guid')),
    match('sides', 'must be two', sql`jsonb_array_length(m.sides) <> 2`),
    {
      ...{ kind: 'games', member: 'scores', by: 'matchGuid', words: 'cannot be, with the winner of one of the games' },
      wrong: ofMatches(
        sql`jsonb_path_exists(m.games, '$[*] ? (@.scores.size() != 2 || @.winner < 0 || @.winner > 1)')`,
      ),
    },
    {
      ...{ kind: 'attempts', member: 'mapGuid', words: 'is no map of its qualifier' },
      wrong: sql`select a.guid from ${qualifierAttempts} a
        join ${qualifiers} q on q.guid = a.qualifier_guid join ${qualifierMaps} p on p.guid = a.map_guid
        where q.tournament_guid = ${tournament} and p.qualifier_guid <> a.qualifier_guid`,
    },
    {
      ...{
        kind: 'attempts',
        member: 'externalId',
        words: 'is that of a placeholder of another player, or on another map',
      },
      wrong: ofPlaceholders(sql`a.guid`, sql`(p.user_guid, p.map_guid) <> (a.user_guid, a.map_guid)`),
    },
    {
      ...{ kind: 'attempts', member: 'voidedAt', words: 'must be a time, since the attempt itself is there' },
      wrong: ofPlaceholders(sql`p.guid`, sql`p.voided_at is null`),
    },
    {
      ...{
        kind: 'attempts',
        member: 'voidedAt',
        words: 'must be a time, because of who made the attempt void, or why',
      },
      wrong: sql`select a.guid from ${qualifierAttempts} a join ${qualifiers} q on q.guid = a.qualifier_guid
        where q.tournament_guid = ${tournament} and a.voided_at is null
          and (a.void_reason is not null or a.voided_by_guid is not null)`,
    },
  ]
}
