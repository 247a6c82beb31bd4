import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRanking } from '../../../../test/assistant.ts'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../../../test/chromium/browser.ts'
import { provisionMs } from '../../../../test/chromium/provide.ts'
import { claimGamePorts, startGameSource } from '../../../../test/game-sources.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'

/** The bridge page in Chromium, with local game sources. (AS30, AS31) */

let api: Harness
let browser: RealBrowser
let ports: AsyncDisposable
let made: MadeBracket
let player: Caller
let platformId: string
let topic: string
beforeAll(async () => {
  const port = await freePort()
  ;[api, browser, ports] = await Promise.all([
    startHarness({ port, publicUrl: `http://127.0.0.1:${port}` }),
    openBrowser(),
    claimGamePorts(),
  ])
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const match = await made.readMatch(1)
  const index = made.teams.findIndex(({ guid }) => guid === match.sides[0].team.guid)
  player = made.captains[index] as Caller
  platformId = await verifyRanking(api, player)
  topic = `/tournaments/${made.cup.guid}/matches/${match.guid}/live`
}, provisionMs)
afterAll(async () => {
  await browser.close()
  await api[Symbol.asyncDispose]()
  await ports[Symbol.asyncDispose]()
})

const hash = 'cd'.repeat(20)
const handshake = (id: string) => ({
  _type: 'handshake',
  protocolVersion: 1,
  gameVersion: '1.40.8',
  playerName: 'x',
  playerPlatformId: id,
})
const event = (name: string, member: string, value: unknown) => ({ _type: 'event', _event: name, [member]: value })
const mapInfo = event('mapInfo', 'mapInfoChanged', {
  level_id: `custom_level_${hash}`,
  name: `<img src=x onerror="document.title='ran'">`,
  duration: 2_000,
  time: 0,
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  timeMultiplier: 1,
})
const state = (name: string) => event('gameState', 'gameStateChanged', name)
const scored = (score: number) =>
  event('score', 'scoreEvent', { time: 1, score, accuracy: 0.9, combo: 3, missCount: 0, currentHealth: 1 })

async function openBridge(as: Caller): Promise<RealVisitor> {
  const visitor = await browser.visitor(api, { user: as })
  await visitor.page.goto(`/bridge?tournament=${made.cup.id}&match=1`)
  return visitor
}

const words = async ({ page }: RealVisitor, id: string) => (await page.locator(`#${id}`).textContent()) ?? ''

/** The values of a key that a follower of the topic receives. */
// biome-ignore lint/suspicious/noExplicitAny: live values; a test reads those that it checks.
function received({ copies }: Socket, user = player.guid): any[] {
  return copies.packets.flatMap(({ states }) => states?.[`player:${user}`] ?? [])
}

test('values of the game arrive at whoever follows the match, ten a second at most, and text stays text', async () => {
  await using game = await startGameSource('bsplus', handshake(platformId))
  await using viewer = await openSocket(api)
  await viewer.ask({ type: 'subscribe', topic, rate: 10 })
  await using visitor = await openBridge(player)
  const faults: string[] = []
  visitor.page.on('pageerror', ({ message }) => faults.push(message))
  await expect.poll(() => words(visitor, 'game-words')).toContain('BeatSaberPlus was found, game 1.40.8')
  expect(await words(visitor, 'match-words')).toContain('match 1')
  for (const message of [state('Playing'), mapInfo]) game.say(message)
  await viewer.copies.until(() => received(viewer).length > 0, 'the first value')
  expect(received(viewer)[0]).toMatchObject({ source: 'game', state: 'playing', songTime: 0 })
  const sentBefore = await sentUpdates(visitor)
  const begunAt = performance.now()
  for (let index = 1; index <= 200; index++) {
    game.say(scored(index))
    await setTimeout(10)
  }
  await viewer.copies.until(() => received(viewer).at(-1).score === 200, 'the newest value')
  const seconds = (performance.now() - begunAt) / 1_000
  expect((await sentUpdates(visitor)) - sentBefore).toBeLessThanOrEqual(10 * seconds + 1)
  expect(received(viewer).length).toBeLessThanOrEqual(10 * seconds + 3)
  expect(received(viewer).length).toBeGreaterThan(3)
  expect(received(viewer).at(-1)).toMatchObject({ score: 200, accuracy: 0.9, combo: 3, fullCombo: true, left: null })
  if (process.env.BRIDGE_PICTURE) await visitor.page.screenshot({ path: process.env.BRIDGE_PICTURE, fullPage: true })
  expect(await words(visitor, 'song')).toContain('<img src=x')
  expect(await visitor.page.title()).toBe('Bridge · Downbeat')
  expect(await words(visitor, 'score')).toBe('200')
  // The game returns to the menu at the end of the song: a result is sent, which operators review. (AS31)
  game.say(state('Menu'))
  await expect.poll(() => words(visitor, 'songs')).toContain('Sent.')
  const { body } = await api.get(`${made.match(1)}/proposals`, made.organiser)
  expect(body.proposals).toMatchObject([
    { source: 'game', map: { hash }, players: [{ userGuid: player.guid, score: 200, completion: 'passed' }] },
  ])
  expect(body.proposals[0].warnings).toContainEqual({ code: 'unverified', user: null })
  expect(received(viewer).at(-1)).toMatchObject({ state: 'finished' })
  expect([faults, visitor.outside]).toEqual([[], []])
})

