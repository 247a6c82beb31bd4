import { Problem } from '../src/core/problem.ts'
import { type ClockOp, judgeClock, judgeTimeout } from '../src/engine/flows/clock-operations.ts'
import { commitmentOf } from '../src/engine/flows/draws.ts'
import { completeFlow, type Flow, type FlowInput } from '../src/engine/flows/flow.ts'
import type { Machine } from '../src/engine/flows/machine.ts'
import { judgePenalty, judgeVoiding, type PenaltyInput, withLaterDropped } from '../src/engine/flows/penalties.ts'
import { judgeOverride, judgeUndo, type OverrideInput } from '../src/engine/flows/referee-rulings.ts'
import { replay, turnsChangedByCorrections } from '../src/engine/flows/replay.ts'
import { begin, write } from '../src/engine/flows/row-writer.ts'
import type { Draft, PoolEntry, Row, ScoreReport, SeatTeam } from '../src/engine/flows/rows.ts'
import {
  judgeCancelling,
  judgeClaim,
  judgeCorrection,
  judgeScores,
  judgeTechnical,
  type ScoreChanges,
  type ScoresInput,
} from '../src/engine/flows/scores.ts'
import { type Act, type Caller, judgeAct } from '../src/engine/flows/seat-actions.ts'
import { stateOf } from '../src/engine/flows/state.ts'
import type { State } from '../src/engine/flows/state-types.ts'
import { lapseRows, lapsesAt } from '../src/engine/flows/system-rows.ts'

/** A session in memory: a referee and the players of all seats, without a service. */

export const tableSession = '11111111-1111-4111-8111-111111111111'
export const tableSeed = Uint8Array.from({ length: 32 }, (_, index) => index)
export const referee = 'referee'

/** The name of a player of a seat; the first is its captain. */
export function player(seat: number, number = 1): string {
  return `player-${seat}-${number}`
}

/** The maps `m1`, `m2`, … with their properties. */
export function poolOf(
  maps: number,
  more: (number: number) => { readonly flair?: string; readonly isTiebreaker?: boolean } = () => ({}),
): readonly PoolEntry[] {
  return Array.from({ length: maps }, (_, index) => {
    const guid = `m${index + 1}`
    const { flair, isTiebreaker = false } = more(index + 1)
    const map = { hash: guid, difficulty: 'ExpertPlus', characteristic: 'Standard', name: guid, maxScore: 1_000_000 }
    return { guid, flair: flair === undefined ? null : { name: flair }, isTiebreaker, modifiers: [], map }
  })
}

export function teamOf(seat: number, players = 1): SeatTeam {
  const members = Array.from({ length: players }, (_, index) => player(seat, index + 1))
  return { seat, team: `team-${seat}`, name: `Team ${seat}`, seed: seat, captain: members[0] ?? null, members }
}

export interface TableOptions {
  /** With or without defaults filled in. */
  readonly flow: FlowInput | Flow
  readonly pool?: readonly PoolEntry[]
  readonly players?: number
  readonly teams?: readonly SeatTeam[]
  readonly startsInSeconds?: number
  readonly allowDraws?: boolean
  readonly bannedMods?: readonly string[]
  readonly scheduledAt?: string
  /** Without a match. */
  readonly isFree?: boolean
  readonly seed?: Uint8Array
}

type Told = Partial<Omit<ScoreReport, 'guid'>>
/** A score, or its properties; `null` for no score. */
export type Given = number | Told | null

function isCompleted(flow: FlowInput | Flow): flow is Flow {
  return (
    flow.rules !== undefined && 'graceSeconds' in flow.rules && 'eliminate' in flow.rules && 'tieReplays' in flow.rules
  )
}

function reportOf(user: string, given: number | Told): Omit<ScoreReport, 'guid' | 'map'> & { map?: string | null } {
  return {
    user,
    score: 0,
    accuracy: null,
    misses: null,
    badCuts: null,
    maxCombo: null,
    completion: 'passed',
    pausedSeconds: null,
    mods: [],
    source: 'manual',
    externalId: null,
    playedAt: null,
    evidenceUrl: null,
    ...(typeof given === 'number' ? { score: given } : given),
  }
}

/** The problem of a refused call: its code, and the reason where there is one. */
export function refusal(act: () => unknown): string | null {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const why = error.data?.why
    return typeof why === 'string' ? `${error.code} ${why}` : error.code
  }
  return null
}

/** A session in which each step takes a second. */
export class FlowTable {
  now = 1_000_000_000_000
  machine: Machine
  readonly #seed: Uint8Array
  readonly #isFree: boolean
  #named = 0

  constructor(options: TableOptions) {
    const flow = isCompleted(options.flow) ? options.flow : completeFlow(options.flow)
    const { seed = tableSeed, players = 1, startsInSeconds, isFree = false } = options
    this.#seed = seed
    this.#isFree = isFree
    const data = {
      commitment: commitmentOf(seed),
      flow,
      pool: options.pool ?? poolOf(7),
      teams: options.teams ?? Array.from({ length: flow.seats }, (_, index) => teamOf(index + 1, players)),
      startsAt: startsInSeconds === undefined ? null : new Date(this.now + startsInSeconds * 1_000).toISOString(),
      allowDraws: options.allowDraws ?? false,
      scheduledAt: options.scheduledAt ?? null,
      bannedMods: options.bannedMods ?? [],
    }
    this.machine = begin(tableSession, { kind: 'start', data }, referee, this.#pen).machine
  }

  get #pen() {
    return { seed: this.#seed, now: this.now }
  }

  get rows(): readonly Row[] {
    return this.machine.rows
  }

  /** The state for a referee. */
  get state(): State {
    return stateOf(this.machine, this.now, { seats: [], isReferee: true })
  }

  /** The state for a speaker of the seat. */
  seenBy(seat: number): State {
    return stateOf(this.machine, this.now, { seats: [seat], isReferee: false })
  }

  /** The state that follows from the rows up to a position alone. */
  stateAt(position: number): State {
    const rows = this.rows.slice(0, position)
    return stateOf(replay(tableSession, rows), this.now, { seats: [], isReferee: true })
  }

  #guid(): string {
    this.#named += 1
    return `guid-${this.#named}`
  }

