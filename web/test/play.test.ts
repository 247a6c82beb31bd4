import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakePush, startFakePush } from '../../test/fakes/push.ts'
import { FlowPlay, type FlowPlayOptions, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeFlair, makeMaps, makePool } from '../../test/pools.ts'
import { allPushed } from '../../test/push.ts'
import { makeStreamKey, makeStreamServer } from '../../test/streaming.ts'
import { faultsOf, patient, Seat } from './site/seat.ts'
import { workerOf } from './site/worker.ts'

/** The page of a match as its players use it, each in a browser of their own. (W9, W10, W15) */

let api: Harness
let fake: FakePush
let browser: RealBrowser
let made: MadeFlowPlay
/** The second members of both teams. */
let mates: readonly Caller[]
beforeAll(async () => {
  fake = await startFakePush()
  ;[api, browser] = await Promise.all([startHarness({ webhookAllowPrivate: true }), openBrowser(), freshenPages()])
  await makeCup({ teams: 4, maps: 7 })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await fake?.[Symbol.asyncDispose]()
})

/** The tournament of the tests from now on; every team has two members, who are among the newest users. */
async function makeCup(options: Pick<FlowPlayOptions, 'teams' | 'maps'>): Promise<void> {
  made = await makeFlowPlay(api, { bestOf: 3, ...options })
  mates = await Promise.all(made.teams.map(() => api.user()))
  await api.sql(
    `insert into team_members (team_guid, tournament_guid, user_guid, joined_at)
     select team, $1, player, now() from unnest($2::uuid[], $3::uuid[]) as added (team, player)`,
    [made.cup.guid, made.teams.map(({ guid }) => guid), mates.map(({ guid }) => guid)],
  )
}

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
async function begin(number: number, name: string, body: object = {}, members: object = {}): Promise<FlowPlay> {
  const flow = { name, seats: 2, bestOf: 3, pairs: ['order'], steps, rules, ...members }
  const { status, body: saved, text } = await api.post(`${made.path}/flows`, made.organiser, flow)
  expect(status, text).toBe(201)
  const play = new FlowPlay(api, made, number)
  const begun = await play.begin({ flowGuid: saved.guid, poolGuid: made.pool.guid, ...body })
  expect(begun.status, begun.text).toBe(201)
  return play
}

const mateOf = (play: FlowPlay, seat: number): Caller =>
  mates[made.teams.findIndex(({ guid }) => guid === play.state.seats[seat - 1].team.guid)] as Caller

async function seatOf(player: Caller, number: number, phone: boolean): Promise<Seat> {
  const visitor = await browser.visitor(api, { phone, user: player })
  await visitor.page.goto(`/t/${made.cup.id}/m/main/${number}?signed-in`)
  return new Seat(visitor, phone)
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
  await expect
    .poll(() => alert.textContent(), patient)
    .toContain(`${mateOf(play, seat).username} of your team was faster; yours did not count`)
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
  await expect.poll(() => alert.textContent(), patient).toContain('there is no connection. Your choice is kept')
  await captain.page.unroute(act)
  await captain.press(`Send again: Pick ${left[0]}`)
  await expect.poll(async () => (await play.read()).picksBans.length, patient).toBeGreaterThan(3)
  expect(await alert.count()).toBe(0)
})

/** The time in which a side has to answer, long enough for any test. */
const long = { seconds: 3_000 }
/** The end of flows whose tests are about what comes before. */
const rest = { repeat: 'until_decided', steps: [{ action: 'random', actor: 'system' }, { action: 'play' }] }

const nameOfMap = (play: FlowPlay, guid: string): string =>
  play.state.pool.maps.find((each: { guid: string }) => each.guid === guid).map.name

const moved = (play: FlowPlay) => {
  const { position } = play.state
  return expect.poll(async () => (await play.read()).position, patient).toBeGreaterThan(position)
}

/** What has the focus: its text, or its name. */
const focused = ({ page }: Seat) => page.evaluate(() => document.activeElement?.textContent)

