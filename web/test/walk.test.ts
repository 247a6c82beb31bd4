import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeSheet } from '../../test/availability.ts'
import { addBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeRanking, type ScoreSaberPlayer, startFakeScoreSaber } from '../../test/fakes/ranking.ts'
import { FlowPlay, type Played } from '../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { type MadeTeam, makeTeam, makeTournament, roleHolder } from '../../test/make.ts'
import { makeMaps, makePool } from '../../test/pools.ts'
import { byKeys, byTouch, type Hands } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** What a player does who has never been here, from signing in to the agenda after a match, by what pages say alone. */

let api: Harness
let ranking: FakeRanking<ScoreSaberPlayer>
let browser: RealBrowser
beforeAll(async () => {
  ranking = await startFakeScoreSaber()
  ;[api, browser] = await Promise.all([startHarness({ rankingAUrl: ranking.url }), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await ranking?.close()
})

const patient = { timeout: 20_000, interval: 50 }
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** Links an account of a ranking platform by the API. */
async function linkAccount(user: Caller): Promise<void> {
  const { id } = ranking.players.add()
  const path = '/users/@me/identities/ranking-a'
  const { body } = await api.put(path, user, { externalId: id })
  ranking.players.change(id, { bio: body.proofCode })
  expect((await api.put(path, user, { externalId: id })).status).toBe(200)
}

/** A tournament that asks for an account, with three teams that have their places, and a fourth that looks for somebody. */
async function arrange(name: string) {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, {
    name,
    teamSize: { min: 2, max: 4, active: 2 },
    capacity: 8,
    startsAt: inHours(2),
    registrationOpensAt: inHours(-1),
    registrationClosesAt: inHours(1),
    requirements: { rankingA: true },
    additionalFields: [
      {
        ...{ guid: crypto.randomUUID(), label: 'Where do you talk?', type: 'text', required: true },
        ...{ help: null, options: [], subject: 'team', private: false },
      },
    ],
  })
  const captains = await Promise.all([1, 2, 3, 4].map((each) => api.user({ name: `captain-${each}-${cup.id}` })))
  const [mate, ...others] = captains as [Caller, ...Caller[]]
  await linkAccount(mate)
  const teams = [
    await makeTeam(api, cup, mate, { name: 'The Quavers', id: 'the-quavers' }),
    ...(await Promise.all(
      others.map((captain, at) =>
        makeTeam(api, cup, captain, { name: `Offbeat ${at + 1}`, id: `offbeat-${at + 1}`, status: 'registered' }),
      ),
    )),
  ] as [MadeTeam, ...MadeTeam[]]
  const referee = await roleHolder(api, cup, 'role:referee')
  return { organiser, cup: { ...cup, name }, path: `/tournaments/${cup.id}`, mate, captains, teams, referee }
}

const steps = [
  { action: 'ready', actor: 'all', seconds: 600 },
  { action: 'roll', actor: 'system' },
  { action: 'choose', actor: 'rollWinner', pair: 'order', seconds: 600 },
  { action: 'ban', actor: 'order:2', seconds: 600 },
  { action: 'ban', actor: 'order:1', seconds: 600 },
  { action: 'pick', actor: 'order:1', seconds: 600 },
  {
    repeat: 'until_decided',
    steps: [{ action: 'lineup', actor: 'all', seconds: 600 }, { action: 'play' }],
  },
]
const rules = { map: { by: 'score', team: 'sum', players: 1 }, replays: { rule: 'none' }, speakers: 'captain' }

/** The organiser begins the tournament, with a bracket, and the referee its first match. */
async function beginMatch({ organiser, path, teams, captains, cup, referee }: Awaited<ReturnType<typeof arrange>>) {
  const done = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply
    expect([status < 300, text.slice(0, status < 300 ? 0 : undefined)]).toEqual([true, ''])
  }
  await done(api.post(`${path}/status`, organiser, { status: 'ongoing' }))
  await done(api.post(`${path}/divisions`, organiser, { name: 'Main', id: 'main' }))
  const settings = { bestOf: 1 }
  await addBracket(api, { path, organiser, teams }, { format: 'single_elimination', settings, division: 'main' })
  const maps = await makeMaps(api, 4)
  const pool = await makePool(api, cup.guid, {
    name: 'Finals',
    status: 'published',
    maps: maps.map(({ guid }) => guid),
  })
  const flow = await api.post(`${path}/flows`, organiser, {
    ...{ name: 'One game', seats: 2, bestOf: 1, pairs: ['order'], steps, rules },
  })
  expect(flow.status, flow.text).toBe(201)
  const match = (number: number) => `${path}/matches/${number}`
  const readMatch = async (number: number) => (await api.get(match(number), organiser)).body
  const play = new FlowPlay(api, { organiser, path, match, readMatch, teams, captains, referee }, 1)
  const begun = await play.begin({ flowGuid: flow.body.guid, poolGuid: pool.guid })
  expect(begun.status, begun.text).toBe(201)
  return play
}

