import { expect } from 'vitest'
import {
  type AssistantPlayer,
  type AssistantWorld,
  assistantPath,
  type MadeAssistantPlay,
  makeAssistantPlay,
} from './assistant.ts'
import type { ScriptedSong } from './fakes/assistant/scripts.ts'
import { expectAgreement, MatchPlay } from './flow-cases.ts'
import { outcome, type Reply } from './harness.ts'
import { type WatchedMatch, watchMatch } from './match-watch.ts'

/**
 * Best of seven, two against two, played by a fake assistant from the opening of the session to a decided bracket.
 * (assistant: What proves it, 1)
 */

const patient = { timeout: 60_000, interval: 25 }

async function done(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  expect([reply.status, reply.status < 300 ? '' : reply.text]).toEqual([reply.status, ''])
  return reply
}

export type Scores = readonly [one: number, other: number]

export interface Song {
  /** The scores of both players of the first side and of the second side, in thousands. */
  readonly scores: readonly [number, number, number, number]
  /** How one player ended the song early, given by side and place. */
  readonly ends?: { readonly side: 1 | 2; readonly place: 0 | 1; readonly as: 'failed' | 'quit' }
  /** The proposed result in thousands: by the rules of the match, including earlier plays of the map. */
  readonly totals: Scores
  readonly winner: 1 | 2
  /**
   * `yield`: the losing side claims no replay; `claim`: it claims one; `reject`: the operators have the song played
   * again.
   */
  readonly next: 'yield' | 'claim' | 'final' | 'reject'
  /** The score of the match after the song. */
  readonly line: Scores
}

/**
 * With replays the better score of each player counts; a player who fails or quits has 0. (match-flows: Presets,
 * accsaber-bo7)
 */
export const byFlow: readonly Song[] = [
  { scores: [900, 900, 800, 800], totals: [1_800, 1_600], winner: 1, next: 'yield', line: [1, 0] },
  { scores: [900, 850, 880, 860], totals: [1_750, 1_740], winner: 1, next: 'claim', line: [1, 0] },
  { scores: [890, 840, 900, 865], totals: [1_750, 1_765], winner: 2, next: 'final', line: [1, 1] },
  {
    scores: [900, 880, 950, 940],
    ends: { side: 2, place: 1, as: 'failed' },
    totals: [1_780, 950],
    winner: 1,
    next: 'yield',
    line: [2, 1],
  },
  {
    scores: [500, 990, 700, 720],
    ends: { side: 1, place: 0, as: 'quit' },
    totals: [990, 1_420],
    winner: 2,
    next: 'yield',
    line: [2, 2],
  },
  { scores: [910, 900, 905, 890], totals: [1_810, 1_795], winner: 1, next: 'claim', line: [2, 2] },
  { scores: [800, 700, 903, 891], totals: [1_810, 1_796], winner: 1, next: 'final', line: [3, 2] },
  { scores: [880, 870, 900, 890], totals: [1_750, 1_790], winner: 2, next: 'yield', line: [3, 3] },
  // The second side has claimed replays for both of its players.
  { scores: [950, 940, 949, 940], totals: [1_890, 1_889], winner: 1, next: 'final', line: [4, 3] },
]

/** The sums of the players; a player who quits has 0, and one who fails keeps the score. (AS18) */
export const byHand: readonly Song[] = [
  { scores: [900, 900, 800, 800], totals: [1_800, 1_600], winner: 1, next: 'final', line: [1, 0] },
  { scores: [910, 850, 860, 880], totals: [1_760, 1_740], winner: 1, next: 'reject', line: [1, 0] },
  { scores: [900, 850, 900, 865], totals: [1_750, 1_765], winner: 2, next: 'final', line: [1, 1] },
  {
    scores: [900, 300, 600, 500],
    ends: { side: 1, place: 1, as: 'failed' },
    totals: [1_200, 1_100],
    winner: 1,
    next: 'final',
    line: [2, 1],
  },
  {
    scores: [990, 500, 700, 720],
    ends: { side: 1, place: 0, as: 'quit' },
    totals: [500, 1_420],
    winner: 2,
    next: 'final',
    line: [2, 2],
  },
  { scores: [910, 900, 905, 890], totals: [1_810, 1_795], winner: 1, next: 'final', line: [3, 2] },
  { scores: [880, 870, 900, 890], totals: [1_750, 1_790], winner: 2, next: 'final', line: [3, 3] },
  { scores: [950, 940, 949, 940], totals: [1_890, 1_889], winner: 1, next: 'final', line: [4, 3] },
]

