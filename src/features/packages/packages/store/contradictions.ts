import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { bracketEntrants, brackets } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { qualifierAttempts, qualifierMaps, qualifiers } from '../../../brackets/qualifiers/tables.ts'

export interface Contradiction {
  readonly kind: string
  readonly member: string
  readonly guid: string
}

/** A row of an imported tournament that contradicts another one; undefined where none does. (P6) */
export async function findContradiction(tx: Tx, tournament: string): Promise<Contradiction | undefined> {
  const ofMatches = sql`from ${matches} m where m.tournament_guid = ${tournament}`
  const inBracket = (guid: string) => sql`${sql.raw(`m.${guid}`)} is not null and not exists (
    select from ${matches} n where n.guid = ${sql.raw(`m.${guid}`)} and n.bracket_guid = m.bracket_guid)`
  const entered = (guid: string) => sql`${sql.raw(`m.${guid}`)} is not null and not exists (
    select from ${bracketEntrants} e where e.bracket_guid = m.bracket_guid and e.team_guid = ${sql.raw(`m.${guid}`)})`
  const { rows } = await tx.session.orm.execute<Contradiction & Record<string, unknown>>(sql`
    select 'matches' as kind, 'divisionGuid' as member, m.guid ${ofMatches} and exists (
      select from ${brackets} b where b.guid = m.bracket_guid and b.division_guid <> m.division_guid)
    union all select 'matches', 'nextMatchGuid', m.guid ${ofMatches} and ${inBracket('next_match_guid')}
    union all select 'matches', 'loserMatchGuid', m.guid ${ofMatches} and ${inBracket('loser_match_guid')}
    union all select 'matches', 'team1Guid', m.guid ${ofMatches} and ${entered('team1_guid')}
    union all select 'matches', 'team2Guid', m.guid ${ofMatches} and ${entered('team2_guid')}
    union all select 'matches', 'sides', m.guid ${ofMatches} and jsonb_array_length(m.sides) <> 2
    union all select 'games', 'scores', m.guid ${ofMatches}
      and jsonb_path_exists(m.games, '$[*] ? (@.scores.size() != 2 || @.winner < 0 || @.winner > 1)')
    union all select 'attempts', 'mapGuid', a.guid from ${qualifierAttempts} a
      join ${qualifiers} q on q.guid = a.qualifier_guid join ${qualifierMaps} p on p.guid = a.map_guid
      where q.tournament_guid = ${tournament} and p.qualifier_guid <> a.qualifier_guid
    limit 1`)
  return rows[0]
}
