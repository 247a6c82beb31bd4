import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '../../../infra/clients/chat-webhooks.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { schedule } from '../chatDeliveries/commands/schedule.ts'
import { newDelivery, revised } from '../chatDeliveries/rules/delivery.ts'
import { insertDelivery, lockDelivery, saveDelivery } from '../chatDeliveries/store/deliveries.ts'
import type { Said } from './queries/saying.ts'
import { dropMatters, insertAnnouncement, lockMatters, markSaid, setDue } from './store/matters.ts'
import type { Announcement, Matter } from './types.ts'

/**
 * Makes an announcement of matters that were not said yet, and drops those with nothing to say. Does
 * nothing if another process has dealt with them.
 * @param channel null if they are not announced any more
 */
export async function announce(
  tx: Tx,
  read: readonly Matter[],
  said: Said | null,
  channel: string | null,
  now: Date,
): Promise<void> {
  const [first] = read
  if (first === undefined || !(await lockMatters(tx, read))) return
  const told = new Set(channel === null ? [] : (said?.guids ?? []))
  await dropMatters(
    tx,
    read.filter(({ guid }) => !told.has(guid)).map(({ guid }) => guid),
  )
  if (said === null || channel === null) return
  const { tournamentGuid, kind } = first
  const announcement: Announcement = { guid: randomUUID(), tournamentGuid, kind, channel }
  await send(tx, announcement, said.message, now)
  await markSaid(tx, said.guids, announcement.guid)
}

/** Sends a test of a channel, in the order of the other messages there. Returns the GUID of its delivery. */
export async function sendTest(
  tx: Tx,
  subject: Omit<Announcement, 'guid'>,
  message: ChatMessage,
  now: Date,
): Promise<string> {
  const announcement = { ...subject, guid: randomUUID() }
  await send(tx, announcement, message, now)
  return announcement.guid
}

async function send(tx: Tx, announcement: Announcement, message: ChatMessage, now: Date): Promise<void> {
  const { guid, tournamentGuid, channel } = announcement
  await insertAnnouncement(tx, announcement, now)
  const delivery = newDelivery({ guid, tournamentGuid, channel }, [message], now)
  await insertDelivery(tx, delivery)
  await schedule(tx, delivery)
}

/** How long a correction waits for a message that is still being sent. */
const patienceMs = 2_000

/**
 * Changes the message of an announcement to what holds now. Without a message it stays as it is.
 * @param read all matters of the announcement
 */
export async function correct(
  tx: Tx,
  announcementGuid: string,
  read: readonly Matter[],
  message: ChatMessage | null,
  now: Date,
): Promise<void> {
  if (!(await lockMatters(tx, read))) return
  const guids = read.map(({ guid }) => guid)
  const locked = await lockDelivery(tx, announcementGuid)
  const status = locked?.delivery.status
  if (status === 'pending' || status === 'sending') {
    return setDue(tx, guids, new Date(now.getTime() + patienceMs))
  }
  await setDue(tx, guids, null)
  if (locked === undefined || message === null) return
  // What never came to the chat is not sent late.
  if (locked.delivery.parts.some(({ messageId }) => messageId === null)) return
  const next = revised(locked.delivery, [message], now)
  await saveDelivery(tx, locked.delivery, next)
  await schedule(tx, next)
}
