import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { addressKey, createdAt, guid, instant } from '../../../infra/db/columns.ts'
import type { AiMark, Difficulty, MapState, Requirement } from './types.ts'

/** One row for each map that anybody ever named. Rows are never deleted. */
export const maps = pgTable(
  'maps',
  {
    guid: guid(),
    hash: text().notNull(),
    characteristic: text().notNull(),
    difficulty: text().$type<Difficulty>().notNull(),
    key: text(),
    name: text(),
    subName: text(),
    artist: text(),
    mapper: text(),
    imageUrl: text(),
    previewUrl: text(),
    bpm: doublePrecision(),
    njs: doublePrecision(),
    nps: doublePrecision(),
    durationSeconds: integer(),
    notes: integer(),
    bombs: integer(),
    obstacles: integer(),
    maxScore: integer(),
    starsA: doublePrecision(),
    starsB: doublePrecision(),
    rankedA: boolean(),
    rankedB: boolean(),
    requirements: text().array().$type<readonly Requirement[]>().notNull().default(sql`'{}'`),
    ai: text().$type<AiMark>(),
    uploadedAt: instant(),
    checkedAt: instant(),
    state: text().$type<MapState>().notNull(),
    currentHash: text(),
    /** For unresolved maps: number of questions without an answer, and the time of the next question. */
    askedInVain: integer().notNull().default(0),
    askAgainAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('maps_identity').on(table.hash, sql`lower(${table.characteristic})`, table.difficulty),
    index('maps_key').on(table.key),
    // The service shows an external picture only if a record contains its address; this index finds it. (M26)
    index('maps_image').on(addressKey(table.imageUrl)).where(sql`${table.imageUrl} is not null`),
    index('maps_ask_again').on(table.askAgainAt).where(sql`${table.askAgainAt} is not null`),
    check('maps_hash', sql`${table.hash} ~ '^[0-9a-f]{40}$'`),
    check('maps_difficulty_known', sql`${table.difficulty} in ('Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus')`),
    check('maps_state_known', sql`${table.state} in ('known', 'unresolved', 'missing', 'outdated')`),
    check('maps_ai_known', sql`${table.ai} in ('none', 'declared', 'automapper')`),
  ],
)

/** Answers of the catalogue and the ranking platforms, by question. Shared by all processes. */
export const catalogueAnswers = pgTable(
  'catalogue_answers',
  {
    /** `hash:…`, `key:…`, or `a:…` and `b:…` with the ID of a leaderboard. */
    question: text().primaryKey(),
    /** null for a negative answer. */
    answer: jsonb(),
    answeredAt: instant().notNull(),
  },
  (table) => [index('catalogue_answers_unknown').on(table.answeredAt).where(isUnknown(table))],
)

/** The condition of the index. Queries use the same text, so that the planner uses the index. */
export function isUnknown({ answer }: { readonly answer: AnyPgColumn }) {
  return sql`coalesce(${answer}, 'null') = 'null'`
}
