import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../test/harness.ts'
import { type MadeTournament, makeTournament, remembered } from '../../../test/make.ts'

/** `Server-Timing`: in every answer outside production, and in none there. */

let api: Harness
let production: Harness
let organiser: Caller
let tournament: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
  production = await startHarness({ environment: 'production' })
})
afterAll(async () => {
  await production[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

interface Metric {
  readonly ms: number
  readonly description: string | undefined
}

const form = /^([a-z]+)(?:;dur=(\d+\.\d\d))?(?:;desc="(\d+)")?$/

/** The metrics of an answer by name. */
function timingOf(reply: Pick<Reply, 'headers'>): ReadonlyMap<string, Metric> {
  const parts = reply.headers.get('server-timing')?.split(', ') ?? []
  return new Map(
    parts.map((part) => {
      expect(part).toMatch(form)
      const [, name = '', ms = '0', description] = form.exec(part) ?? []
      return [name, { ms: Number(ms), description }]
    }),
  )
}

const namesOf = (reply: Pick<Reply, 'headers'>) => [...timingOf(reply).keys()]
const known = ['admission', 'body', 'prepare', 'run', 'serialise', 'sql', 'remembered', 'total']

/** Some answer of each kind. */
async function answersOf(of: Harness, caller: Caller, path: string): Promise<readonly Reply[]> {
  const first = await of.get(path)
  return [
    first,
    await of.get(path),
    await of.get(path, caller),
    await of.get(path, null, { 'if-none-match': first.headers.get('etag') ?? '' }),
    await of.get('/tournaments/nowhere'),
    await of.get('/nowhere'),
    await of.get('/notices?limit=no'),
    await of.call('HEAD', path),
    await of.call('OPTIONS', path),
    await of.post('/tournaments', null, {}),
    await of.post('/tournaments', caller, { name: 5 }),
    await of.call('GET', '/%zz'),
    await of.get('/openapi.json'),
  ]
}

describe('outside production', () => {
  test('every answer has known metrics, whose parts are no longer than the whole', async () => {
    for (const reply of await answersOf(api, organiser, `/tournaments/${tournament.guid}`)) {
      const timing = timingOf(reply)
      const names = [...timing.keys()]
      expect(names).toEqual(known.filter((name) => timing.has(name)))
      expect(names).toContain('total')
      const { ms: total } = timing.get('total') as Metric
      for (const { ms } of timing.values()) expect(ms).toBeLessThanOrEqual(total + 0.01)
    }
  })

  test('a read tells its phases and statements, and a remembered one that it was remembered', async () => {
    const { guid } = await makeTournament(api, organiser)
    const first = await api.get(`/tournaments/${guid}?include=teams`)
    expect(namesOf(first)).toEqual(expect.arrayContaining(['admission', 'run', 'sql', 'total']))
    expect(Number(timingOf(first).get('sql')?.description)).toBeGreaterThan(2)
    const again = await remembered(api, `/tournaments/${guid}?include=teams`)
    expect(namesOf(again)).toEqual(['remembered', 'total'])
    const unchanged = await api.get(`/tournaments/${guid}?include=teams`, null, {
      'if-none-match': first.headers.get('etag') ?? '',
    })
    expect([unchanged.status, namesOf(unchanged)]).toEqual([304, ['remembered', 'total']])
    const outsider = await api.user()
    const shared = await api.get(`/tournaments/${guid}?include=teams`, outsider)
    expect(namesOf(shared)).toEqual(expect.arrayContaining(['admission', 'remembered', 'total']))
    expect(namesOf(shared)).not.toContain('run')
  })

  test('a command tells its phases, and an answer has the same ETag whatever its timing', async () => {
    const reply = await api.post(`/tournaments/${tournament.guid}/updates/preview`, organiser, { content: '*a*' })
    expect(outcome(reply)).toEqual([200, null])
    expect(namesOf(reply)).toEqual(expect.arrayContaining(['admission', 'prepare', 'total']))
    const path = `/tournaments/${tournament.guid}/updates`
    const replies = [await api.get(path, organiser), await api.get(path, organiser)]
    const [one, other] = replies.map(({ headers }) => headers)
    expect(one?.get('server-timing')).not.toBe(other?.get('server-timing'))
    expect(one?.get('etag')).toBe(other?.get('etag'))
  })

  test('statements of concurrent requests are counted each for its own', async () => {
    const paths = Array.from({ length: 10 }, (_, index) => `/tournaments/nowhere-${index}`)
    const replies = await Promise.all(paths.map((path) => api.get(path)))
    const counts = new Set(replies.map((reply) => timingOf(reply).get('sql')?.description))
    expect([...counts]).toEqual([timingOf(await api.get('/tournaments/nowhere')).get('sql')?.description])
  })
})

test('in production no answer has it', async () => {
  const caller = await production.user()
  const { guid } = await makeTournament(production, caller)
  for (const reply of await answersOf(production, caller, `/tournaments/${guid}`)) {
    expect([reply.status, reply.headers.get('server-timing')]).toEqual([reply.status, null])
  }
})
