import type {
  Answered,
  Official,
  Schedule,
  SchedulingMatch,
  SchedulingProblem,
} from '../../src/engine/scheduling/types.ts'
import { schedule } from '../../src/engine/scheduling.ts'

/** Small schedules of one evening, written by hours. */

export const minute = 60_000
const day = Date.UTC(2026, 4, 1)
/** Time of a day by its hour: 18.5 is half past six. */
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

/** An evening from 18 to 22 with hours of play, half an hour of rest and one stream, unless a test says otherwise. */
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

/** Hour and stream of each match, by number. */
export const times = ({ placements }: Schedule) =>
  Object.fromEntries(placements.map(({ match: id, start, stream }) => [id, [(start - day) / 60 / minute, stream]]))

export const all = [can(18, 22)]
