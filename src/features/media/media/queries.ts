import type { Actor, SignedIn } from '../../../core/actor.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import type { Db } from '../../../infra/db/database.ts'
import { fieldOf, type MediaField } from '../../../infra/media/fields.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { readNamesFor } from '../../tournaments/tournaments/queries.ts'
import { mayDeleteMedium, mayTakeBack } from './policy.ts'
import { quotaOf, type RoomSizes } from './rules.ts'
import { listMedia, listUsages, type MediaFilter } from './store/media.ts'
import { readUsed } from './store/quotas.ts'
import type { Medium, Room, Usage } from './types.ts'
import { type MediumView, mediumView, type UsageView } from './views.ts'

/** Returns the views of media, with their owners, and with their tournaments if the actor may see them. (D5) */
export async function readMedia(
  db: Db,
  media: readonly Medium[],
  actor: Actor,
  mediaUrl: string,
): Promise<MediumView[]> {
  const [owners, tournaments] = await Promise.all([
    listUserFacts(
      db,
      media.flatMap(({ ownerGuid }) => ownerGuid ?? []),
    ),
    readNamesFor(
      db,
      media.flatMap(({ tournamentGuid }) => tournamentGuid ?? []),
      actor,
    ),
  ])
  return media.map((medium) => {
    const owner = owners.get(medium.ownerGuid ?? '') ?? null
    return mediumView(medium, { owner, tournament: tournaments.get(medium.tournamentGuid ?? '') ?? null }, mediaUrl)
  })
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
  { actor, mediaUrl }: { readonly actor: Actor; readonly mediaUrl: string },
) {
  const after = decodeCursor(listName, before, isMakingPosition)
  const { items, nextCursor } = toPage(listName, await listMedia(db, filter, { after, limit }), limit, makingPosition)
  return { media: await readMedia(db, items, actor, mediaUrl), nextCursor }
}

export async function readQuota(db: Db, { of, guid }: Room, sizes: RoomSizes) {
  return { ...quotaOf(of, sizes), ...(await readUsed(db, guid)) }
}

/** Returns the usages of a medium, each with whether the actor may end it. */
export async function readUsages(
  db: Db,
  actor: SignedIn,
  medium: Medium,
  fields: readonly MediaField[],
  now: Date,
): Promise<UsageView[]> {
  return judgeUsages(db, actor, medium, await listUsages(db, medium.guid), fields, now)
}

/**
 * Returns for each usage whether the actor may end it. Of records that the actor may not see, the answer reveals only
 * that they exist. (D5)
 */
export async function judgeUsages(
  db: Db,
  actor: SignedIn,
  medium: Medium,
  usages: readonly Usage[],
  fields: readonly MediaField[],
  now: Date,
): Promise<UsageView[]> {
  const known = usages.map((usage) => ({ usage, field: fieldOf(fields, usage) }))
  const names = new Map<string, string>()
  for (const field of new Set(known.map((one) => one.field))) {
    const guids = known.filter((one) => one.field === field).map(({ usage }) => usage.subjectGuid)
    for (const [guid, name] of (await field?.names(db, guids, actor)) ?? []) names.set(guid, name)
  }
  const [takesBack, mayDelete] = [mayTakeBack(actor, medium), mayDeleteMedium(actor, medium)]
  return Promise.all(
    known.map(async ({ usage: { subject, subjectGuid: guid, field: member, isForeign }, field }) => {
      // A text of another user must not stop anybody from deleting their own medium.
      const isTheirs = takesBack || (isForeign && mayDelete)
      const name = names.get(guid)
      if (field === undefined || name === undefined) {
        return { subject, guid: '', field: member, name: '', mayDetach: isTheirs }
      }
      return {
        subject,
        guid,
        field: member,
        name,
        mayDetach: isTheirs || (await field.mayDetach(db, actor, guid, now)),
      }
    }),
  )
}
