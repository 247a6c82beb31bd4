import type { HttpAnswer, HttpClient } from '../../../../infra/clients/http.ts'
import type { Place } from '../../../../infra/clock/store.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { answerKeyed, noteKeyed } from '../../../../infra/outbox/sending.ts'
import { begun, dueAt, nextPart, settled } from '../rules/delivery.ts'
import { numberOf } from '../rules/recorded.ts'
import { findEarlier, lockDelivery, saveDelivery } from '../store/deliveries.ts'
import { type Delivery, mainChannel, type Outcome } from '../types.ts'
import type { Step } from './steps.ts'

/** Has the client of the chat platform make a request through `http`, and tells what came of it. */
export type Perform = (step: Step, http: HttpClient) => Promise<Outcome>

/** The answer comes later. */
class Late extends Error {
  readonly until: Date
  constructor(until: Date) {
    super('the answer comes later')
    this.until = until
  }
}

/**
 * Makes a step of a delivery in a rehearsal: the client of the chat platform makes its request, which is recorded and
 * answered in place of being sent. All is one transaction, since nothing leaves it. (R3)
 * @returns whether there was a step to make
 */
export async function recordStep(tx: Tx, guid: string, place: Place, perform: Perform): Promise<boolean> {
  const now = place.instant
  const locked = await lockDelivery(tx, guid)
  if (locked === undefined) return false
  const { delivery } = locked
  const due = dueAt(delivery)
  if (due === null || (delivery.nextAttemptAt !== null && due > now)) return false
  const next = begun(delivery, now)
  const part = nextPart(next)
  if (part === undefined) return false
  if (part.messageId === null && (await findEarlier(tx, delivery)) !== undefined) return false
  const subject = part.message === null ? 'Removed message' : part.messageId === null ? 'Message' : 'Changed message'
  const key = `chat ${guid} ${part.index} ${part.revision} ${subject}`
  let answered = 0
  const http: HttpClient = {
    async request({ method, url, json }) {
      const message = {
        ...{ kind: 'chat' as const, key, at: now, userGuid: null, until: null, subject },
        to: delivery.channel === mainChannel ? 'chatWebhookUrl' : `chatWebhooks: ${delivery.channel}`,
        body: json === undefined ? '' : JSON.stringify(json),
      }
      const told = await answerKeyed(tx, place, message, method === 'DELETE' ? 204 : 200)
      if (told === null || 'until' in told) throw new Late(told?.until ?? now)
      answered = told.answer.status
      return answerOf(new URL(url).host, told.answer, { id: numberOf(key), nonce: nonceIn(json) })
    },
    close: async () => {},
  }
  const outcome = await perform({ guid, part, webhookUrl: address }, http).catch((error: unknown) => {
    if (error instanceof Late) return error
    throw error
  })
  if (outcome instanceof Late) {
    await saveDelivery(tx, delivery, { ...delivery, nextAttemptAt: outcome.until })
    return true
  }
  const after = settled(next, part, outcome, now)
  await saveDelivery(tx, delivery, after)
  const isSent = outcome.kind === 'done'
  await noteKeyed(tx, place, key, {
    status: isSent ? 'sent' : isTriedAgain(after, part) ? 'waiting' : 'failed',
    answered,
  })
  return true
}

/** A name that leads nowhere; it is never asked. (RFC 2606) */
const address = 'https://rehearsal.invalid/webhook'

function answerOf(
  host: string,
  { status, retryAfterMs }: { readonly status: number; readonly retryAfterMs: number | null },
  body: object,
): HttpAnswer {
  const json = status < 300 ? body : {}
  const headers: Record<string, string> = {}
  if (retryAfterMs !== null) headers['retry-after'] = `${retryAfterMs / 1_000}`
  return { host, status, headers, text: JSON.stringify(json), json: () => json }
}

function nonceIn(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'nonce' in json ? json.nonce : undefined
}

/** Whether the same message is to be sent again. */
function isTriedAgain(after: Delivery | null, { index, revision }: Step['part']): boolean {
  const part = after?.parts.find((one) => one.index === index)
  return after?.nextAttemptAt != null && part?.revision === revision
}
