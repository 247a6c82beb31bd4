import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRanking } from '../../../../test/assistant.ts'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { openBrowser, type RealBrowser } from '../../../../test/chromium/browser.ts'
import { provisionMs } from '../../../../test/chromium/provide.ts'
import { startGameSource } from '../../../../test/game-sources.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** The page of the bridge in Chromium, opened by a ticket where nobody is signed in. (AS30, AS31) */

let api: Harness
let browser: RealBrowser
let made: MadeBracket
let player: Caller
let platformId: string
let matchGuid: string
beforeAll(async () => {
  const port = await freePort()
  ;[api, browser] = await Promise.all([startHarness({ port, publicUrl: `http://127.0.0.1:${port}` }), openBrowser()])
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { guid, sides } = await made.readMatch(1)
  matchGuid = guid
  player = made.captains[made.teams.findIndex((team) => team.guid === sides[0].team.guid)] as Caller
  platformId = await verifyRanking(api, player)
}, provisionMs)
afterAll(async () => {
  await browser.close()
  await api[Symbol.asyncDispose]()
})

const hash = 'ce'.repeat(20)
const event = (name: string, member: string, value: unknown) => ({ _type: 'event', _event: name, [member]: value })
const state = (name: string) => event('gameState', 'gameStateChanged', name)
const mapInfo = event('mapInfo', 'mapInfoChanged', {
  ...{ level_id: `custom_level_${hash}`, name: 'A song', duration: 1_000, time: 0, timeMultiplier: 1 },
  ...{ characteristic: 'Standard', difficulty: 'ExpertPlus' },
})
const scored = (score: number) =>
  event('score', 'scoreEvent', { time: 1, score, accuracy: 0.9, combo: 3, missCount: 0, currentHealth: 1 })

const make = async () => {
  const reply = await api.post(`${made.match(1)}/bridgeTickets`, made.organiser, { user: player.guid })
  return reply.body as { readonly ticket: string; readonly address: string }
}

test('a song by ticket, through a reload and a lost connection, until the ticket is ended', async () => {
  const { ticket, address } = await make()
  await using game = await startGameSource('bsplus', {
    ...{ _type: 'handshake', protocolVersion: 1, gameVersion: '1.40.8', playerName: 'x', playerPlatformId: platformId },
  })
  await using viewer = await openSocket(api)
  await viewer.ask({ type: 'subscribe', topic: `/tournaments/${made.cup.guid}/matches/${matchGuid}/live`, rate: 10 })
  // biome-ignore lint/suspicious/noExplicitAny: values of the moment, of which a test looks at what it is about.
  const told = (): any[] => viewer.copies.packets.flatMap(({ states }) => states?.[`player:${player.guid}`] ?? [])
  await using visitor = await browser.visitor(api)
  const { page, context } = visitor
  const faults: string[] = []
  const addresses: string[] = []
  const cookies: (string | undefined)[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  context.on('request', (request) => {
    addresses.push(request.url())
    if (request.url().includes('bridgeTickets')) cookies.push(request.headers().cookie)
  })
  const words = async (id: string) => (await page.locator(`#${id}`).textContent()) ?? ''

  await page.goto(address)
  await expect.poll(() => words('match-words')).toContain(`You are ${player.username}, in match 1`)
  await expect.poll(() => words('game-words')).toContain('BeatSaberPlus was found, game 1.40.8')
  expect(page.url()).toBe(`${api.url}/bridge`)
  await page.reload()
  await expect.poll(() => words('match-words')).toContain(`You are ${player.username}, in match 1`)
  await expect.poll(() => words('game-words')).toContain('BeatSaberPlus was found')
  expect(await page.locator('#sign').isVisible()).toBe(false)

  for (const message of [state('Playing'), mapInfo, scored(100)]) game.say(message)
  await viewer.copies.until(() => told().at(-1)?.score === 100, 'the value')
  expect(told().at(-1)).toMatchObject({ source: 'game', state: 'playing', accuracy: 0.9, combo: 3 })
  await expect.poll(() => words('send-words')).toContain('updates sent')
  if (process.env.BRIDGE_PICTURE) await page.screenshot({ path: process.env.BRIDGE_PICTURE, fullPage: true })

  // Without the service, values are lost and the result waits.
  await page.route('**/api/bridgeTickets/**', (route) => route.abort('connectionfailed'))
  game.say(scored(200))
  await expect.poll(() => words('send-words')).toContain('is lost')
  game.say(state('Menu'))
  await expect.poll(() => words('songs')).toContain('Is being sent')
  await page.unroute('**/api/bridgeTickets/**')
  await expect.poll(() => words('songs'), { timeout: 10_000 }).toContain('Sent.')
  const { body } = await api.get(`${made.match(1)}/proposals`, made.organiser)
  expect(body.proposals).toMatchObject([
    { source: 'game', map: { hash }, players: [{ userGuid: player.guid, score: 200, completion: 'passed' }] },
  ])
  expect(body.proposals[0].warnings).toContainEqual({ code: 'unverified', user: null })

  // Another ticket replaces it: the page says so, and asks no more.
  const { address: next } = await make()
  for (const message of [state('Playing'), mapInfo, scored(300)]) game.say(message)
  await expect.poll(() => words('send-words')).toContain('ask the operator of your match for another one')
  const asked = () => addresses.filter((url) => url.endsWith('/live')).length
  const before = asked()
  game.say(scored(400))
  game.say(scored(500))
  await expect.poll(() => words('score')).toBe('500')
  expect(asked()).toBe(before)
  // Its address is opened in the same page.
  await page.evaluate(`location.assign(${JSON.stringify(next)})`)
  await expect.poll(() => words('send-words')).not.toContain('ask the operator')
  await expect.poll(() => words('match-words')).toContain('in match 1')
  for (const message of [state('Playing'), mapInfo, scored(600)]) game.say(message)
  await viewer.copies.until(() => told().at(-1)?.score === 600, 'the value')

  expect([faults, visitor.outside]).toEqual([[], []])
  expect(addresses.filter((url) => url.includes(ticket) && !url.includes('#'))).toEqual([])
  expect(new Set(cookies)).toEqual(new Set([undefined]))
})

test('a ticket that is not good is not tried again, and a link that names a match leads to signing in', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.goto('/bridge#ticket=nothing')
  await expect.poll(() => page.locator('#match-words').textContent()).toContain('not good')
  expect(await page.locator('#alert').textContent()).toContain('cannot be opened')
  await page.reload()
  await expect.poll(() => page.locator('#choose').isVisible()).toBe(true)
  const { address } = await make()
  await page.goto(address)
  await expect.poll(() => page.locator('#match-words').textContent()).toContain('in match 1')
  await page.goto(`/bridge?tournament=${made.cup.id}&match=1`)
  await expect.poll(() => page.locator('#sign').isVisible()).toBe(true)
  await page.goto('/bridge')
  await expect.poll(() => page.locator('#match-words').textContent()).toContain('in match 1')
})
