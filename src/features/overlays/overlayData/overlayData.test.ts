import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addBracket } from '../../../../test/bracket-play.ts'
import { fillTeam, MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { plainTree } from '../../../../test/overlay-tree.ts'
import { addPoolMaps, makeMaps, makePool } from '../../../../test/pools.ts'
import { countStatements } from '../../../../test/statements.ts'
import { makeStreamServer } from '../../../../test/streaming.ts'
import type { DataTree } from '../../../engine/scenes/tree.ts'
import type { Db } from '../../../infra/db/database.ts'
import { readShown } from '../../../infra/delay/store.ts'
import { findTournamentFor } from '../../tournaments/tournaments/store/tournaments.ts'
import { readTree } from './queries/tree.ts'
import type { Asked } from './types.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

type Wish = Partial<Omit<Asked, 'tournament'>>

interface Read {
  readonly tree: DataTree
  readonly tags: ReadonlySet<string>
}

async function read(path: string, wish: Wish, db: Db = api.app.database.db): Promise<Read> {
  const seen = await findTournamentFor(api.app.database.db, path.split('/').at(-1) ?? '', null)
  if (seen === undefined) throw new Error('there is no such tournament')
  const tags = new Set<string>()
  const depends = Object.assign(
    (...more: readonly string[]) => {
      for (const tag of more) tags.add(tag)
    },
    {
      until: () => {
        throw new Error('the tree changes by the clock')
      },
    },
  )
  const { publicUrl } = api.app.config
  const usual = { matchGuid: null, swapSides: false, highlighted: [], isLate: true, publicUrl, now: new Date() }
  const tree = await readTree(db, { ...usual, ...wish, tournament: seen.tournament }, depends)
  return { tree: JSON.parse(JSON.stringify(tree)), tags }
}

const lastEvent = async () =>
  Number((await api.sql<{ seq: string }>('select coalesce(max(seq), 0) as seq from event_log'))[0]?.seq)

/** Returns the events since a number, and the tags that they touched, kinds included. */
async function touchedSince(seq: number): Promise<{ readonly type: string; readonly touches: readonly string[] }[]> {
  return api.sql(
    `select type, case when tournament is null then touches else array_append(touches, tournament::text || ' ' || type) end as touches
     from event_log where seq > $1 order by seq`,
    [seq],
  )
}

/** Returns pseudo-random numbers from 0 to 1; the same numbers for the same seed. */
function lots(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const marks = ['MARKED-NOTES', 'MARKED-POOL', 'MARKED-MAP', 'MARKED-STAFF', 'MARKED-REASON', 'MARKED-HEADSET']

const flow = {
  name: 'Picks',
  bestOf: 3,
  steps: [
    { action: 'ban', actor: 'all', secret: true, seconds: 3_600 },
    {
      repeat: 'until_decided',
      steps: [
        { action: 'pick', actor: 'seat:1', seconds: 3_600 },
        { action: 'play' },
        { action: 'pick', actor: 'seat:2' },
        { action: 'play' },
      ],
    },
  ],
  rules: { replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'team', windowSeconds: 3_600 } },
}

/** A tournament in which the test may do anything. */
interface Stage {
  readonly made: MadeFlowPlay
  readonly flowGuid: string
  /** A draft pool, and a map of the published pool that is released later. */
  readonly drafted: string
  readonly coordinator: Caller
  readonly caster: Caller
}

async function makeStage(format: 'single_elimination' | 'double_elimination' | 'round_robin'): Promise<Stage> {
  const made = await makeFlowPlay(api, { teams: 6, bestOf: 3, maps: 9, bracket: { format } })
  const { organiser, path } = made
  const post = async (address: string, body: object, as = organiser) => kept(await api.post(path + address, as, body))
  const flowGuid = (await post('/flows', flow)).guid
  const [staged, late] = await makeMaps(api, [{ name: 'MARKED-MAP staged' }, { name: 'MARKED-MAP drafted' }])
  const drafted = await makePool(api, made.cup.guid, { name: 'MARKED-POOL', maps: [late?.guid ?? ''] })
  await addPoolMaps(api, made.pool.guid, [{ mapGuid: staged?.guid ?? '', isReleased: false }])
  await api.sql("update pool_maps set staff_note = 'MARKED-STAFF'")
  const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
  const caster = await roleHolder(api, made.cup, 'role:caster')
  await api.sql(
    "update users set headset = 'MARKED-HEADSET', email = 'MARKED-STAFF@example.org' where guid = any($1)",
    [made.captains.map(({ guid }) => guid)],
  )
  return { made, flowGuid, drafted: drafted.guid, coordinator, caster }
}

function kept({ status, body, text }: Reply): StateBody {
  if (status >= 300) throw new Error(`what a test starts from was refused: ${text}`)
  return body
}

/** A random action in the tournament; many are refused. */
type Deed = (stage: Stage, lot: () => number) => Promise<unknown>

const pickOne = <T>(all: readonly T[], lot: () => number): T | undefined => all[Math.floor(lot() * all.length)]
const sessions = new Map<string, FlowPlay>()

async function openMatch({ made }: Stage, lot: () => number): Promise<StateBody> {
  const { matches } = await made.read()
  return pickOne(
    matches.filter(({ status }: StateBody) => status === 'ready' || status === 'running'),
    lot,
  )
}

const deeds: Readonly<Record<string, Deed>> = {
  async begin(stage, lot) {
    const { made, flowGuid } = stage
    const match = await openMatch(stage, lot)
    if (match === undefined || sessions.has(match.guid)) return
    const play = new FlowPlay(api, made, match.number)
    const viewDelaySeconds = lot() < 0.3 ? 900 : 0
    const begun = await play.begin({ flowGuid, poolGuid: made.pool.guid, viewDelaySeconds })
    if (begun.status === 201) sessions.set(match.guid, play)
  },
  async act(_stage, lot) {
    const play = pickOne(running(), lot)
    const state = await play?.read()
    const turn = state?.turn
    if (play === undefined || turn === null || turn === undefined || turn.action === 'play') return
    const seat = pickOne<number>(turn.seats, lot) as number
    await play.act(seat, { action: turn.action, map: pickOne(turn.options, lot) })
  },
  async scores(_stage, lot) {
    const play = pickOne(running(), lot)
    const state = await play?.read()
    if (play === undefined || state === null) return
    if (state.phase === 'window') {
      const game = state.games.find(({ phase }: StateBody) => phase === 'window')
      const loser = game.provisional === 1 ? 2 : 1
      if (lot() < 0.5) await play.call(play.captain(loser), 'claims', {})
      else await play.call(play.made.referee, 'act', { action: 'accept', seat: loser })
      return
    }
    const score = () => ({
      score: Math.floor(lot() * 1_000_000),
      accuracy: Math.round(lot() * 10_000) / 10_000,
      misses: Math.floor(lot() * 30),
    })
    await play.scores(score(), score())
  },
  async undo(_stage, lot) {
    const play = pickOne(running(), lot)
    if ((await play?.read())?.session !== undefined) await play?.call(play.made.referee, 'undo', {})
  },
  async correct(_stage, lot) {
    const play = pickOne([...sessions.values()], lot)
    const state = await play?.read()
    const score = state?.games.at(0)?.chains.at(0)?.at(0)?.scores.at(0)
    if (play === undefined || score === undefined) return
    const { revision } = await play.made.read()
    const body = { misses: Math.floor(lot() * 60), reason: 'MARKED-REASON', revision, bracketRevision: revision }
    await api.patch(`${play.path}/scores/${score.guid}`, play.made.referee, { expect: state.position, ...body })
  },
  async clock(_stage, lot) {
    const play = pickOne(running(), lot)
    if ((await play?.read())?.clock)
      await play?.call(play.made.referee, 'clock', { op: lot() < 0.5 ? 'pause' : 'resume' })
  },
  async tell(stage, lot) {
    const { made } = stage
    const match = await openMatch(stage, lot)
    if (match === undefined || sessions.has(match.guid)) return
    const side = () => ({ score: Math.floor(lot() * 1_000_000), accuracy: Math.round(lot() * 10_000) / 10_000 })
    const number = match.games.length + 1
    await api.put(`${made.match(match.number)}/games/${number}`, made.organiser, {
      sides: [side(), side()],
      map: { hash: 'ab'.repeat(20), difficulty: 'Expert', characteristic: 'Standard', name: `Told ${number}` },
    })
  },
  async result(stage, lot) {
    const match = await openMatch(stage, lot)
    if (match !== undefined)
      await stage.made.tell(match.number, { outcome: 'score', scores: lot() < 0.5 ? [2, 1] : [0, 2] })
  },
  async schedule({ made }, lot) {
    const match = pickOne<StateBody>((await made.read()).matches, lot)
    await api.patch(made.match(match.number), made.organiser, {
      notes: `MARKED-NOTES ${lot()}`,
      ...(lot() < 0.7 ? { scheduledAt: new Date(Date.now() + Math.floor(lot() * 1e8)).toISOString() } : {}),
    })
  },
  async nameTeam({ made }, lot) {
    const team = pickOne(made.teams, lot)
    await api.patch(`${made.path}/teams/${team?.guid}`, made.organiser, { name: `Named ${lot()}`, color: '#123456' })
  },
  async nameUser({ made }, lot) {
    const captain = pickOne(made.captains, lot) as Caller
    await api.post('/updateUserSettings', captain, { preferredName: `Player ${Math.floor(lot() * 1_000)}` })
  },
  async rename({ made }, lot) {
    const name = `Renamed ${Math.floor(lot() * 1_000)}`
    if (lot() < 0.3) await api.patch(made.path, made.organiser, { name })
    else if (lot() < 0.5) await api.patch(`${made.path}/divisions/main`, made.organiser, { name })
    else await api.patch(`${made.path}/brackets/${made.bracket.guid}`, made.organiser, { name })
  },
  async divide({ made }, lot) {
    await api.post(`${made.path}/divisions`, made.organiser, { name: `Division ${Math.floor(lot() * 1_000)}` })
  },
  async add({ made }, lot) {
    // Refused once the tournament is completed.
    if (lot() < 0.3) await addBracket(api, made, { format: 'swiss', division: 'main' }).catch(() => {})
  },
  async plan({ made, drafted }, lot) {
    const { revision } = (await api.get(`${made.path}/pool-plan`, made.organiser)).body
    const pool = lot() < 0.5 ? drafted : made.pool.guid
    await api.put(`${made.path}/pool-plan`, made.organiser, { revision, default: pool })
  },
  async flair({ made }, lot) {
    const pool = (await api.get(`${made.path}/pools/${made.pool.guid}`, made.organiser)).body
    const map = pickOne<StateBody>(pool.maps, lot)
    const body = { isTiebreaker: lot() < 0.5, staffNote: `MARKED-STAFF ${lot()}`, reason: 'Other.' }
    await api.patch(`${made.path}/pools/${made.pool.guid}/maps/${map.guid}`, made.organiser, body)
  },
  async qualify({ made, coordinator }, lot) {
    const path = `${made.path}/qualifier`
    const hidden = lot() < 0.6
    const maps = [
      { hash: 'cd'.repeat(20), difficulty: 'Hard', name: 'MARKED-MAP of the qualifier', maxScore: 1_000_000 },
    ]
    const known = await api.get(path, made.organiser)
    const put = await api.put(path, made.organiser, {
      status: 'open',
      hideScores: hidden,
      method: 'sum_of_scores',
      ...(known.status === 404 ? { maps } : {}),
    })
    const map = put.body.maps?.[0]?.guid
    const user = pickOne(made.captains, lot)?.guid
    const score = Math.floor(lot() * 700_000)
    await api.post(`${path}/attempts`, coordinator, { attempts: [{ mapGuid: map, user, score }] })
  },
  async finish({ made }, lot) {
    await api.post(`${made.path}/status`, made.organiser, { status: lot() < 0.5 ? 'completed' : 'ongoing' })
  },
}

function running(): FlowPlay[] {
  return [...sessions.values()]
}

const usual = ['act', 'act', 'act', 'act', 'scores', 'scores', 'scores', 'begin', 'tell'] as const

describe('the data tree (10.9)', () => {
  test.each([
    { seed: 1, format: 'single_elimination' },
    { seed: 2, format: 'double_elimination' },
    { seed: 3, format: 'round_robin' },
  ] as const)(
    'is what anonymous reads come to, holds nothing hidden, and is told of by its tags (seed $seed)',
    async ({ seed, format }) => {
      sessions.clear()
      const lot = lots(seed)
      const stage = await makeStage(format)
      const { path } = stage.made
      const names = [...Object.keys(deeds), ...usual, ...usual, ...usual]
      const done: string[] = []
      const counts = { steps: 0, changed: 0, needless: 0 }
      for (let turn = 0; counts.steps < 30 && turn < 400; turn += 1) {
        const { matches } = await stage.made.read()
        const anyMatch = () => pickOne<StateBody>(matches, lot).guid
        const asked = {
          matchGuid: lot() < 0.1 ? null : lot() < 0.7 ? (pickOne([...sessions.keys()], lot) ?? anyMatch()) : anyMatch(),
          swapSides: lot() < 0.3,
          highlighted: lot() < 0.5 ? [] : [anyMatch(), anyMatch()],
        }
        const [late, now] = [await read(path, asked), await read(path, { ...asked, isLate: false })]
        const since = await lastEvent()
        const name = pickOne(names, lot) as string
        await deeds[name]?.(stage, lot)
        const events = await touchedSince(since)
        if (events.length === 0) continue
        done.push(name)
        counts.steps += 1
        const [lateAfter, nowAfter] = [await read(path, asked), await read(path, { ...asked, isLate: false })]
        expect(lateAfter.tree, `${done}`).toEqual(await plainTree(api, path, asked))
        if (counts.steps % 4 === 0) {
          expect(nowAfter.tree, `${done}`).toEqual(await plainTree(api, path, { ...asked, sessionsAs: stage.caster }))
        }
        for (const [before, after] of [
          [late, lateAfter],
          [now, nowAfter],
        ] as const) {
          const isTouched = events.some(({ touches }) => touches.some((tag) => before.tags.has(tag)))
          const isOther = JSON.stringify(before.tree) !== JSON.stringify(after.tree)
          if (isOther) expect(isTouched, `${done}; ${events.map(({ type }) => type)}`).toBe(true)
          counts.changed += isOther ? 1 : 0
          counts.needless += isTouched && !isOther ? 1 : 0
          const text = JSON.stringify(after.tree)
          expect(
            marks.filter((mark) => text.includes(mark)),
            `${done}`,
          ).toEqual([])
          const { hideScores = true } = (await api.get(`${path}/qualifier`)).body
          if (hideScores) expect(after.tree.qualifier).toEqual([])
        }
      }
      // Makes sure that the test did something.
      expect(counts.steps).toBe(30)
      expect(counts.changed).toBeGreaterThan(15)
    },
    120_000,
  )
})

describe('games (10.9)', () => {
  const replays = { rule: 'better_of_each', perMatch: 2, perMap: 2, by: 'team', windowSeconds: 3_600 }
  const score = (accuracy: number) => ({ score: accuracy * 1_000, accuracy, misses: Math.round(accuracy * 8) })
  const two = (first: number, second: number) => [score(first), score(second)]
  /** Each kind plays a map to its end, with a special course or report in addition to its scores. */
  const kinds: Readonly<
    Record<
      string,
      { readonly rules?: object; readonly games?: 0; readonly play: (play: MatchPlay) => Promise<unknown> }
    >
  > = {
    'of a replay, of which each player has their best': {
      async play(play) {
        await play.run(two(0.25, 0.5), two(0.75, 0.5))
        await play.claim(1)
        await play.run(two(0.5, 0.25), two(0.25, 1))
        await play.accept(1)
      },
    },
    'of a technical replay, of which the better counts': {
      rules: { replays: { rule: 'none' }, technical: { perMatch: null, counts: 'better' } },
      async play(play) {
        await play.run(two(0.75, 0.5), two(0.5, 0.25))
        await play.technical(1)
        await play.run(two(0.25, 0.25))
      },
    },
    'by accuracy': {
      rules: { replays: { rule: 'none' }, map: { by: 'accuracy', team: 'mean' } },
      play: (play) => play.run(two(0.75, 0.5), two(0.5, 0.25)),
    },
    'by misses': {
      rules: { replays: { rule: 'none' }, map: { by: 'misses' } },
      play: (play) => play.run(two(0.75, 0.5), two(0.5, 0.25)),
    },
    'lost by a penalty': {
      async play(play) {
        await play.run(two(0.75, 0.5), two(0.5, 0.25))
        await play.penalise({ seat: 1, type: 'map_loss', game: 1 })
      },
    },
    'told by hand, of a map of no pool': {
      async play(play) {
        const sides = [score(0.75), score(0.5)].map(({ score: points, accuracy }) => ({ score: points, accuracy }))
        const map = { hash: 'ef'.repeat(20), difficulty: 'Hard', characteristic: 'Standard', name: 'Elsewhere' }
        kept(await api.put(`${play.made.match(play.number)}/games/1`, play.made.organiser, { sides, map }))
      },
    },
    'taken back by hand once the session was ended': {
      games: 0,
      async play(play) {
        await play.run(two(0.75, 0.5), two(0.5, 0.25))
        await play.accept(2)
        kept(await play.call(play.made.referee, 'finish', { reason: 'By hand.' }))
        kept(await api.delete(`${play.made.match(play.number)}/games/1`, play.made.organiser))
      },
    },
    'told by hand once the session was ended': {
      async play(play) {
        await play.run(two(0.75, 0.5), two(0.5, 0.25))
        await play.accept(2)
        kept(await play.call(play.made.referee, 'finish', { reason: 'By hand.' }))
        const sides = [
          { score: 1, accuracy: 0.25 },
          { score: 2, accuracy: 0.5 },
        ]
        kept(await api.put(`${play.made.match(play.number)}/games/2`, play.made.organiser, { sides }))
        const { revision } = await play.match()
        kept(await api.put(`${play.made.match(play.number)}/games/1`, play.made.organiser, { sides, revision }))
      },
    },
  }

  test('lose nothing of what the match tells of them, however they were played', async () => {
    const cases = Object.entries(kinds)
    const made = await makeFlowPlay(api, {
      teams: 16,
      bestOf: 5,
      maps: 9,
      bracket: { tournament: { teamSize: { min: 1, max: 4, active: 2 } } },
    })
    const members = new Map<string, readonly string[]>()
    for (const [index, { guid }] of made.teams.entries()) members.set(guid, await fillTeam(api, made, index, 2))
    for (const [index, [title, { rules = {}, games, play: deed }]] of cases.entries()) {
      const steps = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }]
      const played = { replays, zero: [], map: { by: 'score' }, ...rules }
      const wish = { name: title.slice(0, 60), seats: 2, bestOf: null, pairs: [], steps }
      const flowGuid = await makeFlow(api, made, {
        ...wish,
        rules: { ...played, map: { ...played.map, players: 2 } },
      })
      const play = new MatchPlay(api, made, index + 1, members)
      await play.begin({ flowGuid })
      await deed(play)
      const match = await play.match()
      expect(match.games.length > 0, title).toBe(games !== 0)
      const { tree } = await read(made.path, { matchGuid: match.guid })
      const shown = tree.games.filter(({ phase }) => phase === 'final')
      const ofTree = shown.map(({ number, map, winner, sides }) => ({ number, hash: map?.hash, winner, sides }))
      const ofMatch = match.games.map(({ number, map, winner, sides }: StateBody, place: number) => ({
        // If the match does not know the map, the session does.
        number,
        hash: map?.hash ?? ofTree[place]?.hash,
        winner,
        sides: sides.map((side: StateBody) => ({ score: side.score, accuracy: side.accuracy ?? null })),
      }))
      expect(ofTree, title).toEqual(ofMatch)
      // Where the flow has no replays, none is left over: the number is unknown, and not 0.
      const hasReplays = played.replays.rule !== 'none'
      expect(
        tree.flow?.seats.map(({ replaysLeft }) => replaysLeft !== null),
        title,
      ).toEqual([hasReplays, hasReplays])
      expect(
        ofTree.slice(0, 1).every(({ sides }) => sides.every(({ accuracy }) => accuracy !== null)),
        title,
      ).toBe(true)
    }
  }, 120_000)
})

