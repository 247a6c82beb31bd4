import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeStreamKey, makeStreamServer } from '../../test/streaming.ts'

/** The page of a match as its players use it, each in a browser of their own. (W9, W10, W15) */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const patient = { timeout: 20_000, interval: 50 }

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
/** The second members of both teams. */
let mates: readonly Caller[]
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 7 })
  mates = await Promise.all(made.teams.map(() => api.user()))
  await api.sql(
    `insert into team_members (team_guid, tournament_guid, user_guid, joined_at)
     select team, $1, player, now() from unnest($2::uuid[], $3::uuid[]) as added (team, player)`,
    [made.cup.guid, made.teams.map(({ guid }) => guid), mates.map(({ guid }) => guid)],
  )
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const steps = [
  { action: 'ready', actor: 'all', seconds: 600 },
  { action: 'roll', actor: 'system' },
  { action: 'choose', actor: 'rollWinner', pair: 'order', seconds: 600 },
  { action: 'ban', actor: 'order:2', seconds: 600 },
  { action: 'ban', actor: 'order:1', seconds: 600 },
  { action: 'pick', actor: 'order:1', seconds: 600 },
  { action: 'pick', actor: 'order:2', seconds: 600 },
  { action: 'tiebreaker', actor: 'system', source: 'last_left' },
  {
    repeat: 'until_decided',
    steps: [{ action: 'lineup', actor: 'all', secret: true, seconds: 600 }, { action: 'play' }],
  },
]
const rules = {
  map: { by: 'score', team: 'sum', players: 1 },
  replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'team', windowSeconds: 600 },
  timeouts: { count: 1, seconds: 60 },
  speakers: 'members',
  selfUndoSeconds: 60,
}

/** Begins a match by a flow in which every member may act. */
async function begin(number: number, name: string, body: object = {}): Promise<FlowPlay> {
  const flow = { name, seats: 2, bestOf: 3, pairs: ['order'], steps, rules }
  const { status, body: saved, text } = await api.post(`${made.path}/flows`, made.organiser, flow)
  expect(status, text).toBe(201)
  const play = new FlowPlay(api, made, number)
  const begun = await play.begin({ flowGuid: saved.guid, poolGuid: made.pool.guid, ...body })
  expect(begun.status, begun.text).toBe(201)
  return play
}

const mateOf = (play: FlowPlay, seat: number): Caller =>
  mates[made.teams.findIndex(({ guid }) => guid === play.state.seats[seat - 1].team.guid)] as Caller

/** The own panel of somebody who plays, in a browser of their own. */
class Seat implements AsyncDisposable {
  readonly visitor: RealVisitor
  readonly page: Page
  readonly isPhone: boolean

  constructor(visitor: RealVisitor, isPhone: boolean) {
    this.visitor = visitor
    this.page = visitor.page
    this.isPhone = isPhone
  }

  get heading() {
    return this.page.locator('main section').first().getByRole('heading', { level: 2 })
  }
  /** Presses, by touch or by keys. */
  async press(name: string | RegExp): Promise<void> {
    const button = this.page.getByRole('button', { name })
    if (this.isPhone) return button.tap()
    await button.focus()
    await this.page.keyboard.press('Enter')
  }
  /** Chooses, and sends the choice by touch, or by keys alone. */
  async answer(option: string, send: RegExp): Promise<void> {
    const choice = this.page.locator('label', { has: this.page.locator('input'), hasText: option }).first()
    if (this.isPhone) {
      await choice.tap()
      return this.press(send)
    }
    await choice.locator('input').focus()
    await this.page.keyboard.press('Space')
    await this.page.keyboard.press('Enter')
  }
  says(text: string | RegExp): Promise<void> {
    return expect.poll(() => this.heading.textContent(), patient).toMatch(text)
  }
  async [Symbol.asyncDispose]() {
    await this.visitor.close()
  }
}

async function seatOf(player: Caller, number: number, phone: boolean): Promise<Seat> {
  const visitor = await browser.visitor(api, { phone, user: player })
  await visitor.page.goto(`/t/${made.cup.id}/m/main/${number}?signed-in`)
  return new Seat(visitor, phone)
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** What is wrong with a page: content beyond its width, small targets, and what axe finds. */
async function faultsOf({ page }: Seat): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await checker.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    const wide = document.documentElement.scrollWidth - innerWidth
    const small = [...document.querySelectorAll('main section:first-of-type :is(label, button)')]
      .filter((each) => each.getBoundingClientRect().height < 44)
      .map((each) => `small: ${each.textContent}`)
    return [
      ...(wide > 0 ? [`${wide} px too wide`] : []),
      ...(matchMedia('(pointer: coarse)').matches ? small : []),
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ]
  })
}

