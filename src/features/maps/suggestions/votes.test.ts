import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadlocks } from '../../../../test/bracket-play.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { makePooling, type Pooling } from '../../../../test/suggestions.ts'

let catalogue: FakeCatalogue
let api: Harness
let cup: Pooling
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  cup = await makePooling(api, catalogue)
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const votesAt = async (at: string, as: Caller) => {
  const reply = await api.get(at, as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const cast = async (at: string, as: Caller, value: number) => {
  const reply = await api.put(at, as, { value })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** A suggestion and a map of a draft, each with the step that ends the voting. */
const targets = {
  'a suggestion': async () => {
    const { guid } = await cup.suggest(cup.pooler)
    const at = `${cup.path}/suggestions/${guid}`
    return { vote: `${at}/vote`, end: () => api.post(`${at}/reject`, cup.head, { reason: 'No.' }) }
  },
  'a map of a draft': async () => {
    const pool = await cup.pool(`Pool ${++pools}`)
    const guid = await cup.add(pool)
    const at = `${cup.path}/pools/${pool}`
    return { vote: `${at}/maps/${guid}/vote`, end: () => api.post(`${at}/publish`, cup.head, {}) }
  },
} as const
let pools = 0

describe.each(Object.entries(targets))('votes on %s', (_what, arrange) => {
  test('are hidden from a pooler until they have voted, and again once they take that back', async () => {
    const { vote } = await arrange()
    expect(await votesAt(vote, cup.other)).toEqual({ myVote: null, tally: null })
    expect(await cast(vote, cup.pooler, 1)).toMatchObject({ myVote: 1, tally: { up: 1, neutral: 0, down: 0 } })
    expect(await votesAt(vote, cup.other)).toEqual({ myVote: null, tally: null })
    const byHead = await votesAt(vote, cup.head)
    expect(byHead).toEqual({
      myVote: null,
      tally: { up: 1, neutral: 0, down: 0 },
      votes: [
        {
          user: expect.objectContaining({ guid: cup.pooler.guid }),
          value: 1,
          changes: 0,
          votedAt: expect.any(String),
        },
      ],
    })
    const seen = await cast(vote, cup.other, 0)
    expect(seen).toMatchObject({ myVote: 0, tally: { up: 1, neutral: 1, down: 0 } })
    expect(seen.votes.map(({ user, value }: { user: Caller; value: number }) => [user.guid, value])).toEqual([
      [cup.other.guid, 0],
      [cup.pooler.guid, 1],
    ])
    expect((await api.delete(vote, cup.other)).status).toBe(204)
    expect((await api.delete(vote, cup.other)).status).toBe(204)
    expect(await votesAt(vote, cup.other)).toEqual({ myVote: null, tally: null })
    expect((await votesAt(vote, cup.pooler)).tally).toEqual({ up: 1, neutral: 0, down: 0 })
  })

  test('are one for each, and tell how often they were changed', async () => {
    const { vote } = await arrange()
    for (const value of [1, 1, -1, 0, 0]) await cast(vote, cup.pooler, value)
    const { votes, tally } = await votesAt(vote, cup.head)
    expect([votes.length, votes[0].changes, tally]).toEqual([1, 2, { up: 0, neutral: 1, down: 0 }])
    for (const value of [2, -2, 0.5, '1', null]) {
      expect(outcome(await api.put(vote, cup.pooler, { value }))[0]).toBe(400)
    }
  })

  test('end, and are shown to all poolers then', async () => {
    const { vote, end } = await arrange()
    await cast(vote, cup.pooler, -1)
    const ended = await end()
    expect(ended.status, ended.text).toBe(200)
    expect(outcome(await api.put(vote, cup.other, { value: 1 }))).toEqual([409, 'vote.closed'])
    expect(outcome(await api.delete(vote, cup.pooler))).toEqual([409, 'vote.closed'])
    expect(await votesAt(vote, cup.other)).toMatchObject({ myVote: null, tally: { up: 0, neutral: 0, down: 1 } })
  })

  test('fifty of fifty poolers at once are fifty, fifty of one are one', async () => {
    const { vote } = await arrange()
    const poolers = await Promise.all(Array.from({ length: 50 }, () => roleHolder(api, cup.tournament, 'role:pooler')))
    await Promise.all(poolers.map((as, index) => cast(vote, as, index % 2 === 0 ? 1 : -1)))
    expect((await votesAt(vote, cup.head)).tally).toEqual({ up: 25, neutral: 0, down: 25 })
    const [one] = poolers as [Caller]
    await Promise.all(Array.from({ length: 50 }, (_, index) => cast(vote, one, (index % 3) - 1)))
    const { tally, votes } = await votesAt(vote, cup.head)
    expect(tally.up + tally.neutral + tally.down).toBe(50)
    expect(votes).toHaveLength(50)
    expect(await deadlocks(api)).toBe(0)
  })

  test('taken while voting ends are those that are shown', async () => {
    const { vote, end } = await arrange()
    const poolers = await Promise.all(Array.from({ length: 10 }, () => roleHolder(api, cup.tournament, 'role:pooler')))
    const [ended, ...replies] = await Promise.all([end(), ...poolers.map((as) => api.put(vote, as, { value: 1 }))])
    expect(ended.status, ended.text).toBe(200)
    const taken = replies.filter(({ status }) => status === 200).length
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(outcome)).toEqual(refused.map(() => [409, 'vote.closed']))
    expect((await votesAt(vote, cup.other)).tally.up).toBe(taken)
  })
})

test('votes are shown to poolers at once where the tournament does not hide them', async () => {
  const open = await makePooling(api, catalogue)
  await open.set({ hideVotes: false })
  const { guid } = await open.suggest(open.pooler)
  const at = `${open.path}/suggestions/${guid}`
  await cast(`${at}/vote`, open.pooler, 1)
  expect(await votesAt(`${at}/vote`, open.other)).toMatchObject({ myVote: null, tally: { up: 1 }, votes: [{}] })
  expect((await api.get(at, open.other)).body).toMatchObject({ myVote: null, tally: { up: 1 } })
})

test('a suggestion shows the tally to those alone who may see it, in lists too', async () => {
  const { guid } = await cup.suggest(cup.pooler)
  const at = `${cup.path}/suggestions/${guid}`
  await cast(`${at}/vote`, cup.pooler, 1)
  const tallyOf = async (as: Caller) => {
    const [one, list] = await Promise.all([api.get(at, as), api.get(`${cup.path}/suggestions`, as)])
    const listed = list.body.suggestions.find((other: { guid: string }) => other.guid === guid)
    expect([listed.tally, listed.myVote]).toEqual([one.body.tally, one.body.myVote])
    return [one.body.tally, one.body.myVote]
  }
  const tally = { up: 1, neutral: 0, down: 0 }
  expect(await tallyOf(cup.other)).toEqual([null, null])
  expect(await tallyOf(cup.head)).toEqual([tally, null])
  expect(await tallyOf(cup.pooler)).toEqual([tally, 1])
  await api.post(`${at}/withdraw`, cup.pooler)
  expect(await tallyOf(cup.other)).toEqual([tally, null])
})

describe('outsiders', () => {
  test('neither vote nor see votes, on drafts that do not exist for them, nor on what is published', async () => {
    const pool = await cup.pool('Hidden')
    const map = await cup.add(pool)
    const [caster, nobody] = [
      await roleHolder(api, cup.tournament, 'role:caster'),
      '00000000-0000-4000-8000-000000000000',
    ]
    const at = (guid: string, what: string) => `${cup.path}/pools/${guid}/maps/${map}/${what}`
    for (const what of ['vote', 'comments']) {
      const [real, none] = await Promise.all([api.get(at(pool, what), caster), api.get(at(nobody, what), caster)])
      expect([...outcome(real), real.text]).toEqual([...outcome(none), none.text])
      expect(outcome(real)).toEqual([404, 'pool.unknown'])
    }
    expect(outcome(await api.put(at(pool, 'vote'), caster, { value: 1 }))).toEqual([404, 'pool.unknown'])
    await api.patch(`${cup.path}/pools/${pool}`, cup.head, { previewRoles: ['role:caster'] })
    for (const what of ['vote', 'comments']) {
      expect(outcome(await api.get(at(pool, what), caster))).toEqual([403, 'role.missing'])
    }
    await cup.publish(pool)
    expect(outcome(await api.get(at(pool, 'vote'), await api.user()))).toEqual([403, 'role.missing'])
    expect(outcome(await api.put(at(pool, 'vote'), caster, { value: 1 }))).toEqual([403, 'role.missing'])
  })

  test('learn nothing by the time or the tag of what they may read', async () => {
    const pool = await cup.pool('Seen')
    const map = await cup.add(pool)
    await cup.publish(pool)
    const reads = ['', '/pools', `/pools/${pool}`, '/flairs', '/matches', '/staff']
    const seen = () =>
      Promise.all(
        reads.map(async (rest) => {
          const reply = await api.get(cup.path + rest)
          return [reply.status, reply.text, reply.headers.get('etag'), reply.headers.get('last-modified')]
        }),
      )
    const before = await seen()
    const { guid } = await cup.suggest(cup.pooler)
    await cast(`${cup.path}/suggestions/${guid}/vote`, cup.pooler, 1)
    await api.post(`${cup.path}/suggestions/${guid}/comments`, cup.pooler, { text: 'Hm.' })
    await api.post(`${cup.path}/pools/${pool}/maps/${map}/comments`, cup.pooler, { text: 'Hm.' })
    await api.post(`${cup.path}/suggestions/${guid}/reject`, cup.head, { reason: 'No.' })
    expect(await seen()).toEqual(before)
  })
})
