import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { eventLog } from '../../../../infra/events/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { platforms, platformSettings as settings } from '../../platforms/tables.ts'
import type { Platform, PlatformSettings } from '../../platforms/types.ts'
import { decidingMembers, type Replaced } from '../rules.ts'
import type { DeliveredTournament } from '../types.ts'

/** Reads the receivers of events, and the records that deliveries describe. */

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

/** The platforms that have settings, by GUID. Locks them, so that none is deleted before the transaction ends. */
export async function lockReceiversForKeyShare(
  tx: Tx,
  guids: readonly string[],
): Promise<ReadonlyMap<string, Receiver>> {
  const rows = await receivers(tx, { guids: [...new Set(guids)] })
  return new Map(rows.map((row) => [row.platform.guid, row]))
}

/** An event of a platform, by its sequence number in the log. */
interface Place {
  readonly platformGuid: string
  readonly seq: number
}

/** Each lookup ends at the first entry of an index (`event_log_settings`). */
const replacedSettings = statement('webhooks.replaced_settings', (orm) =>
  orm
    .select({
      seq: sql<number>`place.seq`.mapWith(Number),
      replaced: sql<Replaced>`jsonb_object_agg(member.name, change.was)`,
    })
    .from(
      sql`unnest(${sql.placeholder('seqs')}::bigint[], ${sql.placeholder('guids')}::uuid[]) as place (seq, platform)
        cross join unnest(${sql.placeholder('members')}::text[]) as member (name)
        cross join lateral (
          select before -> member.name as was from ${eventLog}
          where type = 'platform.settings_changed' and subject = place.platform and seq > place.seq
            and before ? member.name
          order by seq limit 1
        ) as change`,
    )
    .groupBy(sql`place.seq`),
)

/**
 * The values at the time of each event of the settings that have changed since, by sequence number. Events without
 * later changes have no entry. Read the present settings first.
 */
export async function listSettingsReplaced(db: Db, places: readonly Place[]): Promise<ReadonlyMap<number, Replaced>> {
  const rows = await replacedSettings(db, {
    seqs: places.map(({ seq }) => seq),
    guids: places.map(({ platformGuid }) => platformGuid),
    members: decidingMembers,
  })
  return new Map(rows.map(({ seq, replaced }) => [seq, replaced]))
}

const deliveredTournaments = statement('webhooks.tournaments', (orm) =>
  orm
    .select({
      guid: tournaments.guid,
      id: tournaments.id,
      name: tournaments.name,
      imageUrl: tournaments.imageUrl,
      // As everybody sees it: receivers are outsiders of a held tournament. (V2)
      status: sql<DeliveredTournament['status']>`shown.status`,
      startsAt: tournaments.startsAt,
      endsAt: tournaments.endsAt,
    })
    .from(tournaments)
    .innerJoin(sql`held.tournaments shown`, sql`shown.guid = ${tournaments.guid}`)
    .where(sql`${tournaments.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

/** Tournaments by GUID; deleted tournaments are left out. */
export async function listDeliveredTournaments(
  db: Db,
  guids: readonly string[],
): Promise<ReadonlyMap<string, DeliveredTournament>> {
  if (guids.length === 0) return new Map()
  const rows = await deliveredTournaments(db, { guids: [...new Set(guids)] })
  return new Map(rows.map((row) => [row.guid, row]))
}
