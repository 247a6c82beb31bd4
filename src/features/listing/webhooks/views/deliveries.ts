import { type Static, Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { WebhookAnswer } from '../../../../infra/clients/webhook.ts'
import { webhookEvents } from '../../platforms/types.ts'
import { faultOf, isTaken } from '../rules/deliveries.ts'
import { channels, deliveryStatuses, type RecordedDelivery } from '../types.ts'

const status = nullable(Type.Integer({ examples: [204] }), 'HTTP status of the answer; null when none came.')
const error = (description: string) => nullable(Type.String({ examples: ['It answered 500.'] }), description)

const AttemptView = Type.Object(
  {
    at: Instant,
    status,
    durationMs: nullable(Type.Integer({ examples: [84] }), 'null while it is under way, or when its end is not known.'),
    error: error('Why it did not succeed; null when it did, and while it is under way.'),
  },
  { title: 'WebhookAttempt', description: 'One attempt at a delivery.' },
)

export const DeliveryView = Type.Object(
  {
    guid: Type.String({
      format: 'uuid',
      description: 'GUID; also the `webhook-id` of the message, however often it is sent.',
    }),
    channel: oneOf(channels),
    event: oneOf(webhookEvents),
    status: oneOf(deliveryStatuses, {
      description:
        '`failed` was given up; `stopped` had nowhere to go, because the address had said that it is gone, or was removed.',
    }),
    attempts: Type.Array(AttemptView, { description: 'The oldest first.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When what it tells of happened.' }),
    nextAttemptAt: nullable(Instant, 'Not before then, and not before those in front of it; null when there is none.'),
    finishedAt: nullable(Instant),
  },
  { title: 'WebhookDelivery', description: 'What was, or is to be, told to a platform’s receiver.' },
)

export function deliveryView(delivery: RecordedDelivery): Static<typeof DeliveryView> {
  const { guid, channel, event, createdAt, nextAttemptAt, finishedAt } = delivery
  return {
    guid,
    channel,
    event,
    status: delivery.status,
    attempts: delivery.record.map(({ at, ...rest }) => ({ at: formatInstant(at), ...rest })),
    createdAt: formatInstant(createdAt),
    nextAttemptAt: delivery.status === 'pending' ? formatInstant(nextAttemptAt) : null,
    finishedAt: formatInstant(finishedAt),
  }
}

/** The schema of a webhook test's result. (D53) */
export const TestResult = Type.Object(
  {
    ok: Type.Boolean(),
    status,
    durationMs: Type.Integer({ examples: [84] }),
    error: error('Why it did not succeed; null when it did.'),
  },
  { title: 'WebhookTestResult', description: 'What became of a test of one channel.' },
)

export function testResultView(answer: WebhookAnswer): Static<typeof TestResult> {
  const { status, durationMs } = answer
  return { ok: isTaken(answer), status, durationMs, error: faultOf(answer) }
}
