import type { Actor } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { playedTag } from '../../people/users/views/card.ts'
import { maySeeTournament } from './policy.ts'
import { listNamesFor, type NamedTournament } from './store/names.ts'
import { listPlacedTeams, type PlacedTeam } from './store/placements.ts'
import type { Counts, Tournament } from './types.ts'

/** A tournament with all that its record shows. */
export interface TournamentRecord {
  readonly tournament: Tournament
  readonly counts: Counts
  readonly organiser: UserFacts
  /** Those that were placed. */
  readonly teams: ReadonlyMap<string, PlacedTeam>
}

/** Reads what records show beside their own rows: one query for all organisers, and one for all placed teams. */
export async function readRecords(
  db: Db,
  rows: readonly { readonly tournament: Tournament; readonly counts: Counts }[],
): Promise<TournamentRecord[]> {
  const all = rows.map((row) => row.tournament)
  const [organisers, teams] = await Promise.all([
    listUserFacts(
      db,
      all.map(({ organiserGuid }) => organiserGuid),
    ),
    listPlacedTeams(
      db,
      all.flatMap(({ placements }) => placements.map(({ teamGuid }) => teamGuid)),
    ),
  ])
  return rows.map(({ tournament, counts }) => {
    const organiser = organisers.get(tournament.organiserGuid)
    if (organiser === undefined) throw new Error('a tournament has no organiser')
    return { tournament, counts, organiser, teams }
  })
}

export async function readRecord(db: Db, tournament: Tournament, counts: Counts): Promise<TournamentRecord> {
  const [record] = await readRecords(db, [{ tournament, counts }])
  if (record === undefined) throw new Error('one record was asked for')
  return record
}

/** What a remembered answer with these records is made from. */
export function recordsDepend(depends: Depends, records: readonly TournamentRecord[]): void {
  depends(
    playedTag,
    ...records.flatMap(({ tournament }) => [
      tournament.guid,
      tournament.organiserGuid,
      ...tournament.placements.map(({ teamGuid }) => teamGuid),
    ]),
  )
}

/** Those of these tournaments that the actor may see, by GUID: the others are not named to them. (D5, D25) */
export async function readNamesFor(
  db: Db,
  guids: readonly string[],
  actor: Actor,
): Promise<ReadonlyMap<string, NamedTournament>> {
  const seen = (await listNamesFor(db, guids, actor.guid)).filter(({ tournament, roles, isReviewer }) => {
    const isOrganiser = tournament.organiserGuid === actor.guid
    return maySeeTournament({ ...actor, isOrganiser, roles: new Set(roles) }, tournament, isReviewer)
  })
  return new Map(seen.map(({ tournament: { guid, id, name } }) => [guid, { guid, id, name }]))
}
