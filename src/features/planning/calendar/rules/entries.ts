import { listEntries, readWords } from '../../../../core/list.ts'
import { missing, type Problem } from '../../../../core/problem.ts'
import { defaultMinutes } from '../../../../engine/match-duration.ts'
import {
  type Entry,
  type EntryCourse,
  type EntryFacts,
  type EntryKind,
  type EntryMatch,
  type EntrySide,
  entryKinds,
  type OwnFacts,
  type OwnKind,
} from '../types.ts'

/**
 * Parses a comma-separated list of kinds; the default is all kinds. (rest-interface: Calendar and notices)
 * @throws Problem `calendar.kind_unknown`
 */
export function readKinds(text: string | undefined): readonly EntryKind[] {
  if (text === undefined) return entryKinds
  return readWords(listEntries(text), entryKinds, 'kinds', 'calendar.kind_unknown')
}

/**
 * Converts facts into a calendar entry. A tournament lasts from its start to its end, registration and qualifiers from
 * opening to closing, and a match from its scheduled time. If one of two dates is unset, the entry is an instant.
 * Entries in public calendars do not mark their readers as busy. (domain: Calendar; awards: What stands already; D64)
 */
export function entryOf(facts: EntryFacts): Entry {
  const entry = 'award' in facts ? entryOfAward(facts) : entryOfTournament(facts)
  return { isCancelled: false, isBusy: false, ...entry }
}

type Made = Omit<Entry, 'isCancelled' | 'isBusy'> & Partial<Pick<Entry, 'isCancelled'>>

function entryOfTournament(facts: Exclude<EntryFacts, { readonly award: unknown }>): Made {
  const { key, tournament } = facts
  const { guid, name, updatedAt } = tournament
  const common = { key, kind: key, tournament: shownOf(tournament), award: null, icon: null, changedAt: updatedAt }
  switch (facts.key) {
    case 'timeline': {
      const { title, description, icon, startTime, endTime, ...event } = facts.event
      const changedAt = latest(event.updatedAt, updatedAt)
      return {
        ...common,
        guid: event.guid,
        title,
        description,
        icon,
        startsAt: startTime,
        endsAt: endTime,
        changedAt,
      }
    }
    case 'match': {
      const { match } = facts
      const changedAt = latest(match.updatedAt, updatedAt)
      const { scheduledAt } = match
      const times = { ...timesOf(match, scheduledAt), changedAt }
      return { ...common, guid: match.guid, description: null, ...describedMatch(match, scheduledAt), ...times }
    }
    case 'qualifier': {
      const { opensAt, closesAt, ...qualifier } = facts.qualifier
      const changedAt = latest(qualifier.updatedAt, updatedAt)
      const title = opening('Qualifier', opensAt, closesAt)
      return { ...common, guid: qualifier.guid, title, description: null, ...spanOf(opensAt, closesAt), changedAt }
    }
    case 'registration': {
      const { registrationOpensAt: opensAt, registrationClosesAt: closesAt } = tournament
      const title = opening('Registration', opensAt, closesAt)
      return { ...common, guid, title, description: null, ...spanOf(opensAt, closesAt) }
    }
    case 'tournament': {
      const span = spanOf(tournament.startsAt, tournament.endsAt)
      return { ...common, guid, title: name, description: tournament.summary, ...span }
    }
  }
}

/**
 * The entry for results is at their actual publication, even if that is earlier than planned.
 * (awards: States of an edition)
 */
function entryOfAward({ key, award }: Extract<EntryFacts, { readonly award: unknown }>): Made {
  const { guid, id, title, publishAt, publishedAt, updatedAt: changedAt } = award
  const phases = {
    'award-nominations': { title: 'Nominations', startsAt: award.nominationsOpenAt, endsAt: award.nominationsCloseAt },
    'award-voting': { title: 'Voting', startsAt: award.votingOpensAt, endsAt: award.votingClosesAt },
    'award-results': { title: 'Results', startsAt: earliest(publishedAt, publishAt), endsAt: null },
  }
  const { title: phase, startsAt, endsAt } = phases[key]
  return {
    kind: 'award',
    key,
    guid,
    title: phase,
    description: null,
    icon: null,
    tournament: null,
    changedAt,
    award: { guid, id, title },
    ...spanOf(startsAt, endsAt),
  }
}

/**
 * A match lasts as long as is usual for its best-of, from its scheduled time, or from its start once it has begun. Once
 * it is completed, it has its actual start and end. If only its result was reported, its start is unknown: the entry is
 * at the scheduled time, or ends at the report if that is earlier. It is never longer than usual, as a result may be
 * reported days later. (D64)
 */
function timesOf(course: EntryCourse, scheduledAt: Date): Pick<Entry, 'startsAt' | 'endsAt'> {
  const { bestOf, completedAt } = course
  const startsAt = startOf(course, scheduledAt)
  const usualEnd = new Date(startsAt.getTime() + defaultMinutes(bestOf) * minute)
  if (completedAt === null) return { startsAt, endsAt: usualEnd }
  // Calendar programs do not show entries without a duration.
  const end = latest(completedAt, new Date(startsAt.getTime() + minute))
  if (isStartKnown(course)) return { startsAt, endsAt: end }
  return { startsAt, endsAt: completedAt > startsAt ? earliest(end, usualEnd) : usualEnd }
}