  /** Adds a row without a check. */
  put(draft: Draft | null, by: string | null = referee): void {
    if (draft === null) return
    this.machine = write(this.machine, [draft], by, this.#pen).machine
    this.now += 1_000
  }

  /** @param who a seat, whose captain acts, or a user */
  act(who: number | string, act: Act): void {
    const caller = callerOf(who)
    this.put(judgeAct(this.machine, act, caller, this.now), caller.user)
  }

  undo(who: number | string = referee): void {
    const caller = callerOf(who)
    this.put(judgeUndo(this.machine, caller, this.now, !this.#isFree), caller.user)
  }

  /** Reports the scores of all players, by seat and then by player. */
  scores(...bySeat: readonly (Given | readonly Given[])[]): void {
    this.report({ scores: this.reports(bySeat), complete: false })
  }

  reports(bySeat: readonly (Given | readonly Given[])[]): ScoresInput['scores'] {
    const lineups = this.state.seats.map(({ lineup }) => lineup ?? [])
    return bySeat.flatMap((given, index) => {
      const ofSeat: readonly Given[] = isList(given) ? given : [given]
      return ofSeat.flatMap((one, number): ScoresInput['scores'] => {
        const user = lineups[index]?.[number] ?? player(index + 1, number + 1)
        if (one === null) return []
        const told = reportOf(user, one)
        return user.startsWith('seat:') ? [{ ...told, user: undefined, seat: index + 1 }] : [told]
      })
    })
  }

  report(input: ScoresInput): void {
    this.put(judgeScores(this.machine, input, () => this.#guid()))
  }

  /** @returns the GUID of the claim */
  claim(who: number | string, input: Parameters<typeof judgeClaim>[1] = {}): string {
    const guid = this.#guid()
    const caller = callerOf(who)
    this.put(judgeClaim(this.machine, input, caller, this.now, guid), caller.user)
    return guid
  }

  cancel(claim: string): void {
    this.put(judgeCancelling(this.machine, claim))
  }

  technical(...seats: readonly number[]): void {
    this.put(judgeTechnical(this.machine, { seats, reason: 'It broke.' }, this.#guid()))
  }

  /** @returns the GUID of the penalty */
  penalty(input: Omit<PenaltyInput, 'reason'>, dropLater = false): string {
    const guid = this.#guid()
    const draft = judgePenalty(this.machine, { ...input, reason: 'So it is.' }, guid, this.#isFree)
    this.#correct(draft, dropLater)
    return guid
  }

  voidPenalty(guid: string, dropLater = false): void {
    this.#correct(judgeVoiding(this.machine, guid, 'It was not so.'), dropLater)
  }

  /** Corrects a score by its GUID. */
  correct(guid: string, changes: Omit<ScoreChanges, 'reason'>, dropLater = false): void {
    const draft = judgeCorrection(this.machine, guid, { ...changes, reason: 'It was read wrong.' })
    if (draft !== null) this.#correct(draft, dropLater)
  }

  #correct(draft: Draft, dropLater: boolean): void {
    const row = { step: null, seat: null, onBehalf: false, map: null, ...draft }
    const placed = { ...row, position: this.machine.position + 1, by: referee, at: this.now } as Row
    this.put(withLaterDropped(this.machine, draft, placed, dropLater))
  }

  clock(op: ClockOp, seconds?: number, resume?: 'play_on'): void {
    this.put(judgeClock(this.machine, op, { seconds, resume }, this.now))
  }

  timeout(who: number | string, seat?: number): void {
    const caller = callerOf(who)
    this.put(judgeTimeout(this.machine, seat, caller, this.now), caller.user)
  }

  override(input: Unreasoned<OverrideInput>): void {
    const strangers = turnsChangedByCorrections(this.machine)
    const given = { reason: 'A referee said so.', ...input } as OverrideInput
    this.put(judgeOverride(this.machine, given, strangers, this.now))
  }

  /** Lets time pass until the clock expires, and writes the rows that follow. */
  lapse(): void {
    const at = lapsesAt(this.machine)
    if (at === null) throw new Error('no clock runs')
    this.now = Math.max(this.now, at)
    const drafts = lapseRows(this.machine, this.now)
    if (drafts.length === 0) throw new Error('the time is over, and nothing comes of it')
    this.machine = write(this.machine, drafts, null, this.#pen).machine
    this.now += 1_000
  }
}

type Unreasoned<T> = T extends unknown ? Omit<T, 'reason'> : never

function isList(given: Given | readonly Given[]): given is readonly Given[] {
  return Array.isArray(given)
}

function callerOf(who: number | string): Caller {
  const user = typeof who === 'number' ? player(who) : who
  return { user, isReferee: user === referee }
}
