import { invalid } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import type { Window } from '../types.ts'

/** The periods of calendars. */

const day = 86_400_000
/** The maximum length of a window in days, enough for a leap year. (rest-interface: Calendar and notices) */
export const maxWindowDays = 366
/** The last instant that can be written. (D7) */
const lastInstant = Date.UTC(10_000, 0) - 1

/**
 * Both ends must be given, in order, and at most 366 days of 24 hours apart. (rest-interface: Calendar and notices; D7)
 * @throws Problem `calendar.window_invalid`
 */
export function readWindow(from: string, to: string): Window {
  return checkWindow({ from: readEnd('from', from) ?? unset('from'), to: readEnd('to', to) ?? unset('to') })
}

/**
 * The default window of a feed begins 30 days ago and has 366 days. It moves at midnight UTC, so that a program that
 * polls every hour gets the same content all day.
 * @throws Problem `calendar.window_invalid`
 */
export function readFeedWindow(from: string | undefined, to: string | undefined, now: Date): Window {
  const start = readEnd('from', from) ?? new Date((Math.floor(now.getTime() / day) - 30) * day)
  const end = new Date(Math.min(start.getTime() + maxWindowDays * day, lastInstant))
  return checkWindow({ from: start, to: readEnd('to', to) ?? end })
}

function checkWindow(window: Window): Window {
  const length = window.to.getTime() - window.from.getTime()
  if (length <= 0) throw fault('`from` must be before `to`.')
  if (length > maxWindowDays * day) throw fault(`From \`from\` to \`to\` may be at most ${maxWindowDays} days.`)
  return window
}

function readEnd(name: string, text: string | undefined): Date | null {
  return readInstant(text, (reason) => fault(`\`${name}\` ${reason}.`))
}

function unset(name: string): never {
  throw fault(`\`${name}\` must be set.`)
}

function fault(message: string) {
  return invalid('calendar.window_invalid', message)
}
