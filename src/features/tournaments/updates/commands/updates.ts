import type { SignedIn } from '../../../../core/actor.ts'
import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { removeTexts } from '../../../../infra/events/retention.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { schedule } from '../../chatDeliveries/commands/schedule.ts'
import { newDelivery, removed, retried, revised } from '../../chatDeliveries/rules/delivery.ts'
import { insertDelivery, lockDelivery, saveDelivery } from '../../chatDeliveries/store/deliveries.ts'
import { type Delivery, mainChannel } from '../../chatDeliveries/types.ts'
import { lockTournament } from '../../tournaments/commands/lock.ts'
import { differencesOf, publicationText, readContent, readEdit } from '../rules/content.ts'
import {
  checkChatAvailable,
  checkNotActive,
  checkNotStale,
  checkRoom,
  guidReused,
  isChatAvailable,
  unknownUpdate,
} from '../rules/editing.ts'
import { messagesOf } from '../rules/message.ts'
import * as store from '../store/updates.ts'
import type { Content, Update } from '../types.ts'
import { useShownMedia } from './media.ts'

/** An update with its chat announcement, if it has one. */
export interface Published {
  readonly update: Update
  readonly delivery: Delivery | null
}

export interface Publication {
  /** In lower case. */
  readonly guid: string
  readonly content: Content
  readonly sendToChat: boolean
}

/**
 * Publishes an update and schedules its delivery to the chat. Repeating the same publication changes nothing and
 * returns the first answer. (D51)
 * @throws Problem `update.content_empty`, `update.changes_invalid`, `update.chat_missing`, `update.guid_reused`,
 *   `update.limit_reached`, `media.reference_invalid`, `tournament.unknown`
 */
export async function publishUpdate(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { guid, content: written, sendToChat }: Publication,
  { now, chatApiUrl, mediaUrl }: { readonly now: Date; readonly chatApiUrl: string; readonly mediaUrl: string },
): Promise<Published> {
  const content = readContent(written)
  const publishedHash = digestOf(publicationText(content, sendToChat))
  const { tournament } = await lockTournament(tx, tournamentGuid)
  const made = await store.countMade(tx, tournamentGuid)
  const update = { ...content, guid, tournamentGuid, publishedHash, createdAt: now }
  const inserted = await store.insertUpdate(tx, update, actor.guid)
  if (inserted === undefined) return repeated(await store.findUpdate(tx, guid), update, sendToChat)
  checkRoom(made)
  await useShownMedia(tx, inserted, null, { authorGuid: actor.guid, mediaUrl, now })
  if (!sendToChat) return { update: emitPublished(tx, inserted, actor, sendToChat), delivery: null }
  checkChatAvailable(isChatAvailable(tournament, chatApiUrl))
  const delivery = newDelivery({ guid, tournamentGuid, channel: mainChannel }, messagesOf(content), now)
  await insertDelivery(tx, delivery)
  await schedule(tx, delivery)
  return { update: emitPublished(tx, inserted, actor, sendToChat), delivery }
}

function emitPublished(tx: Tx, update: Update, actor: SignedIn, sendToChat: boolean): Update {
  const { guid, tournamentGuid, title, content, changes } = update
  emit(tx, {
    type: 'update.published',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { title, content, changes, sendToChat },
  })
  return update
}

/** Returns the answer of the first publication, even if the update was edited since then. */
function repeated(first: Update | undefined, update: store.NewUpdate, sendToChat: boolean): Published {
  const isSame =
    first?.tournamentGuid === update.tournamentGuid &&
    first.deletedAt === null &&
    first.publishedHash.equals(update.publishedHash)
  if (!isSame) throw guidReused()
  const { createdAt } = first
  const delivery = sendToChat
    ? newDelivery(
        { guid: update.guid, tournamentGuid: update.tournamentGuid, channel: mainChannel },
        messagesOf(update),
        createdAt,
      )
    : null
  return { update: { ...update, createdAt, updatedAt: null, deletedAt: null }, delivery }
}

