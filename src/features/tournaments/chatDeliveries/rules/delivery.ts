import { isDeepStrictEqual } from 'node:util'
import type { ChatMessage } from '../../../../infra/clients/chat-webhooks.ts'
import type { Delivery, Outcome, Part } from '../types.ts'

/**
 * How a delivery is sent to the chat, changed and removed there. The delivery makes one request at a time and is
 * saved before each request and again after its answer. Parts that are done are never sent again.
 */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The waits after failed attempts in a row. After the last wait one more attempt is made. (domain: 8.4) */
const sendingWaits = [1, 2, 4].map((seconds) => seconds * second)
/** A failed removal is retried automatically for about four days. (D51) */
const removalWaits = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour, 24 * hour, 48 * hour]
/**
 * The maximum time that a delivery waits for the platform. After that it fails, as the update cannot be edited while it
 * is under way.
 */
const patience = 15 * minute
/** How long after a request the platform is certain to remember its nonce. (domain: 8.4) */
const nonceMemory = 2 * minute

/** A delivery without a sent part. (D33) */
export function newDelivery(
  subject: Pick<Delivery, 'guid' | 'tournamentGuid' | 'channel'>,
  messages: readonly ChatMessage[],
  now: Date,
): Delivery {
  return {
    ...subject,
    status: 'pending',
    parts: messages.map((message, index) => newPart(index, message, 0)),
    revision: 0,
    attempts: 0,
    failures: 0,
    lastError: null,
    nextAttemptAt: null,
    giveUpAt: null,
    updatedAt: now,
  }
}

function newPart(index: number, message: ChatMessage, revision: number): Part {
  return { index, status: 'pending', message, revision, messageId: null, webhookUrl: null, uncertainSince: null }
}

function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

/**
 * Plans the delivery of an edit: existing messages in the chat are changed, further ones are sent, and superfluous ones
 * are removed. (rest-interface: Tournament updates)
 */
export function revised(delivery: Delivery, messages: readonly ChatMessage[], now: Date): Delivery {
  const revision = delivery.revision + 1
  const kept = messages.map((message, index) => {
    const part = delivery.parts.find((candidate) => candidate.index === index)
    if (part === undefined) return newPart(index, message, revision)
    const isSame = isDeepStrictEqual(part.message, message)
    if (isSame) return part.status === 'delivered' ? part : { ...part, status: 'pending' as const }
    return { ...part, status: 'pending' as const, message, revision }
  })
  const surplus = delivery.parts.filter(({ index, messageId }) => index >= messages.length && messageId !== null)
  const parts = [...kept, ...surplus.map(toRemoval)]
  const next = { ...delivery, parts, revision }
  return isDone(parts) ? { ...next, status: 'delivered', lastError: null } : anew(next, 'pending', now)
}

function toRemoval(part: Part): Part {
  return { ...part, status: 'removing', message: null }
}

function anew(delivery: Delivery, status: Delivery['status'], now: Date): Delivery {
  return { ...delivery, status, failures: 0, nextAttemptAt: null, giveUpAt: null, updatedAt: now }
}

/** Retries the failed parts only. A delivery that is under way does not change. (rest-interface: Tournament updates) */
export function retried(delivery: Delivery, now: Date): Delivery {
  if (delivery.status !== 'failed') return delivery
  return anew({ ...delivery, parts: delivery.parts.map(taken) }, 'pending', now)
}

function taken(part: Part): Part {
  if (part.status === 'failed') return { ...part, status: 'pending' }
  return part.status === 'removal_failed' ? { ...part, status: 'removing' } : part
}

/**
 * Plans the removal of the messages in the chat; null if no message is known to be there. Removing again immediately
 * retries what failed. (D51)
 */
export function removed(delivery: Delivery, now: Date): Delivery | null {
  const parts = delivery.parts.filter(({ messageId }) => messageId !== null).map(toRemoval)
  if (parts.length === 0) return null
  if (delivery.status === 'removing') return delivery
  return anew({ ...delivery, parts, attempts: delivery.attempts + 1 }, 'removing', now)
}

/** Whether its subject was deleted, so that only its messages are left to remove. (D51) */
export function isRemoval({ status }: Delivery): boolean {
  return status === 'removing' || status === 'removal_failed'
}

/**
 * Returns the first part that is not done: parts are sent one after the other to keep their order in the chat. (D33)
 */
