import type {
  Answered,
  Official,
  Schedule,
  SchedulingMatch,
  SchedulingProblem,
} from '../../src/engine/scheduling/types.ts'
import { schedule } from '../../src/engine/scheduling.ts'

/** Small schedules of one evening, with times in hours. */

export const minute = 60_000
const day = Date.UTC(2026, 4, 1)
/** A time of the day by its hour: 18.5 is 18:30. */
export const at = (hour: number) => day + hour * 60 * minute

export const can = (from: number, to: number, status: Answered['status'] = 'available'): Answered => ({
  start: at(from),
  end: at(to),
  status,
})

export const match = (
  number: number,
  teams: SchedulingMatch['teams'],
  more: Partial<SchedulingMatch> = {},
): SchedulingMatch => ({
  id: `m${number}`,
  number,
  teams,
  after: [],
  notBefore: null,
  notAfter: null,
  people: [],
  ...more,
})

export const referee = (id: string, ...availability: Answered[]): Official => ({
  id,
  roles: [{ role: 'referee', availability, matches: new Map() }],
})

export interface Given {
  readonly matches: readonly SchedulingMatch[]
  readonly teams?: Record<string, readonly Answered[]>
  readonly officials?: readonly Official[]
  readonly busy?: Partial<
    Record<keyof SchedulingProblem['busy'], Record<string, readonly (readonly [number, number])[]>>
  >
  readonly rules?: Partial<SchedulingProblem['rules']>
  readonly names?: Record<string, string>
}

/** By default an evening from 18:00 to 22:00 with matches of an hour, half an hour of rest and one stream. */
export function propose({ matches, teams = {}, officials = [], busy = {}, rules = {}, names = {} }: Given): Schedule {
  const taken = (spans: Record<string, readonly (readonly [number, number])[]> = {}) =>
    new Map(
      Object.entries(spans).map(([key, all]) => [key, all.map(([from, to]) => ({ start: at(from), end: at(to) }))]),
    )
  return schedule({
    matches,
    teams: new Map(Object.entries(teams)),
    officials,
    busy: { teams: taken(busy.teams), officials: taken(busy.officials), streams: taken(busy.streams) },
    rules: {
      minutesPerMatch: 60,
      minRestMinutes: 30,
      streams: ['Main'],
      officialsPerMatch: {},
      earliest: at(18),
      latest: at(22),
      ...rules,
    },
    names: new Map(Object.entries(names)),
  })
}

/** The hour and stream of each match, by number. */
export const times = ({ placements }: Schedule) =>
  Object.fromEntries(placements.map(({ match: id, start, stream }) => [id, [(start - day) / 60 / minute, stream]]))

export const all = [can(18, 22)]
