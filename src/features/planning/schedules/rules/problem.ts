import { type TournamentRole, tournamentRoles } from '../../../../core/roles.ts'
import { type AvailabilityStatus, quarter, type Span } from '../../../../engine/availability.ts'
import { type Answered, type Official, type SchedulingProblem, willing } from '../../../../engine/scheduling/types.ts'
import type { Official as Assigned, MatchRecord } from '../../../brackets/matches/types.ts'
import type { TeamStatus } from '../../../teams/teams/types.ts'
import { addressedRoles, isEligible } from '../../availability/policy.ts'
import type { Sheet, StaffAnswers, TeamAnswers } from '../../availability/types.ts'
import type { Wish } from '../types.ts'
import { orderOf } from './order.ts'
import { peopleAt, peopleHeld, teamsIn } from './people.ts'
import { busyStreams } from './streams.ts'
import { type Busy, byText, nearTimes, type Rules } from './times.ts'

/** The facts from which a proposal is calculated. */
export interface Facts {
  /** The matches to be placed. */
  readonly matches: readonly MatchRecord[]
  /**
   * Other matches that are not over: all matches of the same brackets, and all matches of the tournament that take up
   * time.
   */
  readonly others: readonly MatchRecord[]
  /** The officials of the matches to be placed and of those that take up time, by match. */
  readonly officials: ReadonlyMap<string, readonly Assigned[]>
  /** The GUIDs of the members, by team of these matches. */
  readonly members: ReadonlyMap<string, readonly string[]>
  readonly sheets: readonly Sheet[]
  readonly teamAnswers: readonly TeamAnswers[]
  readonly staffAnswers: readonly StaffAnswers[]
  /** The statuses of registered and qualified teams. */
  readonly statuses: ReadonlyMap<string, TeamStatus>
  /** The names of the teams. */
  readonly names: ReadonlyMap<string, string>
}

/**
 * Builds the problem for the scheduling engine from the tournament's facts, limited to facts that can affect the
 * result. (additions: Availability)
 */
export function problemOf(facts: Facts, wish: Wish): SchedulingProblem {
  const rules = {
    minutesPerMatch: wish.minutesPerMatch,
    minRestMinutes: wish.minRestMinutes,
    streams: wish.streams,
    officialsPerMatch: wish.officialsPerMatch as Readonly<Record<string, number>>,
    earliest: Date.parse(wish.earliest),
    latest: Date.parse(wish.latest),
  }
  const teams = new Set(facts.matches.flatMap(teamsIn))
  const officials = officialsOf(facts, wish, rules)
  const near = nearTimes(facts.others, rules)
  const held = peopleHeld(facts, wish, near, officials)
  const people = new Set([...officials.map(({ id }) => id), ...[...held.values()].flat()])
  return {
    matches: orderOf(facts.matches, facts.others, rules, held),
    teams: new Map([...teams].map((team) => [team, answersOf(team, facts, rules)])),
    officials,
    busy: {
      teams: spansBy(near, (match) => teamsIn(match).filter((team) => teams.has(team))),
      officials: spansBy(near, (match) => peopleAt(facts, match).filter((person) => people.has(person))),
      streams: busyStreams(near, rules.streams),
    },
    rules,
    names: new Map([...facts.names, ...tournamentRoles.map((role) => [role, nameOf(role)] as const)]),
  }
}

/** The name of a role in a sentence, such as “head coordinator” for `role:hcoordinator`. */
function nameOf(role: TournamentRole): string {
  return role.replace('role:', '').replace(/^h(?!ost)/, 'head ')
}

function spansBy(
  busy: readonly Busy[],
  namesOf: (match: MatchRecord) => readonly string[],
): ReadonlyMap<string, readonly Span[]> {
  const named = busy.flatMap(({ match, span }) => namesOf(match).map((name) => ({ name, span })))
  const grouped = Map.groupBy(named, ({ name }) => name)
  return new Map([...grouped].map(([name, group]) => [name, group.map(({ span }) => span)]))
}

