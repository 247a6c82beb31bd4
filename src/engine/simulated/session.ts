import { entitled } from '../flows/claims.ts'
import { lineupSize } from '../flows/legal-maps.ts'
import { finalGames, type Game, type Machine, openGame, seatNumbers, type Turn } from '../flows/machine.ts'
import type { OverrideInput } from '../flows/referee-rulings.ts'
import type { ScoresInput } from '../flows/scores.ts'
import { type Act, optionsOf } from '../flows/seat-actions.ts'
import { phaseOf } from '../flows/state.ts'
import { lapsesAt } from '../flows/system-rows.ts'
import { pendingSeats } from '../flows/turns.ts'
import { courseOf, drawsOfMatch, gameAgain, purposes } from './course.ts'
import type { PlayableMatch, PlayedGame, Players } from './types.ts'

/** What the players of a match and its referee do next in the session of a flow. (R4) */
export type Move =
  | { readonly kind: 'act'; readonly act: Act }
  | { readonly kind: 'scores'; readonly scores: ScoresInput }
  | { readonly kind: 'claim'; readonly seat: number }
  | { readonly kind: 'ruling'; readonly ruling: OverrideInput }
  | { readonly kind: 'resume' }
  /** No player does anything until the time of the step is over. */
  | { readonly kind: 'wait' }

interface Timed {
  /** Milliseconds since the epoch; it may be past. */
  readonly at: number
  readonly move: Move
}

/** How long somebody thinks, in seconds; never longer than a part of the time of the step. */
const [leastThought, mostThought, partOfTime] = [3, 20, 0.6]
/** How long a map takes that is played again, or that no best-of counted, in seconds. */
const [leastMap, mostMap] = [150, 330]
/** A map takes at least so many seconds, however long the choices before it took. */
const shortestMap = 90
const reason = 'Simulated players go on.'

/** @returns null where the session is over, or waits for a ruling that simulated referees do not make */
export function moveOf(machine: Machine, match: PlayableMatch, players: Players): Timed | null {
  const around: Around = { machine, match, players, draw: drawsOfMatch(players.seed, match) }
  const soon = thoughtOf(around)
  if (machine.ending !== null) return null
  if (machine.pausedAt !== null) return { at: soon, move: { kind: 'resume' } }
  const phase = phaseOf(machine)
  if (phase === 'starting') return waitOf(machine)
  if (phase === 'referee') return rulingOf(around, soon)
  if (phase === 'window') return windowOf(around, soon)
  if (phase === 'playing') return resultOf(around)
  return phase === 'decided' ? null : choiceOf(around, soon)
}

interface Around {
  readonly machine: Machine
  readonly match: PlayableMatch
  readonly players: Players
  readonly draw: ReturnType<typeof drawsOfMatch>
}

/** The log has as many rows in every copy, so that its position tells which choice it is. */
const drawnFor = ({ machine, draw }: Around, seat: number, purpose: number) => draw(machine.position, seat, purpose)

const lastAt = ({ rows }: Machine) => rows.at(-1)?.at ?? 0

function thoughtOf(around: Around): number {
  const { machine } = around
  const most = Math.min(mostThought, partOfTime * (machine.clock?.seconds ?? mostThought))
  const least = Math.min(leastThought, most)
  const seconds = least + (most - least) * drawnFor(around, 0, purposes.thought)
  return lastAt(machine) + Math.round(1_000 * seconds)
}

function waitOf(machine: Machine): Timed | null {
  const at = lapsesAt(machine)
  return at === null ? null : { at, move: { kind: 'wait' } }
}

/** A referee lets the better side have what is level, and goes on from a step in which no seat can act. */
function rulingOf({ machine, match, players, draw }: Around, at: number): Timed | null {
  const { stuck } = machine
  if (stuck === 'level' || stuck === 'level_match') {
    const game = openGame(machine)?.game ?? finalGames(machine).at(-1)?.game
    if (game === undefined) return null
    const winner = seatOf(gameAgain({ ...match, draw }, players, { number: game, again: machine.position }).winner)
    return { at, move: { kind: 'ruling', ruling: { op: 'award_map', winner, game, reason } } }
  }
  const canSkip = machine.turn !== null && openGame(machine) === null && stuck !== 'by_hand' && stuck !== 'end'
  return canSkip ? { at, move: { kind: 'ruling', ruling: { op: 'skip', reason } } } : null
}

const seatOf = (side: 0 | 1) => side + 1