test('before the steps begin a side says that it is there, and gives a text for the draws', async () => {
  await makeCup({ teams: 4, maps: 7 })
  const play = await begin(1, 'Later', { startsInSeconds: 600 })
  await using keys = await seatOf(play.captain(1), 1, false)
  await using phone = await seatOf(play.captain(2), 1, true)
  const both = [keys, phone] as const
  for (const [at, seat] of both.entries()) {
    await seat.says('Bans and picks begin soon')
    const draws = seat.page.getByText('How draws are made')
    await (seat.isPhone ? draws.tap() : draws.press('Enter'))
    await seat.page.getByLabel('A text of your own').waitFor()
    expect(await faultsOf(seat)).toEqual([])
    await seat.press('We are here')
    await seat.page.getByText('The referees know that you are here.').waitFor()
    expect(await focused(seat)).toBe('Bans and picks begin soon')
    await seat.page.getByLabel('A text of your own').fill(`text ${at}`)
    await seat.press('Give it')
    await seat.page.getByText(`Your text: text ${at}`).waitFor()
  }
  const { draws, seats } = await play.read()
  expect([draws.nonces, seats.map(({ present }: { present: boolean }) => present)]).toEqual([
    ['text 0', 'text 1'],
    [true, true],
  ])
})

/** What a kind of step is called in the panel, how it is answered there, and by which words it is sent. */
interface Kind {
  readonly title: string
  readonly send: RegExp
  /** What is chosen; nothing where there is nothing to choose. */
  readonly option?: (play: FlowPlay) => string
}

const firstMap = (play: FlowPlay) => nameOfMap(play, play.state.turn.options[0])
const kinds: Readonly<Record<string, Kind>> = {
  ready: { title: 'Are you ready?', send: /^We are ready$/ },
  break: { title: 'A break', send: /^Go on$/ },
  choose: { title: 'Your turn: choose', send: /^Take the first/, option: () => 'Take the first place' },
  protect: { title: 'Your turn: protect a map', send: /^Protect Song/, option: firstMap },
  ban: { title: 'Your turn: ban a map', send: /^Ban Song/, option: firstMap },
  pick: { title: 'Your turn: pick a map', send: /^Pick Song/, option: firstMap },
  flair_pick: { title: 'Your turn: pick a category', send: /^Pick Tech$/, option: () => 'Tech' },
  flair_ban: { title: 'Your turn: ban a category', send: /^Ban Speed$/, option: () => 'Speed' },
  lineup: { title: 'Your turn: name who plays', send: /^Field / },
}

test('each kind of step is done by keys and by touch, and can be taken back', async () => {
  const flairs = await Promise.all(['Tech', 'Speed'].map((name) => makeFlair(api, made.cup.guid, name)))
  const maps = await makeMaps(api, 40)
  const pool = await makePool(api, made.cup.guid, {
    name: 'Two kinds',
    status: 'published',
    maps: maps.map(({ guid }, at) => ({ mapGuid: guid, flairGuid: flairs[at % 2] as string })),
  })
  const mine = (action: string, more = {}) => ({ action, actor: 'side1', ...long, ...more })
  const all = { actor: 'all' }
  const members = {
    steps: [
      ...[mine('ready', all), mine('break', all), mine('choose', { pair: 'order' }), mine('protect'), mine('ban')],
      ...[mine('flair_pick'), mine('pick'), mine('flair_ban'), mine('pick'), mine('ban', { ...all, secret: true })],
      {
        repeat: 'until_decided',
        steps: [{ action: 'random', actor: 'system' }, mine('lineup', all), { action: 'play' }],
      },
    ],
    rules: {
      ...rules,
      replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'player', windowSeconds: 600 },
      timeouts: { count: 2, seconds: 60 },
    },
  }
  const play = await begin(2, 'All kinds', { poolGuid: pool.guid }, members)
  await using keys = await seatOf(play.captain(1), 2, false)
  await using phone = await seatOf(mateOf(play, 1), 2, true)
  const both = [keys, phone] as const
  const done = new Set<string>()
  while (play.state.phase !== 'playing') {
    const { action, seats, options } = play.state.turn
    const { title, send, option } = kinds[action] as Kind
    // The other side answers first.
    const users = [play.player(2)]
    if (seats.includes(2))
      await play.act(2, { action, ...(action === 'ban' && { map: options[1] }), ...(action === 'lineup' && { users }) })
    for (const seat of both) {
      await seat.says(title)
      expect([action, await faultsOf(seat)]).toEqual([action, []])
      await play.read()
      const written = moved(play)
      if (option === undefined) await seat.press(send)
      else await seat.answer(option(play), send)
      await written
      await expect.poll(() => seat.page.evaluate(() => document.activeElement?.tagName), patient).toBe('H2')
      expect(await seat.alert.count()).toBe(0)
      // The first is undone: by themselves, where nothing was drawn or revealed by it.
      if (seat === phone) continue
      const back = moved(play)
      if (seats.includes(2)) await play.call(made.referee, 'undo', {})
      else await seat.press(/^Take it back/)
      await back
    }
    done.add(action)
    await play.read()
  }
  expect([...done].toSorted()).toEqual(Object.keys(kinds).toSorted())

  // The map is lost: a player claims a replay, or the side accepts.
  await play.scores(700_000, 900_000)
  for (const [option, send] of [
    [`Claim a replay for ${play.captain(1).username}`, /^Claim a replay for/],
    ['Accept the result', /^Accept/],
  ] as const)
    for (const seat of both) {
      await seat.says('Your turn: the result of game 1')
      expect(await faultsOf(seat)).toEqual([])
      await play.read()
      const written = moved(play)
      await seat.answer(option, send)
      await written
      if (option.startsWith('Claim')) expect(play.state.claims).toMatchObject([{ user: play.player(1) }])
      if (option.startsWith('Accept') && seat === phone) expect(play.state.scoreline).toEqual([0, 1])
      else await play.call(made.referee, 'undo', {})
    }

  // More time, twice.
  for (const [at, seat] of both.entries()) {
    await seat.says('Your turn: name who plays')
    await seat.press(`Call a timeout (${2 - at} left)`)
    await seat.page.getByRole('dialog').waitFor()
    expect(await faultsOf(seat)).toEqual([])
    await play.read()
    const before = Date.parse(play.state.clock.dueAt)
    await seat.press('Call it')
    await expect.poll(async () => Date.parse((await play.read()).clock.dueAt) - before, patient).toBe(60_000)
  }
  await expect.poll(() => phone.page.getByRole('button', { name: /timeout/ }).count(), patient).toBe(0)
})

