import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { roundKeyOf } from '../../matches/rules.ts'
import { matches } from '../../matches/tables.ts'
import type { Nameable, Target } from '../rules/targets.ts'
import { listBrackets } from './brackets.ts'

/** The brackets, rounds and matches of the tournament that a plan with these targets may name. */
export async function findNameable(db: Db, tournament: string, targets: readonly Target[]): Promise<Nameable> {
  const bracketGuids = [...new Set(targets.flatMap(({ bracketGuid }) => bracketGuid ?? []))]
  const matchGuids = targets.flatMap(({ matchGuid }) => matchGuid ?? [])
  const [brackets, rounds, known] = await Promise.all([
    listBrackets(db, tournament),
    listRounds(db, bracketGuids),
    listKnownMatches(db, tournament, matchGuids),
  ])
  return { brackets, rounds, matches: known }
}

/** Keys of the rounds that have matches, by bracket. */
async function listRounds(db: Db, bracketGuids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rounds = new Map<string, Set<string>>()
  if (bracketGuids.length === 0) return rounds
  const rows = await db.session.orm
    .selectDistinct({ bracketGuid: matches.bracketGuid, section: matches.section, round: matches.round })
    .from(matches)
    .where(sql`${matches.bracketGuid} = any(${sql.param(bracketGuids)}::uuid[])`)
  for (const { bracketGuid, ...round } of rows) {
    const known = rounds.get(bracketGuid) ?? new Set()
    rounds.set(bracketGuid, known.add(roundKeyOf(round)))
  }
  return rounds
}

/** GUIDs of those matches that belong to the tournament. */
async function listKnownMatches(db: Db, tournament: string, guids: readonly string[]): Promise<ReadonlySet<string>> {
  if (guids.length === 0) return new Set()
  const rows = await db.session.orm
    .select({ guid: matches.guid })
    .from(matches)
    .where(and(eq(matches.tournamentGuid, tournament), sql`${matches.guid} = any(${sql.param(guids)}::uuid[])`))
  return new Set(rows.map(({ guid }) => guid))
}