/** Seats that may claim a replay do so, or accept the result. */
function windowOf(around: Around, at: number): Timed | null {
  const { machine, players } = around
  const game = openGame(machine)
  const [seat] = game === null ? [] : entitled(machine, game).filter((each) => !game.accepted.has(each))
  if (seat === undefined) return waitOf(machine)
  if (drawnFor(around, seat, purposes.claim) < players.rates.claim) return { at, move: { kind: 'claim', seat } }
  return { at, move: { kind: 'act', act: { action: 'accept', seat } } }
}

/** The scores of the run that is played, when it has ended. */
function resultOf(around: Around): Timed | null {
  const { machine } = around
  const game = openGame(machine)
  const run = game?.chains.at(-1)?.runs.at(-1)
  if (game === null || run === undefined) return null
  const { at, result } = playedIn(around, game)
  const seats = run.replaying.length > 0 ? run.replaying : seatNumbers(machine)
  const scores = seats.flatMap((seat) =>
    (run.lineups[seat - 1] ?? []).map((user, place) => scoreOf(around, { user, place, seat, result })),
  )
  return { at, move: { kind: 'scores', scores: { scores, complete: true } } }
}

/** How the map ends, and when: as the course of the match says, or by draws of its own where it is played again. */
function playedIn({ machine, match, players, draw }: Around, game: Game): { at: number; result: Result } {
  const before = game.chains.reduce((sum, { runs }) => sum + runs.length, 0) - 1
  const planned = before === 0 ? courseOf(match, players)[game.game - 1] : undefined
  const began = lastAt(machine)
  if (planned !== undefined && match.startedAt !== null) {
    const ends = match.startedAt + 1_000 * planned.endsAfter
    return { at: Math.max(ends, began + 1_000 * shortestMap), result: planned }
  }
  const again = { number: game.game, again: before }
  const seconds = leastMap + (mostMap - leastMap) * draw(game.game, before, purposes.length)
  return { at: began + Math.round(1_000 * seconds), result: gameAgain({ ...match, draw }, players, again) }
}

type Result = Pick<PlayedGame, 'winner' | 'scores'>

interface Told {
  readonly user: string
  /** In the line-up, from 0. */
  readonly place: number
  readonly seat: number
  readonly result: Result
}

const mostPoints = 1_000_000

/** Players at the same place of both line-ups lose as many points, so that sides differ by what their results say. */
function scoreOf(around: Around, { user, place, seat, result }: Told): ScoresInput['scores'][number] {
  const side = seat === 1 ? 0 : 1
  const lost = Math.floor(10_000 * drawnFor(around, place, purposes.offset)) * Math.min(1, place)
  const score = Math.max(0, result.scores[side] - lost)
  return {
    ...{ user, score, accuracy: score / mostPoints, misses: (result.winner === side ? 0 : 3) + place },
    ...{ badCuts: null, maxCombo: null, completion: 'passed', pausedSeconds: null, mods: [] },
    ...{ source: 'manual', externalId: null, playedAt: null, evidenceUrl: null },
  }
}

/** What the first of the seats whose turn it is chooses; a step of the referee or of a clock goes on, too. */
function choiceOf(around: Around, at: number): Timed | null {
  const { machine } = around
  const { turn } = machine
  if (turn === null) return waitOf(machine)
  if (turn.actor === 'system') return waitOf(machine)
  const seat = turn.actor === 'seats' ? pendingSeats(turn)[0] : undefined
  if (turn.actor === 'seats' && seat === undefined) return waitOf(machine)
  return {
    at,
    move: { kind: 'act', act: { action: turn.action as Act['action'], seat, ...chosen(around, turn, seat) } },
  }
}

function chosen(around: Around, turn: Turn, seat: number | undefined): Partial<Act> {
  const { machine } = around
  const drawn = (place: number) => drawnFor(around, 16 * (seat ?? 0) + place, purposes.choice)
  const options = optionsOf(machine, turn, seat ?? null).map(String)
  const option = options[Math.floor(drawn(0) * options.length)]
  switch (turn.action) {
    case 'roll':
      return { rolls: (turn.rollers ?? seatNumbers(machine)).map((_, place) => 1 + Math.floor(drawn(place) * 100)) }
    case 'choose':
      return {
        place: drawn(0) < 0.5 ? 1 : 2,
        pair: (turn.step.pair === null ? machine.flow.pairs : [turn.step.pair]).find(
          (each) => !machine.pairs.has(each),
        ),
      }
    case 'flair_pick':
    case 'flair_ban':
      return { flair: option }
    case 'lineup':
      return { users: options.slice(0, lineupSize(machine, seat ?? 1)) }
    case 'protect':
    case 'ban':
    case 'pick':
      return { map: option }
    default:
      return {}
  }
}
