import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../test/harness.ts'
import { type Service, startService } from '../../test/kernel/service.ts'
import { roleHolder } from '../../test/make.ts'
import { faultsOf } from './site/checks.ts'
import { patient } from './site/seat.ts'

/** Reports of games that are made without a connection, by referees of a service that is killed meanwhile. (W11, W12) */

let api: Harness
let browser: RealBrowser
let service: Service
let made: MadeFlowPlay
let url: string
let start: () => Promise<void>
beforeAll(async () => {
  const [port, socketPort] = [await freePort(), await freePort()]
  url = `http://127.0.0.1:${port}`
  ;[api, browser] = await Promise.all([startHarness({ publicUrl: url }), openBrowser(), freshenPages()])
  const { databaseUrl, dataDir } = api.app.config
  start = async () => {
    service = await startService({
      ...{ DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: url },
      ...{ PORT: String(port), SOCKET_PORT: String(socketPort) },
    })
  }
  made = await makeFlowPlay(api, { teams: 16, bestOf: 5 })
  await start()
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

async function kill(): Promise<void> {
  service.signal('SIGKILL')
  await service.exit
}

interface Sent {
  readonly key: string
  readonly game: number
}

/** A referee at the cockpit of a match without a flow, in a browser that keeps what it needs. */
class Referee implements AsyncDisposable {
  readonly visitor: RealVisitor
  readonly path: string
  page: Page
  /** Requests that report games, in their order. */
  readonly sent: Sent[] = []

  constructor(visitor: RealVisitor, path: string) {
    this.visitor = visitor
    this.page = visitor.page
    this.path = path
    this.context.on('request', (request) => this.#note(request))
  }
  get context(): BrowserContext {
    return this.visitor.context
  }
  get unsent() {
    return this.page.getByRole('region', { name: / not sent$/ })
  }
  get state() {
    return this.page.locator('main header').first()
  }
  #note(request: Request): void {
    const game = /\/games\/(\d+)$/.exec(request.url())?.[1]
    if (request.method() !== 'PUT' || game === undefined) return
    this.sent.push({ key: request.headers()['idempotency-key'] ?? '', game: Number(game) })
  }
  async report(game: number, first: number, second: number): Promise<void> {
    const save = this.page.getByRole('button', { name: `Save game ${game}` })
    await save.waitFor()
    const fields = this.page.getByRole('spinbutton')
    await fields.nth(0).fill(String(first))
    await fields.nth(1).fill(String(second))
    await save.click()
  }
  count(count: number) {
    return this.page.getByRole('heading', { name: `${count} not sent` }).waitFor()
  }
  allSent() {
    return this.state.getByText('All sent').waitFor()
  }
  async [Symbol.asyncDispose]() {
    await this.visitor.close()
  }
}

/** Opens a match that has begun, once the browser keeps the page. */
async function atMatch(number: number, user: Caller = made.referee): Promise<Referee> {
  if ((await made.readMatch(number)).status === 'ready')
    expect((await api.post(`${made.match(number)}/start`, made.organiser)).status).toBe(200)
  const visitor = await browser.visitor({ url }, { user })
  const referee = new Referee(visitor, `/manage/${made.cup.id}/live/${(await made.readMatch(number)).guid}`)
  const { page } = referee
  await page.goto(`${referee.path}?signed-in`)
  await page.evaluate(async () => {
    const { serviceWorker } = navigator
    if (serviceWorker.controller === null)
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
  await referee.allSent()
  await expect.poll(() => keptKinds(page), patient).toContain('cockpit')
  return referee
}

const keptKinds = (page: Page) =>
  page.evaluate(async () => {
    const opened = indexedDB.open('downbeat', 1)
    await new Promise((resolve) => {
      opened.onsuccess = resolve
      opened.onupgradeneeded = () => opened.result.createObjectStore('pages', { keyPath: 'kind' })
    })
    const all = opened.result.transaction('pages').objectStore('pages').getAll()
    await new Promise((resolve) => {
      all.onsuccess = resolve
    })
    opened.result.close()
    return all.result.map(({ kind }) => kind as string)
  })

const gamesOf = async (number: number) =>
  (await made.readMatch(number)).games.map(({ sides }: { readonly sides: readonly { readonly score: number }[] }) =>
    sides.map(({ score }) => score),
  )

/** Who has told a game of the match, once for each time. */
const toldBy = async (number: number) => {
  const { guid } = await made.readMatch(number)
  const { body } = await api.get(`${made.path}/audit?subject=${guid}&kind=match`, made.organiser)
  return body.entries
    .filter(
      ({ after }: { readonly after: { readonly games?: readonly unknown[] } | null }) => after?.games !== undefined,
    )
    .map(({ actor }: { readonly actor: Caller }) => actor.guid)
}

test('three reports are sent once each in their order, though the service is killed twice', async () => {
  await using referee = await atMatch(1)
  const { context } = referee
  await context.setOffline(true)
  await referee.report(1, 5, 4)
  await referee.report(2, 7, 9)
  await referee.report(3, 6, 3)
  await referee.count(3)
  await referee.page.reload()
  await referee.count(3)
  expect(await referee.unsent.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/Game 1.*5.*4.*Waits/),
    expect.stringMatching(/Game 2.*7.*9.*Waits/),
    expect.stringMatching(/Game 3.*6.*3.*Waits/),
  ])
  // Nothing else is done without the service.
  await expect.poll(() => referee.page.getByRole('button', { name: 'Walkover…' }).isDisabled(), patient).toBe(true)
  expect(await faultsOf(referee.page)).toEqual([])
  expect(await gamesOf(1)).toEqual([])

  await kill()
  await context.setOffline(false)
  await referee.page.close()
  referee.page = await context.newPage()
  await referee.page.goto(referee.path)
  await referee.count(3)
  referee.sent.length = 0
  // The service takes the first one, and is killed before it has said so.
  const killed = Promise.withResolvers<void>()
  let isKilled = false
  await context.route('**/games/1', async (route) => {
    if (isKilled) return route.continue()
    const answer = await route.fetch().catch(() => null)
    if (answer === null) return route.abort()
    expect(answer.status()).toBe(200)
    isKilled = true
    await kill()
    killed.resolve()
    await route.abort()
  })
  await start()
  await killed.promise
  expect(await gamesOf(1)).toEqual([[5, 4]])
  await start()
  await referee.allSent()
  expect(await gamesOf(1)).toEqual([
    [5, 4],
    [7, 9],
    [6, 3],
  ])
  expect(await toldBy(1)).toEqual([made.referee.guid, made.referee.guid, made.referee.guid])
  const order = referee.sent.map(({ game }) => game)
  expect(order).toEqual(order.toSorted())
  expect(new Set(referee.sent.map(({ key }) => key)).size).toBe(3)
  expect(order.filter((game) => game === 1).length).toBeGreaterThan(1)
  await expect.poll(() => referee.page.locator('main h1 .num').allTextContents(), patient).toEqual(['2', '1'])
})

test('a conflict stops the rest, and each side of it can be chosen', async () => {
  await using referee = await atMatch(2)
  const { context, page, unsent } = referee
  await context.setOffline(true)
  for (const game of [1, 2, 3]) await referee.report(game, 10 * game, 5)
  await referee.count(3)
  const tell = (game: number, scores: readonly number[]) =>
    api.put(`${made.match(2)}/games/${game}`, made.organiser, { sides: scores.map((score) => ({ score })) })
  // The same result is no conflict, another one is.
  expect((await tell(1, [10, 5])).status).toBe(200)
  expect((await tell(2, [21, 6])).status).toBe(200)
  await context.setOffline(false)
  await referee.count(2)
  await unsent.getByText('Another result is there').waitFor()
  const rows = unsent.getByRole('row')
  await expect.poll(() => rows.nth(0).textContent(), patient).toMatch(new RegExp(made.organiser.username))
  expect(await rows.nth(1).textContent()).toMatch(/^Team \d+2021$/)
  expect(await faultsOf(page)).toEqual([])
  await page.reload()
  await unsent.getByText('Another result is there').waitFor()
  expect((await gamesOf(2)).length).toBe(2)
  await unsent
    .getByRole('radio', { name: /^Mine, of/ })
    .nth(1)
    .check()
  await unsent.getByRole('button', { name: 'Send what is chosen' }).click()
  await referee.allSent()
  expect(await gamesOf(2)).toEqual([
    [10, 5],
    [21, 5],
    [30, 5],
  ])

  // Theirs is chosen, and the others go out.
  await using second = await atMatch(3)
  await second.context.setOffline(true)
  for (const game of [1, 2]) await second.report(game, 10 * game, 5)
  await second.count(2)
  const sides = [{ score: 1 }, { score: 2 }]
  expect((await api.put(`${made.match(3)}/games/1`, made.organiser, { sides })).status).toBe(200)
  await second.context.setOffline(false)
  await second.unsent.getByRole('button', { name: 'Take theirs' }).click()
  await second.allSent()
  expect(await gamesOf(3)).toEqual([
    [1, 2],
    [20, 5],
  ])
})

test('reports are sent by the account that made them alone', async () => {
  await using referee = await atMatch(4)
  const { context, page } = referee
  const other = await roleHolder(api, made.cup, 'role:referee')
  await context.route('**/games/*', (route) => route.abort())
  await referee.report(1, 8, 7)
  await referee.count(1)
  await page.getByRole('button', { name: `${made.referee.username}, your menu` }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out with 1 report not sent?' })
  await dialog.waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign out, keep them' }).click()
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  await context.unroute('**/games/*')
  const signIn = async (user: Caller) => {
    await page.goto(`/api/auth/chat?return_to=${encodeURIComponent(`${referee.path}?signed-in`)}`)
    await page.locator(`button[value="${user.chatPlatformId}"]`).click()
    await page.getByRole('button', { name: `${user.username}, your menu` }).waitFor()
  }
  referee.sent.length = 0
  await signIn(other)
  await referee.allSent()
  // What the other one reports is theirs.
  await referee.report(1, 1, 0)
  await expect.poll(() => gamesOf(4), patient).toEqual([[1, 0]])
  expect(await toldBy(4)).toEqual([other.guid])
  expect(referee.sent.length).toBe(1)

  await signIn(made.referee)
  const { unsent } = referee
  await unsent.getByText('Another result is there').waitFor()
  await unsent.getByRole('button', { name: 'Choose all of mine' }).click()
  await unsent.getByRole('button', { name: 'Send what is chosen' }).click()
  await referee.allSent()
  expect(await gamesOf(4)).toEqual([[8, 7]])
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/eyJ/)
})

test('of two tabs one sends; a refused report stays with its reason, is changed, sent again, or thrown away', async () => {
  const user = await roleHolder(api, made.cup, 'role:referee')
  await using referee = await atMatch(5, user)
  const { context, page, unsent } = referee
  const second = await context.newPage()
  await second.goto(referee.path)
  await second.locator('main header').first().getByText('All sent').waitFor()
  // A third one does not send, and hears late from the service what has changed.
  const late = await context.newPage()
  const kept: (() => void)[] = []
  const [isKept, isHeard] = [{ now: false }, Promise.withResolvers<void>()]
  let cut = () => {}
  await late.routeWebSocket(/./, (socket) => {
    if (isKept.now) {
      void socket.close()
      return
    }
    const server = socket.connectToServer()
    cut = () => void socket.close()
    server.onMessage((message) => {
      if (!isKept.now) return socket.send(message)
      if (!/^{"type":"event","topic":"[^"]*\/matches\//.test(String(message))) return
      kept.push(() => socket.send(message))
      isHeard.resolve()
    })
  })
  await late.route('**/games/*', (route) => route.abort())
  await late.goto(referee.path)
  await late.getByRole('button', { name: 'Save game 1' }).waitFor()
  await context.route('**/games/2', async (route) => {
    await isHeard.promise
    await route.fallback()
  })
  await context.setOffline(true)
  for (const game of [1, 2]) await referee.report(game, 10 * game, 5)
  await second.getByRole('heading', { name: '2 not sent' }).waitFor()
  isKept.now = true
  referee.sent.length = 0
  await context.setOffline(false)
  await referee.allSent()
  await second.locator('main header').first().getByText('All sent').waitFor()
  expect(new Set(referee.sent.map(({ key }) => key)).size).toBe(2)
  expect(await toldBy(5)).toEqual([user.guid, user.guid])
  // The state after the first report comes after the answer to the second one, and then the connection ends.
  await late.getByRole('button', { name: 'Save game 3' }).waitFor()
  expect(kept.length).toBeGreaterThan(0)
  kept[0]?.()
  await late.route('**/matches/**', (route) => route.abort())
  cut()
  await late.getByRole('complementary', { name: 'Not connected' }).waitFor()
  expect(await late.getByRole('button', { name: /^Save game/ }).allTextContents()).toEqual([
    expect.stringMatching(/^Save game 3/),
  ])
  await Promise.all([second.close(), late.close()])

  await context.setOffline(true)
  await referee.report(3, 1, 2)
  await referee.count(1)
  const rights = `${made.path}/permissions/${user.guid}`
  const role = { role: 'role:referee' }
  const taken = await api.delete(`${rights}/revoke`, made.organiser, role)
  expect(taken.status, taken.text).toBeLessThan(300)
  await context.setOffline(false)
  await page.goto('/offline')
  await unsent.getByText('Not taken').waitFor()
  expect(await unsent.getByRole('alert').textContent()).not.toBe('')
  expect(await faultsOf(page)).toEqual([])
  await page.goto('/about')
  await page.getByRole('link', { name: '1 not sent' }).click()
  const given = await api.post(`${rights}/grant`, made.organiser, role)
  expect(given.status, given.text).toBeLessThan(300)
  await unsent.getByRole('button', { name: /^Change/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton').first().fill('3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => gamesOf(5), patient)
    .toEqual([
      [10, 5],
      [20, 5],
      [3, 2],
    ])
  await expect.poll(() => unsent.count(), patient).toBe(0)
})

test('a service with too much to do is asked again when it says so, one that failed soon, and each report counts once', async () => {
  await using referee = await atMatch(8)
  const { context, page, sent } = referee
  const retryAfter = 3
  const askedAt: number[] = []
  await context.route('**/games/1', (route) => {
    askedAt.push(performance.now())
    if (askedAt.length > 1) return route.continue()
    const headers = { 'retry-after': String(retryAfter), 'request-id': 'busy' }
    return route.fulfill({ status: 429, headers, json: { error: 'Too much to do.' } })
  })
  await referee.report(1, 5, 4)
  await referee.count(1)
  // Nothing is wrong with the connection, and the next one waits behind the first.
  await referee.report(2, 7, 9)
  await referee.count(2)
  expect(await page.getByRole('button', { name: 'Walkover…' }).isEnabled()).toBe(true)
  await referee.allSent()
  expect(sent.map(({ game }) => game)).toEqual([1, 1, 2])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
  const [first = 0, second = 0] = askedAt
  expect(second - first).toBeGreaterThanOrEqual(retryAfter * 1_000)

  // The service takes it, and fails before it says so; then it is down for a while.
  sent.length = 0
  const answers: number[] = []
  await context.route('**/games/3', async (route) => {
    const answer = await route.fetch()
    answers.push(answer.status())
    if (answers.length === 1) return route.fulfill({ status: 500, headers: { 'request-id': 'failed' }, body: '' })
    if (answers.length === 2) return route.fulfill({ status: 503, body: 'No service is there.' })
    return route.fulfill({ response: answer })
  })
  await referee.report(3, 6, 3)
  await referee.count(1)
  await referee.allSent()
  expect(answers).toEqual([200, 200, 200])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(await gamesOf(8)).toEqual([
    [5, 4],
    [7, 9],
    [6, 3],
  ])
  expect(await toldBy(8)).toEqual([made.referee.guid, made.referee.guid, made.referee.guid])
})

/** A session that plays a map which the referee picks. */
async function begin(number: number): Promise<FlowPlay> {
  const flow = await api.post(`${made.path}/flows`, made.organiser, {
    ...{ name: `Flow ${number}`, seats: 2, bestOf: 5 },
    steps: [{ repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] }],
    rules: { map: { by: 'score', team: 'sum', players: 1 } },
  })
  expect(flow.status, flow.text).toBe(201)
  const play = new FlowPlay(api, made, number)
  const begun = await play.begin({ flowGuid: flow.body.guid, poolGuid: made.pool.guid })
  expect(begun.status, begun.text).toBe(201)
  const picked = await play.call(made.referee, 'act', { action: 'pick', map: made.poolMaps[0] })
  expect(picked.status, picked.text).toBe(200)
  return play
}

async function scores({ page }: Referee, values: readonly (string | null)[]): Promise<void> {
  const fields = page.getByRole('spinbutton', { name: / Score$/ })
  await expect.poll(() => fields.count(), patient).toBe(2)
  for (const [at, value] of values.entries()) if (value !== null) await fields.nth(at).fill(value)
  await page.getByRole('button', { name: 'Save scores' }).click()
}

const scoresOf = async (play: FlowPlay) =>
  (await play.read()).games[0].chains[0][0].scores
    .filter(({ counts }: { readonly counts: boolean }) => counts)
    .map(({ score }: { readonly score: number }) => score)

test('scores of a session wait too; those that somebody else has told are compared, and corrected by choice', async () => {
  const play = await begin(6)
  await using referee = await atMatch(6)
  const { context, page, unsent } = referee
  await context.setOffline(true)
  await scores(referee, ['800000', null])
  await referee.count(1)
  await page.reload()
  await referee.count(1)
  const fields = page.getByRole('spinbutton', { name: / Score$/ })
  await expect.poll(() => fields.count(), patient).toBe(1)
  await fields.fill('700000')
  await page.getByRole('button', { name: 'Save scores' }).click()
  await referee.count(2)
  expect(await fields.count()).toBe(0)
  await context.setOffline(false)
  await referee.allSent()
  expect(await scoresOf(play)).toEqual([800_000, 700_000])

  const other = await begin(7)
  await using second = await atMatch(7)
  await second.context.setOffline(true)
  await scores(second, ['640000', '650000'])
  await second.count(1)
  expect((await other.scores(630_000, 650_000)).status).toBe(200)
  await second.context.setOffline(false)
  await second.unsent.getByText('Another result is there').waitFor()
  expect(await faultsOf(second.page)).toEqual([])
  await second.unsent
    .getByRole('radio', { name: /^Mine, of/ })
    .first()
    .check()
  expect(await second.unsent.getByRole('textbox').inputValue()).toBe('Reported without a connection')
  await second.unsent.getByRole('button', { name: 'Send what is chosen' }).click()
  await second.allSent()
  expect(await scoresOf(other)).toEqual([640_000, 650_000])
  expect(await unsent.count()).toBe(0)
})
