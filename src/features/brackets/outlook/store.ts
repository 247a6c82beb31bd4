import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../infra/db/database.ts'
import { usageKey } from '../qualifiers/rules/recording.ts'
import { qualifierAttempts as attempts } from '../qualifiers/tables.ts'
import type { Usage } from './types.ts'

const usages = statement('outlook.usages', (orm) =>
  orm
    .select({
      userGuid: attempts.userGuid,
      mapGuid: attempts.mapGuid,
      used: sql<number>`count(*)::int`,
      pending: sql<number>`(count(*) filter (where ${attempts.completion} = 'placeholder'))::int`,
    })
    .from(attempts)
    .where(and(eq(attempts.qualifierGuid, sql.placeholder('qualifierGuid')), isNull(attempts.voidedAt)))
    .groupBy(attempts.userGuid, attempts.mapGuid),
)

/** The attempts of every player on each map, by `usageKey`. */
export async function countUsages(db: Db, qualifierGuid: string): Promise<ReadonlyMap<string, Usage>> {
  return new Map((await usages(db, { qualifierGuid })).map((row) => [usageKey(row), row]))
}
