import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Harness, startHarness } from '../harness.ts'
import { openStream } from './streams.ts'

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
})
afterAll(() => api[Symbol.asyncDispose]())

test('what a follower holds is what a GET answers, packet by packet', async () => {
  const list = `/tournaments/${made.cup.guid}/matches`
  const first = `/tournaments/${made.cup.guid}/matches/1`
  await using stream = await openStream(api, [list, first], { query: { facts: 'true' } })
  const { copies } = stream
  const started = await api.post(`${made.match(1)}/start`, made.organiser)
  expect(started.status).toBe(200)
  await made.win(1, 'team-1')
  await copies.until((held) => {
    const copy = held.all.get(`${first}?facts=1`)
    return (copy?.body as { status: string } | undefined)?.status === 'completed'
  }, 'the result')
  for (const topic of [list, first]) {
    const copy = copies.of(`${topic}?facts=1`)
    const reply = await api.get(topic)
    expect(copy.body).toEqual(reply.body)
    expect(copy.etag).toBe(reply.headers.get('etag'))
    expect(copy.facts.map(({ type }) => type)).toEqual(['match.started', 'match.completed'])
  }
})
