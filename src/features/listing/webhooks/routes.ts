import { Type } from 'typebox'
import { isGuid } from '../../../core/ids.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, type Position, toPage } from '../../../core/page.ts'
import { Instant, NextCursor, nullable, PageQuery } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { platformAdministrators } from '../platforms/policy.ts'
import { type Platform, webhookEvents } from '../platforms/types.ts'
import { replayDelivery, replaySince, unknownDelivery } from './commands/deliveries.ts'
import { finishTest, runTest } from './commands/testing.ts'
import { deliveriesTag } from './events.ts'
import { isOfDeliveries, maxReplayed, readSince, readStatuses } from './rules.ts'
import { type DeliveryPosition, findSent, listDeliveries } from './store/deliveries.ts'
import { type Channel, deliveryStatuses } from './types.ts'
import { DeliveryView, deliveryView, SentDeliveryView, TestResult, testResultView } from './views.ts'

const test = command({
  name: 'webhooks.test',
  method: 'POST',
  path: '/tournament-platforms/:platform/webhooks/test',
  scope: 'rest:write',
  allow: platformAdministrators,
  summary: 'Send a sample of an event to the webhooks that are set up.',
  description:
    'Whether the event is subscribed does not matter. The body carries `test: true`. What waits for a receiver that takes the test is sent at once.',
  body: Type.Object({
    event: Type.String({
      maxLength: 100,
      description: `One of ${webhookEvents.join(', ')}.`,
      examples: ['member_added'],
    }),
  }),
  reply: {
    200: Type.Object({
      chat: nullable(TestResult, 'null where no chat webhook is set up.'),
      custom: nullable(TestResult, 'null where no custom webhook is set up.'),
    }),
  },
  problems: { 'webhook.event_unknown': 400, 'webhook.none_configured': 400 },
  prepare: runTest,
  run: async ({ tx, actor, platform, prepared, now }) => {
    await finishTest(tx, actor, platform, prepared, now)
    const result = (channel: Channel) => {
      const answer = prepared.answers.get(channel)
      return answer === undefined ? null : testResultView(answer)
    }
    return { chat: result('chat'), custom: result('custom') }
  },
})

const listName = 'webhooks.deliveries'

function isDeliveryPosition(position: Position): position is DeliveryPosition {
  const [eventSeq, guid, ...rest] = position
  return typeof eventSeq === 'number' && typeof guid === 'string' && isGuid(guid) && rest.length === 0
}

/** How often subscribers get the present state of deliveries, in milliseconds. */
const deliveryMs = 2_000

const list = query({
  name: 'webhooks.listDeliveries',
  method: 'GET',
  path: '/tournament-platforms/:platform/deliveries',
  scope: 'rest:read',
  allow: platformAdministrators,
  summary: 'What was, or is to be, told to the platform’s receivers, with every attempt; newest first.',
  description: 'Deliveries are forgotten 30 days after their end.',
  query: Type.Object({
    status: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Comma list of ${deliveryStatuses.join(', ')}; all unless given.`,
        examples: ['failed'],
      }),
    ),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ deliveries: Type.Array(DeliveryView), nextCursor: NextCursor }) },
  problems: { 'webhook.status_unknown': 400 },
  live: {
    query: ['status'],
    sends: ['platform.delivery_failed', 'platform.delivery_recovered'],
    concerns: ({ records, query: { status } }) => ({
      by: { tag: deliveriesTag((records.platform as Platform).guid) },
      isSent: (event) => isOfDeliveries(event, readStatuses(status)),
    }),
  },
  run: async ({ db, platform, query: { status, limit = defaultPageSize, before }, depends, now }) => {
    // Attempts are made after their events and emit no event of their own, so the answer also expires.
    depends(platform.guid, deliveriesTag(platform.guid))
    depends.until(new Date(now.getTime() + deliveryMs))
    const statuses = readStatuses(status)
    const after = decodeCursor(listName, before, isDeliveryPosition)
    const rows = await listDeliveries(db, platform.guid, { statuses, limit, after })
    const page = toPage(listName, rows, limit, ({ eventSeq, guid }) => [eventSeq, guid])
    return { deliveries: page.items.map(deliveryView), nextCursor: page.nextCursor }
  },
})

const read = query({
  name: 'webhooks.readDelivery',
  method: 'GET',
  path: '/tournament-platforms/:platform/deliveries/:delivery',
  scope: 'rest:read',
  allow: platformAdministrators,
  summary: 'A delivery with the body that is sent.',
  description: 'Every attempt and every replay sends the same bytes. Deliveries are forgotten 30 days after their end.',
  reply: { 200: SentDeliveryView },
  problems: { 'delivery.unknown': 404 },
  run: async ({ db, platform, delivery }) => {
    const found = isGuid(delivery) ? await findSent(db, platform.guid, delivery) : undefined
    if (found === undefined) throw unknownDelivery()
    return { ...deliveryView(found), body: found.body }
  },
})

const replay = command({
  name: 'webhooks.replay',
  method: 'POST',
  path: '/tournament-platforms/:platform/deliveries/:delivery/replay',
  scope: 'rest:write',
  socket: true,
  allow: platformAdministrators,
  summary: 'Send a delivery again.',
  description:
    'It is the same message, with the same `webhook-id`, and goes before what happened later. One that still waits is sent now.',
  reply: { 202: DeliveryView },
  problems: { 'delivery.unknown': 404 },
  run: async ({ tx, actor, platform, delivery, now }) =>
    deliveryView(await replayDelivery(tx, actor, platform.guid, delivery, now)),
})

const Replayed = Type.Object({
  replayed: Type.Integer({ description: 'How many are sent again.', examples: [12] }),
  nextSince: nullable(Instant, 'Give it as `since` to send the rest; null when there is none.'),
})

const replayAll = command({
  name: 'webhooks.replaySince',
  method: 'POST',
  path: '/tournament-platforms/:platform/deliveries/replay',
  scope: 'rest:write',
  socket: true,
  allow: platformAdministrators,
  summary: 'Send all finished deliveries of what happened since an instant again, in their order.',
  description: `At most ${maxReplayed} at once: where there are more, \`nextSince\` says from when on.`,
  query: Type.Object({
    since: Instant,
    dryRun: Type.Optional(Type.Boolean({ description: 'Only tell how many would be sent again.' })),
  }),
  reply: { 200: Replayed, 202: Replayed },
  run: async ({ tx, actor, platform, query: { since, dryRun = false }, now }) => {
    const order = { since: readSince(since), dryRun }
    const { replayed, nextSince } = await replaySince(tx, actor, platform.guid, order, now)
    return new Answer(dryRun ? 200 : 202, { body: { replayed, nextSince: formatInstant(nextSince) } })
  },
})

export const webhooksOperations = [test, list, read, replay, replayAll]
