import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accessTokenLifetime } from '../src/oauth/tokens.ts'
import { makeBracket } from '../test/bracket-play.ts'
import { openBrowser, type RealBrowser } from '../test/chromium/browser.ts'
import { provisionMs } from '../test/chromium/provide.ts'
import { type Harness, startHarness } from '../test/harness.ts'
import { makeChanging, type Told } from '../test/realtime/coming-back.ts'
import { eventually, freeze, type Places, patience, type Visit, visit } from './test/visit.ts'
import { startWebsite, type Website } from './test/website.ts'

/** The client in a real browser, on a page of another website than the service's. (RT27, RT38, RT39) */

vi.setConfig({ testTimeout: 5 * patience })

let browser: RealBrowser
let website: Website
let api: Harness
let places: Places
beforeAll(async () => {
  browser = await openBrowser()
  website = await startWebsite()
  api = await startHarness()
  places = { browser, website, api }
}, provisionMs)
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await website?.[Symbol.asyncDispose]()
  await browser?.close()
})

async function makeCup(): Promise<Told> {
  return makeChanging(api, await api.user())
}

/** Expects that the page holds the body of a GET in the end, and got each change once. */
async function expectAll(visitor: Visit, { topic }: Told, changes: number, as?: string): Promise<void> {
  const { body } = await api.get(topic)
  await eventually(async () => expect((await visitor.look(as)).value).toEqual(body))
  const { facts, resyncs, status } = await visitor.look(as)
  expect([status, resyncs, facts.map(({ type }) => type)]).toEqual([
    'live',
    [],
    Array.from({ length: changes }, () => 'tournament.updated'),
  ])
  expect(new Set(facts.map(({ id }) => id)).size).toBe(changes)
}

test.concurrent('what a change leaves as it was is the same object, and what somebody wrote stays text', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await using visitor = await visit(places)
  const { page } = visitor
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => complaints.push(message.text()))
  const [cup, list] = [`/tournaments/${made.cup.guid}`, `/tournaments/${made.cup.guid}/matches`]
  await visitor.follow(cup, {}, 'cup')
  await visitor.follow(list, {}, 'list')
  const shown = () => page.evaluate('[document.documentElement.outerHTML, document.title]')
  const before = await shown()
  const summary = `<img src="/x" onerror="document.title = 'ran'"><script>document.title = 'ran'</script>`
  expect((await api.patch(cup, made.organiser, { summary })).status).toBe(200)
  expect((await api.patch(`${list}/2`, made.organiser, { streamUrl: 'https://live.example.org/2' })).status).toBe(200)
  await eventually(async () => expect((await visitor.look('cup')).value.summary).toBe(summary))
  const { body } = await api.get(list)
  await eventually(async () => expect((await visitor.look('list')).value).toEqual(body))
  expect((await visitor.look('list')).values).toBe(2)
  const kept = await page.evaluate(() => {
    type List = { readonly matches: readonly { readonly sides: unknown }[] }
    const [first, second] = (globalThis.seen.list?.values ?? []) as [List, List]
    return {
      matches: second.matches.map((match, index) => match === first.matches[index]),
      sides: second.matches[1]?.sides === first.matches[1]?.sides,
    }
  })
  expect(kept).toEqual({ matches: [true, false, true], sides: true })
  expect([await shown(), complaints, visitor.outside]).toEqual([before, [], []])
  // The policy of the page forbids markup.
  await expect(page.evaluate(`document.body.innerHTML = '<p>'`)).rejects.toThrow('TrustedHTML')
})

test.concurrent('what is missed offline comes as soon as there is a network again', async () => {
  const cup = await makeCup()
  await using visitor = await visit(places)
  const { context, sockets } = visitor
  // Without the event of the network the client would wait for minutes.
  await visitor.follow(cup.topic, { chance: 1_000 })
  await context.setOffline(true)
  await cup.change()
  await context.setOffline(false)
  await expectAll(visitor, cup, 1)

  await sockets.cut()
  await eventually(async () => expect((await visitor.look()).statuses.at(-1)?.state).toBe('waiting'))
  expect((await visitor.look()).status).toBe('behind')
  await context.setOffline(true)
  await cup.change(2)
  await sockets.restore()
  await context.setOffline(false)
  await expectAll(visitor, cup, 3)
  const { statuses } = await visitor.look()
  expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'live', 'waiting', 'connecting', 'live'])
  expect(statuses[2]).toMatchObject({ retryInMs: 500_000, code: 1006 })
})

test.concurrent('a machine that slept finds out that its connection is gone, though nobody said so', async () => {
  const cup = await makeCup()
  await using visitor = await visit(places, {}, (page) => page.clock.install())
  const { page, sockets } = visitor
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  await visitor.follow(cup.topic)
  await page.evaluate('globalThis.ticks = 0; setInterval(() => globalThis.ticks++, 20); 0')
  const ticks = () => page.evaluate<number>('globalThis.ticks')
  await eventually(async () => expect(await ticks()).toBeGreaterThan(2))
  const wake = await freeze(visitor)
  sockets.strand()
  await cup.change(2)
  await wake()
  const pings = () => sent.filter((text) => text.includes('"ping"')).length
  const asked = pings()
  await page.clock.fastForward('08:00:00')
  await eventually(async () => expect(pings()).toBeGreaterThan(asked))
  // The time limit for the answer.
  await page.clock.fastForward(10_000)
  await expectAll(visitor, cup, 2)
  expect((await visitor.look()).statuses.map(({ state }) => state)).toEqual([
    ...['connecting', 'live', 'waiting', 'connecting', 'live'],
  ])
})

