import type { AvailabilitySheet, Match } from '../../../../client/generated.ts'
import type { Writes } from '../../data/generated.ts'
import type { Pins } from '../../data/pins.ts'
import { isOpen } from '../matches.ts'
import type { Plan } from './plan.ts'

/** What is asked of those who work out times: which matches, when, where, and whose answers count. */

export interface Wish {
  /** `untimed`, `all`, or the key of a round. */
  readonly which: string
  readonly earliest: string | null
  readonly latest: string | null
  readonly minutes: number | null
  readonly rest: number | null
  /** GUIDs of channels. */
  readonly channels: readonly string[]
  /** How many matches may be at once off the channels. */
  readonly others: number | null
  readonly sheets: readonly string[]
  readonly referees: number | null
  readonly casters: number | null
}

const hourMs = 3_600_000
const longestMs = 62 * 24 * hourMs

/** What is likely to be wanted. */
export function usualWish(plan: Plan, sheets: readonly AvailabilitySheet[], now: number): Wish {
  const begin = Math.max(Math.ceil(now / hourMs) * hourMs, Date.parse(plan.startsAt ?? '') || 0)
  const end = Date.parse(plan.endsAt ?? '') || 0
  const latest = end > begin ? Math.min(end, begin + longestMs) : begin + 7 * 24 * hourMs
  return {
    which: 'untimed',
    earliest: new Date(begin).toISOString(),
    latest: new Date(latest).toISOString(),
    minutes: plan.rules.minutes,
    rest: plan.rules.rest,
    channels: plan.channels.map(({ guid }) => guid),
    others: plan.channels.length > 0 ? 0 : 4,
    sheets: sheets.filter(({ audience }) => audience === 'teams').map(({ guid }) => guid),
    referees: 0,
    casters: 0,
  }
}

export const roundKey = ({ bracket, section, round }: Match): string => `${bracket} ${section} ${round}`

/** The matches that are asked about: those that are pinned keep their time. */
export function matchesOf(which: string, plan: Plan, pins: Pins): readonly Match[] {
  return plan.matches.filter(
    (match) =>
      isOpen(match) &&
      !(match.scheduledAt !== null && pins.has(match.guid)) &&
      (which === 'all' || (which === 'untimed' ? match.scheduledAt === null : roundKey(match) === which)),
  )
}

/** How many can be at once. */
export const placesOf = ({ channels, others }: Wish): number => channels.length + (others ?? 0)

const most = 256

export function requestOf(
  wish: Wish,
  plan: Plan,
  pins: Pins,
): Writes['POST /tournaments/{tournament}/schedule/proposals']['body'] {
  const urls = plan.channels.filter(({ guid }) => wish.channels.includes(guid)).map(({ url }) => url)
  // Names without an address are places off the channels.
  const names = Array.from({ length: wish.others ?? 0 }, (_, at) => `Place ${at + 1}`)
  const { referees, casters } = wish
  return {
    matches: matchesOf(wish.which, plan, pins)
      .slice(0, most)
      .map(({ guid }) => guid),
    sheets: wish.sheets,
    rules: {
      minutesPerMatch: wish.minutes ?? plan.rules.minutes,
      minRestMinutes: wish.rest ?? 0,
      streams: [...urls, ...names],
      earliest: wish.earliest ?? '',
      latest: wish.latest ?? '',
      officialsPerMatch: {
        ...(referees !== null && referees > 0 && { 'role:referee': referees }),
        ...(casters !== null && casters > 0 && { 'role:caster': casters }),
      },
    },
  }
}