/** Both sides ban in secret, then the first side picks. */
async function begun(stage: Stage, viewDelaySeconds: number): Promise<FlowPlay> {
  const { number } = (await stage.made.read()).matches.find(({ status }: StateBody) => status === 'ready')
  const play = new FlowPlay(api, stage.made, number)
  kept(await play.begin({ flowGuid: stage.flowGuid, poolGuid: stage.made.pool.guid, viewDelaySeconds }))
  return play
}

describe('what hides what', () => {
  test('a secret answer is in no tree before all have answered, and a late session in none but those without delay', async () => {
    const stage = await makeStage('single_elimination')
    const { made } = stage
    const play = await begun(stage, 900)
    const [first = '', second = ''] = made.poolMaps
    const wish = { matchGuid: play.state.match }
    const both = async () => ({
      late: (await read(made.path, wish)).tree,
      now: (await read(made.path, { ...wish, isLate: false })).tree,
    })
    const begunSo = await both()
    kept(await play.act(1, { action: 'ban', map: first }))
    const answered = await both()
    // The tree shows that a side has answered, but not its answer.
    expect(answered.now.flow?.turn).toEqual({ action: 'ban', side: 2, run: null })
    expect({ ...answered.now, flow: null }).toEqual({ ...begunSo.now, flow: null })
    kept(await play.act(2, { action: 'ban', map: second }))
    const revealed = await both()
    expect(revealed.now.pickBans.map(({ action, side }) => [action, side])).toEqual([
      ['ban', 1],
      ['ban', 2],
    ])
    for (const { late } of [begunSo, answered, revealed]) expect([late.flow, late.pickBans]).toEqual([null, []])
  })

  test('sides, seats and scores of games follow the swap; numbers of sides do not', async () => {
    const stage = await makeStage('single_elimination')
    const { made } = stage
    const play = await begun(stage, 0)
    const [first = '', second = '', third = ''] = made.poolMaps
    kept(await play.act(1, { action: 'ban', map: first }))
    kept(await play.act(2, { action: 'ban', map: second }))
    kept(await play.act(1, { action: 'pick', map: third }))
    kept(await play.scores({ score: 900_000, accuracy: 0.9 }, { score: 800_000, accuracy: 0.8 }))
    const wish = { matchGuid: play.state.match }
    const [{ tree: straight }, { tree: swapped }] = [
      await read(made.path, wish),
      await read(made.path, { ...wish, swapSides: true }),
    ]
    expect(straight.sides.map(({ number }) => number)).toEqual([1, 2])
    expect(swapped.sides).toEqual(straight.sides.toReversed())
    expect(straight.games[0]?.sides).toEqual([
      { score: 900_000, accuracy: 0.9 },
      { score: 800_000, accuracy: 0.8 },
    ])
    expect(swapped.games[0]?.sides).toEqual(straight.games[0]?.sides.toReversed())
    expect([straight.games[0]?.winner, straight.games[0]?.provisional]).toEqual([1, true])
    expect([swapped.games[0]?.winner, swapped.map?.pickedBy]).toEqual([1, 1])
  })

  test('matches of other tournaments, and those that are gone, are none', async () => {
    const [one, other] = [await makeStage('single_elimination'), await makeStage('single_elimination')]
    const [{ guid: own }] = (await one.made.read()).matches
    const [{ guid: foreign }] = (await other.made.read()).matches
    const { tree } = await read(one.made.path, { matchGuid: foreign, highlighted: [foreign, own] })
    expect([tree.match, tree.sides.map(({ team }) => team)]).toEqual([null, [null, null]])
    expect(tree.bracket.highlighted.map(({ guid }) => guid)).toEqual([own])
    kept(await api.delete(`${one.made.path}/brackets/${one.made.bracket.guid}`, one.made.organiser))
    const gone = await read(one.made.path, { matchGuid: own, highlighted: [own] })
    expect([gone.tree.match, gone.tree.bracket.highlighted, gone.tree.standings]).toEqual([null, [], []])
  })

  test('players are shown with their ranks, and with where they are to be seen', async () => {
    const { made } = await makeStage('single_elimination')
    const [{ guid, sides }] = (await made.read()).matches
    const team = made.teams.findIndex((each) => each.guid === sides[0].team?.guid)
    const player = made.captains[team] as Caller
    const server = await makeStreamServer(api, { play: { whep: 'https://live.example.org/{path}/whep' } })
    for (const [platform, id] of [
      ['ranking-a', `7000${player.chatPlatformId}`.slice(0, 20)],
      ['ranking-b', `8000${player.chatPlatformId}`.slice(0, 20)],
      ['streaming', `quaver_${team}_${made.cup.id.replaceAll('-', '_')}`],
    ]) {
      await api.sql(
        'insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, now())',
        [player.guid, platform, id],
      )
      if (platform === 'streaming') continue
      await api.sql(
        `insert into ranking_profiles (platform, external_id, name, country, rank, fetched_at)
         values ($1, $2, 'Quaver', 'CA', $3, now())`,
        [platform, id, platform === 'ranking-a' ? 17 : 42],
      )
    }
    const of = async () => (await read(made.path, { matchGuid: guid })).tree.sides[0]?.players[0]
    const away = await of()
    expect([away?.rankA, away?.rankB, away?.country, away?.headset]).toEqual([17, 42, 'CA', null])
    expect(away?.stream).toMatchObject({ live: false, whep: null, hls: null })
    expect(away?.stream?.embed).toContain('https://player.twitch.tv/?channel=quaver_')
    const publish = (test: boolean) =>
      api.sql(
        `insert into stream_sessions (user_guid, server_guid, protocol, path, test, started_at)
         values ($1::uuid, $2, 'rtmp', 'live/' || $1, $3, now())`,
        [player.guid, server.guid, test],
      )
    await publish(true)
    expect((await of())?.stream?.live).toBe(false)
    await api.sql('update stream_sessions set ended_at = now(), end_reason = $1 where user_guid = $2', [
      'done',
      player.guid,
    ])
    await publish(false)
    expect((await of())?.stream).toMatchObject({
      live: true,
      whep: `https://live.example.org/live/${player.guid}/whep`,
      hls: `https://live.example.org/hls/live/${player.guid}/index.m3u8`,
      embed: away?.stream?.embed,
    })
  })

  test('viewers of a stream that is behind see no result before it', async () => {
    const { made } = await makeStage('single_elimination')
    const { database } = api.app
    await api.sql('update tournaments set stream_delay_seconds = 60 where guid = $1', [made.cup.guid])
    const shown = (matchGuid: string) =>
      readShown(database, 'requests', { tournament: made.cup.guid, match: null }, (db) =>
        read(made.path, { matchGuid }, db),
      )
    for (;;) {
      const ready = (await made.read()).matches.find(({ status }: StateBody) => status === 'ready')
      if (ready === undefined) break
      kept(await api.put(`${made.match(ready.number)}/games/1`, made.organiser, { sides: [side(0.9), side(0.8)] }))
      kept(await made.tell(ready.number, { outcome: 'score', scores: [2, 0] }))
    }
    kept(await api.post(`${made.path}/status`, made.organiser, { status: 'completed' }))
    const final = (await made.read()).matches.at(-1)
    const [{ tree: now }, { tree: late }] = [await read(made.path, { matchGuid: final.guid }), await shown(final.guid)]
    expect([now.match?.status, now.winners.length, now.bracket.recent.length]).toEqual(['completed', 6, 4])
    expect(now.statistics.highestAccuracy?.value).toBe(0.9)
    expect([late.match?.status, late.winners, late.bracket.recent]).toEqual(['locked', [], []])
    expect(late.sides.map(({ team, placeholder }) => [team, placeholder?.slice(0, 9)])).toEqual([
      [null, 'Winner of'],
      [null, 'Winner of'],
    ])
    expect(Object.values(late.statistics)).toEqual([null, null, null, null, null])
    expect(late.standings.map(({ played }) => played)).toEqual([0, 0, 0, 0, 0, 0])
  })
})