test('of two presses in the same instant one counts; the other reads by name why', async () => {
  await makeCup({ teams: 4, maps: 9 })
  const members = { steps: [...['ban', 'pick'].map((action) => ({ action, actor: 'side1', ...long })), rest] }
  const play = await begin(1, 'The same instant', {}, members)
  await using captain = await seatOf(play.captain(1), 1, false)
  await using mate = await seatOf(mateOf(play, 1), 1, true)
  const both = [captain, mate] as const
  const people = [play.captain(1), mateOf(play, 1)] as const
  for (const [action, verb] of [
    ['ban', 'Ban'],
    ['pick', 'Pick'],
  ] as const) {
    for (const seat of both) await seat.says(`Your turn: ${action} a map`)
    await play.read()
    const names = [0, 1].map((at) => nameOfMap(play, play.state.turn.options[at])) as [string, string]
    let waiting = 2
    const together = Promise.withResolvers<void>()
    for (const { page } of both)
      await page.route('**/act', async (route) => {
        if (--waiting === 0) together.resolve()
        await together.promise
        await route.continue()
      })
    await Promise.all(both.map((seat, at) => seat.answer(names[at] as string, new RegExp(`^${verb} `))))
    const alerts = () => Promise.all(both.map(({ alert }) => alert.count()))
    await expect.poll(async () => (await alerts()).toSorted(), patient).toEqual([0, 1])
    const lost = (await alerts()).indexOf(1)
    const [loser, winner] = [both[lost] as Seat, people[1 - lost] as Caller]
    await expect.poll(() => loser.alert.textContent(), patient).toContain(`${winner.username} of your team was faster`)
    expect(await loser.alert.textContent()).toContain(`${action === 'ban' ? 'banned' : 'picked'} ${names[1 - lost]}`)
    expect(await faultsOf(loser)).toEqual([])
    const own = (await play.read()).picksBans.filter(
      ({ actionerGuid }: { actionerGuid: string | null }) => actionerGuid,
    )
    expect(own).toHaveLength(action === 'ban' ? 1 : 2)
    await loser.press('All right')
    await expect.poll(() => loser.page.evaluate(() => document.activeElement?.tagName), patient).toBe('H2')
    for (const { page } of both) await page.unroute('**/act')
  }
})

test('a pause keeps what is chosen; when the time is over, that is said', async () => {
  const twice = [1, 2].map(() => ({ action: 'ban', actor: 'side1', ...long, onTimeout: 'skip' }))
  const play = await begin(2, 'Pause and lapse', {}, { steps: [...twice, rest] })
  await using seat = await seatOf(play.captain(1), 2, true)
  await seat.says('Your turn: ban a map')
  await seat.choose(firstMap(play))
  await play.call(made.referee, 'clock', { op: 'pause' })
  await seat.says('Paused')
  expect([await seat.alert.count(), await faultsOf(seat)]).toEqual([0, []])
  expect(await seat.page.getByRole('button', { name: 'Paused' }).isDisabled()).toBe(true)
  await play.call(made.referee, 'clock', { op: 'resume' })
  await seat.says('Your turn: ban a map')
  await seat.press(/^Ban Song/)
  await expect.poll(async () => (await play.read()).picksBans.length, patient).toBe(1)

  await seat.says('Your turn: ban a map')
  await seat.choose(firstMap(play))
  await play.call(made.referee, 'clock', { op: 'set', seconds: 5 })
  await expect.poll(() => seat.alert.textContent(), patient).toContain('The time was over; yours did not count.')
  expect((await play.read()).picksBans.filter(({ isBan }: { isBan: boolean }) => isBan)).toHaveLength(1)
})

