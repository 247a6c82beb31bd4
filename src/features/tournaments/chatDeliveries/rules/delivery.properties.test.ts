import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Delivery, Outcome, Part } from '../types.ts'
import { begun, dueAt, newDelivery, nextPart, removed, retried, revised, settled } from './delivery.ts'

const start = Date.UTC(2026, 4, 1)
const at = (seconds: number) => new Date(start + seconds * 1_000)
const text = (content: string) => ({ content, embeds: [] })
const texts = (...contents: string[]) => contents.map(text)
const sent = (messageId: string, knowsNonce = false): Outcome => ({
  kind: 'done',
  sent: { messageId, webhookUrl: 'https://chat.example/w', knowsNonce },
})
const done: Outcome = { kind: 'done', sent: null }
const gone: Outcome = { kind: 'gone' }
const fault = (facts: Partial<Extract<Outcome, { kind: 'fault' }>> = {}): Outcome => ({
  kind: 'fault',
  error: 'It failed.',
  isPassing: true,
  mayBeDone: false,
  ...facts,
})
const lost = fault({ mayBeDone: true })
const refused = fault({ isPassing: false })
const limit = (waitMs: number | null) => fault({ limit: { waitMs } })

/** A simulated chat channel, and an announcement that goes through a random sequence of outcomes. */
describe('whatever happens', () => {
  type Happening = 'done' | 'lost' | 'failed' | 'refused' | 'limited' | 'died before' | 'died after' | 'deleted'
  const happening = fc.constantFrom<Happening[]>(
    ...(['done', 'done', 'done', 'lost', 'failed', 'refused', 'limited'] as const),
    ...(['died before', 'died after', 'deleted'] as const),
  )
  const contentsOf = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })

  class Channel {
    readonly messages = new Map<string, string>()
    /** By index and revision of the part. */
    readonly made = new Map<string, number>()
    #last = 0

    act(part: Part): Outcome {
      if (part.message === null) return this.messages.delete(part.messageId ?? '') ? done : gone
      const { content } = part.message
      if (part.messageId !== null) {
        if (!this.messages.has(part.messageId)) return gone
        this.messages.set(part.messageId, content)
        return done
      }
      const id = String(++this.#last)
      this.messages.set(id, content)
      const key = `${part.index} ${part.revision}`
      this.made.set(key, (this.made.get(key) ?? 0) + 1)
      return sent(id)
    }
  }

  function live(channel: Channel, delivery: Delivery, happening: Happening): Delivery | null {
    if (happening === 'deleted') {
      channel.messages.delete([...channel.messages.keys()][0] ?? '')
      return delivery
    }
    const open = begun(delivery, at(1))
    const part = nextPart(open)
    if (dueAt(delivery) === null || part === undefined) return delivery
    if (happening === 'died before') return open
    if (happening === 'died after') {
      channel.act(part)
      return open
    }
    if (happening === 'done' || happening === 'lost') {
      const outcome = channel.act(part)
      return settled(open, part, happening === 'done' ? outcome : lost, at(1))
    }
    const outcomes = { failed: fault(), refused, limited: limit(1_000) }
    return settled(open, part, outcomes[happening], at(1))
  }

  /** Completes the delivery without further faults. */
  function finish(channel: Channel, delivery: Delivery): Delivery | null {
    let current: Delivery | null = retried(delivery, at(2))
    for (let left = 50; current !== null && dueAt(current) !== null && left > 0; left--) {
      current = live(channel, current, 'done')
    }
    return current
  }

  test('each part stands in the chat as it should, once unless the record says that it may be more', () => {
    fc.assert(
      fc.property(
        contentsOf,
        fc.array(fc.tuple(fc.array(happening, { maxLength: 12 }), contentsOf), { minLength: 1, maxLength: 4 }),
        (contents, rounds) => {
          const channel = new Channel()
          let delivery = newDelivery({ guid: 'u', tournamentGuid: 't', channel: 'main' }, texts(...contents), at(0))
          let wanted = contents
          for (const [happenings, next] of rounds) {
            for (const what of happenings) delivery = live(channel, delivery, what) ?? delivery
            if (delivery.status !== 'pending' && delivery.status !== 'sending') {
              delivery = revised(delivery, texts(...next), at(3))
              wanted = next
            }
          }
          const end = finish(channel, delivery) as Delivery
          expect(end.status).toBe('delivered')
          expect(end.parts.map(({ index, message }) => [index, message?.content])).toEqual([...wanted.entries()])
          for (const { index, revision, message, messageId, uncertainSince } of end.parts) {
            const standing = channel.messages.get(messageId ?? '')
            if (standing !== undefined) expect(standing).toBe(message?.content)
            const made = Math.max(...[...channel.made].filter(([key]) => key.startsWith(`${index} `)).map(([, n]) => n))
            if (uncertainSince === null) expect(channel.made.get(`${index} ${revision}`) ?? 1).toBe(1)
            else expect(made).toBeGreaterThan(0)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('a removal ends with nothing in the chat but what the record could not know of', () => {
    fc.assert(
      fc.property(
        contentsOf,
        fc.array(happening, { maxLength: 12 }),
        fc.array(happening, { maxLength: 12 }),
        (contents, before, after) => {
          const channel = new Channel()
          let delivery = newDelivery({ guid: 'u', tournamentGuid: 't', channel: 'main' }, texts(...contents), at(0))
          for (const what of before) delivery = live(channel, delivery, what) ?? delivery
          fc.pre(delivery.status === 'delivered' || delivery.status === 'failed')
          const unknown = delivery.parts.some(({ uncertainSince }) => uncertainSince !== null)
          let left = removed(delivery, at(3))
          for (const what of after) left = left && live(channel, left, what)
          left = left && finish(channel, left)
          expect(left).toBeNull()
          if (!unknown) expect([...channel.messages.values()]).toEqual([])
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
