import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeTournament } from '../make.ts'
import { quiet } from '../waiting.ts'
import { openSocket } from './sockets.ts'
import { openStream } from './streams.ts'

/** A change that an outsider cannot see does not exist for them: no packet, no new position. (RT5, RT6) */

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
})
afterAll(() => api[Symbol.asyncDispose]())

test('drafts, notes, private answers and votes of others reach no outsider by a single byte', async () => {
  const { organiser, cup, captains } = made
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const path = `/tournaments/${cup.guid}`
  const topics = [
    '',
    '/staff',
    '/timelineEvents',
    '/updates',
    '/divisions',
    '/teams',
    '/matches',
    '/matches/1',
    `/brackets/${made.bracket.guid}`,
  ]
    .map((rest) => path + rest)
    .concat('/tournaments', '/notices', '/matches')
  const [visitor] = await Promise.all([api.user()])
  const outsiders = await Promise.all([
    ...[null, visitor].map(async (caller) => {
      const socket = await openSocket(api, { as: caller })
      const answers = []
      for (const topic of topics) answers.push(await socket.ask({ type: 'subscribe', topic, facts: true }))
      return { bytes: socket.bytes, answers, close: socket.close }
    }),
    openStream(api, topics, { query: { facts: 'true' } }).then(async (stream) => {
      await stream.copies.until(({ all }) => all.size === topics.length, 'all topics')
      return { bytes: stream.bytes, answers: [...stream.copies.packets], close: stream.close }
    }),
  ])
  const [staff] = [await openSocket(api, { as: organiser })]
  const staffTopic = `${path}/matches/1`
  await staff.ask({ type: 'subscribe', topic: staffTopic, facts: true })
  // The packets of joining have all come.
  const came = () => outsiders.map(({ bytes }) => bytes())
  await quiet(came)
  const before = came()

  const [captain] = captains as [Caller]
  const hidden: readonly (() => Promise<{ readonly status: number }>)[] = [
    () => api.patch(`${made.path}/matches/1`, organiser, { notes: `for the staff ${Math.random()}` }),
    () => api.patch(`/tournaments/${draft.guid}`, organiser, { summary: `not yet ${Math.random()}` }),
    () => api.post(`/tournaments/${draft.guid}/divisions`, organiser, { name: `Of the draft ${Math.random()}` }),
    () => api.post(`${made.path}/teams/${made.teams[0]?.guid}/invitations`, captain, { user: visitor.guid }),
    () => api.patch(`/tournaments/${cup.guid}`, organiser, { chatWebhookUrl: null }),
  ]
  let changed = 0
  for (let round = 0; round < 40; round++) {
    const replies = await Promise.all(hidden.map((change) => change()))
    changed += replies.filter(({ status }) => status < 300).length
  }
  expect(changed).toBeGreaterThan(100)
  await staff.copies.until((held) => held.of(`${staffTopic}?facts=1`).facts.length >= 40, 'what the staff is told')
  await wait(300)
  expect(came()).toEqual(before)

  // A new subscriber gets the same position too.
  const socket = await openSocket(api)
  for (const [index, topic] of topics.entries()) {
    const again = await socket.ask({ type: 'subscribe', topic, facts: true })
    expect(again.position, topic).toBe(outsiders[0]?.answers[index].position)
  }
  for (const outsider of outsiders) await outsider.close()
  await socket.close()
  await staff.close()
})

test('a hidden topic and one that is not there are answered with the same bytes, in the same time', async () => {
  const draft = await makeTournament(api, made.organiser, { status: 'draft' })
  const socket = await openSocket(api, { as: await api.user() })
  const times: Record<'hidden' | 'missing', number[]> = { hidden: [], missing: [] }
  const seen = new Set<string>()
  const names = { hidden: `/tournaments/${draft.guid}`, missing: '/tournaments/00000000-0000-4000-8000-000000000000' }
  for (let round = 0; round < 60; round++) {
    for (const kind of ['hidden', 'missing'] as const) {
      const askedAt = performance.now()
      const answer = await socket.ask({ type: 'subscribe', topic: names[kind] })
      times[kind].push(performance.now() - askedAt)
      seen.add(JSON.stringify({ ...answer, id: 0 }))
      await wait(55)
    }
  }
  expect([...seen]).toEqual([expect.stringContaining('topic.unknown')])
  const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] as number
  const ratio = median(times.hidden) / median(times.missing)
  expect(ratio).toBeGreaterThan(0.33)
  expect(ratio).toBeLessThan(3)
  await socket.close()
})