/** The captain gives the team to its other member, on the pages too. */
async function handOver({ page, press }: Hands): Promise<void> {
  const main = page.getByRole('main')
  await page.goto('/me/teams')
  await press(main.getByRole('link', { name: 'The Quavers' }))
  await main.getByText('2 of 2 to 4 players').waitFor()
  await press(main.getByRole('button', { name: 'Hand over' }))
  const dialog = page.getByRole('dialog')
  await press(dialog.getByRole('button', { name: 'Hand over' }))
  await dialog.waitFor({ state: 'detached' })
}

/** The captain finds somebody by a name, and invites them. */
const invite =
  (username: string) =>
  async ({ page, press, write, choose }: Hands): Promise<void> => {
    const main = page.getByRole('main')
    await page.goto('/me/teams')
    await press(main.getByRole('link', { name: 'The Quavers' }))
    await write(page.getByRole('combobox', { name: 'Invite somebody' }), username)
    await choose(page.getByRole('option', { name: username }))
    await press(main.getByRole('button', { name: 'Invite', exact: true }))
    await main.getByText(`${username} is invited.`).waitFor()
  }

type AsCaptain = (user: Caller, act: (hands: Hands) => Promise<void>) => Promise<void>

async function walk(hands: Hands, name: string, asCaptain: AsCaptain): Promise<void> {
  const { page } = hands
  const main = page.getByRole('main')
  const button = (label: string | RegExp) => page.getByRole('button', { name: label })
  const link = (label: string | RegExp) => main.getByRole('link', { name: label })
  const toAgenda = async () => {
    await hands.press(button(/your menu$/))
    await hands.press(page.locator('[popover]:popover-open').getByRole('link', { name: 'Agenda' }))
    await main.getByRole('heading', { name: 'Agenda' }).waitFor()
    expect(await page.locator('[popover]:popover-open').count()).toBe(0)
  }
  const cup = await arrange(`${name} cup`)

  // Signs in.
  await page.goto('/')
  await hands.press(page.getByRole('link', { name: 'Sign in' }).first())
  await hands.write(page.getByLabel('Name'), name)
  await hands.press(button('Sign in'))

  // Three steps.
  await main.getByRole('heading', { name: 'Three steps to your first tournament' }).waitFor()
  await hands.press(link('Link an account'))
  const account = main.getByRole('listitem').filter({ hasText: 'Ranking platform A' })
  await account.getByText('Not linked').waitFor()
  const { id } = ranking.players.add()
  await hands.write(account.getByLabel('Number of your profile there'), id)
  await hands.press(account.getByRole('button', { name: 'Link' }))
  const code = (await main.getByText(/^downbeat-/).textContent()) ?? ''
  await hands.press(button('Check now'))
  await main.getByText('The code is not in the profile yet.').waitFor()
  ranking.players.change(id, { bio: code })
  await hands.press(button('Check now'))
  await main.getByText('Your account on Ranking platform A is proven.').waitFor()

  // Finds a tournament.
  await hands.press(link('What is next'))
  await main.getByRole('heading', { name: 'Three steps to your first tournament' }).waitFor()
  await hands.press(link('Open registrations'))
  await link(cup.cup.name).first().waitFor()
  await hands.press(link(cup.cup.name).first())
  await main.getByRole('heading', { name: cup.cup.name }).waitFor()
  await hands.press(link('Make a team'))

  // Is invited meanwhile, and joins.
  await asCaptain(cup.mate, invite(name))
  await button('Accept').waitFor()
  await hands.press(button('Accept'))
  await main.getByRole('heading', { name: 'The Quavers' }).waitFor()
  await main.getByText('2 of 2 to 4 players').waitFor()
  await asCaptain(cup.mate, handOver)
  await main.getByLabel('Where do you talk?').waitFor()
  await main.getByText('2 of 2 on the field').waitFor()
  await hands.press(button('Register'))
  await hands.write(main.getByLabel('Where do you talk?'), 'Our channel')
  await hands.press(button('Register'))
  await main.getByText('Registered: your place is taken.').waitFor()

  // Answers when the team can.
  const day = inHours(48).toISOString().slice(0, 10)
  await makeSheet(api, cup.cup, cup.organiser, {
    ...{ title: 'Semi-finals', audience: 'teams', teamEligibility: 'both', timezone: 'UTC' },
    windows: [{ startsAt: `${day}T18:00:00.000Z`, endsAt: `${day}T21:00:00.000Z` }],
  })
  await toAgenda()
  await hands.press(link('Semi-finals'))
  await main.locator('[data-cell]').first().waitFor()
  await hands.pick(main.locator('[data-cell]').first())
  await hands.press(button('Save answers'))
  await main.getByText('Saved', { exact: true }).waitFor()

  // Plays.
  await toAgenda()
  const play = await beginMatch(cup)
  const match = link('Go to the match')
  await match.waitFor()
  await hands.press(match)
  await playMatch(hands, play)

  // Reads what is next.
  await main.getByText('Your next match:').waitFor()
  await toAgenda()
  const next = main.getByRole('region', { name: 'Your matches' }).getByRole('listitem')
  await next.filter({ hasText: 'Waits for a side' }).waitFor()
  expect(await next.count()).toBe(1)
  expect(await next.textContent()).toMatch(/The Quavers\W+against/)
  await next.getByText('No time yet').waitFor()
}

