import { isDeepStrictEqual } from 'node:util'
import type { ChatMessage } from '../../../../infra/clients/chat-webhooks.ts'
import type { Delivery, Part } from '../types.ts'

/**
 * How an announcement comes into the chat, is changed there, and goes away again: one request at a time, each written
 * down before it is made and again when it is answered. Parts that are done are never done again.
 */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Attempts in a row that bring nothing on, with a wait behind each but the last. (domain: 8.4) */
const sendingWaits = [1, 2, 4].map((seconds) => seconds * second)
/** A failed removal is tried again by itself for some four days. (D51) */
const removalWaits = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour, 24 * hour, 48 * hour]
/** A delivery that is told to wait for longer fails: as long as it is under way, the update cannot be edited. */
const patience = 15 * minute
/** For so long after a request the platform surely remembers its nonce. (domain: 8.4) */
const nonceMemory = 2 * minute

/** A delivery that nothing has been done for yet. (D33) */
export function newDelivery(updateGuid: string, messages: readonly ChatMessage[], now: Date): Delivery {
  return {
    updateGuid,
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
 * An edit changes the messages that stand in the chat, sends those that it needs beside them, and takes away those that
 * it does not need any more. (rest-interface: Tournament updates)
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

/** What failed is taken up again, and nothing else; what is under way goes on as it does. (rest-interface: Tournament updates) */
export function retried(delivery: Delivery, now: Date): Delivery {
  if (delivery.status !== 'failed') return delivery
  return anew({ ...delivery, parts: delivery.parts.map(taken) }, 'pending', now)
}

function taken(part: Part): Part {
  if (part.status === 'failed') return { ...part, status: 'pending' }
  return part.status === 'removal_failed' ? { ...part, status: 'removing' } : part
}

/**
 * What stands in the chat is taken away; null when nothing is known to stand there. Removing again tries what failed at
 * once. (D51)
 */
export function removed(delivery: Delivery, now: Date): Delivery | null {
  const parts = delivery.parts.filter(({ messageId }) => messageId !== null).map(toRemoval)
  if (parts.length === 0) return null
  if (delivery.status === 'removing') return delivery
  return anew({ ...delivery, parts, attempts: delivery.attempts + 1 }, 'removing', now)
}

/** An update that was deleted is there no more, and only its messages are left to go. (D51) */
export function isRemoval({ status }: Delivery): boolean {
  return status === 'removing' || status === 'removal_failed'
}

/** Parts follow one another, so that they stand in the chat in their order. (D33) */
export function nextPart({ parts }: Delivery): Part | undefined {
  return parts.find(isOpen)
}

function isOpen({ status }: Part): boolean {
  return status === 'pending' || status === 'sending' || status === 'removing'
}

function isDone(parts: readonly Part[]): boolean {
  return parts.every(({ status }) => status === 'delivered')
}

/** When something is to be done next; null when nothing is, until somebody asks for it. (D33, D51) */
export function dueAt(delivery: Delivery): Date | null {
  if (delivery.status === 'removal_failed') return delivery.nextAttemptAt
  return nextPart(delivery) === undefined || delivery.status === 'failed'
    ? null
    : (delivery.nextAttemptAt ?? delivery.updatedAt)
}

/**
 * Written down before a request is made. A part that is found like this later, with nobody at work on it, is one whose
 * request was never answered as far as anybody knows: it may stand in the chat, and what is sent again may stand there
 * twice. A change or removal can be asked for again without harm. (D33)
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

/** How a request ended. */
export type Outcome =
  | {
      readonly kind: 'done'
      /** Of what was sent; null for a change or removal. */
      readonly sent: { readonly messageId: string; readonly webhookUrl: string; readonly knowsNonce: boolean } | null
    }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'fault'
      /** A sentence for the staff. */
      readonly error: string
      /** Trying again may help. */
      readonly isPassing: boolean
      /** Of a limit: how long to wait, in milliseconds, or null where that was not told. */
      readonly limit?: { readonly waitMs: number | null }
      /** The answer was lost, and what was asked for may have been done. */
      readonly mayBeDone: boolean
    }

/**
 * What follows from a request that was begun; null once there is nothing left to remove. (D33)
 * @param part as `begun` left it
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

/** What was asked for may have been done: of what can be asked for twice without harm, that need not be remembered. */
function lost(part: Part, askedAt: Date): Part {
  if (part.message === null || part.messageId !== null) return part
  return { ...part, uncertainSince: part.uncertainSince ?? askedAt }
}

/** A platform that remembers the nonce has made one message of all attempts. (domain: 8.4) */
function isProvenOnce({ uncertainSince }: Part, knowsNonce: boolean, now: Date): boolean {
  return knowsNonce && uncertainSince !== null && now.getTime() - uncertainSince.getTime() < nonceMemory
}

function without(delivery: Delivery, part: Part): Delivery {
  return { ...delivery, parts: delivery.parts.filter(({ index }) => index !== part.index) }
}

/** Somebody has deleted the message: it is sent as if it had never been. */
function sentAnew(delivery: Delivery, part: Part): Delivery {
  const revision = delivery.revision + 1
  const anew: Part = { ...part, status: 'pending', messageId: null, webhookUrl: null, revision, uncertainSince: null }
  return { ...withPart(delivery, anew), revision }
}

/** Somebody has deleted the message that an earlier attempt had made: with its nonce no other one can be made. */
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

/** What the platform wants us to wait is no failure, unless it takes too long. (domain: 8.4: rate limits) */
function limited(delivery: Delivery, part: Part, error: string, toldMs: number | null, now: Date): Delivery {
  const failures = toldMs === null ? delivery.failures + 1 : delivery.failures
  const until = after(now, Math.max(toldMs ?? untoldWait(failures), second / 4))
  const waiting = withPart(delivery, { ...part, status: part.message === null ? 'removing' : 'pending' })
  const status = isRemoval(delivery) ? delivery.status : 'pending'
  return postponed({ ...waiting, status, failures, lastError: error }, until, now)
}

function untoldWait(failures: number): number {
  return Math.min(2 ** failures, 60) * second
}

/** Waits until then; a delivery that would have to wait for too long fails instead. A removal waits for ever. (domain: 8.4: rate limits) */
export function postponed(delivery: Delivery, until: Date, now: Date): Delivery {
  const giveUpAt = delivery.giveUpAt ?? after(now, patience)
  if (isRemoval(delivery)) return { ...delivery, nextAttemptAt: until }
  if (until <= giveUpAt) return { ...delivery, nextAttemptAt: until, giveUpAt }
  const lastError = 'The chat platform takes nothing more for a long time; try again later.'
  return givenUp({ ...delivery, lastError })
}

/** The rest waits with the part that failed: parts stand in the chat in their order. */
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
  const told = { ...delivery, lastError: error }
  if (isRemoval(delivery)) return progressed(withPart(told, { ...part, status: 'removal_failed' }), now)
  const wait = isPassing ? sendingWaits[delivery.failures] : undefined
  const failing = { ...told, failures: delivery.failures + 1 }
  if (wait === undefined) return givenUp(withPart(failing, part))
  const status = part.message === null ? 'removing' : part.uncertainSince === null ? 'pending' : 'sending'
  return { ...withPart(failing, { ...part, status }), status: 'pending', nextAttemptAt: after(now, wait) }
}

/** Every message was tried; those that are left are tried again later, all of them. */
function removalFailed(delivery: Delivery, now: Date): Delivery {
  const wait = removalWaits[delivery.failures]
  const nextAttemptAt = wait === undefined ? null : after(now, wait)
  return { ...delivery, status: 'removal_failed', failures: delivery.failures + 1, nextAttemptAt }
}