const thousands = ([first, second]: Scores) => [first * 1_000, second * 1_000]

/** An additional observer of the match, with its expectations. */
export interface Onlooker {
  /** Called when the match exists and nothing has been played. */
  readonly made?: (made: MadeAssistantPlay) => Promise<void>
  /** Called when the flow has begun, and after each ban and pick. */
  readonly chosen?: (flow: MatchPlay) => Promise<void>
  /** Called with the scores of each side's players while the song runs. */
  readonly scored?: (sides: readonly (readonly number[])[]) => Promise<void>
  /** Called when the song is over for all players, before its result is decided. */
  readonly ended?: (song: Song) => Promise<void>
  /** Called with all songs so far after each decision. */
  readonly decided?: (songs: readonly Song[]) => Promise<void>
}

export interface Played {
  readonly world: AssistantWorld
  readonly made: MadeAssistantPlay
  readonly flow: MatchPlay | null
  readonly watched: WatchedMatch
  readonly onlooker: Onlooker
}

/** @returns the match, with an open session, all players connected, and its maps picked */
export async function arrangeMatch(
  world: AssistantWorld,
  { hasFlow, onlooker = {} }: { readonly hasFlow: boolean; readonly onlooker?: Onlooker },
): Promise<Played> {
  const { api } = world
  const made = await makeAssistantPlay(world, { bestOf: 7, maps: 13, players: 2 })
  await onlooker.made?.(made)
  const members = made.players.map((side) => [side[0]?.team ?? '', side.map(({ user }) => user.guid)] as const)
  const flow = hasFlow ? new MatchPlay(api, made, 1, new Map(members)) : null
  if (flow !== null) {
    await flow.begin({ flowGuid: 'accsaber-bo7' })
    await onlooker.chosen?.(flow)
    while (flow.state.phase === 'choosing') {
      const { action, seats, options } = flow.state.turn
      const [seat] = seats
      const said = action === 'choose' ? { place: 1 } : { map: options[0] }
      await done(flow.act(seat, { action, ...said }))
      await onlooker.chosen?.(flow)
    }
  }
  const watched = await watchMatch(api, made, hasFlow)
  await done(api.post(assistantPath(made), made.referee))
  await expect.poll(async () => (await api.get(assistantPath(made), made.referee)).body.phase, patient).toBe('ready')
  return { world, made, flow, watched, onlooker }
}

/** All players of the match with their results in a song. */
function scored({ players }: MadeAssistantPlay, { scores, ends }: Song) {
  return players.flatMap((side, index) =>
    side.map((player: AssistantPlayer, place) => {
      const isNamed = ends?.side === index + 1 && ends.place === place
      const completion: ScriptedSong['completion'] = isNamed ? ends.as : 'passed'
      return { ...player, side: index + 1, score: (scores[index * 2 + place] ?? 0) * 1_000, completion }
    }),
  )
}

