import { describe, expect, test } from 'vitest'
import type { Delivery, Outcome } from '../types.ts'
import { begun, dueAt, newDelivery, nextPart, postponed, removed, retried, revised, settled } from './delivery.ts'

const start = Date.UTC(2026, 4, 1)
const at = (seconds: number) => new Date(start + seconds * 1_000)
const text = (content: string) => ({ content, embeds: [] })
const texts = (...contents: string[]) => contents.map(text)
const fresh = (...contents: string[]) =>
  newDelivery({ guid: 'u', tournamentGuid: 't', channel: 'main' }, texts(...contents), at(0))
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

/** Makes one request with this outcome. */
function step(delivery: Delivery, outcome: Outcome, now = at(1)): Delivery | null {
  const open = begun(delivery, now)
  const part = nextPart(open)
  if (part === undefined) throw new Error('nothing is due')
  return settled(open, part, outcome, now)
}

function steps(delivery: Delivery, outcomes: readonly Outcome[]): Delivery {
  return outcomes.reduce((before, outcome) => {
    const next = step(before, outcome)
    if (next === null) throw new Error('it was removed')
    return next
  }, delivery)
}

const summary = ({ status, parts }: Delivery) => [status, ...parts.map((part) => [part.status, part.messageId])]
const statuses = (delivery: Delivery | null) => delivery?.parts.map(({ status }) => status)

describe('a delivery', () => {
  test('begins with all parts to be sent', () => {
    expect(summary(fresh('a', 'b'))).toEqual(['pending', ['pending', null], ['pending', null]])
    expect(dueAt(fresh('a'))).toEqual(at(0))
  })

  test('sends one part after the other', () => {
    const first = steps(fresh('a', 'b'), [sent('1')])
    expect(summary(first)).toEqual(['sending', ['delivered', '1'], ['pending', null]])
    expect(nextPart(first)?.index).toBe(1)
    const whole = steps(first, [sent('2')])
    expect(summary(whole)).toEqual(['delivered', ['delivered', '1'], ['delivered', '2']])
    expect([whole.attempts, whole.lastError, dueAt(whole)]).toEqual([1, null, null])
  })

  test('writes down that it asks before it asks', () => {
    const open = begun(fresh('a'), at(5))
    expect([...summary(open), open.updatedAt]).toEqual(['sending', ['sending', null], at(5)])
  })

  test.each([
    ['its own failure', fault(), 'pending', null],
    ['a lost answer', lost, 'sending', at(1)],
  ])(
    'tries again after %s, at growing distances, and gives up after four attempts',
    (_what, outcome, between, since) => {
      let delivery = fresh('a', 'b')
      const waits: number[] = []
      for (let attempt = 1; attempt <= 3; attempt++) {
        delivery = steps(delivery, [outcome])
        expect(summary(delivery)).toEqual(['pending', [between, null], ['pending', null]])
        expect(delivery.lastError).toBe('It failed.')
        expect(dueAt(delivery)).toEqual(delivery.nextAttemptAt)
        waits.push(Number(delivery.nextAttemptAt) - Number(at(1)))
      }
      expect(waits).toEqual([1_000, 2_000, 4_000])
      delivery = steps(delivery, [outcome])
      expect(summary(delivery)).toEqual(['failed', ['failed', null], ['pending', null]])
      expect([delivery.attempts, dueAt(delivery), delivery.parts[0]?.uncertainSince]).toEqual([4, null, since])
    },
  )

  test('counts attempts anew once one has brought it on', () => {
    const delivery = steps(fresh('a', 'b'), [fault(), fault(), fault(), sent('1'), fault()])
    expect([delivery.status, Number(delivery.nextAttemptAt) - Number(at(1))]).toEqual(['pending', 1_000])
  })

  test('gives up at once what is refused, and keeps the parts behind it back', () => {
    const delivery = steps(fresh('a', 'b', 'c'), [sent('1'), refused])
    expect(summary(delivery)).toEqual(['failed', ['delivered', '1'], ['failed', null], ['pending', null]])
    expect(dueAt(delivery)).toBeNull()
  })

  test('taken up again sends what failed and what was kept back, and nothing that was delivered', () => {
    const failed = steps(fresh('a', 'b', 'c'), [sent('1'), refused])
    const again = retried(failed, at(9))
    expect(summary(again)).toEqual(['pending', ['delivered', '1'], ['pending', null], ['pending', null]])
    expect(summary(steps(again, [sent('2'), sent('3')]))).toEqual([
      ...['delivered', ['delivered', '1'], ['delivered', '2'], ['delivered', '3']],
    ])
  })

  test.each(['pending', 'sending', 'delivered', 'removing', 'removal_failed'] as const)(
    'that is %s is left alone when it should be taken up again',
    (status) => {
      const delivery = { ...fresh('a'), status }
      expect(retried(delivery, at(9))).toBe(delivery)
    },
  )
})

