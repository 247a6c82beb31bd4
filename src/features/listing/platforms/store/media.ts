import { and, eq, sql } from 'drizzle-orm'
import type { PlatformRole } from '../../../../core/roles.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { platformMembers, platforms } from '../tables.ts'

export const imageColumn: MediaColumn = { table: platforms, key: platforms.guid, column: platforms.imageUrl }
export const descriptionColumn: MediaColumn = {
  table: platforms,
  key: platforms.guid,
  column: platforms.description,
  isText: true,
}

export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: platforms.guid, name: platforms.name })
    .from(platforms)
    .where(sql`${platforms.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}

export async function findRole(db: Db, platformGuid: string, userGuid: string): Promise<PlatformRole | null> {
  const [row] = await db.session.orm
    .select({ role: platformMembers.role })
    .from(platformMembers)
    .where(and(eq(platformMembers.platformGuid, platformGuid), eq(platformMembers.userGuid, userGuid)))
  return row?.role ?? null
}
