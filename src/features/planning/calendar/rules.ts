import { listEntries, readWords } from '../../../core/list.ts'
import { invalid } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import { type Entry, type EntryFacts, type EntryKind, entryKinds, type Window } from './types.ts'

const day = 86_400_000
/** A window of the calendar may hold a leap year. (rest-interface: Calendar and notices) */
export const maxWindowDays = 366
/** Of those that can be written. (D7) */
const lastInstant = Date.UTC(10_000, 0) - 1

/**
 * Both ends are given, in order, and lie at most 366 days of 24 hours apart. (rest-interface: Calendar and notices; D7)
 * @throws Problem `calendar.window_invalid`
 */
export function readWindow(from: string, to: string): Window {
  return checkWindow({ from: readEnd('from', from) ?? unset('from'), to: readEnd('to', to) ?? unset('to') })
}

/**
 * A feed whose address names no window shows the last 30 days and what is to come of the 366 that begin with them. It
 * moves at midnight UTC, so that a program that asks every hour gets the same all day.
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

/**
 * A comma list of kinds; all of them unless given. (rest-interface: Calendar and notices)
 * @throws Problem `calendar.kind_unknown`
 */
export function readKinds(text: string | undefined): readonly EntryKind[] {
  if (text === undefined) return entryKinds
  return readWords(listEntries(text), entryKinds, 'kinds', 'calendar.kind_unknown')
}

/**
 * A tournament takes place from its start to its end, and its registration is open from one date to the other. Where one
 * of the two is not set, what is left is an instant. (domain: Calendar)
 */
export function entryOf({ kind, tournament, event }: EntryFacts): Entry {
  const { guid, id, name, status, timezone, updatedAt } = tournament
  const common = { kind, tournament: { guid, id, name, status, timezone }, icon: null, changedAt: updatedAt }
  if (event !== null) {
    const { title, description, icon, startTime, endTime } = event
    const changedAt = new Date(Math.max(event.updatedAt.getTime(), updatedAt.getTime()))
    return { ...common, guid: event.guid, title, description, icon, startsAt: startTime, endsAt: endTime, changedAt }
  }
  if (kind === 'tournament') {
    const span = spanOf(tournament.startsAt, tournament.endsAt)
    return { ...common, guid, title: name, description: tournament.summary, ...span }
  }
  const { registrationOpensAt: opensAt, registrationClosesAt: closesAt } = tournament
  const title = closesAt === null ? 'Registration opens' : opensAt === null ? 'Registration closes' : 'Registration'
  return { ...common, guid, title, description: null, ...spanOf(opensAt, closesAt) }
}

function spanOf(start: Date | null, end: Date | null): Pick<Entry, 'startsAt' | 'endsAt'> {
  if (start !== null) return { startsAt: start, endsAt: end }
  if (end === null) throw new Error('an entry of the calendar has no date')
  return { startsAt: end, endsAt: null }
}
