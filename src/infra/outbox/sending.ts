import { type Place, placeOf } from '../clock/store.ts'
import type { Database, Tx } from '../db/database.ts'
import { emit } from '../events/emit.ts'
import { digestOf } from '../secrets.ts'
import { answerTo, cut, maxBodyCharacters, maxTextCharacters } from './rules.ts'
import {
  findNextMs,
  findSettings,
  forgetTexts,
  insertMessages,
  lockDue,
  lockKeyed,
  type NewRow,
  type Progress,
  type Settings,
  writeProgress,
} from './store.ts'
import type { Judge, NewMessage, OutboxKind, RecordedAnswer } from './types.ts'

/** What a rehearsal's list of messages depends on. */
export const outboxTag = (rehearsal: string): string => `outbox ${rehearsal}`

/** The status of a message that was taken. */
const taken = 201
const found = 200

/**
 * Records what a transaction in a rehearsal would send, and makes the first attempt of each at its instant, or plans it
 * where the answers are late. (R3)
 * @param judge what follows from an answer
 */
export async function record(
  tx: Tx,
  { tournament }: Place,
  messages: readonly NewMessage[],
  judge: Judge,
): Promise<void> {
  const settings = await findSettings(tx, tournament)
  if (settings === undefined || messages.length === 0) return
  const rows = messages.map((message) => begun(settings, message, judge))
  await insertMessages(tx, tournament, rows)
  emitRecorded(tx, tournament)
}

/** What a rehearsal asks another service. */
interface LookUp extends Pick<NewMessage, 'subject' | 'body'> {
  /** Whether a stored answer is there. */
  readonly isAnswered: boolean
}

/**
 * Records what a transaction in a rehearsal would ask another service, with one attempt where an answer comes while the
 * caller waits; the same question once at an instant, since a command may ask again when it is repeated. (R3)
 * @param asked which service, and how long the caller waits
 * @returns for each whether it was answered, as the faults say
 */
export async function recordLookUps(
  tx: Tx,
  { tournament, instant: at }: Place,
  { to, patienceMs }: { readonly to: string; readonly patienceMs: number },
  lookUps: readonly LookUp[],
): Promise<readonly boolean[]> {
  const settings = await findSettings(tx, tournament)
  if (settings === undefined || lookUps.length === 0) return lookUps.map(({ isAnswered }) => isAnswered)
  const rows = lookUps.map(({ isAnswered, ...rest }): NewRow => {
    const message = boundedMessage({ ...rest, kind: 'lookup' as const, at, to, userGuid: null, until: null })
    const { status, delayMs } = answerTo(settings, message, 0, found)
    const isInTime = isAnswered && delayMs <= patienceMs
    return {
      ...message,
      key: `lookup ${at.toISOString()} ${digestOf(message.body).toString('base64url')}`,
      status: isInTime && status < 300 ? 'sent' : 'failed',
      attempts: isInTime ? [{ at, status }] : [],
      nextAttemptAt: null,
    }
  })
  await insertMessages(tx, tournament, rows)
  emitRecorded(tx, tournament)
  return rows.map(({ status }) => status === 'sent')
}

function begun(settings: Settings, message: NewMessage, judge: Judge): NewRow {
  const bounded = boundedMessage(message)
  const answer = answerTo(settings, bounded, 0, taken)
  const waiting = { ...bounded, key: null, status: 'waiting' as const, attempts: [], nextAttemptAt: null }
  if (answer.delayMs > 0) return { ...waiting, nextAttemptAt: new Date(message.at.getTime() + answer.delayMs) }
  return { ...waiting, ...progressed(waiting, answer, judge, message.at) }
}

function boundedMessage<T extends Pick<NewMessage, 'to' | 'subject' | 'body'>>(message: T): T {
  const { to, subject, body } = message
  return {
    ...message,
    to: cut(to, maxTextCharacters),
    subject: cut(subject, maxTextCharacters),
    body: cut(body, maxBodyCharacters),
  }
}

/** A message after one more attempt. */
function progressed(
  { attempts, until }: Pick<NewRow, 'attempts' | 'until'>,
  answer: RecordedAnswer,
  judge: Judge,
  now: Date,
): Progress {
  const verdict = judge({ attempts: attempts.length, until }, answer, now)
  return {
    attempts: [...attempts, { at: now, status: answer.status }],
    status: verdict.kind === 'sent' ? 'sent' : verdict.kind === 'dropped' ? 'failed' : 'waiting',
    nextAttemptAt: verdict.kind === 'retry' ? verdict.at : null,
  }
}

/**
 * Makes the attempts for messages of a kind that are due where the work is done; none outside of rehearsals.
 * @returns the milliseconds until the next is due; null for none
 */
export async function attemptDue(database: Database, kind: OutboxKind, judge: Judge): Promise<number | null> {
  const place = placeOf(database.db)
  if (place === null) return null
  const nextMs = await findNextMs(database.db, place.tournament, kind)
  if (nextMs === null || nextMs > 0) return nextMs
  await database.transaction(async (tx) => {
    const settings = await findSettings(tx, place.tournament)
    const due = settings === undefined ? [] : await lockDue(tx, place.tournament, kind)
    if (settings === undefined || due.length === 0) return
    for (const message of due) {
      const answer = answerTo(settings, message, message.attempts.length, taken)
      await writeProgress(tx, message.guid, progressed(message, answer, judge, place.instant))
    }
    emitRecorded(tx, place.tournament)
  })
  return nextMs
}

/**
 * What the receiver answers to a message whose sender keeps its progress. The first call records it.
 * @param key names the message among all of the rehearsal; equal for every attempt
 * @param answers the status of success
 * @returns null if the answers are late, until the instant that `until` gives
 */
export async function answerKeyed(
  tx: Tx,
  { tournament, instant }: Place,
  message: NewMessage & { readonly key: string },
  success: number,
): Promise<{ readonly answer: RecordedAnswer } | { readonly until: Date } | null> {
  const settings = await findSettings(tx, tournament)
  if (settings === undefined) return null
  const bounded = boundedMessage(message)
  const known = await lockKeyed(tx, tournament, message.key)
  const attempts = known?.attempts ?? []
  const answer = answerTo(settings, known ?? bounded, attempts.length, success)
  if (known === undefined) {
    await insertMessages(tx, tournament, [{ ...bounded, status: 'waiting', attempts, nextAttemptAt: null }])
    emitRecorded(tx, tournament)
    if (answer.delayMs > 0) return { until: new Date(instant.getTime() + answer.delayMs) }
  }
  return { answer }
}

/** Notes what came of an attempt that `answerKeyed` answered. */
export async function noteKeyed(
  tx: Tx,
  { tournament, instant }: Place,
  key: string,
  { status, answered }: { readonly status: Progress['status']; readonly answered: number },
): Promise<void> {
  const known = await lockKeyed(tx, tournament, key)
  if (known === undefined) return
  const attempts = [...known.attempts, { at: instant, status: answered }]
  await writeProgress(tx, known.guid, { status, attempts, nextAttemptAt: null })
  emitRecorded(tx, tournament)
}

/** No message tells the names of placeholders whose people were deleted; call it before they lose their names. (R1, D35) */
export async function forgetNamesIn(tx: Tx, placeholders: readonly string[]): Promise<void> {
  for (const rehearsal of await forgetTexts(tx, placeholders)) emitRecorded(tx, rehearsal)
}

function emitRecorded(tx: Tx, rehearsal: string): void {
  emit(tx, { type: 'rehearsal.messages_recorded', subject: null, actor: null, touches: [outboxTag(rehearsal)] })
}