export function nextPart({ parts }: Delivery): Part | undefined {
  return parts.find(isOpen)
}

function isOpen({ status }: Part): boolean {
  return status === 'pending' || status === 'sending' || status === 'removing'
}

function isDone(parts: readonly Part[]): boolean {
  return parts.every(({ status }) => status === 'delivered')
}

/** The time of the next step; null if there is none until a user retries. (D33, D51) */
export function dueAt(delivery: Delivery): Date | null {
  if (delivery.status === 'removal_failed') return delivery.nextAttemptAt
  return nextPart(delivery) === undefined || delivery.status === 'failed'
    ? null
    : (delivery.nextAttemptAt ?? delivery.updatedAt)
}

/**
 * Marks the next part as being sent; saved before the request. If a later run finds a part marked like this, the result
 * of its request is unknown: the message may be in the chat, and sending it again may duplicate it. Changes and
 * removals can be repeated without harm. (D33)
 */
export function begun(delivery: Delivery, now: Date): Delivery {
  const round = delivery.status === 'removal_failed' ? { ...delivery, parts: delivery.parts.map(taken) } : delivery
  const part = nextPart(round)
  if (part === undefined) return delivery
  const isUnanswered = part.status === 'sending'
  const isTakenUp = isUnanswered || delivery.status === 'pending' || delivery.status === 'removal_failed'
  const isUncertain = isUnanswered && part.messageId === null
  const open: Part = {
    ...part,
    status: part.message === null ? 'removing' : 'sending',
    uncertainSince: isUncertain ? (part.uncertainSince ?? delivery.updatedAt) : part.uncertainSince,
  }
  return {
    ...withPart(round, open),
    status: isRemoval(delivery) ? 'removing' : 'sending',
    attempts: delivery.attempts + (isTakenUp ? 1 : 0),
    nextAttemptAt: null,
    updatedAt: now,
  }
}

function withPart(delivery: Delivery, part: Part): Delivery {
  return { ...delivery, parts: delivery.parts.map((other) => (other.index === part.index ? part : other)) }
}

/**
 * Applies the result of a request; null if nothing is left to remove. (D33)
 * @param part as `begun` returned it
 */
export function settled(delivery: Delivery, part: Part, outcome: Outcome, now: Date): Delivery | null {
  const stamped = { ...delivery, updatedAt: now }
  if (outcome.kind === 'fault') {
    if (outcome.limit !== undefined) return limited(stamped, part, outcome.error, outcome.limit.waitMs, now)
    return failed(stamped, outcome.mayBeDone ? lost(part, delivery.updatedAt) : part, outcome, now)
  }
  if (part.message === null) return progressed(without(stamped, part), now)
  if (outcome.kind === 'gone') return part.messageId === null ? unmade(stamped, part, now) : sentAnew(stamped, part)
  const { sent } = outcome
  if (sent === null) return progressed(withPart(stamped, { ...part, status: 'delivered' }), now)
  if (delivery.parts.some(({ messageId }) => messageId === sent.messageId)) {
    const revision = delivery.revision + 1
    const unanswered = { ...lost(part, delivery.updatedAt), revision }
    const error = 'The chat platform answered with the message of another part.'
    return failed({ ...stamped, revision }, unanswered, { error, isPassing: true }, now)
  }
  const { messageId, webhookUrl } = sent
  const uncertainSince = isProvenOnce(part, sent.knowsNonce, now) ? null : part.uncertainSince
  return progressed(withPart(stamped, { ...part, status: 'delivered', messageId, webhookUrl, uncertainSince }), now)
}

/** Remembers that a send may have succeeded. Changes and removals can be repeated without harm and need no mark. */
function lost(part: Part, askedAt: Date): Part {
  if (part.message === null || part.messageId !== null) return part
  return { ...part, uncertainSince: part.uncertainSince ?? askedAt }
}

/** Whether all attempts made only one message, because the platform still remembered the nonce. (domain: 8.4) */
function isProvenOnce({ uncertainSince }: Part, knowsNonce: boolean, now: Date): boolean {
  return knowsNonce && uncertainSince !== null && now.getTime() - uncertainSince.getTime() < nonceMemory
}

function without(delivery: Delivery, part: Part): Delivery {
  return { ...delivery, parts: delivery.parts.filter(({ index }) => index !== part.index) }
}

