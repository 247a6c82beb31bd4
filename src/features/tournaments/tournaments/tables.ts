import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { addressKey, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import { platforms } from '../../listing/platforms/tables.ts'
import { users } from '../../people/users/tables.ts'
import type {
  AdditionalField,
  AnnouncementRoles,
  Announcements,
  ChatWebhook,
  Links,
  LiveScores,
  Placement,
  Requirements,
  SpoilerMode,
  TournamentStatus,
  VisibilityScope,
} from './types.ts'

/** Characters that would make the text-search parser read signed numbers, addresses or tags instead of words. */
const joining = '!"#$%&()*+,-./:;<=>?@[]^_`{|}~'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const tournaments = pgTable(
  'tournaments',
  {
    guid: guid(),
    /** Short id, in lower case. (D6) */
    id: text().notNull(),
    name: text().notNull(),
    summary: text(),
    description: text(),
    rules: text(),
    prizes: text(),
    imageUrl: text(),
    bannerUrl: text(),
    status: text().$type<TournamentStatus>().notNull().default('draft'),
    timezone: text().notNull().default('UTC'),
    startsAt: instant(),
    endsAt: instant(),
    registrationOpensAt: instant(),
    registrationClosesAt: instant(),
    rosterLocksAt: instant(),
    teamSizeMin: integer().notNull(),
    teamSizeMax: integer().notNull(),
    teamSizeActive: integer().notNull(),
    capacity: integer(),
    publicRegistration: boolean().notNull().default(true),
    requirements: jsonb().$type<Requirements>().notNull().default({}),
    additionalFields: jsonb().$type<AdditionalField[]>().notNull().default([]),
    links: jsonb().$type<Links>().notNull(),
    organiserGuid: uuid()
      .notNull()
      .references(() => users.guid),
    visibilityScope: text().$type<VisibilityScope>().notNull().default('selected'),
    /** A secret: never returned. */
    chatWebhookUrl: text(),
    /** Secrets: only their labels are returned. */
    chatWebhooks: jsonb().$type<readonly ChatWebhook[]>().notNull().default([]),
    announcements: jsonb().$type<Announcements>().notNull().default({}),
    announcementRoles: jsonb().$type<AnnouncementRoles>().notNull().default({}),
    language: text().notNull().default('en'),
    streamDelaySeconds: integer().notNull().default(0),
    /**
     * Before this instant, nothing is shown to viewers who ask for the delay. The database sets it when the delay
     * grows. (RT41)
     */
    streamDelayFrom: instant(),
    /** The longest delay of the tournament's channels. The database maintains it. (RT40) */
    channelDelaySeconds: integer().notNull().default(0),
    liveScores: text().$type<LiveScores>().notNull().default('public'),
    /** The tournament that this one rehearses; null for a real one. (R1) */
    rehearsalOf: uuid().references((): AnyPgColumn => tournaments.guid, { onDelete: 'cascade' }),
    /** When it was restored from a package: what was due by then is not done here. (P6) */
    restoredAt: instant(),
    spoilerMode: text().$type<SpoilerMode>().notNull().default('open'),
    placements: jsonb().$type<Placement[]>().notNull().default([]),
    /** What the organiser told of a cancellation; everybody reads it. */
    cancelReason: text(),
    /** The first approval on the system platform. It makes the organiser an `organiser` on cards for good. (D24) */
    approvedAt: instant(),
    completedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    search: tsvector().generatedAlwaysAs(
      (): SQL =>
        sql`to_tsvector('simple', translate(${tournaments.name} || ' ' || ${tournaments.id}, ${sql.raw(`'${joining}', '${' '.repeat(joining.length)}'`)}))`,
    ),
  },
  (table) => [
    uniqueIndex('tournaments_id').on(table.id),
    index('tournaments_organiser').on(table.organiserGuid, table.approvedAt),
    index('tournaments_organised').on(table.organiserGuid, table.createdAt),
    index('tournaments_drafts').on(table.organiserGuid).where(isDraft(table)),
    index('tournaments_search').using('gin', table.search),
    index('tournaments_span').using('gist', spanOf(table)).where(isDated(table)),
    index('tournaments_calendar').on(startOf(table), table.guid).where(isDated(table)),
    index('tournaments_registration_span').using('gist', registrationSpanOf(table)).where(hasRegistration(table)),
    index('tournaments_registration_calendar').on(registrationStartOf(table), table.guid).where(hasRegistration(table)),
    index('tournaments_rehearsals').on(table.rehearsalOf).where(sql`${table.rehearsalOf} is not null`),
    index('tournaments_everywhere').on(table.guid).where(asksEverywhere(table)),
    index('tournaments_image').on(addressKey(table.imageUrl)).where(sql`${table.imageUrl} is not null`),
    index('tournaments_banner').on(addressKey(table.bannerUrl)).where(sql`${table.bannerUrl} is not null`),
    index('tournaments_delayed')
      .on(table.guid)
      .where(sql`${table.streamDelaySeconds} > 0 or ${table.channelDelaySeconds} > 0`),
    check('tournaments_stream_delay', sql`${table.streamDelaySeconds} between 0 and 1800`),
    check('tournaments_live_scores_known', sql`${table.liveScores} in ('public', 'staff')`),
    check('tournaments_spoiler_mode_known', sql`${table.spoilerMode} in ('open', 'held')`),
    check(
      'tournaments_status_known',
      sql`${table.status} in ('draft', 'approved', 'ongoing', 'completed', 'cancelled')`,
    ),
    check(
      'tournaments_team_size',
      sql`1 <= ${table.teamSizeMin} and ${table.teamSizeMin} <= ${table.teamSizeMax} and ${table.teamSizeMax} <= 16 and ${table.teamSizeActive} between 1 and ${table.teamSizeMax}`,
    ),
    check('tournaments_capacity', sql`${table.capacity} between 2 and 4096`),
  ],
)

/** The condition is written the same way in queries as in the index of drafts, so that queries use the index. */
export function isDraft({ status }: { readonly status: AnyPgColumn }): SQL {
  return sql`${status} = 'draft'`
}

/**
 * Whether everybody may see the tournament: it is neither a draft, nor cancelled as a draft, nor a rehearsal, as in
 * `maySeeTournament`. (D25, R1)
 */
export function isSeenByAll({
  status,
  approvedAt,
  rehearsalOf,
}: Readonly<Record<'status' | 'approvedAt' | 'rehearsalOf', AnyPgColumn>>): SQL {
  return sql`(${rehearsalOf} is null and ${status} <> 'draft' and not (${status} = 'cancelled' and ${approvedAt} is null))`
}

/** The same for a query that calls the tournament `t`. */
export const isSeenByAllAsT = sql.raw(
  `(t.rehearsal_of is null and t.status <> 'draft' and not (t.status = 'cancelled' and t.approved_at is null))`,
)

/** Whether a tournament is a real one. What only a rehearsal holds causes no request to other services. (R1, R3) */
export function isReal(tournamentGuid: AnyPgColumn): SQL {
  return sql`not exists (select from ${tournaments} real where real.guid = ${tournamentGuid} and real.rehearsal_of is not null)`
}

type Dates = { readonly startsAt: AnyPgColumn; readonly endsAt: AnyPgColumn }

/** The range from start to end, both inclusive. A tournament with only one of the two takes place at that instant. */
export function spanOf({ startsAt, endsAt }: Dates): SQL {
  return sql`tstzrange(coalesce(${startsAt}, ${endsAt}), coalesce(${endsAt}, ${startsAt}), '[]')`
}

export function startOf({ startsAt, endsAt }: Dates): SQL {
  return sql`coalesce(${startsAt}, ${endsAt})`
}

export function isDated(dates: Dates): SQL {
  return sql`${startOf(dates)} is not null`
}

type Registration = {
  readonly registrationOpensAt: AnyPgColumn
  readonly registrationClosesAt: AnyPgColumn
  readonly publicRegistration: AnyPgColumn
}

/** The period in which teams may be registered, built as in `spanOf`. */
export function registrationSpanOf({ registrationOpensAt, registrationClosesAt }: Registration): SQL {
  return spanOf({ startsAt: registrationOpensAt, endsAt: registrationClosesAt })
}

export function registrationStartOf({ registrationOpensAt, registrationClosesAt }: Registration): SQL {
  return startOf({ startsAt: registrationOpensAt, endsAt: registrationClosesAt })
}

/** Whether registration is public and has a date. */
export function hasRegistration(registration: Registration): SQL {
  return sql`${registration.publicRegistration} and ${registrationStartOf(registration)} is not null`
}

/** Whether the tournament is active and wants to be visible on all platforms, including future ones. (D52) */
export function asksEverywhere({ status, visibilityScope }: Record<'status' | 'visibilityScope', AnyPgColumn>): SQL {
  return sql`${visibilityScope} = 'all' and ${status} in ('draft', 'approved', 'ongoing')`
}

/**
 * Totals of a tournament, updated by the slices whose changes affect them. The row is also the lock that serialises
 * changes of the tournament's teams, and capacity is checked against it. (D31, D46)
 */
export const tournamentCounts = pgTable(
  'tournament_counts',
  {
    tournamentGuid: uuid()
      .primaryKey()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    teams: integer().notNull().default(0),
    /** The number of registered teams, including qualified ones. */
    registered: integer().notNull().default(0),
    qualified: integer().notNull().default(0),
    players: integer().notNull().default(0),
  },
  (table) => [
    check(
      'tournament_counts_sane',
      sql`0 <= ${table.qualified} and ${table.qualified} <= ${table.registered} and ${table.registered} <= ${table.teams} and 0 <= ${table.players}`,
    ),
  ],
)

/**
 * The tournaments on each platform's public list: approved there, and with the status approved, ongoing or completed.
 * (D26) Derived from status and visibility requests in the same transaction, so that a list page is one index range.
 */
export const listings = pgTable(
  'listings',
  {
    platformGuid: uuid()
      .notNull()
      .references(() => platforms.guid, { onDelete: 'cascade' }),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    status: text().$type<TournamentStatus>().notNull(),
    /** The start, or the epoch if none is set: newest start first, unset last. */
    sortAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.platformGuid, table.tournamentGuid] }),
    // Scanned backwards: newest start first.
    index('listings_order').on(table.platformGuid, table.sortAt, table.tournamentGuid),
    index('listings_status_order').on(table.platformGuid, table.status, table.sortAt, table.tournamentGuid),
    index('listings_tournament').on(table.tournamentGuid),
  ],
)
