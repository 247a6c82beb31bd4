import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { userCard } from '../../../people/users/views.ts'
import { readWatched } from '../../../streaming/streamSessions/queries.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import type { Asked } from '../types.ts'
import { playersOf, type SideFacts } from '../views/sides.ts'

interface Known extends Pick<SideFacts, 'seeds' | 'lineups'> {
  readonly record: MatchRecord | null
}

/** Returns the data about the sides of a match: the players and their streams. */
export async function readSides(
  db: Db,
  { tournament, publicUrl }: Asked,
  { record, seeds, lineups }: Known,
  depends: Depends,
): Promise<SideFacts> {
  const teams = [record?.team1Guid ?? null, record?.team2Guid ?? null]
  const members = await listMembers(
    db,
    teams.filter((team) => team !== null),
  )
  const players = teams.flatMap((team, index) => playersOf(members.get(team ?? '') ?? [], lineups[index] ?? null))
  const users = await listUserFacts(db, players)
  depends(...players)
  const streams = await readWatched(db, [...users.values()].map(userCard), publicUrl, depends)
  return { isSolo: tournament.teamSizeMax === 1, seeds, members, users, streams, lineups }
}
