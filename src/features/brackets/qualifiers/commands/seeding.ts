import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockForSeeding, previewSeeding, qualifyTeams, type SeededTeam } from '../../../teams/registration/commands.ts'
import { type Board, readBoard } from '../queries.ts'
import { checkSeedable, statusAt } from '../rules/status.ts'
import { listMaps, updateQualifier } from '../store/qualifiers.ts'
import { lockQualifier } from './qualifier.ts'

/** Who advances, and what that changes. */
export interface SeedingOutcome {
  readonly board: Board
  /** In the order of their seeds. */
  readonly seededGuids: readonly string[]
  readonly changed: readonly SeededTeam[]
}

/**
 * Qualifies the best teams that take part now, seeded in the order of the standings, in one step; teams that an earlier
 * seeding had qualified and this one does not are only registered again, and out of the brackets. (additions: Qualifiers, Details 11)
 * @throws Problem `qualifier.unknown`, `qualifier.not_closed`, `tournament.over`, `tournament.unknown`
 */
export async function seed(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { size, isDryRun }: { readonly size: number; readonly isDryRun: boolean },
  now: Date,
): Promise<SeedingOutcome> {
  const locked = await lockForSeeding(tx, actor, tournamentGuid)
  const qualifier = await lockQualifier(tx, tournamentGuid)
  if (!isDryRun) checkSeedable(statusAt(qualifier, now))
  const board = await readBoard(tx, qualifier, await listMaps(tx, tournamentGuid))
  const seededGuids = board.standings.teams.slice(0, size).map(({ entrant }) => entrant)
  const seeding = {
    seeds: new Map(seededGuids.map((guid, index) => [guid, index + 1])),
    leaving: new Set(qualifier.seededTeamGuids),
  }
  if (isDryRun) return { board, seededGuids, changed: await previewSeeding(tx, locked, seeding, now) }
  const changed = await qualifyTeams(tx, locked, seeding, now)
  const advanced = new Set(
    changed.filter(({ before }) => before.status === 'registered').map(({ after }) => after.guid),
  )
  // Whoever was qualified by hand before stays qualified by hand, whatever the standings.
  const own = seededGuids.filter((guid) => seeding.leaving.has(guid) || advanced.has(guid))
  await updateQualifier(tx, qualifier.guid, { seededTeamGuids: own })
  if (changed.length > 0) {
    emit(tx, {
      type: 'qualifier.seeded',
      subject: qualifier.guid,
      tournament: tournamentGuid,
      actor: actor.guid,
      after: { size, teams: seededGuids.length },
    })
  }
  return { board, seededGuids, changed }
}