describe('a limit', () => {
  test('is waited for as long as was told, and is no failure', () => {
    const delivery = steps(fresh('a'), [limit(7_500)])
    expect(summary(delivery)).toEqual(['pending', ['pending', null]])
    expect([delivery.nextAttemptAt, delivery.failures]).toEqual([at(8.5), 0])
  })

  test('of which nothing is told is waited for ever longer', () => {
    const waits = [limit(null), limit(null), limit(null)].map((outcome, index, all) => {
      const delivery = steps(fresh('a'), [...all.slice(0, index), outcome])
      return Number(delivery.nextAttemptAt) - Number(at(1))
    })
    expect(waits).toEqual([2_000, 4_000, 8_000])
  })

  test('is not asked about again at once, whatever was told', () => {
    expect(steps(fresh('a'), [limit(0)]).nextAttemptAt).toEqual(at(1.25))
  })

  test('that would keep the update from being edited for more than a quarter of an hour is a failure', () => {
    expect(steps(fresh('a'), [limit(15 * 60_000)]).status).toBe('pending')
    const endless = steps(fresh('a', 'b'), [limit(15 * 60_000 + 1)])
    expect(summary(endless)).toEqual(['failed', ['failed', null], ['pending', null]])
    expect(endless.lastError).toMatch(/try again later/)
    expect(steps(fresh('a'), [limit(600_000), limit(600_000)]).status).toBe('pending')
    const first = steps(fresh('a'), [limit(600_000)])
    expect(step(first, limit(600_000), at(601))?.status).toBe('failed')
  })

  test('known beforehand is waited for without asking', () => {
    const delivery = postponed(steps(fresh('a', 'b'), [sent('1')]), at(4), at(2))
    expect(summary(delivery)).toEqual(['sending', ['delivered', '1'], ['pending', null]])
    expect([dueAt(delivery), delivery.attempts]).toEqual([at(4), 1])
  })
})

describe('what was never answered', () => {
  const crashed = begun(fresh('a'), at(1))

  test('is asked again, and counts as uncertain from the first time on', () => {
    const open = begun(crashed, at(20))
    expect([open.attempts, open.parts[0]?.uncertainSince]).toEqual([2, at(1)])
    expect(begun(open, at(40)).parts[0]?.uncertainSince).toEqual(at(1))
  })

  test('may stand in the chat twice where the platform does not know the nonce', () => {
    const delivery = step(crashed, sent('1'), at(20))
    expect([delivery?.status, delivery?.parts[0]?.uncertainSince]).toEqual(['delivered', at(1)])
  })

  test('stands there once where the platform does, and still remembers it', () => {
    expect(step(crashed, sent('1', true), at(20))?.parts[0]?.uncertainSince).toBeNull()
    expect(step(crashed, sent('1', true), at(200))?.parts[0]?.uncertainSince).toEqual(at(1))
  })

  test('is certain for all other parts', () => {
    const delivery = steps(fresh('a', 'b'), [lost, sent('1'), sent('2')])
    expect(delivery.parts.map(({ uncertainSince }) => uncertainSince)).toEqual([at(1), null])
  })

  test('is nothing to worry about where a message is changed', () => {
    const edited = revised(steps(fresh('a'), [sent('1')]), texts('b'), at(3))
    const delivery = steps(begun(edited, at(4)), [lost, done])
    expect([...summary(delivery), delivery.parts[0]?.uncertainSince]).toEqual(['delivered', ['delivered', '1'], null])
  })
})

test('a message that was deleted while it was sent is made anew, and not for ever', () => {
  const delivery = steps(fresh('a'), [lost, gone])
  expect([...summary(delivery), delivery.parts[0]?.uncertainSince]).toEqual(['pending', ['pending', null], null])
  expect(delivery.parts[0]?.revision).toBeGreaterThan(0)
  expect(summary(steps(fresh('a'), [gone, gone, gone, gone]))).toEqual(['failed', ['failed', null]])
})

test('the answer to one part never counts for another', () => {
  const delivery = steps(fresh('a', 'b'), [sent('1'), sent('1')])
  expect(summary(delivery)).toEqual(['pending', ['delivered', '1'], ['sending', null]])
  // The answer named the message of the other part, so the platform took the two nonces for one. A new revision gives
  // this part another nonce.
  expect(delivery.parts[1]?.revision).toBeGreaterThan(0)
  expect(delivery.parts[1]?.uncertainSince).not.toBeNull()
})