/**
 * A team that a sheet asks is available only when it answered so. A team that no sheet asks counts as always available.
 * Answers to sheets that no longer ask the team do not count.
 */
function answersOf(team: string, { sheets, statuses, teamAnswers }: Facts, rules: Rules): readonly Answered[] {
  const status = statuses.get(team)
  const asking = sheets.filter(
    (sheet) => sheet.audience === 'teams' && status !== undefined && isEligible(sheet, status),
  )
  if (asking.length === 0) return [{ ...paddedWindow(rules), status: 'available' }]
  const guids = new Set(asking.map(({ guid }) => guid))
  const own = teamAnswers.filter(({ teamGuid, sheetGuid }) => teamGuid === team && guids.has(sheetGuid))
  return within(
    own.flatMap(({ runs }) => runs),
    rules,
  )
}

/** A match may end in a quarter of an hour that begins before the latest time and ends after it. */
function paddedWindow({ earliest, latest }: Rules): Span {
  return { start: earliest - quarter, end: latest + quarter }
}

/** Cuts the answers to the window and sorts them. */
function within(runs: readonly Answered[], rules: Rules): readonly Answered[] {
  const window = paddedWindow(rules)
  return runs
    .map(({ start, end, status }) => ({
      start: Math.max(start, window.start),
      end: Math.min(end, window.end),
      status,
    }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start || a.end - b.end || byText(a.status, b.status))
}

/** All users with answers in a role that the matches need, if the sheets still ask this role. */
function officialsOf({ matches, sheets, staffAnswers }: Facts, wish: Wish, rules: Rules): readonly Official[] {
  const asked = new Map(sheets.map((sheet) => [sheet.guid, addressedRoles(sheet)]))
  const chosen = new Set(matches.map(({ guid }) => guid))
  const counting = staffAnswers.filter(
    ({ sheetGuid, role }) => (wish.officialsPerMatch[role] ?? 0) > 0 && asked.get(sheetGuid)?.includes(role),
  )
  return [...Map.groupBy(counting, ({ userGuid }) => userGuid)]
    .sort(([a], [b]) => byText(a, b))
    .map(([id, own]) => ({
      id,
      roles: [...Map.groupBy(own, ({ role }) => role)]
        .sort(([a], [b]) => byText(a, b))
        .map(([role, answers]) => ({
          role,
          availability: within(
            answers.flatMap(({ runs }) => runs),
            rules,
          ),
          matches: worstByMatch(answers, chosen),
        })),
    }))
}

const fromBest: readonly AvailabilityStatus[] = [...willing, 'unavailable']

/** If two sheets ask for the same match, the worse answer counts, as it does for times. */
function worstByMatch(
  answers: readonly StaffAnswers[],
  chosen: ReadonlySet<string>,
): ReadonlyMap<string, AvailabilityStatus> {
  const given = answers.flatMap(({ matches }) => matches).filter(({ matchGuid }) => chosen.has(matchGuid))
  return new Map(
    given
      .sort((a, b) => fromBest.indexOf(a.status) - fromBest.indexOf(b.status))
      .map(({ matchGuid, status }) => [matchGuid, status]),
  )
}

/**
 * Returns as text everything that a proposal depends on: each match to be placed, each time that is taken and each
 * answer. If any of it changes, the proposal is outdated.
 */
export function groundsOf({ matches }: Facts, { names: _, ...problem }: SchedulingProblem): string {
  const states = matches.map(({ guid, revision, status }) => [guid, { revision, status }] as const)
  return JSON.stringify([new Map(states), problem], (_key, value: unknown) => inOrder(value))
}

/** Converts maps to sorted lists and sorts members by name, so that equal facts give equal texts. */
function inOrder(value: unknown): unknown {
  if (value instanceof Map) return [...value].sort(byKey)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(byKey))
}

function byKey([one]: readonly [string, unknown], [another]: readonly [string, unknown]): number {
  return byText(one, another)
}
