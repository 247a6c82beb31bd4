import type { SignedIn } from '../../../core/actor.ts'
import { Problem } from '../../../core/problem.ts'
import type { Machine } from '../../../engine/flows/machine.ts'
import { replay } from '../../../engine/flows/replay.ts'
import { nextAct } from '../../../engine/simulated/evening.ts'
import type { Act, PlayableMatch, Players } from '../../../engine/simulated/types.ts'
import type { Database, Db } from '../../../infra/db/database.ts'
import type { Threads } from '../../../infra/threads/threads.ts'
import { isIn } from '../../brackets/brackets/rules/entrants.ts'
import { listBrackets, listEntrantsOfTournament } from '../../brackets/brackets/store/brackets.ts'
import { listDivisions } from '../../brackets/brackets/store/divisions.ts'
import { listTeamsNamed } from '../../brackets/brackets/store/entering.ts'
import { listMatchesOfTournament } from '../../brackets/matches/store/matches.ts'
import { drawnAsOf } from '../../flows/flowSessions/rules/record.ts'
import { listRows } from '../../flows/flowSessions/store/rows.ts'
import { findCurrentOfMatches } from '../../flows/flowSessions/store/sessions.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { listOwnDurations, listPastDurations } from '../estimates/store.ts'
import type { RehearsalClocks } from '../rehearsals/prepare.ts'
import { unknownRehearsal } from '../rehearsals/rules.ts'
import { findRehearsal } from '../rehearsals/store.ts'
import type { Rehearsal } from '../rehearsals/types.ts'
import { perform } from './commands.ts'
import {
  cannotGoOn,
  checkReady,
  endedBy,
  playedOf,
  playersOf,
  type Stored,
  type StoredSession,
  stateOf,
} from './rules.ts'
import type { EveningClock, PlayedMatch, PlayWish } from './types.ts'

/** Has simulated teams play rehearsals. (R4) */
export interface SimulatedPlayers {
  /**
   * Plays as far as wished, for 20 seconds at most.
   * @throws Problem `match.unknown`, `match.not_ready`, `rehearsal.unknown`
   */
  readonly play: (calling: Calling, wish: PlayWish) => Promise<PlayedEvening>
}

interface Calling {
  readonly actor: SignedIn
  readonly rehearsal: Rehearsal
  /** The tournament that is rehearsed; past durations are its own and its organiser's. */
  readonly real: Pick<Tournament, 'guid' | 'organiserGuid'>
}

export interface Evening extends Calling {
  readonly database: Database
  readonly threads: Threads
  readonly clock: EveningClock
  /** How long it may be played, in milliseconds; one step is always done. */
  readonly budgetMs: number
}

export interface PlayedEvening {
  /** The matches that ended, in that order. */
  readonly played: readonly PlayedMatch[]
  /** False if the time for one call was over before it was played as far as wished. */
  readonly isDone: boolean
}

interface Surroundings {
  readonly database: Database
  readonly services: { readonly threads: Threads }
  readonly clients: { readonly rehearsalClocks: RehearsalClocks }
}

/** @param budgetMs how long one call may work; each does one step at least */
export function simulatedPlayers(around: () => Surroundings, budgetMs: number): SimulatedPlayers {
  return {
    async play(calling, wish) {
      const { database, services, clients } = around()
      const { guid } = calling.rehearsal
      const clock: EveningClock = {
        now: async () => (await findRehearsal(database.db, guid))?.clock.now ?? Promise.reject(unknownRehearsal()),
        advance: (to) => clients.rehearsalClocks.advance(guid, to, calling.actor.guid),
      }
      return playEvening({ ...calling, database, threads: services.threads, clock, budgetMs }, wish)
    },
  }
}

/** Others may change a match meanwhile. What is refused more often will be refused for ever. */
const mostRefusals = 3

/**
 * Plays by the commands of the ordinary operations, each in a transaction of its own, and moves the clock with them. (R4)
 * @throws Problem as `SimulatedPlayers.play`
 */