const side = (accuracy: number) => ({ score: accuracy * 1_000_000, accuracy })

describe('statistics', () => {
  const drawn = {
    name: 'Drawn',
    seats: 2,
    bestOf: null,
    pairs: [],
    rules: { replays: { rule: 'none' } },
    steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
  }

  /** A match that was played, and a tree that points at another match. */
  async function playedBeside(viewDelaySeconds: number) {
    const made = await makeFlowPlay(api, { teams: 8, bestOf: 1, maps: 5 })
    const flowGuid = await makeFlow(api, made, drawn)
    const play = new MatchPlay(api, made, 1)
    await play.begin({ flowGuid, viewDelaySeconds })
    const since = await lastEvent()
    await play.scores({ score: 900_000, misses: 3 }, { score: 800_000, misses: 7 })
    expect((await made.readMatch(1)).status).toBe('completed')
    const { guid } = await made.readMatch(2)
    return { play, flowGuid, since, seen: () => read(made.path, { matchGuid: guid }) }
  }

  const touchingTypes = async (tags: ReadonlySet<string>, seq: number) =>
    (await touchedSince(seq)).filter(({ touches }) => touches.some((tag) => tags.has(tag))).map(({ type }) => type)

  test('follow what is corrected in a match that is over, while the overlay points at another one', async () => {
    const { play, seen } = await playedBeside(0)
    const before = await seen()
    expect(before.tree.statistics.mostMisses?.value).toBe(7)
    const { position, games } = await play.read()
    const { guid } = games[0].chains.at(-1)[0].scores.find((score: StateBody) => score.seat === 2)
    const { revision } = await play.made.read()
    const since = await lastEvent()
    const change = { misses: 55, reason: 'Typed wrongly.', expect: position, revision, bracketRevision: revision }
    kept(await api.patch(`${play.path}/scores/${guid}`, play.made.referee, change))
    expect((await seen()).tree.statistics.mostMisses?.value).toBe(55)
    expect(await touchingTypes(before.tags, since)).toEqual(['flow.row'])
  })

  test('follow what outsiders see late of a match that is over, and no row of one that is not', async () => {
    const { play, flowGuid, since, seen } = await playedBeside(3)
    const before = await seen()
    expect(before.tree.statistics.mostMisses).toBe(null)
    await vi.waitUntil(async () => (await seen()).tree.statistics.mostMisses?.value === 7, {
      timeout: 20_000,
      interval: 50,
    })
    expect(await touchingTypes(before.tags, since)).toContain('flow.shown')
    const begun = await lastEvent()
    await new MatchPlay(api, play.made, 3).begin({ flowGuid })
    expect((await touchedSince(begun)).map(({ type }) => type)).toContain('flow.row')
    expect(await touchingTypes(before.tags, begun)).not.toContain('flow.row')
  })
})

