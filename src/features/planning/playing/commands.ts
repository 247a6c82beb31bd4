import type { SignedIn } from '../../../core/actor.ts'
import { Problem } from '../../../core/problem.ts'
import type { Move } from '../../../engine/simulated/session.ts'
import type { Act, PlayableMatch } from '../../../engine/simulated/types.ts'
import { workAtFirst } from '../../../infra/clock/store.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { Threads } from '../../../infra/threads/threads.ts'
import { pairRound, placeEntrants } from '../../brackets/brackets/commands/structure.ts'
import { findBracket } from '../../brackets/brackets/store/brackets.ts'
import { unknownBracket, unknownMatch } from '../../brackets/matches/rules.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { reportResult } from '../../brackets/results/commands/corrections.ts'
import { reportGame, startMatch } from '../../brackets/results/commands/play.ts'
import { withdraw } from '../../brackets/results/commands/withdrawals.ts'
import { findPlannedFlow } from '../../flows/flowSessions/store/planned.ts'
import { act, claim, override, reportScores, setClock } from '../../flows/play/commands/acting.ts'
import type { Target } from '../../flows/play/commands/changing.ts'
import { beginMatch } from '../../flows/play/commands/matches.ts'
import { mayCoordinate } from '../../tournaments/access/policy.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownRehearsal } from '../rehearsals/rules.ts'
import { placementsFor, type Stored } from './rules.ts'

interface Performing {
  readonly actor: SignedIn
  /** GUID of the rehearsal. */
  readonly rehearsal: string
  readonly stored: Stored
  readonly threads: Threads
  /** By its clock. */
  readonly now: Date
}

/**
 * Does what simulated teams do next, by the command that a person would cause. (R4)
 * @throws Problem `rehearsal.unknown` to callers who lost the right meanwhile, and those of the commands
 */
export async function perform(tx: Tx, next: Act, performing: Performing): Promise<void> {
  const { rehearsal, stored, now } = performing
  workAtFirst(tx, { tournament: rehearsal, instant: now, isFixed: true, isSimulated: true })
  const found = await findTournamentFor(tx, rehearsal, performing.actor.guid)
  const caller = { ...performing.actor, isOrganiser: found?.isOrganiser ?? false, roles: new Set(found?.roles) }
  if (found === undefined || !mayCoordinate(caller)) throw unknownRehearsal()
  // A caller who may have a rehearsal played may do there what each of the players may.
  const actor = { ...performing.actor, isOrganiser: true }
  const { tournament } = found
  if (next.kind === 'pair') {
    const bracket = await findBracket(tx, next.bracket)
    if (bracket === undefined) throw unknownBracket()
    await pairRound(tx, actor, bracket, now)
    return
  }
  if (next.kind === 'fill') {
    const bracket = stored.brackets.find(({ guid }) => guid === next.bracket)
    if (bracket === undefined) throw unknownBracket()
    await placeEntrants(tx, actor, bracket, placementsFor(bracket, stored), { seen: bracket.revision, now })
    return
  }
  const match = recordOf(stored, next.match)
  switch (next.kind) {
    case 'start':
      await begin(tx, actor, tournament, { match, threads: performing.threads, now })
      break
    case 'game': {
      const { number, scores, winner } = next.game
      const input = { sides: scores.map((score) => ({ score })), winner: sideOf(winner) }
      await reportGame(tx, actor, tournament, match, { number, input }, now)
      break
    }
    case 'move': {
      const session = stored.sessions.get(match.guid)?.record
      if (session !== undefined) await goOn(tx, actor, { tournament, session }, next.move, now)
      break
    }
    case 'walkover':
      await walkOver(tx, actor, tournament, { act: next, match, now })
  }
}

interface Start {
  readonly match: MatchRecord
  readonly threads: Threads
  readonly now: Date
}

/** What keeps a planned flow from beginning; the match is then played by hand. */
const withoutFlow: ReadonlySet<string> = new Set(['flow.unplanned', 'flow.invalid', 'pool.unpublished'])

async function begin(tx: Tx, actor: SignedIn, tournament: Tournament, { match, threads, now }: Start): Promise<void> {
  const isPlanned = (await findPlannedFlow(tx, match)) !== null
  try {
    if (isPlanned) return void (await beginMatch(tx, actor, threads, tournament, match, {}, now))
  } catch (error) {
    if (!(error instanceof Problem) || !withoutFlow.has(error.code)) throw error
  }
  await startMatch(tx, actor, tournament, match, now)
}

/** A refusal because the time of the step is over is no failure: the lapse stays written, and the next act is found from there. */
async function goOn(tx: Tx, actor: SignedIn, target: Target, move: Move, now: Date): Promise<void> {
  const expect = target.session.position
  switch (move.kind) {
    case 'act':
      await act(tx, actor, target, { expect, ...move.act }, now)
      break
    case 'scores':
      await reportScores(tx, actor, target, { expect, ...move.scores }, now)
      break
    case 'claim':
      await claim(tx, actor, target, { expect, kind: 'replay', seat: move.seat }, now)
      break
    case 'ruling':
      await override(tx, actor, target, { expect, input: move.ruling }, now)
      break
    case 'resume':
      await setClock(tx, actor, target, { expect, op: 'resume' }, now)
      break
    case 'wait':
  }
}

interface Absence {
  readonly act: Extract<Act, { kind: 'walkover' }>
  readonly match: MatchRecord
  readonly now: Date
}

async function walkOver(tx: Tx, actor: SignedIn, tournament: Tournament, { act, match, now }: Absence): Promise<void> {
  const { winner } = act
  const input =
    winner === null ? { outcome: 'double_forfeit' as const } : { outcome: 'walkover' as const, winner: sideOf(winner) }
  await reportResult(tx, actor, tournament, match, { input, dryRun: false }, now)
  const missing = act.match.teams.filter((team, side) => team !== null && side !== winner)
  for (const team of missing) {
    const target = { tournamentGuid: tournament.guid, teamGuid: team ?? '' }
    const leaving = { reason: 'Did not appear.', policy: 'walkover', seen: {}, dryRun: false } as const
    await withdraw(tx, actor, target, leaving, now)
  }
}

const sideOf = (side: 0 | 1): 1 | 2 => (side === 0 ? 1 : 2)

function recordOf({ matches }: Stored, { bracket, number }: PlayableMatch): MatchRecord {
  const found = matches.find((match) => match.bracketGuid === bracket && match.number === number)
  if (found === undefined) throw unknownMatch()
  return found
}