/** Selects and loads the next map, and starts it for all players. @returns GUID of the play */
async function start({ world, made, flow, watched }: Played, song: Song, game: number, run: number): Promise<string> {
  const { api } = world
  const path = assistantPath(made)
  await done(api.post(`${path}/control`, made.referee, { action: 'take' }))
  const map = flow?.state.games.find((each: { game: number }) => each.game === game).map ?? made.poolMaps[game - 1]
  const set = await done(
    api.put(`${path}/map`, made.referee, flow === null ? { poolMapGuid: map } : { source: 'flow' }),
  )
  expect(set.body.map).toMatchObject({ poolMapGuid: map, hash: made.hashes[made.poolMaps.indexOf(map)] })
  expect((await done(api.post(`${path}/load`, made.referee))).body.phase).toBe('loaded')
  for (const { game: own, score } of scored(made, song)) {
    own.script.songs.push({ seconds: 600, scores: [], score, maxScore: 1_000_000 })
  }
  const { body } = await done(api.post(`${path}/play`, made.referee))
  expect(body).toMatchObject({ phase: 'playing', play: { game, run, state: 'started' } })
  const shown = { phase: 'playing', map: body.map, play: { startedAt: body.play.startedAt } }
  expect((await api.get(`${watched.match}/assistant`)).body).toEqual(shown)
  await expect.poll(() => watched.live().session, patient).toMatchObject({ phase: 'playing', mapHash: body.map.hash })
  return body.play.guid
}

/** The lead changes twice, which the observers see; then the song ends. */
async function perform({ made, watched, onlooker }: Played, song: Song): Promise<void> {
  const everybody = scored(made, song)
  const shows = async (wanted: readonly (readonly [number, string])[]) => {
    const values = () => everybody.map(({ user }) => watched.live()[`player:${user.guid}`])
    const read = () => values().map((value) => [value?.modifiedScore, value?.state])
    await expect.poll(read, patient).toEqual(wanted)
    expect(values().map(({ source }) => source)).toEqual(everybody.map(() => 'assistant'))
    const scores = wanted.map(([score]) => score)
    await onlooker.scored?.([1, 2].map((side) => scores.filter((_, index) => everybody[index]?.side === side)))
  }
  for (const [at, ahead] of [
    [0.2, 1],
    [0.5, 2],
  ] as const) {
    const soFar = (side: number) => (side === ahead ? 190_000 : 180_000) * at * 5
    for (const { game, side } of everybody) game.tellScore({ at, score: soFar(side) })
    await shows(everybody.map(({ side }) => [soFar(side), 'playing']))
  }
  for (const { game, score } of everybody) game.tellScore({ at: 1, score })
  await shows(everybody.map(({ score }) => [score, 'playing']))
  for (const { game, completion } of everybody) game.stop(completion)
  await shows(everybody.map(({ score, completion }) => [score, completion === 'failed' ? 'failed' : 'finished']))
  await expect.poll(() => watched.live().session?.phase, patient).toBe('finished')
  await onlooker.ended?.(song)
}

/** @returns the proposal with the result of the song */
async function proposed({ world, made, flow }: Played, song: Song, play: string, game: number, run: number) {
  const newest = async () => (await world.api.get(`${made.first}/proposals`, made.referee)).body.proposals[0]
  const isThere = async () => {
    const { play: of, status } = await newest()
    return of === play && status === 'proposed'
  }
  await expect.poll(isThere, patient).toBe(true)
  const proposal = await newest()
  const { ends } = song
  const user = ends === undefined ? null : made.players[ends.side - 1]?.[ends.place]?.user.guid
  expect(proposal).toMatchObject({
    game,
    run,
    source: 'assistant',
    winner: song.winner,
    sides: thousands(song.totals).map((score) => ({ score })),
    warnings: ends === undefined ? [] : [{ code: ends.as, user }],
  })
  const told = new Map(proposal.players.map((player: { userGuid: string }) => [player.userGuid, player]))
  for (const { user: of, side, score, completion } of scored(made, song)) {
    expect(told.get(of.guid)).toMatchObject({ side, score, completion, maxScore: 1_000_000 })
  }
  expect(told.size).toBe(4)
  expect(flow === null ? null : flow.state.turn).toMatchObject(flow === null ? {} : { game, run })
  return proposal.guid as string
}