describe('an edit', () => {
  const delivered = steps(fresh('a', 'b'), [sent('1'), sent('2')])

  test('changes the messages that say something else now, and no other', () => {
    const edited = revised(delivered, texts('a', 'B'), at(5))
    expect(summary(edited)).toEqual(['pending', ['delivered', '1'], ['pending', '2']])
    expect(summary(steps(edited, [done]))).toEqual(['delivered', ['delivered', '1'], ['delivered', '2']])
  })

  test('that changes nothing in the chat asks for nothing', () => {
    const edited = revised(delivered, texts('a', 'b'), at(5))
    expect([...summary(edited), dueAt(edited)]).toEqual(['delivered', ['delivered', '1'], ['delivered', '2'], null])
  })

  test('sends the parts that come to it', () => {
    const edited = revised(delivered, texts('a', 'b', 'c'), at(5))
    expect(summary(edited)).toEqual(['pending', ['delivered', '1'], ['delivered', '2'], ['pending', null]])
  })

  test('removes the parts that are too many', () => {
    const edited = revised(delivered, texts('A'), at(5))
    expect(summary(edited)).toEqual(['pending', ['pending', '1'], ['removing', '2']])
    expect(summary(steps(edited, [done, done]))).toEqual(['delivered', ['delivered', '1']])
    expect(summary(steps(edited, [done, gone]))).toEqual(['delivered', ['delivered', '1']])
  })

  test('sends a message anew that somebody has deleted', () => {
    const edited = steps(revised(delivered, texts('A', 'b'), at(5)), [gone])
    expect(summary(edited)).toEqual(['sending', ['pending', null], ['delivered', '2']])
    expect(edited.parts[0]?.revision).toBeGreaterThan(1)
  })

  test('after a failure delivers what was not delivered before', () => {
    const failed = steps(fresh('a', 'b', 'c'), [sent('1'), refused])
    expect(summary(revised(failed, texts('a', 'B'), at(5)))).toEqual([
      ...['pending', ['delivered', '1'], ['pending', null]],
    ])
  })

  test('that does not need what failed is delivered', () => {
    const failed = steps(fresh('a', 'b'), [sent('1'), refused])
    const edited = revised(failed, texts('a'), at(5))
    expect([...summary(edited), edited.lastError, dueAt(edited)]).toEqual(['delivered', ['delivered', '1'], null, null])
  })

  test('that could not remove a part can be taken up again', () => {
    const failed = steps(revised(delivered, texts('a'), at(5)), [refused])
    expect(summary(failed)).toEqual(['failed', ['delivered', '1'], ['removal_failed', '2']])
    expect(statuses(retried(failed, at(6)))).toEqual(['delivered', 'removing'])
    expect(summary(revised(failed, texts('a', 'B'), at(6)))).toEqual(['pending', ['delivered', '1'], ['pending', '2']])
  })
})

describe('a removal', () => {
  const delivered = steps(fresh('a', 'b'), [sent('1'), sent('2')])
  const begunRemoval = removed(delivered, at(5)) as Delivery

  test('takes every message away, and leaves nothing', () => {
    expect(summary(begunRemoval)).toEqual(['removing', ['removing', '1'], ['removing', '2']])
    expect(step(steps(begunRemoval, [done]), gone)).toBeNull()
  })

  test('of what never came into the chat is done', () => {
    expect(removed(steps(fresh('a', 'b'), [refused]), at(5))).toBeNull()
    expect(summary(removed(steps(fresh('a', 'b'), [sent('1'), refused]), at(5)) as Delivery)).toEqual([
      ...['removing', ['removing', '1']],
    ])
  })

  test('tries every message before it waits, and then those that are left, for days', () => {
    const half = steps(begunRemoval, [refused, done])
    expect(summary(half)).toEqual(['removal_failed', ['removal_failed', '1']])
    expect([half.lastError, dueAt(half)]).toEqual(['It failed.', at(6)])
    let delivery = half
    const waits: number[] = []
    while (delivery.nextAttemptAt !== null) {
      waits.push((Number(delivery.nextAttemptAt) - Number(at(1))) / 1_000)
      delivery = steps(delivery, [fault()])
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(3 * 24 * 3_600)
    expect([delivery.status, delivery.attempts, dueAt(delivery)]).toEqual(['removal_failed', waits.length + 2, null])
  })

  test('asked for again tries what failed at once', () => {
    const failed = steps(begunRemoval, [refused, refused])
    const again = removed(failed, at(7)) as Delivery
    expect([...summary(again), dueAt(again)]).toEqual(['removing', ['removing', '1'], ['removing', '2'], at(7)])
    expect(removed(again, at(8))).toBe(again)
  })

  test('waits for as long as it is told to', () => {
    const waiting = steps(begunRemoval, [limit(3_600_000)])
    expect([...summary(waiting), dueAt(waiting)]).toEqual([
      ...['removing', ['removing', '1'], ['removing', '2'], at(3_601)],
    ])
  })
})