test('cut off in the middle of a turn: what was done is done once, and the page says so', async () => {
  await makeCup({ teams: 2, maps: 9 })
  const thrice = [1, 2, 3].map(() => ({ action: 'ban', actor: 'side1', ...long }))
  const play = await begin(1, 'Cut off', {}, { steps: [...thrice, rest] })
  await using seat = await seatOf(play.captain(1), 1, true)
  const { page } = seat
  const cut = await cutter(page)
  await page.reload()

  // It arrives, its answer does not, and nothing else does.
  await seat.says('Your turn: ban a map')
  const first = firstMap(play)
  await page.route('**/act', async (route) => {
    await route.fetch()
    cut.now()
    await route.abort()
  })
  await seat.answer(first, /^Ban /)
  await expect.poll(() => seat.alert.textContent(), patient).toContain('No answer: there is no connection')
  await page.getByText('Not connected').waitFor()
  await page.unroute('**/act')
  cut.end()
  await expect.poll(() => seat.alert.textContent(), patient).toContain('it counted')
  expect(await seat.alert.textContent()).toContain(`You banned ${first}`)
  expect((await play.read()).picksBans).toHaveLength(1)
  await seat.press('All right')
  await expect.poll(() => seat.alert.count(), patient).toBe(0)

  // It does not arrive; sent again, it counts.
  const second = firstMap(play)
  cut.now()
  await seat.answer(second, /^Ban /)
  await expect.poll(() => seat.alert.textContent(), patient).toContain('Your choice is kept')
  expect((await play.read()).picksBans).toHaveLength(1)
  cut.end()
  await seat.press(`Send again: Ban ${second}`)
  await expect.poll(async () => (await play.read()).picksBans.length, patient).toBe(2)
  await expect.poll(() => seat.alert.count(), patient).toBe(0)

  // Meanwhile a mate did it.
  await seat.says('Your turn: ban a map')
  const third = firstMap(play)
  cut.now()
  await seat.answer(third, /^Ban /)
  await expect.poll(() => seat.alert.textContent(), patient).toContain('Your choice is kept')
  await play.call(mateOf(play, 1), 'act', { action: 'ban', map: play.state.turn.options[1] })
  cut.end()
  await expect.poll(() => seat.alert.textContent(), patient).toContain('of your team was faster')
  expect((await play.read()).picksBans.filter(({ isBan }: { isBan: boolean }) => isBan)).toHaveLength(3)
})

/** Cuts everything between a page and the service: requests and sockets. */
async function cutter(page: Page) {
  let isCut = false
  const sockets = new Set<WebSocketRoute>()
  await page.routeWebSocket(/.*/, (socket) => {
    if (isCut) return void socket.close()
    socket.connectToServer()
    sockets.add(socket)
  })
  await page.route('**/api/**', (route) => (isCut ? route.abort() : route.fallback()))
  await page.route('**/manifest.webmanifest', (route) => (isCut ? route.abort() : route.fallback()))
  return {
    now() {
      isCut = true
      for (const socket of sockets) void socket.close()
      sockets.clear()
    },
    end() {
      isCut = false
    },
  }
}

test('where the clock of the browser is three hours ahead, the time left is that of the service; its end is said', async () => {
  await makeCup({ teams: 2, maps: 9 })
  const play = await begin(1, 'A wrong clock', {}, { steps: [{ action: 'ban', actor: 'side1', seconds: 600 }, rest] })
  await using visitor = await browser.visitor(api, { user: play.captain(1) })
  const { page } = visitor
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
  await page.goto(`/t/${made.cup.id}/m/main/1?signed-in`)
  const seat = new Seat(visitor, false)
  await seat.says('Your turn: ban a map')
  const timer = page.locator('main section').first().getByRole('timer')
  const shown = async () => {
    const [minutes = 0, seconds = 0] = ((await timer.textContent()) ?? '').split(':').map(Number)
    return minutes * 60 + seconds
  }
  const off = async () => Math.abs((await shown()) - (Date.parse(play.state.clock.dueAt) - Date.now()) / 1_000)
  await expect.poll(off, patient).toBeLessThan(2)

  const said = page.getByRole('status').filter({ hasText: 'Your time is nearly over' })
  await play.call(made.referee, 'clock', { op: 'set', seconds: 62 })
  await expect.poll(() => said.textContent(), patient).toContain('60 seconds left')
  await play.call(made.referee, 'clock', { op: 'set', seconds: 12 })
  await expect.poll(() => said.textContent(), patient).toContain('10 seconds left')
  expect(await off()).toBeLessThan(2)
  expect(await faultsOf(seat)).toEqual([])
})

