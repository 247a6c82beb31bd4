import { randomBytes } from 'node:crypto'
import { type MediaKind, type MediaType, mediaUrl } from '../src/core/media.ts'
import type { Caller, Harness } from './harness.ts'

/** Media as rows without files, for tests of references to them. */

export interface MadeMedia {
  readonly guid: string
  readonly url: string
}

export interface MediaRow {
  readonly owner?: Caller | null
  readonly tournament?: { readonly guid: string }
  readonly team?: { readonly guid: string }
  readonly platform?: { readonly guid: string }
  readonly type?: MediaType
  readonly name?: string
}

export async function makeMedia(api: Harness, kind: MediaKind, row: MediaRow = {}): Promise<MadeMedia> {
  const type = row.type ?? 'image/webp'
  const [made] = await api.sql<{ guid: string }>(
    `insert into media (kind, name, owner_guid, tournament_guid, team_guid, platform_guid, type, bytes, width, height, digest, upload_digest)
     values ($1, $8, $2, $3, $4, $5, $6, 1000, 512, 512, $7, $7) returning guid`,
    [
      ...[kind, row.owner?.guid ?? null, row.tournament?.guid ?? null, row.team?.guid ?? null],
      ...[row.platform?.guid ?? null, type, randomBytes(32), row.name ?? 'picture'],
    ],
  )
  const guid = made?.guid as string
  return { guid, url: mediaUrl(api.app.config.media.url, guid, type) }
}

/** The fields that use a medium, as `subject.field`, and whether it counts as used. */
export async function usesOf(api: Harness, { guid }: MadeMedia): Promise<{ uses: string[]; state: string }> {
  const [usages, [row]] = await Promise.all([
    api.sql<{ use: string }>(
      `select subject || '.' || field as use from media_usages where media_guid = $1 order by subject, field`,
      [guid],
    ),
    api.sql<{ wasUsed: boolean; since: Date | null }>(
      'select was_used as "wasUsed", unused_since as since from media where guid = $1',
      [guid],
    ),
  ])
  const state = row?.wasUsed === false ? 'fresh' : row?.since === null ? 'used' : 'unused'
  return { uses: usages.map(({ use }) => use), state }
}
