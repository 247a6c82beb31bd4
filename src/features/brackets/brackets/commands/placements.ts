import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament, updateTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Placement, Tournament } from '../../../tournaments/tournaments/types.ts'
import { listPlacements } from '../queries.ts'
import { lockResults } from '../store/placements.ts'

/** The most placements that a tournament keeps. */
export const maxPlaced = 128

/**
 * The placements of a tournament that is being completed. Waits for the transactions that are saving results. A
 * transaction that commits a result later is rolled back and retried, and then updates the placements of the completed
 * tournament. Call under `lockTournament`.
 */
export async function placing(tx: Tx, tournamentGuid: string): Promise<readonly Placement[]> {
  await lockResults(tx, tournamentGuid)
  return placed(tx, tournamentGuid)
}

/** The best placements of a tournament, computed from its brackets. Limited, since records and lists show them. */
async function placed(tx: Tx, tournamentGuid: string): Promise<readonly Placement[]> {
  return (await listPlacements(tx, tournamentGuid)).slice(0, maxPlaced)
}

type Known = Pick<Tournament, 'guid' | 'status'>

/**
 * Call before a result of a tournament changes. A completed tournament is locked before its brackets, since its
 * placements may change too.
 * @returns a function to call after the result is saved
 */
export async function followPlacements(
  tx: Tx,
  { guid, status }: Known,
  actorGuid: string | null,
  now: Date,
): Promise<() => Promise<void>> {
  if (status !== 'completed') return async () => {}
  const locked = await lockTournament(tx, guid)
  return async () => {
    if (locked?.tournament.status !== 'completed') return
    const before = locked.tournament.placements
    const after = await placed(tx, guid)
    const [lost, gained] = [without(before, after), without(after, before)]
    if (lost.length === 0 && gained.length === 0) return
    await updateTournament(tx, guid, { placements: after }, now)
    emit(tx, {
      type: 'tournament.placements_changed',
      subject: guid,
      tournament: guid,
      actor: actorGuid,
      before: { placements: lost },
      after: { placements: gained },
    })
  }
}

/** Placements that are in the first list only. */
function without(placements: readonly Placement[], others: readonly Placement[]): readonly Placement[] {
  const known = new Set(others.map(({ place, teamGuid }) => `${place} ${teamGuid}`))
  return placements.filter(({ place, teamGuid }) => !known.has(`${place} ${teamGuid}`))
}
