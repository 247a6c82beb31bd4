import type { Actor, SignedIn } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { playedTag } from '../../people/users/views.ts'
import { maySeeTournament } from './policy.ts'
import { type ForeignSigner, findForeignSigner } from './store/importing.ts'
import { listNamesFor, type NamedTournament } from './store/names.ts'
import { listPlacedTeams, type PlacedTeam } from './store/placements.ts'
import { findRehearsalFacts, type RehearsalFacts } from './store/rehearsals.ts'
import { findTournamentFor } from './store/tournaments.ts'
import type { Counts, Tournament } from './types.ts'

/** A tournament with everything that its record shows. */
export interface TournamentRecord<T = Tournament> {
  readonly tournament: T
  readonly counts: Counts
  readonly organiser: UserFacts
  /** The placed teams by GUID. */
  readonly teams: ReadonlyMap<string, PlacedTeam>
  /** Who signed the package that it was imported from, if that is not known here; of single records only. */
  readonly importSigner?: ForeignSigner
  /** Of a rehearsal; of single records only. (R1) */
  readonly rehearsal?: RehearsalFacts
}

/** Reads what records show in addition to their own rows: one query for all organisers, one for all placed teams. */
export async function readRecords<T extends Pick<Tournament, 'organiserGuid' | 'placements'>>(
  db: Db,
  rows: readonly { readonly tournament: T; readonly counts: Counts }[],
): Promise<TournamentRecord<T>[]> {
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
  if (tournament.rehearsalOf !== null) {
    const rehearsal = await findRehearsalFacts(db, tournament.guid)
    return rehearsal === undefined ? record : { ...record, rehearsal }
  }
  if (tournament.approvedAt !== null) return record
  const importSigner = await findForeignSigner(db, tournament.guid)
  return importSigner === undefined ? record : { ...record, importSigner }
}

/** Registers what a cached answer with these records depends on. */
export function recordsDepend(
  depends: Depends,
  records: readonly TournamentRecord<Pick<Tournament, 'guid' | 'organiserGuid' | 'placements'>>[],
): void {
  depends(
    playedTag,
    ...records.flatMap(({ tournament }) => [
      tournament.guid,
      tournament.organiserGuid,
      ...tournament.placements.map(({ teamGuid }) => teamGuid),
    ]),
  )
}

/**
 * Returns by GUID those of the given tournaments that the actor may see; the names of the others stay hidden. (D5, D25)
 */
export async function readNamesFor(
  db: Db,
  guids: readonly string[],
  actor: Actor,
): Promise<ReadonlyMap<string, NamedTournament>> {
  const seen = await readPlacesOf(db, guids, actor)
  return new Map([...seen].map(([guid, { tournament }]) => [guid, { guid, id: tournament.id, name: tournament.name }]))
}

/**
 * Returns by GUID those of the given tournaments that the actor may see, each with the actor's roles in it. (D5, D25)
 */
async function readPlacesOf(
  db: Db,
  guids: readonly string[],
  actor: Actor,
): Promise<ReadonlyMap<string, { readonly tournament: NamedTournament; readonly actor: Actor }>> {
  const places = (await listNamesFor(db, guids, actor.guid)).flatMap(
    ({ tournament, isOrganiser, roles, isReviewer }) => {
      const here = { ...actor, isOrganiser, roles: new Set(roles) }
      return maySeeTournament(here, tournament, isReviewer) ? [{ tournament, actor: here }] : []
    },
  )
  return new Map(places.map((place) => [place.tournament.guid, place]))
}

/** A named record that belongs to a tournament. */
export interface NamedInTournament {
  readonly guid: string
  readonly name: string
  readonly tournamentGuid: string
}

/**
 * Returns the names of the given records by GUID. Records that the actor may not see, or whose tournament the actor may
 * not see, are left out. (D5)
 */
export async function readNamesIn<Named extends NamedInTournament>(
  db: Db,
  all: readonly Named[],
  actor: Actor,
  isFound: (here: Actor, named: Named) => boolean = () => true,
): Promise<ReadonlyMap<string, string>> {
  const guids = all.map(({ tournamentGuid }) => tournamentGuid)
  const places = await readPlacesOf(db, guids, actor)
  const found = all.filter((named) => {
    const here = places.get(named.tournamentGuid)?.actor
    return here !== undefined && isFound(here, named)
  })
  return new Map(found.map(({ guid, name }) => [guid, name]))
}

/** Whether the rule `may` allows the actor something in a tournament, by the actor's roles there. */
export async function mayThere(
  db: Db,
  actor: SignedIn,
  tournamentGuid: string,
  may: (here: SignedIn, tournament: Tournament) => boolean,
): Promise<boolean> {
  const seen = await findTournamentFor(db, tournamentGuid, actor.guid)
  if (seen === undefined) return false
  const { tournament, isOrganiser, roles } = seen
  return may({ ...actor, isOrganiser, roles: new Set(roles) }, tournament)
}

/**
 * Returns the GUID of the real tournament with this identifier; undefined if there is none that the actor may see.
 * (D5, D6, D25, R1)
 */
export async function findSeenTournament(db: Db, identifier: string, actor: Actor): Promise<string | undefined> {
  const seen = await findTournamentFor(db, identifier, actor.guid)
  if (seen === undefined || seen.tournament.rehearsalOf !== null) return undefined
  const here = { ...actor, isOrganiser: seen.isOrganiser, roles: new Set(seen.roles) }
  return maySeeTournament(here, seen.tournament, seen.isReviewer) ? seen.tournament.guid : undefined
}