export type Edit = Pick<Content, 'content'> & Partial<Content> & { readonly expectedUpdatedAt: string | null }

/**
 * Changes the given members and updates the chat announcement to match.
 * @throws Problem `update.content_empty`, `update.changes_invalid`, `update.stale`, `update.delivery_active`,
 *   `media.reference_invalid`, `update.unknown`, `tournament.unknown`
 */
export async function editUpdate(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Update,
  { expectedUpdatedAt, ...given }: Edit,
  { mediaUrl, now }: { readonly mediaUrl: string; readonly now: Date },
): Promise<Published> {
  const { update: before, delivery } = await lock(tx, tournamentGuid, guid)
  if (before.deletedAt !== null) throw unknownUpdate()
  checkNotStale(before, expectedUpdatedAt)
  checkNotActive(delivery)
  const { title, content, changes } = readEdit(before, given)
  const update = await store.editUpdate(tx, guid, { title, content, changes }, now)
  await useShownMedia(tx, update, before, { authorGuid: actor.guid, mediaUrl, now })
  const next = delivery === null ? null : revised(delivery, messagesOf(update), now)
  if (delivery !== null) await save(tx, delivery, next)
  emit(tx, {
    type: 'update.edited',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    ...differencesOf(before, update),
  })
  return { update, delivery: next }
}

/**
 * Deletes the update and schedules the removal of its chat messages. Deleting it again retries the removal while
 * messages are left. Returns the delivery with the messages to remove; null if there are none. (D51)
 * @throws Problem `update.stale`, `update.delivery_active`, `update.unknown`, `tournament.unknown`
 */
export async function deleteUpdate(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Update,
  expectedUpdatedAt: string | null,
  now: Date,
): Promise<Delivery | null> {
  const { update, delivery } = await lock(tx, tournamentGuid, guid)
  const isRepeated = update.deletedAt !== null
  if (isRepeated && delivery === null) throw unknownUpdate()
  checkNotStale(update, expectedUpdatedAt)
  checkNotActive(delivery)
  const next = delivery === null ? null : removed(delivery, now)
  if (delivery !== null) await save(tx, delivery, next)
  if (isRepeated) return next
  await store.deleteUpdate(tx, guid, now)
  await endUsages(tx, [guid], now)
  await removeTexts(tx, { subject: guid, tournament: tournamentGuid }, ['title', 'content', 'changes'])
  emit(tx, { type: 'update.deleted', subject: guid, tournament: tournamentGuid, actor: actor.guid })
  return next
}

/**
 * Retries the parts of the delivery that failed. (rest-interface: Tournament updates)
 * @throws Problem `update.chat_not_requested`, `update.unknown`, `tournament.unknown`
 */
export async function retryDelivery(tx: Tx, { guid, tournamentGuid }: Update, now: Date): Promise<Delivery> {
  const { update, delivery } = await lock(tx, tournamentGuid, guid)
  if (update.deletedAt !== null) throw unknownUpdate()
  if (delivery === null) {
    throw missing('update.chat_not_requested', 'This update was not published to the chat; there is nothing to retry.')
  }
  const next = retried(delivery, now)
  await save(tx, delivery, next)
  return next
}

/** Locks the tournament, the update and its delivery, always in this order. */
async function lock(
  tx: Tx,
  tournamentGuid: string,
  guid: string,
): Promise<{ update: Update; delivery: Delivery | null }> {
  await lockTournament(tx, tournamentGuid)
  const update = await store.lockUpdate(tx, guid)
  if (update === undefined) throw unknownUpdate()
  const locked = await lockDelivery(tx, guid)
  return { update, delivery: locked?.delivery ?? null }
}

/**
 * Enqueues a job even if the delivery did not change: an interrupted delivery may have lost its job. A superfluous job
 * does no harm.
 */
async function save(tx: Tx, before: Delivery, after: Delivery | null): Promise<void> {
  if (after !== before) await saveDelivery(tx, before, after)
  if (after !== null) await schedule(tx, after)
}