test('who has a turn hears so, others hear whose it is', async () => {
  await makeCup({ teams: 2, maps: 9 })
  const turns = [{ action: 'ban', actor: 'side1', ...long }, { action: 'pick', actor: 'side2', ...long }, rest]
  const play = await begin(1, 'Heard', {}, { steps: turns })
  await using other = await seatOf(play.captain(2), 1, false)
  await using own = await seatOf(play.captain(1), 1, true)
  await other.says(/^Waiting for/)
  await own.says('Your turn: ban a map')
  await play.act(1, { action: 'ban', map: play.state.turn.options[0] })
  const status = ({ page }: Seat) => page.getByRole('status').allTextContents()
  await expect.poll(async () => (await status(other)).join(), patient).toContain('Your turn: pick a map')
  await expect.poll(async () => (await status(own)).join(), patient).toMatch(/Team \d picks a map/)
})

test('messages are offered on the page of the own match and in the agenda, and reach the browser', async () => {
  await makeCup({ teams: 2, maps: 7 })
  const player = made.captains[0] as Caller
  const device = fake.browser()
  await using visitor = await browser.visitor(api, { phone: true, user: player })
  const { page, context } = visitor
  await context.grantPermissions(['notifications'], { origin: api.url })
  // Browsers of tests have no push service: a fake one takes its place.
  await page.addInitScript((subscription) => {
    const asked = { permission: 0, push: 0, ended: 0 }
    Object.assign(globalThis, { asked })
    const request = Notification.requestPermission.bind(Notification)
    Notification.requestPermission = () => {
      asked.permission += 1
      return request()
    }
    const own = { ...subscription, toJSON: () => subscription, unsubscribe: async () => true }
    // The browser has one of a key that the service has replaced.
    const old = {
      ...{ options: { applicationServerKey: new ArrayBuffer(65) } },
      toJSON: () => ({ ...subscription, endpoint: `${subscription.endpoint}-before` }),
      unsubscribe: async () => {
        asked.ended += 1
        return true
      },
    }
    PushManager.prototype.getSubscription = async () =>
      (asked.push > 0 ? own : asked.ended > 0 ? null : old) as unknown as PushSubscription | null
    PushManager.prototype.subscribe = async () => {
      asked.push += 1
      return own as unknown as PushSubscription
    }
  }, device.subscription)
  const asked = () => page.evaluate(() => (globalThis as unknown as { readonly asked: object }).asked)
  await page.goto('/me?signed-in')
  await page.getByRole('button', { name: 'Tell me on this device when it is time' }).waitFor()
  await page.goto(`/t/${made.cup.id}/m/main/1`)
  const offer = page.getByRole('button', { name: 'Tell me on this device when the match is called' })
  await offer.waitFor()
  expect(await asked()).toEqual({ permission: 0, push: 0, ended: 0 })
  expect(await faultsOf(new Seat(visitor, true))).toEqual([])
  await offer.tap()
  await page.getByText('Switched on for this device.').waitFor()
  expect(await asked()).toEqual({ permission: 1, push: 1, ended: 1 })

  // What the push service gets is what the browser shows.
  expect((await api.post(`${made.match(1)}/call`, made.organiser, {})).status).toBeLessThan(300)
  await allPushed(api)
  const [told] = device.told()
  expect(told).toMatchObject({ kind: 'match_called', title: 'Your match is called' })
  const worker = await workerOf(context, page)
  await worker.push(api.url, told)
  const matchGuid = (await made.readMatch(1)).guid
  const address = `/t/${made.cup.guid}/m/main/${matchGuid}`
  await expect.poll(worker.shown, patient).toEqual([[told.title, told.body, address]])
  expect(await worker.click()).toBe(`${api.url}${address}`)
  expect(await worker.shown()).toEqual([])
  await page.goto(address)
  await page.getByRole('heading', { name: 'Your match' }).waitFor()
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
