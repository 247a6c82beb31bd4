import { type SQL, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { mapTerms } from '../../../maps/archive/tables.ts'
import { teamTerms, tournamentTerms } from '../tables.ts'
import { maxFound } from '../types.ts'

/**
 * Finds the first records that have all words of a search, where the last one may be the beginning of a word. The work
 * does not grow with the number of records: each statement reads a bounded range of an index.
 */

/** Maximum number of records with one word that are all checked for the others. */
const few = 500
/** Maximum number of records that are checked if each word is a common one. */
const maxWalk = 1_000
/** A record has several words with the same beginning at most as often as its name has words. */
const maxRows = 250

/** The words of records, the column with the record's GUID, and the one by which the newest come first. */
interface Searched {
  readonly terms: SQL
  readonly key: SQL
  readonly sortAt: SQL
  /** The order of an index, from the newest. */
  readonly newest: SQL
  /** The same index, read over several words. */
  readonly byTerm: SQL
}

function newestFirst(terms: SQL, key: string): Searched {
  const newest = sql.raw(`sort_at desc nulls last, ${key}`)
  return { terms, key: sql.raw(key), sortAt: sql.raw('sort_at'), newest, byTerm: sql`term, ${newest}` }
}

const ofTournaments = newestFirst(sql`${tournamentTerms}`, 'tournament_guid')
const ofTeams = newestFirst(sql`${teamTerms}`, 'team_guid')
/** The archive's index, read backwards. */
const ofMaps: Searched = {
  terms: sql`${mapTerms}`,
  key: sql.raw('map_guid'),
  sortAt: sql.raw('first_published_at'),
  newest: sql.raw('first_published_at desc, map_guid desc'),
  byTerm: sql.raw('term desc, first_published_at desc, map_guid desc'),
}

/** No character sorts after U+10FFFF. */
const begins = (beginning: unknown) => sql`term >= ${beginning} and term < (${beginning} || chr(1114111))`
const literal = (rows: number) => sql.raw(`${rows}`)

/** Whole words first, then longer ones with that beginning; those of the same word newest first. */
function byOneWord(name: string, { terms, key, byTerm }: Searched) {
  return statement(name, (orm) =>
    orm
      .select({ guid: sql<string>`found.guid` })
      .from(
        sql`(select ${key} as guid, min(place) as place from (
          select ${key}, row_number() over () as place from (
            select ${key} from ${terms} where ${begins(sql`${sql.placeholder('word')}::text`)}
            order by ${byTerm} limit ${literal(maxRows)}) near) near group by ${key}) found`,
      )
      .orderBy(sql`found.place`)
      .limit(maxFound),
  )
}

const tournamentsByOneWord = byOneWord('search.tournaments_by_word', ofTournaments)
const teamsByOneWord = byOneWord('search.teams_by_word', ofTeams)

export async function findTournaments(db: Db, words: readonly string[]): Promise<readonly string[]> {
  return find(db, ofTournaments, tournamentsByOneWord, words)
}

export async function findTeams(db: Db, words: readonly string[]): Promise<readonly string[]> {
  return find(db, ofTeams, teamsByOneWord, words)
}

/** Maps that have several words, in the archive's index, where words have a prefix. */
export async function findMapsByAll(db: Db, words: readonly string[]): Promise<readonly string[]> {
  const found = await byAll(
    db,
    ofMaps,
    words.map((word) => `w:${word}`),
  )
  return found.map(({ guid }) => guid)
}

async function find(
  db: Db,
  searched: Searched,
  byWord: typeof teamsByOneWord,
  words: readonly string[],
): Promise<readonly string[]> {
  const last = words.at(-1)
  if (last === undefined) return []
  const found = words.length === 1 ? await byWord(db, { word: last }) : await byAll(db, searched, words)
  return found.map(({ guid }) => guid)
}

/** The records that have all words, newest first: those with the rarest word are checked for the others. */
async function byAll(
  db: Db,
  { terms, key, sortAt, newest, byTerm }: Searched,
  words: readonly string[],
): Promise<readonly { readonly guid: string }[]> {
  const parts = words.map((word, place) =>
    place === words.length - 1 ? begins(sql`${word}::text`) : sql`term = ${word}`,
  )
  // With the order of the term alone, the planner would read whole tables where most records have the same few words.
  const counts = parts.map(
    (part, place) => sql`select ${place}::integer as place, count(*)::integer as count
      from (select from ${terms} where ${part} order by ${byTerm} limit ${literal(few + 1)}) counted`,
  )
  const { rows } = await db.session.orm.execute<{ place: number; count: number }>(sql.join(counts, sql` union all `))
  // Of equally common words the first: only the last may be many words, whose records are in no common order.
  const rarest = rows.toSorted((a, b) => a.count - b.count || a.place - b.place)[0]
  if (rarest === undefined || rarest.count === 0) return []
  const others = parts
    .filter((_, place) => place !== rarest.place)
    // `offset 0` forces an index look-up for each record; otherwise, the planner would read all records with the word.
    .map((part) => sql`exists (select from ${terms} t where t.${key} = near.${key} and ${part} offset 0)`)
  const near =
    rarest.count <= few
      ? sql`select distinct ${key}, ${sortAt} from ${terms} where ${parts[rarest.place]}`
      : sql`select ${key}, ${sortAt} from ${terms} where ${parts[rarest.place]}
          order by ${newest} limit ${literal(maxWalk)}`
  const page = await db.session.orm.execute<{ guid: string }>(sql`
    select ${key} as guid from (${near}) near where ${sql.join(others, sql` and `)}
    order by ${newest} limit ${literal(maxFound)}`)
  return page.rows
}