async function sentUpdates(visitor: RealVisitor): Promise<number> {
  return Number(/(\d+) updates/.exec(await words(visitor, 'send-words'))?.[1] ?? 0)
}

test('the game of another player is refused, by name, and nothing of it is sent', async () => {
  await using game = await startGameSource('bsplus', handshake('76561198999999999'))
  await using viewer = await openSocket(api)
  await viewer.ask({ type: 'subscribe', topic, rate: 10 })
  const before = received(viewer).length
  await using visitor = await openBridge(player)
  await expect.poll(() => words(visitor, 'game-words')).toContain('This is not your game')
  expect(await words(visitor, 'game-words')).toContain('76561198999999999')
  for (const message of [state('Playing'), mapInfo, scored(7)]) game.say(message)
  await setTimeout(700)
  expect(
    received(viewer)
      .slice(before)
      .filter((value) => value?.score === 7),
  ).toEqual([])
  expect(await visitor.page.locator('#now').isVisible()).toBe(false)
})

test('HTTP status is read too, and whoever plays elsewhere is refused by the service', async () => {
  const hello = { event: 'hello', status: { game: { gameVersion: '1.40.8' }, beatmap: null, performance: null } }
  const beatmap = {
    songName: 'A song',
    songHash: hash,
    length: 120_000,
    difficultyEnum: 'Hard',
    characteristic: 'Standard',
  }
  await using game = await startGameSource('status', hello)
  await using viewer = await openSocket(api)
  await viewer.ask({ type: 'subscribe', topic, rate: 10 })
  const elsewhere = await playerOf(2)
  await using visitor = await openBridge(player)
  await expect.poll(() => words(visitor, 'game-words')).toContain('HTTP Status was found')
  const performance = { rawScore: 900, score: 900, currentMaxScore: 1_000, combo: 7, maxCombo: 9, missedNotes: 0 }
  const begin = () => {
    game.say({ event: 'songStart', status: { beatmap, performance: {} } })
    game.say({ event: 'scoreChanged', status: { performance } })
  }
  begin()
  await viewer.copies.until(() => received(viewer).at(-1)?.score === 900, 'the value')
  expect(received(viewer).at(-1)).toMatchObject({ accuracy: 0.9, maxScore: 1_000, source: 'game' })
  await using other = await openBridge(elsewhere)
  await expect.poll(() => words(other, 'game-words')).toContain('HTTP Status was found')
  begin()
  await expect.poll(() => words(other, 'send-words')).toContain('neither team of this match')
  expect(received(viewer, elsewhere.guid)).toEqual([])
})

test('who may write which key', async () => {
  const coordinator = made.organiser
  const stranger = await api.user()
  const { sides } = await made.readMatch(1)
  const opponent = made.captains[made.teams.findIndex(({ guid }) => guid === sides[1].team.guid)] as Caller
  await using viewer = await openSocket(api)
  await viewer.ask({ type: 'subscribe', topic, rate: 10 })
  const publish = async (as: Caller, user: string) => {
    await using socket = await openSocket(api, { as })
    const seq = Date.now()
    socket.send({ type: 'publish', topic, key: `player:${user}`, value: { score: 5 }, seq })
    const pong = await socket.ask({ type: 'ping' })
    expect(pong.type).toBe('pong')
    const fault = () => socket.copies.packets.find(({ type }) => type === 'error')?.code ?? null
    const value = () => received(viewer, user).find((each) => each?.seq === seq)
    await expect.poll(() => fault() !== null || value() !== undefined, { interval: 20 }).toBe(true)
    return [fault(), value()?.source ?? null]
  }
  expect(await publish(opponent, opponent.guid)).toEqual([null, 'game'])
  expect(await publish(coordinator, player.guid)).toEqual([null, 'manual'])
  expect(await publish(opponent, player.guid)).toEqual(['role.missing', null])
  expect(await publish(stranger, stranger.guid)).toEqual(['role.missing', null])
  expect(await publish(stranger, player.guid)).toEqual(['role.missing', null])
})

