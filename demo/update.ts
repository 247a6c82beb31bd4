import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { bodyOf } from './client.ts'
import { serviceOf } from './people.ts'
import type { Scene, Tournament } from './tournament.ts'

/** An update of the tournament that is also posted to the chat. */

const Delivery = Type.Object({
  status: Type.String(),
  lastError: Type.Union([Type.String(), Type.Null()]),
})
const Published = Type.Object({ update: Type.Object({ guid: Type.String() }), delivery: Delivery })
const Updates = Type.Object({ updates: Type.Array(Type.Object({ guid: Type.String(), delivery: Delivery })) })
const Settings = Type.Object({ chatWebhookUrl: Type.Literal('configured') })

/** @returns the address of the channel's page, or null when the service has no stand-in for the chat platform */
export async function announce(scene: Scene, tournament: Tournament): Promise<string | null> {
  const { client, story, officials } = scene
  const { token } = officials.organiser
  const path = `/tournaments/${tournament.id}/updates`
  story.chapter('An update')
  const channel = await openChannel(scene, tournament)
  const json = {
    guid: randomUUID(),
    title: 'The bracket is drawn',
    content: 'Registration is over, and **32 nations** are seeded by their qualifiers. Good luck to all of them!',
    changes: [{ title: 'Status', before: 'registration', after: 'ongoing' }],
    sendToChat: channel !== null,
  }
  const foreign = await client.call('POST', path, { token: officials.caster.token, json })
  story.refuse('the caster publishes an update', 403, foreign)
  const published = await client.call('POST', path, { token, json })
  const { update } = story.succeed(
    'the organiser publishes an update, with a card of what changed',
    201,
    published,
    Published,
  )
  if (channel === null) return null
  await waitForDelivery(scene, path, update.guid)
  story.tell('the chat channel has it')
  return channel
}

/** A channel for the tournament at the service's stand-in for the chat platform. */
async function openChannel({ client, story, officials }: Scene, { id, guid }: Tournament): Promise<string | null> {
  const { organiser } = officials
  // A platform id derived from the tournament: 60 bits, in decimal digits.
  const channelId = BigInt(`0x${guid.replaceAll('-', '').slice(0, 15)}`)
  const standIn = '/api/auth/stand-in'
  const address = `${serviceOf(organiser)}${standIn}/webhooks/${channelId}/${randomBytes(32).toString('base64url')}`
  const json = { chatWebhookUrl: address }
  const answer = await client.call('PATCH', `/tournaments/${id}`, { token: organiser.token, json })
  if (answer.headers.get('problem-code') === 'tournament.invalid') {
    story.tell('the service looks for chat channels elsewhere (DISCORD_API_URL): the chat is left out')
    return null
  }
  story.succeed('the organiser sets the webhook of a chat channel', 200, answer, Settings)
  return `${client.url}${standIn}/channels/${channelId}`
}

const patienceMs = 30_000
const pauseMs = 200

async function waitForDelivery({ client, officials }: Scene, path: string, guid: string): Promise<void> {
  const { token } = officials.organiser
  const until = Date.now() + patienceMs
  let delivery: Static<typeof Delivery> | undefined
  while (delivery?.status !== 'delivered') {
    if (delivery?.status === 'failed' || Date.now() > until) {
      throw new Error(
        `the update did not reach the chat (${delivery?.status}): ${delivery?.lastError ?? 'no reason yet'}`,
      )
    }
    if (delivery !== undefined) await sleep(pauseMs)
    const { updates } = bodyOf(await client.call('GET', `${path}?limit=50`, { token }), 200, Updates)
    delivery = updates.find((update) => update.guid === guid)?.delivery
    if (delivery === undefined) throw new Error('an update that was just published is not listed')
  }
}