/** The message was deleted in the chat by somebody: it is sent again as a new one. */
function sentAnew(delivery: Delivery, part: Part): Delivery {
  const revision = delivery.revision + 1
  const anew: Part = { ...part, status: 'pending', messageId: null, webhookUrl: null, revision, uncertainSince: null }
  return { ...withPart(delivery, anew), revision }
}

/**
 * The message of an earlier attempt was deleted in the chat by somebody. Its nonce cannot make another message, so the
 * next attempt gets a new one.
 */
function unmade(delivery: Delivery, part: Part, now: Date): Delivery | null {
  const revision = delivery.revision + 1
  const error = 'The message was deleted in the chat while it was sent.'
  const without = { ...part, revision, uncertainSince: null }
  return failed({ ...delivery, revision }, without, { error, isPassing: true }, now)
}

function progressed(delivery: Delivery, now: Date): Delivery | null {
  const isLast = nextPart(delivery) === undefined
  if (isRemoval(delivery)) {
    if (!isLast) return delivery
    return delivery.parts.length === 0 ? null : removalFailed(delivery, now)
  }
  const status = isLast ? 'delivered' : delivery.status
  return { ...delivery, status, failures: 0, lastError: null, giveUpAt: null }
}

/** Waiting because the platform asks for it is no failure, unless the wait is too long. (domain: 8.4: rate limits) */
function limited(delivery: Delivery, part: Part, error: string, retryAfterMs: number | null, now: Date): Delivery {
  const failures = retryAfterMs === null ? delivery.failures + 1 : delivery.failures
  const until = after(now, Math.max(retryAfterMs ?? untoldWait(failures), second / 4))
  const waiting = withPart(delivery, { ...part, status: part.message === null ? 'removing' : 'pending' })
  const status = isRemoval(delivery) ? delivery.status : 'pending'
  return postponed({ ...waiting, status, failures, lastError: error }, until, now)
}

function untoldWait(failures: number): number {
  return Math.min(2 ** failures, 60) * second
}

/**
 * Delays the next attempt until then. A delivery that would wait for too long fails instead; a removal waits without
 * limit. (domain: 8.4: rate limits)
 */
export function postponed(delivery: Delivery, until: Date, now: Date): Delivery {
  const giveUpAt = delivery.giveUpAt ?? after(now, patience)
  if (isRemoval(delivery)) return { ...delivery, nextAttemptAt: until }
  if (until <= giveUpAt) return { ...delivery, nextAttemptAt: until, giveUpAt }
  const lastError = 'The chat platform takes nothing more for a long time; try again later.'
  return givenUp({ ...delivery, lastError })
}

/**
 * Fails the delivery. The parts after the failed one are not sent either, as the messages must keep their order in the
 * chat.
 */
function givenUp(delivery: Delivery): Delivery {
  const part = nextPart(delivery)
  const failing = part === undefined ? delivery : withPart(delivery, { ...part, status: failureOf(part) })
  return { ...failing, status: 'failed', nextAttemptAt: null, giveUpAt: null }
}

function failureOf({ message }: Part): Part['status'] {
  return message === null ? 'removal_failed' : 'failed'
}

type Failure = Pick<Extract<Outcome, { kind: 'fault' }>, 'error' | 'isPassing'>

function failed(delivery: Delivery, part: Part, { error, isPassing }: Failure, now: Date): Delivery | null {
  const noted = { ...delivery, lastError: error }
  if (isRemoval(delivery)) return progressed(withPart(noted, { ...part, status: 'removal_failed' }), now)
  const wait = isPassing ? sendingWaits[delivery.failures] : undefined
  const failing = { ...noted, failures: delivery.failures + 1 }
  if (wait === undefined) return givenUp(withPart(failing, part))
  const status = part.message === null ? 'removing' : part.uncertainSince === null ? 'pending' : 'sending'
  return { ...withPart(failing, { ...part, status }), status: 'pending', nextAttemptAt: after(now, wait) }
}

/** Every message was tried once; the remaining ones are all retried later. */
function removalFailed(delivery: Delivery, now: Date): Delivery {
  const wait = removalWaits[delivery.failures]
  const nextAttemptAt = wait === undefined ? null : after(now, wait)
  return { ...delivery, status: 'removal_failed', failures: delivery.failures + 1, nextAttemptAt }
}