test('as many statements for many matches as for few, and none that depends on the whole tournament', async () => {
  const [few, many] = [await makeStage('single_elimination'), await makeStage('round_robin')]
  const counted = async (stage: Stage) => {
    const { made } = stage
    const { matches } = await made.read()
    const ready = matches.filter(({ status }: StateBody) => status === 'ready').at(-1)
    kept(await api.put(`${made.match(ready.number)}/games/1`, made.organiser, { sides: [side(0.9), side(0.8)] }))
    kept(await made.tell(ready.number, { outcome: 'score', scores: [2, 0] }))
    const { match } = (await begun(stage, 0)).state
    const highlighted = matches.map(({ guid }: StateBody) => guid).slice(0, 8)
    const wish = { matchGuid: match, highlighted }
    await read(made.path, wish)
    const { statements, answer } = await countStatements(
      [
        'tournaments',
        'divisions',
        'brackets',
        'matches',
        'games',
        'teams',
        'team_members',
        'users',
        'qualifiers',
        'flow_sessions',
      ],
      () => read(made.path, wish),
    )
    expect(answer.tags.has(made.cup.guid)).toBe(false)
    return statements
  }
  const [less, more] = [await counted(few), await counted(many)]
  expect(less).toBeGreaterThan(8)
  expect(more).toBe(less)
  expect(less).toBeLessThanOrEqual(40)
})
