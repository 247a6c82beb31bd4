import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../client/generated.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import {
  type AssistantWorld,
  type MadeAssistantPlay,
  makeAssistantPlay,
  startAssistantWorld,
} from '../../test/assistant.ts'
import type { BracketBody } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { makeFlow } from '../../test/flow-cases.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import type { Caller, Harness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { until } from '../../test/waiting.ts'
import { complaintsOf } from './site/checks.ts'
import { type Balancer, startBalancer } from './site/processes.ts'
import { visitAs } from './site/readers.ts'
import { AtConsole, type Listed } from './site/runners.ts'
import { patient } from './site/seat.ts'

/**
 * An evening of 16 teams, run by an organiser at the console and a referee at the cockpits, on three processes behind a
 * proxy. (website: Match day)
 */

let front: Balancer
let sockets: Balancer
let world: AssistantWorld
let api: Harness
let siblings: readonly Harness[] = []
let browser: RealBrowser
let made: MadeAssistantPlay
beforeAll(async () => {
  ;[front, sockets] = await Promise.all([startBalancer('http'), startBalancer('ws')])
  const addresses = { publicUrl: front.url, socketUrl: sockets.url }
  ;[world, browser] = await Promise.all([startAssistantWorld({}, addresses), openBrowser(), freshenPages()])
  api = world.api
  siblings = await Promise.all([api.sibling(), api.sibling()])
  const all = [api, ...siblings]
  front.targets = all.map(({ url }) => url)
  sockets.targets = all.map(({ app }) => app.socketAddress ?? '')
  made = await makeAssistantPlay(world, {
    teams: 16,
    maps: 7,
    bracket: {
      format: 'double_elimination',
      settings: { bestOf: 1, bestOfByRound: { 'upper:1': 3 }, grandFinal: 'single' },
    },
  })
  await plan(made)
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  for (const each of siblings) await each[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  await front?.[Symbol.asyncDispose]()
  await sockets?.[Symbol.asyncDispose]()
})

/** A ban each, then the better seed picks every map. */
async function plan(of: MadeFlowPlay): Promise<void> {
  const flow = await makeFlow(api, of, {
    ...{ name: 'Ban and pick', seats: 2, bestOf: null },
    steps: [
      { action: 'ban', actor: 'higherSeed', seconds: 600 },
      { action: 'ban', actor: 'lowerSeed', seconds: 600 },
      { repeat: 'until_decided', steps: [{ action: 'pick', actor: 'higherSeed', seconds: 600 }, { action: 'play' }] },
    ],
    rules: { map: { by: 'score', team: 'sum', players: 1 }, replays: { rule: 'none' } },
  })
  for (const [name, body] of [
    ['flow-plan', { revision: 0, default: flow }],
    ['pool-plan', { revision: 0, default: of.pool.guid }],
  ] as const) {
    const { status, text } = await api.put(`${of.path}/${name}`, of.organiser, body)
    expect(status, text).toBe(200)
  }
}

const visit = async (user: Caller) => visitAs(browser, front, user)
const seedOf = (team: string) => Number(team.slice('Team '.length))
/** Of two sides the one with the better seed, which wins: 0 or 1. */
const better = ([one, other]: Listed['sides']) => (seedOf(one) < seedOf(other) ? 0 : 1)
const scoresOf = (winner: number): readonly [number, number] => (winner === 0 ? [900_000, 800_000] : [800_000, 900_000])

/** What the games of both players will send of the next song. */
async function scriptSong(number: number, winner: number): Promise<void> {
  const match = await made.readMatch(number)
  for (const [at, { team }] of match.sides.entries()) {
    const [player] = made.players.find((side) => side[0]?.team === team.guid) ?? []
    player?.game.script.songs.push({ seconds: 0.2, scores: [], score: scoresOf(winner)[at] ?? 0, maxScore: 1_000_000 })
  }
}

test('an evening of 16 teams, from the first match to the placements', async () => {
  await using organisers = await visit(made.organiser)
  await using referees = await visit(made.referee)
  const complaints = [organisers, referees].flatMap(({ page }) => complaintsOf(page))
  const [host, referee] = [organisers, referees].map(({ page }) => new AtConsole(page, made.cup.id)) as [
    AtConsole,
    AtConsole,
  ]
  await Promise.all([host.open(), referee.open()])
  await expect.poll(() => host.listed('Ready', 'Late'), patient).toHaveLength(8)
  const first = await host.listed('Ready', 'Late')
  const sidesOf = (number: number) => first.find((each) => each.number === number)?.sides ?? (['', ''] as const)

  // Four matches at once: three are told by the referee, one by the assistant.
  for (const number of [1, 2, 3, 4]) await host.start(number)
  await expect.poll(() => referee.listed('Running'), patient).toHaveLength(4)
  for (const number of [1, 2, 3, 4]) {
    const cockpit = await referee.openCockpit(number)
    await cockpit.ban()
    await cockpit.toConsole()
  }
  for (const game of [1, 2]) {
    for (const number of [1, 2, 3]) {
      const cockpit = await referee.openCockpit(number)
      // The scores of match 2 are written down for the wrong sides.
      const winner = better(sidesOf(number))
      await cockpit.playMap(scoresOf(number === 2 ? 1 - winner : winner))
      if (game === 2) await cockpit.isOver()
      await cockpit.toConsole()
    }
  }
  const atAssistant = await referee.openCockpit(4)
  await atAssistant.openAssistant()
  for (const game of [1, 2]) {
    await atAssistant.pick()
    await scriptSong(4, better(sidesOf(4)))
    await atAssistant.playSong(game)
  }
  await atAssistant.toConsole()

  // The rest of the round, by both at once; then what follows from the wrong result is ready.
  const ofRound = (await host.listed('Ready', 'Late')).filter(({ number }) => number <= 8)
  await round(host, referee, ofRound, 2)
  const [one = '', other = ''] = sidesOf(2)
  const wrong = [one, other][1 - better([one, other])] ?? ''
  const right = [one, other][better([one, other])] ?? ''
  const ofTeam = async (team: string) =>
    (await host.listed('Ready', 'Late')).find(({ sides }) => sides.includes(team))?.number
  await expect.poll(() => ofTeam(wrong), patient).toBeDefined()
  const next = await ofTeam(wrong)
  const cockpit = await referee.openFinished(2)
  const dialog = await cockpit.lookAtCorrection(
    better([one, other]) === 0 ? [2, 0] : [0, 2],
    'Scores of the wrong sides',
  )
  expect(await dialog.getByRole('listitem').allTextContents()).toHaveLength(2)
  expect(await ofTeam(wrong)).toBe(next)
  await cockpit.apply(dialog)
  await cockpit.toConsole()
  await expect.poll(() => ofTeam(right), patient).toBe(next)

  // A team leaves, and comes back.
  const leaver = 'Team 1'
  const left = (await ofTeam(leaver)) ?? 0
  await host.withdraw(left, leaver, 'Their train does not run')
  await expect.poll(() => referee.line(left).count(), patient).toBe(0)
  await host.takeBack()
  await host.toConsole()
  await expect.poll(() => ofTeam(leaver), patient).toBe(left)

  const completed = async () =>
    (await made.read()).matches.filter(({ status }: BracketBody) => status === 'completed').length
  while ((await completed()) < 30) {
    await expect.poll(() => host.listed('Ready', 'Late'), patient).not.toHaveLength(0)
    await round(host, referee, await host.listed('Ready', 'Late'), 1)
  }
  await host.end()
  expect(complaints).toEqual([])
  await expectEnd(left)
}, 300_000)

/** Plays matches: the one at the console ends every other without play, the one at the cockpits tells the others. */
async function round(host: AtConsole, referee: AtConsole, ready: readonly Listed[], games: number): Promise<void> {
  const isWalked = ({ number }: Listed) => number % 2 === 1
  const walk = async () => {
    for (const { number, sides } of ready.filter(isWalked))
      await host.walkover(number, sides[1 - better(sides)] as string)
  }
  const tell = async () => {
    for (const { number, sides } of ready.filter((each) => !isWalked(each))) {
      const cockpit = await referee.openCockpit(number)
      await cockpit.playByHand(Array.from({ length: games }, () => scoresOf(better(sides))))
      await cockpit.toConsole()
    }
  }
  await Promise.all([walk(), tell()])
  const numbers = ready.map(({ number }) => number)
  for (const page of [host, referee])
    await expect
      .poll(async () => (await page.listed('Ready', 'Late')).filter(({ number }) => numbers.includes(number)), patient)
      .toEqual([])
}

/** Placements, who did what, and the two things that were set right. */
async function expectEnd(left: number): Promise<void> {
  const { path, organiser, referee } = made
  const { body: record } = await api.get(path, null)
  expect(record.status).toBe('completed')
  // The better seed has won every match.
  const places = record.placements.map(({ place, team }: BracketBody) => [place, seedOf(team.name)])
  expect(places).toEqual([
    ...[1, 2, 3, 4].map((seed) => [seed, seed]),
    ...[5, 5, 7, 7, 9, 9, 9, 9, 13, 13, 13, 13].map((place, at) => [place, at + 5]),
  ])
  const { matches } = await made.read()
  expect(matches.every(({ status }: BracketBody) => status === 'completed')).toBe(true)
  const winnerOf = (number: number) =>
    matches
      .find((match: BracketBody) => match.number === number)
      .sides.find(({ result }: BracketBody) => result === 'win').team.name
  expect(winnerOf(left)).toBe('Team 1')
  const { corrections } = (await api.get(`${path}/corrections`, organiser)).body
  const match2 = matches.find(({ number }: BracketBody) => number === 2)
  expect(corrections).toEqual([
    expect.objectContaining({ match: null, actor: expect.objectContaining({ guid: organiser.guid }), undoneAt: null }),
    expect.objectContaining({
      ...{ match: match2.guid, reason: 'Scores of the wrong sides', undoneAt: null },
      actor: expect.objectContaining({ guid: referee.guid }),
    }),
  ])
  const team = (await api.get(`${path}/teams/team-1`, organiser)).body
  expect([team.withdrawnAt, team.status]).toEqual([null, 'registered'])

  const entries: AuditEntry[] = []
  for (let before: string | null = ''; before !== null; ) {
    const query: string = before === '' ? '' : `&before=${encodeURIComponent(before)}`
    const { body } = await api.get(`${path}/audit?limit=100${query}`, organiser)
    entries.push(...body.entries)
    before = body.nextCursor
  }
  const doers = (type: string) => entries.flatMap((each) => (each.type === type ? [each.actor?.guid] : []))
  for (const type of ['team.withdrawn', 'team.returned', 'tournament.status_changed'])
    expect([type, doers(type)]).toEqual([type, [organiser.guid]])
  expect(doers('match.corrected')).toEqual([referee.guid])
  expect(new Set(doers('match.game_reported'))).toEqual(new Set([referee.guid]))
  const outcomes = matches.map(({ outcome }: BracketBody) => outcome)
  const walkovers = outcomes.filter((outcome: string) => outcome === 'walkover').length
  expect(walkovers).toBeGreaterThan(8)
  expect(doers('match.completed').filter((guid) => guid === organiser.guid)).toHaveLength(walkovers)
  expect(doers('match.completed').filter((guid) => guid === referee.guid)).toHaveLength(30 - walkovers)
}

describe('two cockpits of one match, whose sockets are at different processes', () => {
  let duel: MadeFlowPlay
  let play: FlowPlay
  let visitors: readonly RealVisitor[] = []
  beforeAll(async () => {
    duel = await makeFlowPlay(api, { teams: 2, maps: 7 })
    await plan(duel)
    play = new FlowPlay(api, duel)
    const begun = await play.begin({})
    expect(begun.status, begun.text).toBe(201)
    const other = await roleHolder(api, duel.cup, 'role:referee')
    visitors = await Promise.all([duel.referee, other].map(visit))
    const { guid } = await duel.readMatch(1)
    for (const { page } of visitors) {
      await page.goto(`/manage/${duel.cup.id}/live/${guid}`)
      await page.getByRole('button', { name: /^Ban / }).first().waitFor()
    }
    await until(() => new Set(sockets.open()).size === 2)
  })
  afterAll(async () => {
    for (const visitor of visitors) await visitor.close()
  })

  /** Which maps of the pool are banned, in its order, as a page shows them. */
  const shownBy = ({ page }: RealVisitor) =>
    page
      .getByRole('region', { name: 'Map pool', exact: true })
      .getByRole('listitem')
      .evaluateAll((lines) => lines.map((line) => line.textContent?.includes('banned') === true))
  const bans = (): boolean[] => play.state.maps.map(({ state }: { readonly state: string }) => state === 'banned')

  test('what one does is seen at the other', async () => {
    const [one, other] = visitors as [RealVisitor, RealVisitor]
    for (const [from, to] of [
      [one, other],
      [other, one],
    ]) {
      await from?.page.getByRole('button', { name: /^Ban / }).first().click()
      await expect
        .poll(async () => (await shownBy(to as RealVisitor)).filter(Boolean).length, patient)
        .toBe(from === one ? 1 : 2)
    }
    await other.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await shownBy(one)).filter(Boolean).length, patient).toBe(1)
    expect(new Set(sockets.open()).size).toBe(2)
  })

  test('sockets are cut 50 times at random: within 2 s both show the state of the service', async () => {
    await play.read()
    const times: number[] = []
    const step = (most: number) => Math.floor(Math.random() * most)
    const change = async () => {
      const left = bans().flatMap((isBanned, at) => (isBanned ? [] : [at]))
      const undoes = left.length === 5 || (left.length === 6 && step(2) === 0)
      const map = play.state.maps[left[step(left.length)] as number].map
      const { status, text } = undoes
        ? await play.call(duel.referee, 'undo', {})
        : await play.call(duel.referee, 'act', { action: 'ban', map, seat: play.state.turn.seats[0] })
      expect(status, text).toBe(200)
    }
    for (let cut = 0; cut < 50; cut++) {
      // The waits of the sockets grow from time to time; to come back to the window ends them.
      if (sockets.open().length === 0) {
        for (const { page } of visitors) await page.evaluate(() => dispatchEvent(new Event('focus')))
        await expect.poll(() => sockets.open().length, patient).toBeGreaterThan(0)
      }
      const changed = change()
      await wait(step(40))
      expect(sockets.cut(step(sockets.open().length))).toBe(true)
      await changed
      const since = performance.now()
      for (const visitor of visitors) await expect.poll(() => shownBy(visitor), patient).toEqual(bans())
      times.push(performance.now() - since)
    }
    // A busy machine is slower.
    expect(Math.max(...times)).toBeLessThan(4_000)
  })
})
