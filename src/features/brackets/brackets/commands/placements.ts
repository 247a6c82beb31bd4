import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockTournament, updateTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Placement, Tournament } from '../../../tournaments/tournaments/types.ts'
import { listPlacements } from '../queries/placements.ts'
import { lockResults } from '../store/placements.ts'

const mostPlaced = 128

/**
 * The places of a tournament that is completed now. Results that are being told are waited for; those that come later are
 * undone at their commit, and told to a completed tournament. Call under `lockTournament`.
 */
export async function placing(tx: Tx, tournamentGuid: string): Promise<readonly Placement[]> {
  await lockResults(tx, tournamentGuid)
  return placed(tx, tournamentGuid)
}

/** The best of a tournament, by its brackets; records and lists show them, so that there is an end to them. */
async function placed(tx: Tx, tournamentGuid: string): Promise<readonly Placement[]> {
  return (await listPlacements(tx, tournamentGuid)).slice(0, mostPlaced)
}

type Known = Pick<Tournament, 'guid' | 'status'>

/**
 * Before a result of a tournament changes: one that is over is locked, ahead of its brackets, since its placements follow.
 * @returns to be called once the result is written
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

/** Places that only the first of two lists gives. */
function without(placements: readonly Placement[], others: readonly Placement[]): readonly Placement[] {
  const known = new Set(others.map(({ place, teamGuid }) => `${place} ${teamGuid}`))
  return placements.filter(({ place, teamGuid }) => !known.has(`${place} ${teamGuid}`))
}