test('a match is picked and played by two browsers, one by keys and one by touch', async () => {
  const play = await begin(1, 'By two browsers')
  await using wide = await seatOf(play.captain(1), 1, false)
  await using phone = await seatOf(play.captain(2), 1, true)
  const seats = [wide, phone] as const
  const at = (seat: number) => seats[seat - 1] as Seat
  const turn = async (): Promise<Seat> => at((await play.read()).turn.seats[0])
  const mapName = (guid: string): string =>
    play.state.pool.maps.find((each: { guid: string }) => each.guid === guid).map.name

  await wide.says('Are you ready?')
  await phone.says('Are you ready?')
  expect([await faultsOf(wide), await faultsOf(phone)]).toEqual([[], []])
  // The other side says so meanwhile, which changes nothing here.
  const held = Promise.withResolvers<void>()
  await phone.page.route('**/act', async (route) => {
    await held.promise
    await route.continue()
  })
  await phone.press('We are ready')
  await wide.press('We are ready')
  await wide.says(/^Waiting for Team \d to be ready$/)
  held.resolve()
  await expect.poll(async () => (await play.read()).turn.action, patient).toBe('choose')
  await phone.page.unroute('**/act')
  const winner = await turn()
  await winner.says('Your turn: choose')
  await winner.answer('Take the second place', /Take the second/)
  for (const [action, done, verb] of [
    ['ban', 'ban a map', 'Ban'],
    ['ban', 'ban a map', 'Ban'],
    ['pick', 'pick a map', 'Pick'],
    ['pick', 'pick a map', 'Pick'],
  ] as const) {
    await expect.poll(async () => (await play.read()).turn.action, patient).toBe(action)
    const seat = await turn()
    const other = seat === wide ? phone : wide
    await seat.says(`Your turn: ${done}`)
    await other.says(new RegExp(`^Waiting for Team \\d to ${done}$`))
    const { position, turn: asked } = play.state
    if (action === 'pick') expect(await faultsOf(seat)).toEqual([])
    await seat.answer(mapName(asked.options[0]), new RegExp(`^${verb} `))
    await expect.poll(async () => (await play.read()).position, patient).toBeGreaterThan(position)
  }

  // Line-ups are secret until both are there.
  const [first, second] = [play.captain(1), mateOf(play, 2)]
  const nameOf = async ({ guid }: Caller) =>
    (
      await api.sql<{ name: string }>(
        'select coalesce(nullif(preferred_name, $2), username) as name from users where guid = $1',
        [guid, ''],
      )
    )[0]?.name as string
  await wide.says('Your turn: name who plays')
  const picked = wide.page.locator('label', { hasText: await nameOf(mateOf(play, 1)) })
  expect(await picked.locator('input').isChecked()).toBe(false)
  await wide.press(/^Field /)
  await wide.says(/^Waiting for Team \d to name who plays$/)
  await phone.says('Your turn: name who plays')
  await phone.page.locator('label', { hasText: await nameOf(play.captain(2)) }).tap()
  await phone.answer(await nameOf(second), /^Field /)
  await phone.says('Play the map')
  expect((await play.read()).seats.map(({ lineup }: { lineup: string[] }) => lineup)).toEqual([
    [first.guid],
    [second.guid],
  ])

  // The scores are there: one side may claim a replay, or accept.
  const report = (scores: readonly number[]) =>
    play.call(made.referee, 'scores', {
      scores: [first, second].map(({ guid }, index) => ({ user: guid, score: scores[index] })),
    })
  await report([900_000, 950_000])
  await phone.says(/^Waiting for Team \d, who may claim a replay$/)
  await wide.says('Your turn: the result of game 1')
  expect(await faultsOf(wide)).toEqual([])
  await wide.answer('Claim a replay', /Claim/)
  await wide.says('Play the map')
  expect((await play.read()).claims).toHaveLength(1)
  await report([960_000, 940_000])
  await expect.poll(async () => (await play.read()).scoreline, patient).toEqual([1, 0])

  for (const seat of seats) {
    await seat.says('Your turn: name who plays')
    const chosen = seat.page.getByRole('button', { name: /^Field / })
    await chosen.waitFor()
    await seat.press(/^Field /)
  }
  await wide.says('Play the map')
  await play.read()
  await report([900_000, 800_000])
  await phone.says('Your turn: the result of game 2')
  await phone.answer('Accept the result', /^Accept/)
  await wide.says('Won, 2 to 0')
  await phone.says('Lost, 0 to 2')
  await expect.poll(() => wide.page.getByText('Your next match:').count(), patient).toBe(1)
  expect([wide.visitor.outside, phone.visitor.outside]).toEqual([[], []])
})

