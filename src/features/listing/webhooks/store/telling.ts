import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { platforms, platformSettings as settings } from '../../platforms/tables.ts'
import type { Platform, PlatformSettings } from '../../platforms/types.ts'
import type { ToldTournament } from '../types.ts'

/** Who is told of what happens, and what they are told. */

const receivers = statement('webhooks.receivers', (orm) =>
  orm
    .select({
      platform: getTableColumns(platforms),
      settings: {
        chatWebhookUrl: settings.chatWebhookUrl,
        customWebhookUrl: settings.customWebhookUrl,
        customWebhookSecret: settings.customWebhookSecret,
        webhookEvents: settings.webhookEvents,
      },
    })
    .from(platforms)
    .innerJoin(settings, eq(settings.platformGuid, platforms.guid))
    .where(sql`${platforms.guid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(platforms.guid))
    .for('key share', { of: platforms }),
)

export interface Receiver {
  readonly platform: Platform
  readonly settings: PlatformSettings
}

/** Of the platforms those that have settings, by GUID; they are kept from being deleted until the transaction ends. */
export async function keepReceivers(tx: Tx, guids: readonly string[]): Promise<ReadonlyMap<string, Receiver>> {
  const rows = await receivers(tx, { guids: [...new Set(guids)] })
  return new Map(rows.map((row) => [row.platform.guid, row]))
}

const toldTournaments = statement('webhooks.tournaments', (orm) =>
  orm
    .select({
      guid: tournaments.guid,
      id: tournaments.id,
      name: tournaments.name,
      imageUrl: tournaments.imageUrl,
      status: tournaments.status,
      startsAt: tournaments.startsAt,
      endsAt: tournaments.endsAt,
    })
    .from(tournaments)
    .where(sql`${tournaments.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** By GUID; those that are gone are left out. */
export async function listToldTournaments(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlyMap<string, ToldTournament>> {
  if (guids.length === 0) return new Map()
  const rows = await toldTournaments(db, { guids: [...new Set(guids)] })
  return new Map(rows.map((row) => [row.guid, row]))
}
