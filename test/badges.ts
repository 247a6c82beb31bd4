import type { Caller, Harness, Reply } from './harness.ts'
import { makeMedia } from './media-rows.ts'

/** Badges and grants, created as managers do. */

export interface MadeBadge {
  readonly guid: string
  readonly name: string
  readonly imageUrl: string
}

export interface BadgeOptions {
  readonly name?: string
  readonly description?: string
  readonly kind?: string
  readonly tournament?: string
}

let sequence = 0

export async function makeBadge(api: Harness, manager: Caller, options: BadgeOptions = {}): Promise<MadeBadge> {
  const { guid: mediaGuid } = await makeMedia(api, 'badge_image', { owner: manager })
  const badge = { name: `Badge ${++sequence}`, description: 'For those who played.', kind: 'participation', ...options }
  return whole(await api.post('/badges', manager, { ...badge, mediaGuid }))
}

/** Returns the GUID of the grant. */
export async function giveBadge(
  api: Harness,
  manager: Caller,
  badge: Pick<MadeBadge, 'guid'>,
  user: Pick<Caller, 'guid'>,
  more: { readonly label?: string; readonly place?: number; readonly awardedAt?: string } = {},
): Promise<string> {
  const { awardedAt, ...rest } = more
  const body = { users: [{ user: user.guid, ...rest }], ...(awardedAt === undefined ? {} : { awardedAt }) }
  return whole(await api.post(`/badges/${badge.guid}/grants`, manager, body)).granted[0].guid
}

function whole({ status, text, body }: Reply) {
  if (status >= 300) throw new Error(text)
  return body
}