test('a player tells how they do where live scores are for staff alone, and not once they have left their team', async () => {
  const cup = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { guid, sides } = await cup.readMatch(1)
  const team = sides[0].team.guid
  const own = cup.captains[cup.teams.findIndex((each) => each.guid === team)] as Caller
  const closed = `/tournaments/${cup.cup.guid}/matches/${guid}/live`
  expect((await api.patch(cup.path, cup.organiser, { liveScores: 'staff' })).status).toBe(200)
  await using staff = await openSocket(api, { as: cup.organiser })
  await staff.ask({ type: 'subscribe', topic: closed, rate: 10 })
  await using socket = await openSocket(api, { as: own })
  expect(await socket.ask({ type: 'subscribe', topic: closed })).toMatchObject({ code: 'topic.unknown' })
  const value = (score: number) =>
    socket.send({ type: 'publish', topic: closed, key: `player:${own.guid}`, value: { score }, seq: Date.now() })
  value(1)
  await staff.copies.until(() => received(staff, own.guid).at(-1)?.score === 1, 'the value')
  await api.sql('delete from team_members where team_guid = $1 and user_guid = $2', [team, own.guid])
  await api.app.database.transaction(async (tx) => {
    const { emit } = await import('../../../infra/events/emit.ts')
    emit(tx, {
      type: 'team.member_left',
      subject: team,
      tournament: cup.cup.guid,
      actor: own.guid,
      touches: [own.guid],
      before: { userGuid: own.guid, isActive: true },
    })
  })
  const refused = () => socket.copies.packets.filter(({ code }) => code === 'role.missing').length
  await expect
    .poll(async () => {
      value(2)
      await setTimeout(100)
      return refused()
    })
    .toBeGreaterThan(0)
})

test('the page: what it may reach is in its policy, and whoever is not signed in is asked to', async () => {
  const reply = await fetch(`${api.url}/bridge`)
  const policy = reply.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).toContain('ws://127.0.0.1:2947 ws://127.0.0.1:6557/socket')
  expect(policy).toContain(new URL(api.app.socketAddress ?? '').origin)
  expect(policy).not.toContain('unsafe')
  expect(await reply.text()).not.toMatch(/<script>|<style|\son\w+=/)
  expect((await fetch(`${api.url}/bridge/page.html%2f..`)).status).toBe(404)
  expect((await fetch(`${api.url}/bridge/client/../../package.json`)).status).toBe(404)
  await using visitor = await browser.visitor(api, { phone: true })
  await visitor.page.goto('/bridge')
  await visitor.page.getByLabel('Tournament').fill(made.cup.id)
  await visitor.page.getByLabel('Match').fill('1')
  await visitor.page.getByRole('button', { name: 'Continue' }).click()
  await visitor.page.getByRole('button', { name: 'Sign in' }).click()
  await visitor.page.locator(`button[value="${player.chatPlatformId}"]`).click()
  await visitor.page.waitForURL('**/bridge?**')
  await expect.poll(() => words(visitor, 'match-words')).toContain('in match 1')
  expect(await words(visitor, 'help')).toContain('local network')
  if (process.env.BRIDGE_PICTURE)
    await visitor.page.screenshot({ path: `${process.env.BRIDGE_PICTURE}.phone.png`, fullPage: true })
})

// With a ticket (AS30)

/** Makes a ticket for a player of the second match. */
async function makeTicket(user: Caller): Promise<{ readonly ticket: string; readonly address: string }> {
  return (await api.post(`${made.match(2)}/bridgeTickets`, made.organiser, { user: user.guid })).body
}

async function playerOf(number: number, side: 0 | 1 = 0): Promise<Caller> {
  const { sides } = await made.readMatch(number)
  return made.captains[made.teams.findIndex(({ guid }) => guid === sides[side].team.guid)] as Caller
}