/** Plays the match by what the page asks for; the other side by the API. */
async function playMatch({ page, press, pick }: Hands, play: FlowPlay<Played>) {
  const panel = page.locator('main section').first()
  const heading = panel.getByRole('heading', { level: 2 })
  const says = (text: string | RegExp) => expect.poll(() => heading.textContent(), patient).toMatch(text)
  await says('Are you ready?')
  const seat: number = play.state.seats.findIndex(({ team }: { team: MadeTeam }) => team.name === 'The Quavers') + 1
  const other = 3 - seat
  await press(page.getByRole('button', { name: 'We are ready' }))
  await says(/^Waiting for Offbeat/)
  await play.read()
  await play.act(other, { action: 'ready' })
  for (;;) {
    const { turn, phase } = await play.read()
    if (turn === null || phase === 'playing') break
    if (!turn.seats.includes(seat)) {
      const body =
        turn.action === 'choose'
          ? { place: 1 }
          : turn.action === 'lineup'
            ? { users: [play.captain(other).guid] }
            : { map: turn.options[0] }
      const acted = await play.act(turn.seats[0], { action: turn.action, ...body })
      expect(acted.status, acted.text).toBe(200)
      continue
    }
    await says(/^Your turn/)
    const { position } = play.state
    await pick(turn.action === 'lineup' ? panel.getByLabel(/newcomer/) : panel.locator('input:enabled').first())
    await press(panel.locator('button[type=submit]'))
    await expect.poll(async () => (await play.read()).position, patient).toBeGreaterThan(position)
  }
  await says('Play the map')
  const { seats } = await play.read()
  const scores = seats.map(({ lineup }: { lineup: string[] }, at: number) => ({
    user: lineup[0],
    score: at + 1 === seat ? 950_000 : 900_000,
  }))
  const reported = await play.call(play.made.referee, 'scores', { scores })
  expect(reported.status, reported.text).toBe(200)
  await says('Won, 1 to 0')
}

test.each([
  ['by touch', true],
  ['by keys', false],
])(
  'somebody new signs in, links an account, joins a team, answers, plays, and sees what is next: %s',
  async (name, phone) => {
    await using visitor = await browser.visitor(api, { phone, dark: !phone })
    const { page } = visitor
    if (!phone) await page.setViewportSize({ width: 1440, height: 900 })
    const handsOn = phone ? byTouch : byKeys
    await walk(handsOn(page), `newcomer ${name}`, async (user, act) => {
      await using captain = await visitAs(browser, api, user, { phone })
      await act(handsOn(captain.page))
      expect(captain.outside).toEqual([])
    })
    expect(visitor.outside).toEqual([])
  },
)
