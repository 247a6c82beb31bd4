import { and, eq, inArray, sql } from 'drizzle-orm'
import { overlayKinds } from '../../../../core/media.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { media } from '../../../../infra/media/tables.ts'
import type { AssetKind } from '../rules/packages.ts'

export interface OverlayMedium {
  readonly guid: string
  readonly kind: AssetKind
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly digest: Buffer
}

const ofTournament = statement('overlay_media.of_tournament', (orm) =>
  orm
    .select({
      guid: media.guid,
      kind: sql<AssetKind>`${media.kind}`,
      name: media.name,
      type: sql<string>`${media.type}`,
      bytes: media.bytes,
      digest: media.digest,
    })
    .from(media)
    .where(
      and(
        sql`${media.guid} = any(${sql.placeholder('guids')}::uuid[])`,
        eq(media.tournamentGuid, sql.placeholder('tournament')),
        inArray(media.kind, [...overlayKinds]),
      ),
    )
    .orderBy(media.guid),
)

/** Returns those of the media that overlays of the tournament may show. (OV8) */
export async function listOverlayMedia(
  db: Db,
  tournament: string,
  guids: readonly string[],
): Promise<readonly OverlayMedium[]> {
  return guids.length === 0 ? [] : ofTournament(db, { tournament, guids })
}