/** The same as `shownFrom`, by which windows and pages find the match. */
function startOf(course: EntryCourse, scheduledAt: Date): Date {
  const { bestOf, startedAt, completedAt, outcome } = course
  if (startedAt !== null && isStartKnown(course)) return startedAt
  const isEarlier = completedAt !== null && completedAt <= scheduledAt && !unplayedOutcomes.includes(outcome)
  return isEarlier ? new Date(completedAt.getTime() - defaultMinutes(bestOf) * minute) : scheduledAt
}

const unplayedOutcomes: readonly EntryCourse['outcome'][] = ['bye', 'walkover', 'double_forfeit']

/** A match whose result was told at once has the same start and end. */
function isStartKnown({ startedAt, completedAt }: Pick<EntryCourse, 'startedAt' | 'completedAt'>): boolean {
  return startedAt !== null && startedAt.getTime() !== completedAt?.getTime()
}

const minute = 60_000

/** Whether the match was played. */
function hasBegun(course: EntryCourse): boolean {
  return course.games > 0 || isStartKnown(course)
}

/**
 * The title with the teams and, if the match was not played, the reason. It is cancelled if that was decided before its
 * time. (D64)
 */
function describedMatch(course: EntryCourse, scheduledAt: Date): Pick<Entry, 'title' | 'isCancelled'> {
  const title = titleOfMatch(course.sides)
  const why = unplayed(course)
  const isBefore = course.completedAt === null || course.completedAt < scheduledAt
  if (why === null) return { title, isCancelled: false }
  return { title: `${title} (${why})`, isCancelled: isBefore || course.status === 'cancelled' }
}

/**
 * Why the match is not played; null if it is or was played. A forfeit of a match that had begun counts as played.
 * (D64, D59)
 */
function unplayed(course: EntryCourse): string | null {
  const { sides, status, outcome, conditional } = course
  if (status === 'cancelled') return conditional ? 'not needed' : 'not played: nobody is left to play'
  if (status !== 'completed' || hasBegun(course)) return null
  if (outcome === 'double_forfeit') return 'not played: double forfeit'
  if (outcome === 'bye') return 'not played: bye'
  if (outcome !== 'walkover') return null
  const winner = sides.find(({ hasWon }) => hasWon)?.name ?? null
  return winner === null ? 'not played: walkover' : `not played: walkover for ${winner}`
}

/**
 * Converts a match, a duty or a deadline into an entry of a user's own calendar. A duty at a match lasts as long as the
 * match. Matches and duties mark the user as busy, deadlines do not. (awards: What stands already; D64)
 */
export function ownEntryOf(facts: OwnFacts): Entry<EntryKind | OwnKind> {
  const { kind, guid, role, match, plannedAt, tournament } = facts
  const described = match === null ? null : describedMatch(match, plannedAt)
  const isAtMatch = kind === 'match' || kind === 'duty'
  const { startsAt, endsAt } =
    isAtMatch && match !== null ? timesOf(match, plannedAt) : { startsAt: facts.startsAt, endsAt: facts.endsAt }
  const isCancelled = isAtMatch && described?.isCancelled === true
  const teams = described === null ? [] : [described.title]
  const titles = {
    match: teams.join(),
    duty: [nameOfRole(role), ...teams].join(': '),
    stream: [`Stream as ${role}`, ...teams].join(': '),
    sheet: `Availability closes: ${facts.title}`,
  }
  return {
    kind,
    key: kind === 'duty' ? `duty-${role.replace('role:', '')}` : kind,
    guid,
    title: titles[kind],
    description: null,
    icon: null,
    startsAt,
    endsAt,
    tournament: shownOf(tournament),
    award: null,
    isCancelled,
    isBusy: kind !== 'sheet' && !isCancelled,
    changedAt: latest(facts.updatedAt, tournament.updatedAt),
  }
}

/** Returns the readable name of a role, such as “Head caster” for `role:hcaster`. */
function nameOfRole(role: string): string {
  const name = role.replace('role:', '')
  const isHead = name !== 'host' && name.startsWith('h')
  return isHead ? `Head ${name.slice(1)}` : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/**
 * The names of the teams. A team that is not known yet is named by the match that it comes from.
 * (awards: What stands already)
 */
export function titleOfMatch([first, second]: EntryMatch['sides']): string {
  return `${nameOfSide(first)} – ${nameOfSide(second)}`
}

function nameOfSide({ name, from, isBye }: EntrySide): string {
  if (name !== null) return name
  if (isBye) return 'Bye'
  if (from === null) return 'To be decided'
  return `${from.outcome === 'winner' ? 'Winner' : 'Loser'} of match ${from.match}`
}

function shownOf({ guid, id, name, status, timezone }: NonNullable<Entry['tournament']>) {
  return { guid, id, name, status, timezone }
}

function opening(name: string, opensAt: Date | null, closesAt: Date | null): string {
  if (closesAt === null) return `${name} opens`
  return opensAt === null ? `${name} closes` : name
}

function latest(...dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())))
}

function earliest(first: Date | null, second: Date | null): Date | null {
  if (first === null || second === null) return first ?? second
  return first < second ? first : second
}

function spanOf(start: Date | null, end: Date | null): Pick<Entry, 'startsAt' | 'endsAt'> {
  if (start !== null) return { startsAt: start, endsAt: end }
  if (end === null) throw new Error('an entry of the calendar has no date')
  return { startsAt: end, endsAt: null }
}

/**
 * The error for an address that is wrong or revoked, or whose user is banned or has deleted their account.
 * (awards: What stands already)
 */
export function unknownCalendar(): Problem {
  return missing('calendar.unknown', 'There is no such calendar; get a new address on the website.')
}

/** The secret address of a user’s own calendar. */
export function ownAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/api/users/@me/calendar.ics?token=${token}`
}
