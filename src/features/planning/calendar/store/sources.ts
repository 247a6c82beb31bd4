import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isShownAsItIs, isShownInstead } from '../../../../infra/delay/store.ts'
import { earlierRows } from '../../../../infra/delay/tables.ts'
import { awardEditions } from '../../../awards/awards/tables.ts'
import { isScheduled, matches, shownFrom } from '../../../brackets/matches/tables.ts'
import { hasOpenDates, openFrom, openSpanOf, qualifiers } from '../../../brackets/qualifiers/tables.ts'
import { timelineEvents, spanOf as timelineSpanOf } from '../../../tournaments/timeline/tables.ts'
import {
  hasRegistration,
  isDated,
  registrationSpanOf,
  registrationStartOf,
  spanOf,
  startOf,
  tournaments,
} from '../../../tournaments/tournaments/tables.ts'
import type { EntryKey, EntryKind } from '../types.ts'

/** Where the entries of one kind are stored. The expressions equal those of the indexes. */
export interface Source {
  readonly kind: EntryKind
  readonly key: EntryKey
  readonly table: SQL
  /** null if the entries belong to no tournament and are on every platform. */
  readonly tournament: SQL | null
  readonly guid: SQL
  readonly start: SQL
  /** null for instants. */
  readonly span: SQL | null
  /**
   * The maximum duration of an entry. If no index has the spans, running entries are found by their start and this
   * duration.
   */
  readonly longest?: SQL
  readonly exists: SQL
  /** Until when this earlier version of the row was valid. */
  readonly earlier?: SQL
}

/** The same as `defaultMinutes`, for at most 99 games. (D64) */
const plannedSpan = (start: SQL, bestOf: SQL) =>
  sql`tstzrange(${start}, ${start} + make_interval(mins => 10 * ${bestOf}), '[]')`
const longest = sql`interval '1 day'`
const ofRow = (name: string, type: string) => sql`(${earlierRows.row} ->> ${sql.raw(`'${name}'`)})::${sql.raw(type)}`
const earlierTime = ofRow('scheduled_at', 'timestamptz')
const earlierStart = shownFrom({
  scheduledAt: earlierTime,
  startedAt: ofRow('started_at', 'timestamptz'),
  completedAt: ofRow('completed_at', 'timestamptz'),
  bestOf: ofRow('best_of', 'int'),
  outcome: ofRow('outcome', 'text'),
})

/**
 * Matches are where calendars show them: when they really began, or else at their scheduled time, even those that are
 * not played. They last as long as is usual for their best-of. (D64) Everybody sees them with the stream's delay: calendar programs do not ask for one, and the teams of a match, or
 * that it was not needed, reveal earlier winners. So a match is read from its row or, if the row is newer than the
 * stream, from its earlier version. Only rows that changed recently in tournaments with a delay have one, which are
 * few. (RT40)
 */
export const ofTournaments: readonly Source[] = [
  {
    kind: 'tournament',
    key: 'tournament',
    table: sql`${tournaments}`,
    tournament: sql`${tournaments.guid}`,
    guid: sql`${tournaments.guid}`,
    start: startOf(tournaments),
    span: spanOf(tournaments),
    exists: isDated(tournaments),
  },
  {
    kind: 'registration',
    key: 'registration',
    table: sql`${tournaments}`,
    tournament: sql`${tournaments.guid}`,
    guid: sql`${tournaments.guid}`,
    start: registrationStartOf(tournaments),
    span: registrationSpanOf(tournaments),
    exists: hasRegistration(tournaments),
  },
  {
    kind: 'timeline',
    key: 'timeline',
    table: sql`${timelineEvents}`,
    tournament: sql`${timelineEvents.tournamentGuid}`,
    guid: sql`${timelineEvents.guid}`,
    start: sql`${timelineEvents.startTime}`,
    span: timelineSpanOf(timelineEvents),
    exists: sql`true`,
  },
  {
    kind: 'qualifier',
    key: 'qualifier',
    table: sql`${qualifiers}`,
    tournament: sql`${qualifiers.tournamentGuid}`,
    guid: sql`${qualifiers.guid}`,
    start: openFrom(qualifiers),
    span: openSpanOf(qualifiers),
    exists: hasOpenDates(qualifiers),
  },
  {
    kind: 'match',
    key: 'match',
    table: sql`${matches}`,
    tournament: sql`${matches.tournamentGuid}`,
    guid: sql`${matches.guid}`,
    start: shownFrom(matches),
    span: plannedSpan(shownFrom(matches), sql`${matches.bestOf}`),
    longest,
    exists: sql`${isScheduled(matches)} and ${isShownAsItIs({
      relation: 'matches',
      tournament: sql`${matches.tournamentGuid}`,
      match: sql`${matches.guid}`,
    })}`,
  },
  {
    kind: 'match',
    key: 'match',
    table: sql`${earlierRows}`,
    tournament: sql`${earlierRows.tournamentGuid}`,
    guid: ofRow('guid', 'uuid'),
    start: earlierStart,
    span: plannedSpan(earlierStart, ofRow('best_of', 'int')),
    longest,
    exists: sql`${isShownInstead({
      relation: 'matches',
      tournament: sql`${earlierRows.tournamentGuid}`,
      match: ofRow('guid', 'uuid'),
    })} and ${earlierTime} is not null`,
    earlier: sql`${earlierRows.until}`,
  },
]

const isPublicAward = sql`${awardEditions.status} not in ('draft', 'cancelled')`
/** Once the results are out, phases that were planned for later do not come any more. */
const isBeforeResults = (start: AnyPgColumn) =>
  sql`${isPublicAward} and (${awardEditions.publishedAt} is null or ${start} < ${awardEditions.publishedAt})`
const publishedAt = sql`least(${awardEditions.publishedAt}, ${awardEditions.publishAt})`

/** Entries of editions that everybody may see. (awards: States of an edition) */
export const awardPhases: readonly Source[] = [
  {
    kind: 'award',
    key: 'award-nominations',
    table: sql`${awardEditions}`,
    tournament: null,
    guid: sql`${awardEditions.guid}`,
    start: sql`${awardEditions.nominationsOpenAt}`,
    span: sql`tstzrange(${awardEditions.nominationsOpenAt}, greatest(${awardEditions.nominationsOpenAt}, ${awardEditions.nominationsCloseAt}), '[]')`,
    exists: isBeforeResults(awardEditions.nominationsOpenAt),
  },
  {
    kind: 'award',
    key: 'award-voting',
    table: sql`${awardEditions}`,
    tournament: null,
    guid: sql`${awardEditions.guid}`,
    start: sql`${awardEditions.votingOpensAt}`,
    span: sql`tstzrange(${awardEditions.votingOpensAt}, greatest(${awardEditions.votingOpensAt}, ${awardEditions.votingClosesAt}), '[]')`,
    exists: isBeforeResults(awardEditions.votingOpensAt),
  },
  {
    kind: 'award',
    key: 'award-results',
    table: sql`${awardEditions}`,
    tournament: null,
    guid: sql`${awardEditions.guid}`,
    start: publishedAt,
    span: null,
    exists: sql`${isPublicAward} and ${publishedAt} is not null`,
  },
]
