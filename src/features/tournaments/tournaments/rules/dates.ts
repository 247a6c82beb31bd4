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
  for (const [earlier, later] of order) {
    const [from, to] = [dates[earlier], dates[later]]
    if (from !== null && to !== null && from.getTime() > to.getTime()) {
      throw invalid('tournament.dates_out_of_order', `"${earlier}" must not be after "${later}".`)
    }
  }
}

/**
 * Parses the given instant; null if it is not set. (D7)
 * @throws Problem `tournament.invalid`
 */
export function readDate(name: string, text: string | null | undefined): Date | null {
  return readInstant(text, (reason) => invalid('tournament.invalid', `"${name}" ${reason}.`))
}