test('of two of one team at once one counts, and the other sees why; a lost connection keeps the choice', async () => {
  const play = await begin(2, 'At once')
  for (const seat of [1, 2]) await play.act(seat, { action: 'ready' })
  const chooser = play.state.turn.seats[0] as number
  await play.act(chooser, { action: 'choose', place: 2 })
  const seat = play.state.turn.seats[0] as number
  await using captain = await seatOf(play.captain(seat), 2, true)
  await using mate = await seatOf(mateOf(play, seat), 2, false)
  await captain.says('Your turn: ban a map')
  await mate.says('Your turn: ban a map')
  const [one, two] = play.state.turn.options.map(
    (option: string) => play.state.pool.maps.find(({ guid }: { guid: string }) => guid === option).map.name,
  ) as [string, string]

  // Both have chosen. The request of the captain arrives after that of the mate.
  const act = '**/flow-sessions/*/act'
  const held = Promise.withResolvers<void>()
  await captain.page.route(act, async (route) => {
    await held.promise
    await route.continue()
  })
  await captain.answer(one, /^Ban /)
  await expect.poll(() => captain.page.getByRole('button', { name: 'Sending' }).count(), patient).toBe(1)
  await mate.answer(two, /^Ban /)
  await mate.says(/^Waiting for/)
  held.resolve()
  const alert = captain.page.getByRole('alert')
  await expect.poll(() => alert.textContent(), patient).toMatch(/Somebody was faster; yours did not count/)
  await expect.poll(() => alert.textContent(), patient).toContain(`banned ${two}`)
  await captain.says(/^Waiting for/)
  expect(await faultsOf(captain)).toEqual([])
  expect((await play.read()).picksBans).toHaveLength(1)
  await captain.press('All right')
  await expect.poll(() => alert.count(), patient).toBe(0)
  await captain.page.unroute(act)

  // The other side bans; then it is the turn of both again, and the connection is lost.
  const other = play.state.turn.seats[0] as number
  await play.act(other, { action: 'ban', map: play.state.turn.options[0] })
  await play.act(other, { action: 'pick', map: play.state.turn.options[0] })
  await captain.says('Your turn: pick a map')
  await play.read()
  const left = play.state.turn.options.map(
    (option: string) => play.state.pool.maps.find(({ guid }: { guid: string }) => guid === option).map.name,
  ) as string[]
  await captain.page.route(act, (route) => route.abort())
  await captain.answer(left[0] as string, /^Pick /)
  await expect.poll(() => alert.textContent(), patient).toContain('Not sent: there is no connection')
  await captain.page.unroute(act)
  await captain.press(`Send again: Pick ${left[0]}`)
  await expect.poll(async () => (await play.read()).picksBans.length, patient).toBeGreaterThan(3)
  expect(await alert.count()).toBe(0)
})

test('who streams sees what arrives: the address of the own test is asked for with a token', async () => {
  const asked: string[] = []
  await using server = await startPlaylist(asked)
  await makeStreamServer(api, { play: { whep: null, llhls: null, hls: `${server.url}/{path}/index.m3u8` } })
  const player = await api.user()
  await makeStreamKey(api, player)
  await using visitor = await browser.visitor(api, { user: player })
  const { page } = visitor
  await page.goto('/me/streaming?signed-in')
  await page.getByRole('button', { name: 'See what arrives' }).click()
  await expect.poll(() => asked[0], patient).toMatch(new RegExp(`^/live/${player.guid}/index\\.m3u8\\?view=.+`))
  // Nothing is sent, which is said, and can be tried again.
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked.length, patient).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Close the player' }).click()
  await page.getByRole('button', { name: 'See what arrives' }).waitFor()
})

/** A media server without streams. */
async function startPlaylist(asked: string[]) {
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404, { 'access-control-allow-origin': '*' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
