import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { takePlaces, tiesCut } from '../../../../engine/ties.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { Seal } from '../../../../infra/sealed.ts'
import { lockForSeeding, previewSeeding, qualifyTeams, type SeededTeam } from '../../../teams/registration/commands.ts'
import { decisionOf, loggedRuling, ruleTies, type TieInput, undecidedTies } from '../../brackets/rules/ties.ts'
import type { TieRuling } from '../../brackets/types.ts'
import { type Board, readBoard } from '../queries.ts'
import { checkSeedable, statusAt } from '../rules/status.ts'
import { listMaps, updateQualifier } from '../store/qualifiers.ts'
import { lockQualifier } from './qualifier.ts'

/** The advancing teams, and the changes that their seeding makes. */
export interface SeedingOutcome {
  readonly board: Board
  /** Teams in the order of their seeds; null for a place that is still to be drawn. */
  readonly seededGuids: readonly (string | null)[]
  readonly changed: readonly SeededTeam[]
  /** How the ties among the advancing teams were decided. */
  readonly ruling: TieRuling | null
}

/** How many teams advance, and the decision of ties for the last places. */
export interface SeedingInput extends TieInput {
  readonly size: number
}

/**
 * Qualifies the best participating teams, seeded in the order of the standings, in one step. Teams that only an earlier
 * seeding qualified become registered again and leave the brackets. (additions: Qualifiers; additions: Details, 11)
 * @throws Problem `qualifier.unknown`, `qualifier.not_closed`, `tournament.over`, `tournament.unknown`,
 * `tie.undecided`, `tie.order_invalid`
 */
export async function seed(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  input: SeedingInput,
  { isDryRun, seal, now }: { readonly isDryRun: boolean; readonly seal: Seal; readonly now: Date },
): Promise<SeedingOutcome> {
  const locked = await lockForSeeding(tx, actor, tournamentGuid)
  const qualifier = await lockQualifier(tx, tournamentGuid)
  if (!isDryRun) checkSeedable(statusAt(qualifier, now))
  const board = await readBoard(tx, qualifier, await listMaps(tx, tournamentGuid))
  const { seededGuids, ruling } = advancing(board, input, { subject: qualifier.guid, isDryRun, seal })
  // A team whose place is still to be drawn is not listed as leaving.
  const isOpen = new Set(seededGuids.includes(null) ? ruling?.ties.flatMap(({ teams }) => teams) : [])
  const seeding = {
    seeds: new Map(seededGuids.flatMap((guid, index) => (guid === null ? [] : [[guid, index + 1]]))),
    leaving: new Set(qualifier.seededTeamGuids.filter((guid) => !isOpen.has(guid))),
  }
  if (isDryRun) return { board, seededGuids, ruling, changed: await previewSeeding(tx, locked, seeding, now) }
  const changed = await qualifyTeams(tx, locked, seeding, now)
  const advanced = new Set(
    changed.filter(({ before }) => before.status === 'registered').map(({ after }) => after.guid),
  )
  // A team that an organiser qualified earlier is not added to the seeding's own teams, whatever the standings.
  const own = [...seeding.seeds.keys()].filter((guid) => seeding.leaving.has(guid) || advanced.has(guid))
  await updateQualifier(tx, qualifier.guid, { seededTeamGuids: own, ruling })
  // The standings publish the ruling, so a new ruling emits the event even if no team changes.
  if (changed.length > 0 || !isDeepStrictEqual(ruling, qualifier.ruling)) {
    emit(tx, {
      type: 'qualifier.seeded',
      subject: qualifier.guid,
      tournament: tournamentGuid,
      actor: actor.guid,
      after: { size: input.size, teams: seededGuids.length, ...loggedRuling(ruling) },
    })
  }
  return { board, seededGuids, changed, ruling }
}

/**
 * The best teams by the standings. Teams that share a rank and all advance are seeded in the order of their
 * registration. If only some of them advance, the caller's order or a draw decides which. (D67)
 */
function advancing(
  { standings, teams }: Board,
  input: SeedingInput,
  context: Parameters<typeof ruleTies>[2],
): Pick<SeedingOutcome, 'seededGuids' | 'ruling'> {
  const rows = standings.teams.map(({ entrant, rank, tied }) => ({ team: entrant, group: null, rank, tied }))
  const size = Math.min(input.size, rows.length)
  const places = Array.from({ length: size }, (_, index) => index + 1)
  const wanted = { tables: [rows], places, size, isIn: () => true }
  const ties = tiesCut(wanted)
  const shown = new Map(teams.map(({ guid, id, name, imageUrl, color }) => [guid, { guid, id, name, imageUrl, color }]))
  const ruling = ruleTies(ties, input, context, (cut, commitment) => undecidedTies(cut, commitment, shown))
  const seededGuids = takePlaces(wanted, ties, ruling && decisionOf(ruling)).map(({ team }) => team)
  return { seededGuids, ruling }
}
