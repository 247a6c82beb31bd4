import type { SignedIn } from '../../../core/actor.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import type { Db } from '../../../infra/db/database.ts'
import { fieldOf, type MediaField } from '../../../infra/media/fields.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { quotaOf, type RoomSizes } from './rules/quotas.ts'
import { listMedia, listUsages, type MediaFilter } from './store/media.ts'
import { readUsed } from './store/quotas.ts'
import type { Medium, Room } from './types.ts'
import { type MediumView, mediumView, type UsageView } from './views.ts'

/** Media as they are shown, with their owners. */
export async function readMedia(db: Db, media: readonly Medium[], mediaUrl: string): Promise<MediumView[]> {
  const owners = await listUserFacts(
    db,
    media.flatMap(({ ownerGuid }) => ownerGuid ?? []),
  )
  return media.map((medium) => mediumView(medium, owners.get(medium.ownerGuid ?? '') ?? null, mediaUrl))
}

const listName = 'media'

interface Paging {
  readonly limit?: number
  readonly before?: string
}

/** One page of media, newest first. */
export async function readPage(
  db: Db,
  filter: MediaFilter,
  { limit = defaultPageSize, before }: Paging,
  mediaUrl: string,
) {
  const after = decodeCursor(listName, before, isMakingPosition)
  const { items, nextCursor } = toPage(listName, await listMedia(db, filter, { after, limit }), limit, makingPosition)
  return { media: await readMedia(db, items, mediaUrl), nextCursor }
}

export async function readQuota(db: Db, { of, guid }: Room, sizes: RoomSizes) {
  return { ...quotaOf(of, sizes), ...(await readUsed(db, guid)) }
}

/** Where a medium is used, and whether the actor may end that. */
export async function readUsages(
  db: Db,
  actor: SignedIn,
  mediaGuid: string,
  fields: readonly MediaField[],
  now: Date,
): Promise<UsageView[]> {
  const usages = await listUsages(db, mediaGuid)
  const known = usages.map((usage) => ({ usage, field: fieldOf(fields, usage) }))
  const names = new Map<string, string>()
  for (const field of new Set(known.map((one) => one.field))) {
    const guids = known.filter((one) => one.field === field).map(({ usage }) => usage.subjectGuid)
    for (const [guid, name] of (await field?.names(db, guids)) ?? []) names.set(guid, name)
  }
  return Promise.all(
    known.map(async ({ usage: { subject, subjectGuid, field: name }, field }) => ({
      ...{ subject, guid: subjectGuid, field: name, name: names.get(subjectGuid) ?? '' },
      mayDetach: (await field?.mayDetach(db, actor, subjectGuid, now)) ?? false,
    })),
  )
}
