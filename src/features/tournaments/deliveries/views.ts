import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { dueAt } from '../chatDeliveries/rules/delivery.ts'
import type { Delivery } from '../chatDeliveries/types.ts'
import { announcementKinds } from '../tournaments/types.ts'
import { DeliveryView, deliveryView, MessageView, messageView } from '../updates/views.ts'
import type { Listed } from './store.ts'

/** A delivery to a chat channel, with its messages. The address of the channel is in no answer. (D33) */
export const ListedDelivery = Type.Object(
  {
    guid: Type.String({ ...Guid, description: 'That of the update, or of the announcement.' }),
    announcement: nullable(oneOf(announcementKinds), 'The kind of the announcement; null for an update.'),
    title: nullable(Type.String({ examples: ['Finals moved'] }), 'Of the update; null for an announcement.'),
    channel: Type.String({ description: '`main`, or the label of a further webhook.', examples: ['main'] }),
    createdAt: nullable(Instant),
    nextAttemptAt: nullable(Instant, 'null while nothing is to be sent.'),
    delivery: DeliveryView,
    messages: Type.Array(nullable(MessageView), {
      description: 'Of each part, as it is to be in the chat; null where the message is to be removed.',
    }),
  },
  { title: 'ChatDelivery' },
)

export function listedDelivery({ delivery, title, kind, createdAt }: Listed): Static<typeof ListedDelivery> {
  return {
    guid: delivery.guid,
    announcement: kind,
    title,
    channel: delivery.channel,
    createdAt: formatInstant(createdAt),
    nextAttemptAt: formatInstant(nextAttemptOf(delivery)),
    delivery: deliveryView(delivery),
    messages: delivery.parts.map(({ message }) => (message === null ? null : messageView(message))),
  }
}

function nextAttemptOf(delivery: Delivery): Date | null {
  return delivery.nextAttemptAt ?? dueAt(delivery)
}
