import { expect } from 'vitest'
import { announcementsFollower } from '../src/features/tournaments/announcements/followers.ts'
import { announcementKinds } from '../src/features/tournaments/tournaments/types.ts'
import { caughtUp } from './event-log.ts'
import type { FakeChatWebhooks, FakeWebhook } from './fakes/chat-webhook.ts'
import type { Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'

/** What a tournament tells its chat by itself. */

const within = { timeout: 60_000, interval: 20 }

export const allKinds = Object.fromEntries(announcementKinds.map((kind) => [kind, 'main']))

/** Switches announcements of a tournament on, all of them unless others are given; returns their channel. */
export async function listen(
  api: Harness,
  chat: FakeChatWebhooks,
  { guid }: Pick<MadeTournament, 'guid'>,
  kinds: Readonly<Record<string, string>> = allKinds,
): Promise<FakeWebhook> {
  const webhook = chat.addWebhook()
  await caughtUp(api, announcementsFollower)
  await api.sql('update tournaments set chat_webhook_url = $1, announcements = $2 where guid = $3', [
    webhook.url,
    kinds,
    guid,
  ])
  return webhook
}

/** Resolves when messages of all that happened so far, and that the stream shows, have been written. */
export async function allSaid(api: Harness, { guid }: Pick<MadeTournament, 'guid'>): Promise<void> {
  await caughtUp(api, announcementsFollower)
  // What is gathered is said now.
  await api.sql(
    `update announcement_matters m set due_at = now() where due_at > now() and tournament_guid = $1
      and kind not in ('registration_opened', 'registration_closing')
      and (not is_delayed or coalesce((select seconds from stream_delay(m.tournament_guid, m.match_guid)), 0) = 0)`,
    [guid],
  )
  const due = () => api.sql('select from announcement_matters where tournament_guid = $1 and due_at <= now()', [guid])
  await expect.poll(due, within).toEqual([])
}

/** Resolves when they have come to the chat, too. */
export async function allAnnounced(api: Harness, cup: Pick<MadeTournament, 'guid'>): Promise<void> {
  await allSaid(api, cup)
  const open = () =>
    api.sql(`select from chat_deliveries where tournament_guid = $1 and status in ('pending', 'sending')`, [cup.guid])
  await expect.poll(open, within).toEqual([])
}

/** The messages in the channel, once all has been announced. */
export async function told(api: Harness, cup: Pick<MadeTournament, 'guid'>, webhook: FakeWebhook): Promise<string[]> {
  await allAnnounced(api, cup)
  return webhook.messages.map(({ content }) => content)
}