test.concurrent('where sockets are blocked it follows by streams, with and without a token, until they are not', async () => {
  const cup = await makeCup()
  const caller = await api.user()
  // A cookie is no token: a user who is signed in on the website is anonymous on pages of other sites.
  await using visitor = await visit(places, { user: caller }, async (page) => {
    await page.exposeFunction('token', () => caller.token)
  })
  const { sockets } = visitor
  await sockets.cut()
  const own = '/users/@me/notifications'
  // Browsers slow down clients that often try in vain.
  const blocked = { chance: 0, waits: { 300000: 3_000 } }
  await visitor.follow(cup.topic, blocked, 'stranger')
  await visitor.follow(own, { ...blocked, isSignedIn: true }, 'known')
  await cup.change(2)
  await expectAll(visitor, cup, 2, 'stranger')
  expect((await visitor.look('known')).value).toEqual((await api.get(own, caller)).body)
  for (const as of ['stranger', 'known']) {
    const { statuses } = await visitor.look(as)
    expect(statuses.filter(({ state }) => state === 'waiting')).toHaveLength(3)
    expect(statuses.at(-1)).toMatchObject({ state: 'live', door: 'stream' })
  }
  await visitor.begin(own, blocked, 'nobody')
  await eventually(async () => expect((await visitor.look('nobody')).code).toBe('token.missing'))

  await sockets.restore()
  const users = { stranger: null, known: { guid: caller.guid } }
  for (const [as, user] of Object.entries(users)) {
    const live = { state: 'live', door: 'socket', user }
    await eventually(async () => expect((await visitor.look(as)).statuses.at(-1)).toMatchObject(live))
  }
  await cup.change()
  await expectAll(visitor, cup, 3, 'stranger')
  expect((await visitor.look('known')).status).toBe('live')
})

test.concurrent('a token is renewed before it ends, and asked for anew where the connection is revoked', async () => {
  const caller = await api.user()
  const cup = await makeChanging(api, caller)
  const firstMs = 12_000
  let [given, endsAt] = [0, 0]
  const token = async () => {
    given++
    if (given > 1) return caller.token
    endsAt = Date.now() + firstMs
    const { tokens } = api.app.services
    const subject = { ...caller, avatarUrl: '' }
    const source = { scopes: ['ws:read'], sessionGuid: null } as const
    const at = new Date(endsAt - accessTokenLifetime * 1_000)
    return api.app.database.transaction((tx) => tokens.issue(tx, subject, source, at))
  }
  await using visitor = await visit(places, {}, (page) => page.exposeFunction('token', token))
  await visitor.follow(cup.topic, { isSignedIn: true })
  await eventually(async () => expect(given).toBe(2))
  // The service checks once a second whether a token has expired.
  await eventually(async () => expect(Date.now()).toBeGreaterThan(endsAt + 2_000))
  await cup.change()
  await eventually(async () => expect((await visitor.look()).facts.length).toBe(1))
  const states = async () => (await visitor.look()).statuses.map(({ state }) => state)
  expect(await states()).toEqual(['connecting', 'live'])
  const own = () => api.get('/realtime/connections', caller)
  await eventually(async () => expect((await own()).body.length).toBe(1))
  const [{ guid }] = (await own()).body
  expect((await api.delete(`/realtime/connections/${guid}`, caller)).status).toBe(204)
  await eventually(async () => expect(await states()).toEqual(['connecting', 'live', 'waiting', 'connecting', 'live']))
  await cup.change()
  await eventually(async () => expect((await visitor.look()).facts.length).toBe(2))
  const { statuses } = await visitor.look()
  expect([given, statuses[2]?.code, statuses[4]?.user?.guid]).toEqual([3, 4101, caller.guid])
})

test.concurrent('an EventSource of another website goes on behind a break, and misses nothing', async () => {
  const cup = await makeCup()
  await using visitor = await visit(places)
  const { page } = visitor
  const source = `http://127.0.0.1:${visitor.interface.port}/api/events?topic=${cup.topic}&facts=true`
  await page.evaluate(`globalThis.came = []
    const source = new EventSource(${JSON.stringify(source)})
    for (const type of ['snapshot', 'resumed', 'event']) source.addEventListener(type, ({ data }) => came.push(JSON.parse(data)))`)
  type Came = { readonly type: string; readonly etag: string; readonly facts?: readonly { readonly id: string }[] }
  const came = () => page.evaluate<Came[]>('globalThis.came')
  await eventually(async () => expect((await came()).length).toBe(1))
  await cup.change()
  await eventually(async () => expect((await came()).length).toBe(2))
  await visitor.interface.cut()
  await cup.change(2)
  await visitor.interface.restore()
  const etag = (await api.get(cup.topic)).headers.get('etag')
  await eventually(async () => expect((await came()).at(-1)?.etag).toBe(etag))
  const facts = (await came()).flatMap((packet) => packet.facts ?? [])
  expect([facts.length, new Set(facts.map(({ id }) => id)).size]).toEqual([3, 3])
})
