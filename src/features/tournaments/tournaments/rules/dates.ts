import { invalid } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import type { Settings } from '../types.ts'

export const dateNames = [
  'startsAt',
  'endsAt',
  'registrationOpensAt',
  'registrationClosesAt',
  'rosterLocksAt',
] as const satisfies readonly (keyof Settings)[]
export type DateName = (typeof dateNames)[number]
export type Dates = Pick<Settings, DateName>

/**
 * Pairs of dates of which the first must not be after the second: registration opens and closes before the start, the
 * end is last, and the roster lock is in between.
 */
const order: readonly (readonly [DateName, DateName])[] = [
  ['registrationOpensAt', 'registrationClosesAt'],
  ['registrationOpensAt', 'rosterLocksAt'],
  ['registrationOpensAt', 'startsAt'],
  ['registrationOpensAt', 'endsAt'],
  ['registrationClosesAt', 'startsAt'],
  ['registrationClosesAt', 'endsAt'],
  ['rosterLocksAt', 'endsAt'],
  ['startsAt', 'endsAt'],
]

/**
 * The dates that are set must be in order: registrationOpensAt, registrationClosesAt, startsAt, endsAt. Equal dates are
 * allowed. rosterLocksAt may be anywhere from the first to the last. (additions: Tournament record)
 * @throws Problem `tournament.dates_out_of_order`
 */
export function checkDateOrder(dates: Dates): void {
  const pair = datesOutOfOrder(dates)
  if (pair !== null) throw invalid('tournament.dates_out_of_order', `"${pair[0]}" must not be after "${pair[1]}".`)
}

/** The first pair of dates in the wrong order; null if all are in order. */
export function datesOutOfOrder(dates: Dates): readonly [DateName, DateName] | null {
  const isWrong = ([earlier, later]: readonly [DateName, DateName]) => {
    const [from, to] = [dates[earlier], dates[later]]
    return from !== null && to !== null && from.getTime() > to.getTime()
  }
  return order.find(isWrong) ?? null
}

/**
 * Parses the given instant; null if it is not set. (D7)
 * @throws Problem `tournament.invalid`
 */
export function readDate(name: string, text: string | null | undefined): Date | null {
  return readInstant(text, (reason) => invalid('tournament.invalid', `"${name}" ${reason}.`))
}
