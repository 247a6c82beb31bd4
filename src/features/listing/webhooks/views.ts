import { type Static, Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { WebhookAnswer } from '../../../infra/clients/webhook.ts'
import { userCard } from '../../people/users/views.ts'
import { type WebhookEvent, webhookEvents } from '../platforms/types.ts'
import { platformSummary } from '../platforms/views.ts'
import { dottedType, faultOf, isTaken } from './rules.ts'
import {
  type Channel,
  channels,
  type DeliveredTournament,
  deliveryStatuses,
  type MemberFacts,
  type Occurrence,
  type RecordedDelivery,
  type RequestFacts,
} from './types.ts'

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

export const SentDeliveryView = Type.Object(
  {
    ...DeliveryView.properties,
    body: Type.String({
      description: 'The JSON exactly as it is sent; the signature is made over these bytes.',
      examples: ['{"type":"member.added"}'],
    }),
  },
  { title: 'SentWebhookDelivery', description: 'What was, or is to be, told to a platform’s receiver, word for word.' },
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

/** Bodies of deliveries in the form of each channel. Platforms see blocks as blocks. */

/**
 * The JSON exactly as it is sent.
 * @param isTest marks the message as a test of something that did not happen
 */
export function bodyFor(channel: Channel, occurrence: Occurrence, isTest = false): string {
  const message = channel === 'chat' ? chatMessage(occurrence, isTest) : customMessage(occurrence)
  return JSON.stringify(isTest ? { ...message, test: true } : message)
}

/** The message to a custom webhook. (D34) */
function customMessage({ event, at, platform, subject }: Occurrence) {
  return {
    type: dottedType(event),
    event,
    timestamp: formatInstant(at),
    data: {
      platform: platformSummary(platform),
      ...(subject.kind === 'request' ? requestData(subject) : memberData(subject)),
    },
  }
}

function requestData({ guid, status, reason, tournament }: RequestFacts) {
  return { tournament: tournament === null ? null : tournamentData(tournament), request: { guid, status, reason } }
}

function tournamentData({ startsAt, endsAt, ...rest }: DeliveredTournament) {
  return {
    ...rest,
    startsAt: formatInstant(startsAt),
    endsAt: formatInstant(endsAt),
  }
}

function memberData({ user, role }: MemberFacts) {
  return { member: { user: userCard(user), role } }
}

/**
 * A message of the chat platform that mentions nobody. Names and reasons are short enough for its limits, even if
 * escaping doubles every character. (D34; domain: 8.4)
 */
function chatMessage({ event, at, platform, subject }: Occurrence, isTest: boolean) {
  const sentence = sentences[event](nameOf(subject), bold(platform.name), subject)
  const reason = subject.kind === 'request' ? subject.reason : null
  return {
    content: isTest ? `Test: ${sentence}` : sentence,
    embeds: reason === null ? [] : [{ title: 'Reason', description: escaped(reason), timestamp: formatInstant(at) }],
    allowed_mentions: { parse: [] },
  }
}

type Sentence = (name: string, platform: string, subject: Occurrence['subject']) => string

const sentences: Readonly<Record<WebhookEvent, Sentence>> = {
  visibility_requested: (name, platform) => `${name} asks to be listed on ${platform}.`,
  visibility_approved: (name, platform) => `${name} was approved for ${platform}.`,
  visibility_rejected: (name, platform) => `${name} was rejected for ${platform}.`,
  visibility_blocked: (name, platform) => `${name} was blocked on ${platform}.`,
  visibility_withdrawn: (name, platform) => `${name} no longer asks to be listed on ${platform}.`,
  member_added: (name, platform, subject) => `${name} is now ${roleWord(subject)} of ${platform}.`,
  member_removed: (name, platform) => `${name} is no longer a member of ${platform}.`,
}

function roleWord(subject: Occurrence['subject']): string {
  return subject.kind === 'member' && subject.role === 'admin' ? 'an administrator' : 'a reviewer'
}

function nameOf(subject: Occurrence['subject']): string {
  if (subject.kind === 'member') return bold(subject.user.preferredName)
  return subject.tournament === null ? 'A tournament' : bold(subject.tournament.name)
}

function bold(name: string): string {
  return `**${escaped(name)}**`
}

/** Escapes markup and breaks mentions, so that the text mentions nobody even without `allowed_mentions`. */
function escaped(text: string): string {
  return text.replace(/[\\*_~`|[\]()<>#-]/g, '\\$&').replaceAll('@', '@\u200B')
}