async function decide({ world, made, flow }: Played, { next, winner }: Song, proposal: string): Promise<void> {
  const { api } = world
  const address = `${made.first}/proposals/${proposal}`
  if (next === 'reject') {
    await done(api.post(`${address}/reject`, made.referee, { reason: 'A cable came off; all agree to play it again.' }))
    return
  }
  const { body } = await done(api.post(`${address}/accept`, made.referee))
  expect(body.proposal).toMatchObject({ guid: proposal, status: 'accepted' })
  expect(outcome(await api.post(`${address}/accept`, made.referee))).toEqual([409, 'proposal.decided'])
  if (flow === null) return
  flow.state = body.state
  expect(body.state.phase === 'window').toBe(next !== 'final')
  if (next === 'yield') await flow.accept(3 - winner)
  if (next === 'claim') await flow.claim(3 - winner)
}

/** Expects the results of the songs in the match, in the flow, and in the observers' copies. */
async function compare({ world, made, flow, watched, onlooker }: Played, songs: readonly Song[]): Promise<void> {
  const { api } = world
  // The state of a session is saved a moment after it is shown.
  const phase = async () => (await api.get(`${watched.match}/assistant`)).body.phase
  await expect.poll(phase, patient).toBe('finished')
  await watched.agree()
  const { body: match } = await api.get(watched.match)
  const counted = songs.filter(({ next }) => next !== 'claim' && next !== 'reject')
  const [line] = songs.slice(-1).map((song) => song.line)
  expect(match.sides.map(({ score }: { score: number }) => score)).toEqual(line)
  expect(match.games).toMatchObject(
    counted.map(({ totals, winner }, index) => ({
      number: index + 1,
      winner,
      sides: thousands(totals).map((score) => ({ score })),
    })),
  )
  const { proposals } = (await api.get(`${made.first}/proposals`, made.referee)).body
  const statuses = songs.map(({ next }) => (next === 'reject' ? 'rejected' : 'accepted'))
  expect(proposals.map(({ status }: { status: string }) => status)).toEqual(statuses.toReversed())
  if (flow !== null) {
    const { body: state } = await api.get(`${watched.match}/flow`)
    expectAgreement(state, match)
    expect(state.scoreline).toEqual(line)
  }
  await onlooker.decided?.(songs)
}

/** Plays all songs, and checks what the observers see. */
export async function playAll(played: Played, songs: readonly Song[]): Promise<void> {
  const { world, made, flow, watched } = played
  const { api } = world
  const path = assistantPath(made)
  for (const [index, song] of songs.entries()) {
    const before = songs.slice(0, index)
    const last = before.at(-1)?.next
    const game = before.filter(({ next }) => next !== 'claim' && next !== 'reject').length + 1
    const run = last === 'claim' ? 2 : 1
    const play = await start(played, song, game, run)
    await perform(played, song)
    const proposal = await proposed(played, song, play, game, run)
    await decide(played, song, proposal)
    await compare(played, songs.slice(0, index + 1))
  }
  expect(await made.readMatch(1)).toMatchObject({ status: 'completed', sides: [{ result: 'win' }, { result: 'loss' }] })
  expect(await made.read()).toMatchObject({ status: 'completed' })
  // Each order made every player play once, and each is a run.
  for (const { game } of made.players.flat()) expect(game.count('command.playSong')).toBe(songs.length)
  const plays = await api.sql('select from assistant_plays where tournament_guid = $1', [made.cup.guid])
  expect(plays).toHaveLength(songs.length)
  if (flow !== null) {
    await flow.agrees()
    expect(flow.state).toMatchObject({ status: 'over', winner: 1, scoreline: [4, 3] })
    const runs = flow.state.games.flatMap(({ chains }: { chains: object[][] }) => chains.flat())
    expect(runs).toHaveLength(songs.length)
  }
  await done(api.delete(path, made.referee))
  expect((await api.get(path, made.referee)).body).toMatchObject({ status: 'closed', closedAt: expect.any(String) })
  await watched.agree()
  await watched.close()
}
