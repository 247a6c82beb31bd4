import { type Static, Type } from 'typebox'
import { bodyOf } from './client.ts'
import { drawn, upload } from './media.ts'
import type { Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** The organiser requests badges for all placed players, and a badge manager grants them. */

const Draft = Type.Object({
  badges: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      kind: Type.String(),
      recipients: Type.Array(
        Type.Object({
          user: Type.Object({ guid: Type.String() }),
          label: Type.Union([Type.String(), Type.Null()]),
          place: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
    }),
  ),
})
const Medium = Type.Object({ guid: Type.String() })
const Request = Type.Object({ guid: Type.String(), status: Type.String(), updatedAt: Type.String() })
const Waiting = Type.Object({ badgeRequests: Type.Array(Request) })
const Reviewed = Type.Object({ request: Request, skipped: Type.Array(Type.Unknown()) })
const Detail = Type.Object({
  badges: Type.Array(Type.Object({ name: Type.String(), label: Type.Union([Type.String(), Type.Null()]) })),
})

/** Gold, silver, bronze, and one colour for all others. */
const colours = ['#d4a72c', '#a7b1bb', '#b0713a', '#3a6ea5']

/** A medal on a ribbon in its colour. */
function drawBadge(index: number): Promise<Buffer> {
  const colour = colours[index] ?? '#3a6ea5'
  const stripes = Array.from(
    { length: 9 },
    (_, stripe) => `<rect x="${stripe * 80 - 40}" width="30" height="240" fill="#ffffff" opacity="0.08"/>`,
  )
  return drawn(
    640,
    240,
    `<rect width="640" height="240" rx="40" fill="${colour}"/>${stripes.join('')}
     <circle cx="120" cy="120" r="80" fill="#ffffff" opacity="0.9"/><circle cx="120" cy="120" r="56" fill="${colour}"/>
     <rect x="240" y="90" width="${340 - index * 60}" height="60" rx="30" fill="#ffffff" opacity="0.9"/>`,
  )
}

/** Without a badge manager, the badges are requested, but nobody decides. */
export async function honourPlayers(scene: Scene, { id, guid }: Tournament, entries: readonly Entry[]): Promise<void> {
  const { client, story, officials } = scene
  const { organiser, owner, staff } = officials
  story.chapter('Badges')
  const path = `/tournaments/${id}/badgeRequests`
  const { badges } = story.succeed(
    'the organiser looks at what might be asked for',
    200,
    await client.call('GET', `${path}/draft`, { token: organiser.token }),
    Draft,
  )
  for (const { name, recipients } of badges) story.tell(`“${name}” for ${recipients.length}`)
  const wish = { message: 'For everybody who made it here.', badges: await withPictures(scene, guid, badges) }
  story.refuse('role:staff asks for them', 403, await client.call('POST', path, { token: staff.token, json: wish }))
  const asking = () => client.call('POST', path, { token: organiser.token, json: wish })
  const request = story.succeed('the organiser does, with pictures', 201, await asking(), Request)
  story.refuse('and again, while that waits', 409, await asking())

  const waiting = await client.call('GET', '/admin/badgeRequests?status=pending', { token: owner.token })
  if (waiting.status === 403) {
    story.tell(`${owner.name} does not manage badges: nobody decides`)
    return
  }
  const { badgeRequests } = bodyOf(waiting, 200, Waiting)
  if (!badgeRequests.some((one) => one.guid === request.guid)) throw new Error('the request does not wait anywhere')
  const json = { decision: 'approved', expectedUpdatedAt: request.updatedAt }
  const decided = await client.call('POST', `/admin/badgeRequests/${request.guid}/review`, { token: owner.token, json })
  story.succeed('an owner, who manages badges, approves', 200, decided, Reviewed)

  const champion = badges[0]?.recipients[0]?.user.guid
  const best = entries.find(({ captain, others }) => [captain, ...others].some((one) => one.guid === champion))
  const shown = bodyOf(await client.call('GET', `/users/${champion}`, {}), 200, Detail)
  const [first] = shown.badges
  if (first === undefined) throw new Error('the champion has no badge')
  story.tell(`a player of ${best?.nation.name} shows “${first.name}”, ${first.label}, to everybody`)
}

async function withPictures({ client, officials }: Scene, tournament: string, badges: Static<typeof Draft>['badges']) {
  const made = []
  for (const [index, { recipients, ...badge }] of badges.entries()) {
    const parts = { kind: 'badge_image', tournament, name: badge.name }
    const uploaded = await upload(client, officials.organiser, await drawBadge(index), parts)
    const { guid: mediaGuid } = bodyOf(uploaded, 201, Medium)
    const people = recipients.map(({ user, label, place }) => ({ user: user.guid, label, place }))
    made.push({ ...badge, mediaGuid, recipients: people })
  }
  return made
}