export async function playEvening(evening: Evening, wish: PlayWish): Promise<PlayedEvening> {
  const { database, threads, clock, rehearsal, real, actor } = evening
  const until = performance.now() + evening.budgetMs
  const [own, others] = await Promise.all([
    listOwnDurations(database.db, real.guid, rehearsal.createdAt),
    listPastDurations(database.db, real.organiserGuid, rehearsal.createdAt),
  ])
  const ended: string[] = []
  const machines = new Map<string, Machine>()
  let players: Players | null = null
  let [steps, refusals] = [0, 0]
  let acted: PlayableMatch | null = null
  for (;;) {
    const stored: Stored = await database.snapshot((db) => readStored(db, rehearsal.guid, machines))
    if (acted !== null) ended.push(...endedBy(stored, acted))
    acted = null
    if (players === null) checkReady(stored, wish)
    players ??= playersOf(rehearsal, stored, { own, others }, wish.rates)
    const now = await clock.now()
    const around = { now, begin: rehearsal.beginsAt, wish }
    const act = wish.count !== null && ended.length >= wish.count ? null : nextOf(stored, around, players)
    const played = (isDone: boolean) => ({ played: playedOf(stored, ended), isDone })
    if (act === null) return played(wish.until === null || (await clock.advance(wish.until)).isDone)
    if (steps > 0 && performance.now() > until) return played(false)
    steps += 1
    const goal = isWait(act) ? Math.max(act.at, now.getTime() + 1) : act.at
    if (goal > now.getTime()) {
      const { ran, isDone } = await clock.advance(new Date(goal))
      if (!isDone) return played(false)
      // What was due on the way may have changed what is next.
      if (ran > 0 || isWait(act)) continue
    }
    try {
      const performing = { actor, stored, threads, now: new Date(goal), rehearsal: rehearsal.guid }
      await database.transaction((tx) => perform(tx, act, performing))
      acted = 'match' in act ? act.match : null
      refusals = 0
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'rehearsal.unknown') throw error
      refusals += 1
      if (refusals > mostRefusals) throw cannotGoOn(error)
    }
  }
}

/** The time of a step is over when the clock gets there; no player does anything. */
const isWait = (act: Act) => act.kind === 'move' && act.move.kind === 'wait'

function nextOf(stored: Stored, around: Parameters<typeof stateOf>[1] & { wish: PlayWish }, players: Players) {
  const act = nextAct(stateOf(stored, around), players)
  const { until } = around.wish
  return act === null || (until !== null && act.at > until.getTime()) ? null : act
}

/** GUIDs of the teams of brackets that may play on in another one. */
async function listPresent(db: Db, tournament: string, entrants: Stored['entrants']): Promise<ReadonlySet<string>> {
  const isOpen = entrants.some(({ team }) => team === null)
  const guids = isOpen ? entrants.flatMap(({ team }) => team ?? []) : []
  const teams = await listTeamsNamed(db, tournament, [...new Set(guids)])
  return new Set([...teams.values()].flatMap((team) => (isIn(team) && team.withdrawnAt === null ? team.guid : [])))
}

/** @param machines of sessions that were read before; changed here */
async function readStored(db: Db, tournament: string, machines: Map<string, Machine>): Promise<Stored> {
  const [divisions, brackets, entrants, matches] = await Promise.all([
    listDivisions(db, tournament),
    listBrackets(db, tournament),
    listEntrantsOfTournament(db, tournament),
    listMatchesOfTournament(db, tournament),
  ])
  const running = matches.filter(({ status }) => status === 'running').map(({ guid }) => guid)
  const sessions = new Map<string, StoredSession>()
  for (const [match, record] of await findCurrentOfMatches(db, running)) {
    if (record.status !== 'running' && record.status !== 'paused') continue
    const known = machines.get(record.guid)
    const machine =
      known?.position === record.position
        ? known
        : replay(record.guid, await listRows(db, record.guid), drawnAsOf(record))
    machines.set(record.guid, machine)
    sessions.set(match, { record, machine })
  }
  return { divisions, brackets, entrants, matches, sessions, present: await listPresent(db, tournament, entrants) }
}