test('a song by ticket, through a reload and a lost connection, until the ticket is ended', async () => {
  const own = await playerOf(2)
  const { ticket, address } = await makeTicket(own)
  await using game = await startGameSource('bsplus', handshake(await verifyRanking(api, own)))
  await using viewer = await openSocket(api)
  const { guid } = await made.readMatch(2)
  await viewer.ask({ type: 'subscribe', topic: `/tournaments/${made.cup.guid}/matches/${guid}/live`, rate: 10 })
  const last = () => received(viewer, own.guid).at(-1)
  await using visitor = await browser.visitor(api)
  const { page, context } = visitor
  const faults: string[] = []
  const addresses: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  context.on('request', (request) => addresses.push(request.url()))
  const shown = (id: string) => words(visitor, id)

  await page.goto(address)
  await expect.poll(() => shown('match-words')).toContain(`You are ${own.username}, in match 2`)
  await expect.poll(() => shown('game-words')).toContain('BeatSaberPlus was found, game 1.40.8')
  expect(page.url()).toBe(`${api.url}/bridge`)
  await page.reload()
  await expect.poll(() => shown('match-words')).toContain(`You are ${own.username}, in match 2`)
  await expect.poll(() => shown('game-words')).toContain('BeatSaberPlus was found')
  expect(await page.locator('#sign').isVisible()).toBe(false)

  for (const message of [state('Playing'), mapInfo, scored(100)]) game.say(message)
  await viewer.copies.until(() => last()?.score === 100, 'the value')
  expect(last()).toMatchObject({ source: 'game', state: 'playing', accuracy: 0.9, combo: 3 })
  await expect.poll(() => shown('send-words')).toContain('updates sent')
  if (process.env.BRIDGE_PICTURE)
    await page.screenshot({ path: `${process.env.BRIDGE_PICTURE}.ticket.png`, fullPage: true })

  // While the service is unreachable, values are lost and the result waits.
  await page.route('**/api/bridgeTickets/**', (route) => route.abort('connectionfailed'))
  game.say(scored(200))
  await expect.poll(() => shown('send-words')).toContain('is lost')
  game.say(state('Menu'))
  await expect.poll(() => shown('songs')).toContain('Is being sent')
  await page.unroute('**/api/bridgeTickets/**')
  await expect.poll(() => shown('songs'), { timeout: 10_000 }).toContain('Sent.')
  const { body } = await api.get(`${made.match(2)}/proposals`, made.organiser)
  expect(body.proposals).toMatchObject([
    { source: 'game', map: { hash }, players: [{ userGuid: own.guid, score: 200, completion: 'passed' }] },
  ])
  expect(body.proposals[0].warnings).toContainEqual({ code: 'unverified', user: null })

  // The other player's game reports later, and the page shows it with the song.
  const other = await playerOf(2, 1)
  const fromElsewhere = {
    source: 'status',
    platformId: null,
    hash,
    characteristic: 'Standard',
    difficulty: 'ExpertPlus',
  }
  const counts = { score: 190, misses: 1, badCuts: 0, goodCuts: 9, maxCombo: 5, endTime: 100, name: 'A song' }
  const later = { ...fromElsewhere, ...counts, completion: 'passed', maxScore: null, accuracy: 0.9 }
  expect((await api.post(`${made.match(2)}/live/${other.guid}/finish`, other, later)).status).toBe(200)
  await expect.poll(() => shown('songs')).toContain(': 190.')
  expect((await api.get(`${made.match(2)}/proposals`, made.organiser)).body.proposals).toHaveLength(1)

  // A new ticket replaces the old one. The page says so, and stops sending.
  const { address: next } = await makeTicket(own)
  for (const message of [state('Playing'), mapInfo, scored(300)]) game.say(message)
  await expect.poll(() => shown('send-words')).toContain('ask the operator of your match for another one')
  const asked = () => addresses.filter((url) => url.endsWith('/live')).length
  const before = asked()
  game.say(scored(400))
  game.say(scored(500))
  await expect.poll(() => shown('score')).toBe('500')
  expect(asked()).toBe(before)
  // The new ticket's address is opened in the same page.
  await page.evaluate(`location.assign(${JSON.stringify(next)})`)
  await expect.poll(() => shown('send-words')).not.toContain('ask the operator')
  await expect.poll(() => shown('match-words')).toContain('in match 2')
  await expect.poll(() => shown('game-words')).toContain('BeatSaberPlus was found')
  for (const message of [state('Playing'), mapInfo, scored(600)]) game.say(message)
  await viewer.copies.until(() => last()?.score === 600, 'the value')

  expect([faults, visitor.outside]).toEqual([[], []])
  expect(addresses.filter((url) => url.includes(ticket) && !url.includes('#'))).toEqual([])
})

test('a ticket that is not good is not tried again, and a link that names a match leads to signing in', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.goto('/bridge#ticket=nothing')
  await expect.poll(() => page.locator('#match-words').textContent()).toContain('not good')
  expect(await page.locator('#alert').textContent()).toContain('cannot be opened')
  await page.reload()
  await expect.poll(() => page.locator('#choose').isVisible()).toBe(true)
  const { address } = await makeTicket(await playerOf(2))
  await page.goto(address)
  await expect.poll(() => page.locator('#match-words').textContent()).toContain('in match 2')
  await page.goto(`/bridge?tournament=${made.cup.id}&match=1`)
  await expect.poll(() => page.locator('#sign').isVisible()).toBe(true)
  await page.goto('/bridge')
  await expect.poll(() => page.locator('#match-words').textContent()).toContain('in match 2')
})
