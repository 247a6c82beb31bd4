import { type Static, Type } from 'typebox'
import { aboutHtml } from '../../../core/rendered.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { type Delivery, deliveryStatuses, type Part, partStatuses } from '../chatDeliveries/types.ts'
import type { Preview } from './queries.ts'
import type { Update } from './types.ts'

const Card = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'A before/after card, free in form.',
    examples: [{ title: 'Grand final', before: 'Saturday', after: 'Sunday' }],
  },
)

/** The state of an update's delivery to the chat. (D33) */
export const DeliveryView = Type.Object(
  {
    status: oneOf(deliveryStatuses, {
      description:
        '`none` where the update was not sent to the chat. While `pending` or `sending` it cannot be edited.',
    }),
    parts: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        status: oneOf(partStatuses, {
          description: '`sending` is also what waits to be sent again because the answer to it was lost.',
        }),
        messageId: nullable(Type.String({ examples: ['1184720934812345678'] }), 'Of the message in the chat.'),
        unconfirmed: Type.Optional(
          Type.Boolean({
            description:
              'Present and true where the chat platform’s answer to an attempt was lost: what that attempt sent may stand in the chat beside the message that is known.',
          }),
        ),
      }),
      { description: 'The messages of the announcement, in their order.' },
    ),
    attempts: Type.Integer({ minimum: 0, description: 'How often the delivery was taken up.' }),
    lastError: nullable(Type.String(), 'What was wrong last, for people; null once the delivery goes on.'),
    updatedAt: nullable(Instant, 'null where nothing is delivered.'),
  },
  { title: 'UpdateDelivery', description: 'Where the announcement of an update in the chat stands.' },
)
export type DeliveryView = Static<typeof DeliveryView>

const updateMembers = {
  guid: Guid,
  title: Type.String({ description: 'Plain text; may be empty.', examples: ['Finals moved'] }),
  content: Type.String({ description: 'Markdown.', examples: ['The finals take place on **Sunday**.'] }),
  changes: Type.Array(Card),
  createdAt: Instant,
  updatedAt: nullable(Instant, 'null until the first edit; `expectedUpdatedAt` of the next one.'),
}

/** An update in an answer. (rest-interface: Tournament update) */
export const UpdateView = Type.Object(updateMembers, { title: 'TournamentUpdate' })
export type UpdateView = Static<typeof UpdateView>

/** The content of an update as HTML. (D36) */
export const RenderedUpdate = Type.Object(
  { content: Type.String({ examples: ['<p>The finals take place on <strong>Sunday</strong>.</p>\n'] }) },
  {
    title: 'RenderedUpdate',
    description: `The content as ${aboutHtml}`,
  },
)

/** An update in a list; with its delivery for users who may post. */
export const ListedUpdate = Type.Object(
  { ...updateMembers, html: Type.Optional(RenderedUpdate), delivery: Type.Optional(DeliveryView) },
  { title: 'ListedTournamentUpdate' },
)

const EmbedField = Type.Object({
  name: Type.String({ examples: ['Before'] }),
  value: Type.String({ examples: ['Saturday'] }),
  inline: Type.Optional(Type.Boolean({ description: 'Shown beside the next field; `before` and `after` are.' })),
})

/** A message as the chat gets it. */
export const MessageView = Type.Object({
  content: Type.String({
    description: 'At most 2,000 characters, in the Markdown of the chat platform; may be empty.',
    examples: ['**Finals moved**\nThe finals take place on **Sunday**.'],
  }),
  embeds: Type.Array(
    Type.Object({
      title: Type.Optional(Type.String({ examples: ['Grand final'] })),
      description: Type.Optional(Type.String()),
      fields: Type.Optional(Type.Array(EmbedField)),
    }),
    { description: 'The change cards that go with this message, at most ten.' },
  ),
})

/** An update as it would be shown on a page and sent to the chat. (D33) */
export const UpdatePreview = Type.Object(
  {
    html: RenderedUpdate,
    messages: Type.Array(MessageView, { description: 'The messages in the order in which they are sent.' }),
  },
  { title: 'UpdatePreview' },
)

export const PublishedUpdate = Type.Object({ update: UpdateView, delivery: DeliveryView }, { title: 'PublishedUpdate' })

export function updateView({ guid, title, content, changes, createdAt, updatedAt }: Update): UpdateView {
  return {
    guid,
    title,
    content,
    changes: [...changes],
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  }
}

/** Shows the staff the state of the parts, but not the webhook. */
export function deliveryView(delivery: Delivery | null): DeliveryView {
  if (delivery === null) return { status: 'none', parts: [], attempts: 0, lastError: null, updatedAt: null }
  const { status, parts, attempts, lastError, updatedAt } = delivery
  return { status, parts: parts.map(partView), attempts, lastError, updatedAt: formatInstant(updatedAt) }
}

function partView({ index, status, messageId, uncertainSince }: Part): DeliveryView['parts'][number] {
  return { index, status, messageId, ...(uncertainSince === null ? {} : { unconfirmed: true }) }
}

export function previewView({ html, messages }: Preview): Static<typeof UpdatePreview> {
  return { html, messages: messages.map(messageView) }
}

export function messageView({ content, embeds }: Preview['messages'][number]): Static<typeof MessageView> {
  return {
    content,
    embeds: embeds.map(({ fields, ...embed }) => ({
      ...embed,
      ...(fields === undefined ? {} : { fields: [...fields] }),
    })),
  }
}
