import type { SignedIn } from '../../../core/actor.ts'
import { invalid } from '../../../core/problem.ts'
import { formatInstant, readInstant } from '../../../core/time.ts'
import { inSavepoint, type Tx } from '../../../infra/db/database.ts'
import { updateBracket } from '../../brackets/brackets/commands/structure.ts'
import { lockBracket } from '../../brackets/brackets/store/brackets.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'
import { findMatch } from '../../brackets/matches/store/matches.ts'
import { changeMatch } from '../../brackets/results/commands/update.ts'
import { replaceChannels } from '../../streaming/channels/commands.ts'
import { lockQueues, readList } from '../../streaming/channels/store.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { changeSettings, type Surroundings } from '../../tournaments/tournaments/commands/settings.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { Rehearsal } from '../rehearsals/types.ts'
import { type Comparison, compare } from './queries.ts'
import { channelsOf, checkFresh, chosenOf, settingsOf } from './rules.ts'
import { findChangesSince, listBrackets } from './store.ts'
import type { Difference } from './types.ts'

export interface Applying {
  readonly actor: SignedIn
  readonly tournament: Tournament
  readonly rehearsal: Rehearsal
  readonly fields: readonly string[]
  readonly expectedUpdatedAt: string
  readonly isDryRun: boolean
  readonly surroundings: Surroundings
}

/**
 * Gives the real tournament what was chosen from a rehearsal, by the commands of the ordinary operations. A dry run does
 * the same, and takes it back. (R6)
 * @returns the differences that there were
 * @throws Problem `request.invalid`, `rehearsal.unknown`, `rehearsal.no_difference`, `tournament.stale`, and those of
 *   the ordinary operations
 */
export async function applyDifferences(tx: Tx, applying: Applying): Promise<readonly Difference[]> {
  const expected = readExpected(applying.expectedUpdatedAt)
  const tournament = await lockWhole(tx, applying.tournament.guid)
  const comparison = await compare(tx, tournament, applying.rehearsal)
  const chosen = chosenOf(comparison.differences, applying.fields)
  const since = await findChangesSince(tx, tournament.guid, expected, {
    brackets: new Set(chosen.flatMap((each) => ('bracket' in each ? [each.bracket.guid] : []))),
    matches: new Set(chosen.flatMap((each) => (each.of === 'time' ? [each.match.guid] : []))),
  })
  checkFresh(chosen, since, { updatedAt: tournament.updatedAt, expected })
  if (!applying.isDryRun) {
    await change(tx, chosen, comparison, applying)
    return chosen
  }
  await inSavepoint(tx, async (part) => {
    await change(part, chosen, comparison, applying)
    throw new TakenBack('a dry run')
  }).catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error
  })
  return chosen
}

/** Ends a dry run: what it did is rolled back. */
class TakenBack extends Error {
  override readonly name = 'TakenBack'
}

function readExpected(text: string): Date {
  const fault = (reason: string) => invalid('request.invalid', `The body's member "expectedUpdatedAt" ${reason}.`)
  const expected = readInstant(text, fault)
  if (expected === null) throw fault('must be an instant')
  return expected
}

/**
 * Locks everything that may be changed, in the order of all transactions that lock several of these: the tournament, the
 * queues of its channels, and its brackets by their GUIDs.
 */
async function lockWhole(tx: Tx, guid: string): Promise<Tournament> {
  const { tournament } = await lockTournament(tx, guid)
  await lockQueues(tx, guid)
  const brackets = (await listBrackets(tx, guid)).map((bracket) => bracket.guid)
  for (const bracket of brackets.toSorted()) await lockBracket(tx, bracket)
  return tournament
}

async function change(
  tx: Tx,
  chosen: readonly Difference[],
  { real, rehearsal, media }: Comparison,
  { actor, surroundings }: Applying,
): Promise<void> {
  const { tournament } = real
  const { now } = surroundings
  const settings = settingsOf(chosen, { real: tournament, rehearsal: rehearsal.tournament, media })
  if (settings !== undefined) await changeSettings(tx, actor, tournament.guid, settings, surroundings)
  if (chosen.some((each) => each.of === 'channels')) {
    const channels = channelsOf(real.channels, rehearsal.channels)
    const { revision } = await readList(tx, tournament.guid)
    await replaceChannels(tx, actor, tournament, { channels, revision }, now)
  }
  const rounds = chosen.filter((each) => each.of === 'bestOf')
  for (const [bracket, own] of Map.groupBy(rounds, (each) => each.bracket)) {
    const bestOfByRound = Object.fromEntries(own.map(({ round, bestOf }) => [round, bestOf]))
    await updateBracket(tx, actor, bracket, { bestOfByRound }, now)
  }
  for (const each of chosen) {
    if (each.of !== 'time') continue
    const match = await findMatch(tx, each.match.guid)
    if (match === undefined) throw unknownMatch()
    await changeMatch(tx, actor, tournament, match, { scheduledAt: formatInstant(each.scheduledAt) }, now)
  }
}
