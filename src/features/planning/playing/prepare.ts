import type { SignedIn } from '../../../core/actor.ts'
import { nextAct } from '../../../engine/simulated/evening.ts'
import type { Act, PlayableMatch, Players } from '../../../engine/simulated/types.ts'
import type { Database, Db, Tx } from '../../../infra/db/database.ts'
import { pairRound } from '../../brackets/brackets/commands/structure.ts'
import { findBracket, listBrackets, listEntrantsOfTournament } from '../../brackets/brackets/store/brackets.ts'
import { listDivisions } from '../../brackets/brackets/store/divisions.ts'
import { unknownBracket, unknownMatch } from '../../brackets/matches/rules.ts'
import { listMatchesOfBracket } from '../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { reportResult } from '../../brackets/results/commands/corrections.ts'
import { reportGame, startMatch } from '../../brackets/results/commands/play.ts'
import { withdraw } from '../../brackets/results/commands/withdrawals.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { listOwnDurations, listPastDurations } from '../estimates/store.ts'
import { unknownRehearsal } from '../rehearsals/rules.ts'
import type { Rehearsal } from '../rehearsals/types.ts'
import { playersOf, type Stored, stateOf } from './rules.ts'
import type { EveningClock, PlayWish } from './types.ts'

export interface Evening {
  readonly database: Database
  readonly clock: EveningClock
  readonly actor: SignedIn
  readonly rehearsal: Rehearsal
  /** What its clock showed at first. */
  readonly begin: Date
  /** The tournament that is rehearsed; past durations are its own and its organiser's. */
  readonly real: Pick<Tournament, 'guid' | 'organiserGuid'>
}

export interface PlayedEvening {
  /** The matches that ended, in that order. */
  readonly played: readonly MatchRecord[]
  /** False if the time for one call was over before it was played as far as wished. */
  readonly isDone: boolean
}

const budgetMs = 20_000

/**
 * Has simulated teams play a rehearsal by the commands of the ordinary operations, each in a transaction of its own, and
 * its clock run with them. (R4)
 * @throws Problem `rehearsal.unknown`, and those of the commands
 */
export async function playEvening(evening: Evening, wish: PlayWish): Promise<PlayedEvening> {
  const { database, clock, rehearsal, begin, real } = evening
  const until = performance.now() + budgetMs
  const [own, others] = await Promise.all([
    listOwnDurations(database.db, real.guid),
    listPastDurations(database.db, real.organiserGuid),
  ])
  const ended: string[] = []
  let players: Players | null = null
  for (;;) {
    const stored = await database.snapshot((db) => readStored(db, rehearsal.guid))
    players ??= playersOf(rehearsal, stored, { own, others }, wish.rates)
    const now = await clock.now()
    const act = wish.count !== null && ended.length >= wish.count ? null : nextOf(stored, { now, begin, wish }, players)
    const played = (isDone: boolean) => ({ played: recordsOf(stored, ended), isDone })
    if (act === null) return played(wish.until === null || (await clock.advance(wish.until)))
    if (performance.now() > until) return played(false)
    if (act.at > now.getTime()) {
      // What is due on the way may change what is next.
      if (!(await clock.advance(new Date(act.at)))) return played(false)
      continue
    }
    ended.push(...(await database.transaction((tx) => perform(tx, act, stored, evening, now))))
  }
}

function nextOf(stored: Stored, around: Parameters<typeof stateOf>[1] & { wish: PlayWish }, players: Players) {
  const act = nextAct(stateOf(stored, around), players)
  const { until } = around.wish
  return act === null || (until !== null && act.at > until.getTime()) ? null : act
}

async function readStored(db: Db, tournament: string): Promise<Stored> {
  const [divisions, brackets, entrants] = await Promise.all([
    listDivisions(db, tournament),
    listBrackets(db, tournament),
    listEntrantsOfTournament(db, tournament),
  ])
  const matches = await Promise.all(brackets.map(({ guid }) => listMatchesOfBracket(db, guid)))
  return { divisions, brackets, entrants, matches: matches.flat() }
}

function recordsOf({ matches }: Stored, guids: readonly string[]): readonly MatchRecord[] {
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  return guids.flatMap((guid) => byGuid.get(guid) ?? [])
}

/** @returns GUIDs of the matches that ended by it */
async function perform(
  tx: Tx,
  act: Act,
  stored: Stored,
  { actor, rehearsal }: Evening,
  now: Date,
): Promise<readonly string[]> {
  const found = await findTournamentFor(tx, rehearsal.guid, actor.guid)
  if (found === undefined) throw unknownRehearsal()
  const { tournament } = found
  if (act.kind === 'pair') {
    const bracket = await findBracket(tx, act.bracket)
    if (bracket === undefined) throw unknownBracket()
    await pairRound(tx, actor, bracket, now)
    return []
  }
  const match = recordOf(stored, act.match)
  if (act.kind === 'start') {
    await startMatch(tx, actor, tournament, match, now)
    return []
  }
  if (act.kind === 'game') {
    const { number, scores, winner } = act.game
    const input = { sides: scores.map((score) => ({ score })), winner: sideOf(winner) }
    const after = await reportGame(tx, actor, tournament, match, { number, input }, now)
    return after.status === 'completed' ? [match.guid] : []
  }
  const { winner } = act
  const input =
    winner === null ? { outcome: 'double_forfeit' as const } : { outcome: 'walkover' as const, winner: sideOf(winner) }
  await reportResult(tx, actor, tournament, match, { input, dryRun: false }, now)
  const missing = act.match.teams.filter((team, side) => team !== null && side !== winner)
  for (const team of missing) {
    const target = { tournamentGuid: rehearsal.guid, teamGuid: team ?? '' }
    const leaving = { reason: 'Did not appear.', policy: 'walkover', seen: {}, dryRun: false } as const
    await withdraw(tx, actor, target, leaving, now)
  }
  return [match.guid]
}

const sideOf = (side: 0 | 1): 1 | 2 => (side === 0 ? 1 : 2)

function recordOf({ matches }: Stored, { bracket, number }: PlayableMatch): MatchRecord {
  const found = matches.find((match) => match.bracketGuid === bracket && match.number === number)
  if (found === undefined) throw unknownMatch()
  return found
}
