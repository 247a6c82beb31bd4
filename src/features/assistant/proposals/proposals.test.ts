import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillTeam, MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { expectedPlayer, songOfFlow, songOfMatch } from '../../../../test/proposals.ts'
import { setPlayState } from './commands/plays.ts'
import { proposalsPersonalData as data } from './store/personal-data.ts'
import { findOpenPlay } from './store/plays.ts'

/** Proposals and their decisions, with a flow and without. (AS16 to AS21) */

let api: Harness
let made: MadeFlowPlay
let referee: Caller
let drawn: string
let replayed: string
let level: string
let next = 0

beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 64, bestOf: 3, maps: 12 })
  referee = made.referee
  const flow = { seats: 2, bestOf: null, pairs: [] }
  const steps = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }]
  drawn = await makeFlow(api, made, { ...flow, steps, name: 'Drawn', rules: { replays: { rule: 'none' } } })
  replayed = await makeFlow(api, made, { ...flow, steps, name: 'Replayed', rules: { replays: { by: 'team' } } })
  level = await makeFlow(api, made, {
    ...flow,
    steps,
    name: 'Level',
    rules: { replays: { rule: 'none' }, tie: ['replay'], zero: ['failed', 'quit'] },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

const begin = async (flowGuid = drawn) => {
  const play = new MatchPlay(api, made, ++next)
  await play.begin({ flowGuid })
  return play
}
const list = async (address: string, as: Caller | null = referee) => (await api.get(address, as)).body.proposals
const accept = (address: string, guid: string, body?: object, query = '', as = referee) =>
  api.post(`${address}/${guid}/accept${query}`, as, body)
const superseded = async (guid: string) => {
  const read = async () => (await api.sql('select status from game_proposals where guid = $1', [guid]))[0]?.status
  await expect.poll(read, { interval: 20, timeout: 10_000 }).toBe('superseded')
}

describe('without a flow', () => {
  test('collected, proposed, accepted: the game is told, and the next one may come', async () => {
    const song = await songOfMatch(api, made, ++next)
    const [one, two] = song.players
    expect(await song.finish(one, 910_000)).toEqual({ isFirst: true })
    expect(await song.propose()).toMatchObject({ status: 'collecting', sides: [{ score: 910_000 }, { score: 0 }] })
    await song.finish(two, 920_000)
    const proposal = await song.propose()
    const [shown] = await list(song.address)
    expect(shown).toMatchObject({
      guid: proposal.guid,
      status: 'proposed',
      winner: 2,
      warnings: [],
      source: 'assistant',
      decidedBy: null,
      play: song.play.guid,
      game: 1,
      run: 1,
      map: { name: 'A song' },
      acceptAt: null,
      players: [
        { userGuid: one, side: 1, score: 910_000, misses: 3, completion: 'passed' },
        { userGuid: two, side: 2, score: 920_000, accuracy: 0.92 },
      ],
      sides: [
        { score: 910_000, accuracy: 0.91 },
        { score: 920_000, accuracy: 0.92 },
      ],
      provenance: { serverHost: 'assistant.example.org', serverVersion: 1310 },
    })
    const reply = await accept(song.address, proposal.guid)
    expect(outcome(reply)).toEqual([200, null])
    expect(reply.body).toMatchObject({
      proposal: { status: 'accepted', decidedBy: { guid: referee.guid } },
      state: null,
      match: {
        status: 'running',
        games: [
          {
            number: 1,
            winner: 2,
            map: { hash: 'a'.repeat(40), name: 'A song' },
            sides: [{ score: 910_000, accuracy: 0.91, completion: 'passed' }, { score: 920_000 }],
            players: [
              { userGuid: one, score: 910_000 },
              { userGuid: two, score: 920_000 },
            ],
          },
        ],
      },
    })
    expect(outcome(await accept(song.address, proposal.guid))).toEqual([409, 'proposal.decided'])
    const second = await songOfMatch(api, made, next, { game: 2 })
    for (const user of second.players) await second.finish(user, user === one ? 1 : 2)
    const { guid } = await second.propose()
    expect((await accept(second.address, guid)).body.match).toMatchObject({ status: 'completed' })
    const [row] = await api.sql<{ types: string[] }>(
      `select array_agg(type order by seq) as types from event_log where $1 = any(touches) and type like 'assistant.%'`,
      [(await made.readMatch(next)).guid],
    )
    expect(row?.types).toEqual([
      ...['assistant.song_finished', 'assistant.proposal_made', 'assistant.song_finished', 'assistant.proposal_made'],
      ...['assistant.proposal_accepted', 'assistant.song_finished', 'assistant.song_finished'],
      ...['assistant.proposal_made', 'assistant.proposal_accepted'],
    ])
  })

  test('who quit has 0, level is nobody’s, and who is missing is named', async () => {
    const song = await songOfMatch(api, made, ++next)
    const [one, two] = song.players
    await song.finish(one, 900_000, { completion: 'quit' })
    expect(await song.propose({ isComplete: true, warnings: ['interrupted'] })).toMatchObject({
      status: 'proposed',
      winner: null,
      sides: [{ score: 0 }, { score: 0 }],
      warnings: expect.arrayContaining([
        { code: 'interrupted', user: null },
        { code: 'quit', user: one },
        { code: 'player_missing', user: two },
      ]),
    })
    // A late player is no longer missing; the other warnings stay.
    await song.finish(two, 1)
    const proposal = await song.propose()
    expect(proposal.warnings.map(({ code }) => code).toSorted()).toEqual(['interrupted', 'quit'])
    expect(proposal).toMatchObject({ status: 'proposed', winner: 2 })
  })

  test('of which nobody’s result is known, it is accepted only with scores or a reason (D79)', async () => {
    const empty = async () => {
      const song = await songOfMatch(api, made, ++next)
      const proposal = await song.propose({ isComplete: true, warnings: ['interrupted'] })
      expect(proposal).toMatchObject({ status: 'proposed', players: [] })
      return { ...song, guid: proposal.guid }
    }
    const { address, guid, players } = await empty()
    for (const body of [undefined, {}, { players: [] }]) {
      const refused = await accept(address, guid, body)
      expect(outcome(refused)).toEqual([400, 'proposal.reason_missing'])
    }
    expect((await list(address))[0]).toMatchObject({ guid, status: 'proposed' })
    const scores = players.map((user, index) => ({ user, score: 900_000 + index, completion: 'passed' }))
    const accepted = await accept(address, guid, { players: scores })
    expect(outcome(accepted)).toEqual([200, null])
    expect(accepted.body.match.games).toMatchObject([{ winner: 2, sides: [{ score: 900_000 }, { score: 900_001 }] }])
    const other = await empty()
    const reason = 'Neither of them played; both agree to leave it at that.'
    const level = await accept(other.address, other.guid, { reason })
    expect(outcome(level)).toEqual([200, null])
    expect(level.body.proposal).toMatchObject({ status: 'accepted', reason, winner: null })
  })

  test('the first report counts: another one is a warning, the same once more is none', async () => {
    const song = await songOfMatch(api, made, ++next)
    const [one, two] = song.players
    await song.finish(one, 900_000)
    await song.finish(two, 800_000)
    const before = await song.propose()
    expect(await song.finish(one, 900_000)).toEqual({ isFirst: false })
    expect((await list(song.address))[0].warnings).toEqual([])
    expect(await song.finish(one, 999_999)).toEqual({ isFirst: false })
    expect((await list(song.address))[0]).toMatchObject({
      guid: before.guid,
      warnings: [{ code: 'second_report', user: one }],
      players: [{ score: 900_000 }, { score: 800_000 }],
    })
    expect((await song.propose()).players[0]?.score).toBe(900_000)
  })

  test('corrected by whoever accepts, for a reason; a missing player is added', async () => {
    const song = await songOfMatch(api, made, ++next)
    const [one, two] = song.players
    await song.finish(one, 900_000)
    const { guid } = await song.propose({ isComplete: true })
    const players = [{ user: two.toUpperCase(), score: 950_000, completion: 'passed' }]
    expect(outcome(await accept(song.address, guid, { players }))).toEqual([400, 'proposal.reason_missing'])
    const stranger = [{ user: made.organiser.guid, score: 1, completion: 'passed' }]
    expect(outcome(await accept(song.address, guid, { players: stranger, reason: 'VOD' }))).toEqual([
      ...[400, 'proposal.player_unknown'],
    ])
    const { body } = await accept(song.address, guid, { players, reason: 'Read from the VOD.' })
    expect(body).toMatchObject({
      proposal: {
        reason: 'Read from the VOD.',
        winner: 2,
        players: [{}, { userGuid: two, score: 950_000, misses: null }],
      },
      match: { games: [{ winner: 2, sides: [{ score: 900_000 }, { score: 950_000, accuracy: 0.95 }] }] },
    })
    const rows = await api.sql('select score from assistant_finishes where play_guid = $1', [song.play.guid])
    expect(rows).toEqual([{ score: 900_000 }])
  })

  test('numbers that cannot be are not known; nothing that a game says of itself keeps its result away', async () => {
    const song = await songOfMatch(api, made, ++next)
    const [one, two] = song.players
    await song.finish(one, -5, { accuracy: Number.NaN, endTime: Number.POSITIVE_INFINITY, mods: ['A\u0000B'] })
    await song.finish(two, 5, { accuracy: 2.5 })
    const { guid } = await song.propose()
    const [shown] = await list(song.address)
    expect(shown.players).toMatchObject([
      { score: 0, accuracy: null, endTime: null },
      { score: 5, accuracy: null },
    ])
    expect((await accept(song.address, guid)).body.match.games).toMatchObject([{ winner: 2 }])
  })

  test('only corrections are previewed; a revision that is given counts', async () => {
    const song = await songOfMatch(api, made, ++next)
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid } = await song.propose()
    for (const [query, body] of [
      ['?dryRun=true', undefined],
      ['', { dryRun: true }],
    ] as const) {
      expect(outcome(await accept(song.address, guid, body, query))).toEqual([400, 'proposal.nothing_to_preview'])
    }
    expect(outcome(await accept(song.address, guid, { revision: 99_999 }))).toEqual([409, 'correction.stale'])
    expect((await made.readMatch(next)).games).toEqual([])
  })

  test('rejected with a reason; then nothing becomes of it', async () => {
    const song = await songOfMatch(api, made, ++next)
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid } = await song.propose()
    expect((await api.post(`${song.address}/${guid}/reject`, referee, {})).status).toBe(400)
    const { body } = await api.post(`${song.address}/${guid}/reject`, referee, { reason: 'Wrong difficulty.' })
    expect(body).toMatchObject({
      proposal: { status: 'rejected', reason: 'Wrong difficulty.', players: [{ score: 1_000 }, { score: 1_000 }] },
      match: { games: [] },
    })
    const late = await accept(song.address, guid)
    expect(outcome(late)).toEqual([409, 'proposal.decided'])
    expect(late.body.proposal).toMatchObject({ guid, status: 'rejected' })
  })

  test('a game that was told by hand takes its place, and it is refused from that moment on', async () => {
    const song = await songOfMatch(api, made, ++next)
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid } = await song.propose()
    const told = { sides: [{ score: 5 }, { score: 6 }] }
    expect((await api.put(`${made.match(next)}/games/1`, referee, told)).status).toBe(200)
    const reply = await accept(song.address, guid)
    expect(reply.status).toBe(409)
    expect(['proposal.stale', 'proposal.decided']).toContain(outcome(reply)[1])
    await superseded(guid)
    expect((await made.readMatch(next)).games).toMatchObject([{ winner: 2, sides: [{ score: 5 }, { score: 6 }] }])
  })

  test('of several starts of a song one result counts', async () => {
    const songs = [await songOfMatch(api, made, ++next), await songOfMatch(api, made, next)]
    for (const song of songs) for (const user of song.players) await song.finish(user, 1_000)
    const [first, second] = await Promise.all(songs.map((song) => song.propose()))
    await accept(songs[0]?.address ?? '', second?.guid ?? '')
    expect((await list(songs[0]?.address ?? '')).find(({ guid }: StateBody) => guid === first?.guid)).toMatchObject({
      status: 'superseded',
      decidedBy: null,
    })
  })

  test('what comes late of a completed match is taken as a correction alone, which is previewed, and can be undone', async () => {
    const song = await songOfMatch(api, made, ++next)
    const match = made.match(next)
    for (const number of [1, 2]) {
      await api.put(`${match}/games/${number}`, referee, { sides: [{ score: 9 }, { score: 5 }] })
    }
    const [one, two] = song.players
    await song.finish(one, 100)
    await song.finish(two, 200)
    const { guid, warnings } = await song.propose()
    expect(warnings).toEqual([{ code: 'late', user: null }])
    const before = await made.readMatch(next)
    expect(before).toMatchObject({ status: 'completed', games: [{ winner: 1 }, { winner: 1 }] })
    expect(outcome(await accept(song.address, guid))).toEqual([409, 'match.completed'])
    const preview = await accept(song.address, guid, undefined, '?dryRun=true')
    expect(preview.body).toMatchObject({
      proposal: { status: 'proposed' },
      correction: { dryRun: true, correctionGuid: null },
      match: { status: 'completed', games: [{ winner: 1 }, { winner: 1 }] },
    })
    const { revision } = preview.body.correction
    expect(outcome(await accept(song.address, guid, { revision: revision + 1 }))).toEqual([409, 'correction.stale'])
    const { body } = await accept(song.address, guid, { revision, reason: 'Typed wrongly.' })
    expect(body).toMatchObject({
      proposal: { status: 'accepted' },
      match: { status: 'running', games: [{ winner: 2, sides: [{ score: 100 }, { score: 200 }] }, { winner: 1 }] },
    })
    const undone = await api.post(`${made.path}/corrections/${body.correction.correctionGuid}/undo`, referee)
    expect(outcome(undone)).toEqual([200, null])
    expect((await made.readMatch(next)).games).toEqual(before.games)
  })

  test('what came late of two teams is no correction of what others have played in their place', async () => {
    const firsts = [++next, ++next]
    for (const number of firsts) await made.tell(number, { outcome: 'score', scores: [2, 0] })
    const { nextMatchGuid } = await made.readMatch(firsts[0] ?? 0)
    const { number } = (await made.read()).matches.find(({ guid }: StateBody) => guid === nextMatchGuid)
    const play = async () => {
      for (const game of [1, 2]) {
        const told = await api.put(`${made.match(number)}/games/${game}`, referee, {
          sides: [{ score: 9 }, { score: 5 }],
        })
        expect(outcome(told)).toEqual([200, null])
      }
    }
    const song = await songOfMatch(api, made, number)
    await play()
    for (const player of song.players) await song.finish(player, 100)
    const { guid, warnings } = await song.propose()
    expect(warnings).toEqual([{ code: 'late', user: null }])
    const { revision } = await made.read()
    const corrected = await made.tell(firsts[0] ?? 0, { outcome: 'score', scores: [0, 2], revision })
    expect(outcome(corrected)).toEqual([200, null])
    await play()
    const before = await made.readMatch(number)
    const late = { revision: (await made.read()).revision }
    expect(outcome(await accept(song.address, guid, late))).toEqual([400, 'game.player_unknown'])
    expect(outcome(await accept(song.address, guid, {}, '?dryRun=true'))).toEqual([400, 'game.player_unknown'])
    expect(await made.readMatch(number)).toEqual(before)
  })

  test('a song that is broken off proposes nothing, and another one may begin', async () => {
    const sessionGuid = '00000000-0000-4000-8000-00000000cafe'
    const song = await songOfMatch(api, made, ++next, { sessionGuid })
    const { database } = api.app
    expect(await findOpenPlay(database.db, sessionGuid)).toMatchObject({ guid: song.play.guid, state: 'sending' })
    await database.transaction((tx) => setPlayState(tx, song.play.guid, 'started', new Date()))
    await song.finish(song.players[0], 1, { completion: 'quit' })
    const { guid } = await song.propose()
    await database.transaction((tx) => setPlayState(tx, song.play.guid, 'aborted', new Date()))
    expect(await findOpenPlay(database.db, sessionGuid)).toBeUndefined()
    expect(await list(song.address)).toMatchObject([{ guid, status: 'superseded' }])
    await songOfMatch(api, made, next, { sessionGuid })
    expect(await findOpenPlay(database.db, sessionGuid)).toMatchObject({ state: 'sending', endedAt: null })
  })

  test('a match that is over without the game refuses it', async () => {
    const song = await songOfMatch(api, made, ++next, { game: 3 })
    for (const number of [1, 2]) {
      await api.put(`${made.match(next)}/games/${number}`, referee, { sides: [{ score: 9 }, { score: 5 }] })
    }
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid, warnings } = await song.propose()
    expect(warnings).toMatchObject([{ code: 'late' }])
    expect(outcome(await accept(song.address, guid))).toEqual([409, 'proposal.stale'])
  })
})

describe('with a flow', () => {
  test('a match from its first song to its end; the log has every score, and its source', async () => {
    const play = await begin()
    for (const game of [1, 2]) {
      const song = await songOfFlow(api, play)
      const [one, two] = song.players
      await song.finish(one, 900_000 + game)
      await song.finish(two, 800_000 + game)
      const { guid } = await song.propose()
      const reply = await accept(song.address, guid)
      expect(outcome(reply)).toEqual([200, null])
      expect(reply.body.state.games[game - 1]).toMatchObject({
        game,
        phase: 'final',
        winner: 1,
        totals: [900_000 + game, 800_000 + game],
        chains: [
          [
            {
              scores: [
                { user: one, source: 'assistant', externalId: `${song.play.guid}:${one}`, counts: true, misses: 3 },
                { user: two, source: 'assistant', externalId: `${song.play.guid}:${two}`, counts: true },
              ],
            },
          ],
        ],
      })
      expect(reply.body.match.games).toHaveLength(game)
      play.state = reply.body.state
      await play.agrees()
    }
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
    expect(await play.match()).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 0 }] })
  })

  test('provisional by its rules: who failed counts 0, and replays count by their chain', async () => {
    const play = await begin(replayed)
    const first = await songOfFlow(api, play)
    const [one, two] = first.players
    await first.finish(one, 900_000)
    await first.finish(two, 950_000, { completion: 'failed' })
    const proposal = await first.propose()
    expect(proposal).toMatchObject({ winner: 1, sides: [{ score: 900_000 }, { score: 0 }] })
    play.state = (await accept(first.address, proposal.guid)).body.state
    expect(play.state).toMatchObject({ phase: 'window', games: [{ provisional: 1 }] })
    await play.claim(2)
    expect(play.state.turn).toMatchObject({ game: 1, run: 2 })
    const again = await songOfFlow(api, play)
    await again.finish(one, 100_000)
    await again.finish(two, 910_000)
    const second = await again.propose()
    // The first side's better run counts.
    expect(second).toMatchObject({ run: 2, winner: 2, sides: [{ score: 900_000 }, { score: 910_000 }] })
    const { body } = await accept(again.address, second.guid)
    expect(body.state.games[0]).toMatchObject({ winner: 2, totals: [900_000, 910_000], because: 'better_of_each' })
    expect(body.match.games).toMatchObject([{ winner: 2 }])
  })

  test('a level map begins again with run 1: what was proposed before it is not of it', async () => {
    const play = await begin(level)
    const [song, other] = [await songOfFlow(api, play), await songOfFlow(api, play)]
    for (const each of [song, other]) for (const user of each.players) await each.finish(user, 700_000)
    const [proposal, second] = [await song.propose(), await other.propose()]
    await play.run(600_000, 600_000)
    expect(play.state).toMatchObject({ turn: { game: 1, run: 1 }, games: [{ phase: 'replay', chain: 2 }] })
    for (const { guid } of [proposal, second]) {
      const reply = await accept(song.address, guid)
      expect(reply.status).toBe(409)
      await superseded(guid)
    }
    const again = await songOfFlow(api, play)
    const [one, two] = again.players
    await again.finish(one, 2)
    await again.finish(two, 1)
    const { guid } = await again.propose()
    expect((await accept(again.address, guid)).body.state.games[0]).toMatchObject({ winner: 1, totals: [2, 1] })
  })

  test('technical replays are songs of their own: the others’ scores stay', async () => {
    const play = await begin(drawn)
    const first = await songOfFlow(api, play)
    const [one, two] = first.players
    await first.finish(one, 100_000, { completion: 'quit' })
    await first.finish(two, 800_000)
    play.state = (await accept(first.address, (await first.propose()).guid)).body.state
    await play.technical(1)
    const again = await songOfFlow(api, play, { game: 1, technical: true })
    await again.finish(one, 850_000)
    await again.finish(two, 1)
    const proposal = await again.propose()
    expect(proposal).toMatchObject({ winner: 1, sides: [{ score: 850_000 }, { score: 800_000 }] })
    const { body } = await accept(again.address, proposal.guid)
    expect(body.state.games[0]).toMatchObject({ phase: 'final', winner: 1, totals: [850_000, 800_000] })
    expect(body.state.warnings).toEqual([])
  })

  test('without everybody the run is complete when it is accepted; a score that was typed goes before', async () => {
    const play = await begin()
    const song = await songOfFlow(api, play)
    const [one, two] = song.players
    await song.finish(one, 900_000)
    const { guid } = await song.propose({ isComplete: true })
    const { body } = await accept(song.address, guid)
    expect(body.state.games[0]).toMatchObject({ phase: 'final', winner: 1, totals: [900_000, 0] })
    play.state = body.state
    const typed = await songOfFlow(api, play)
    await play.done(referee, 'scores', { scores: [{ user: two, score: 950_000 }] })
    for (const user of typed.players) await typed.finish(user, 940_000)
    const second = await typed.propose()
    expect(second.status).toBe('proposed')
    const reply = await accept(typed.address, second.guid)
    expect(reply.body.state.games[1]).toMatchObject({ winner: 2, totals: [940_000, 950_000] })
  })

  test('of another map nothing counts, and the flow waits for a referee', async () => {
    const play = await begin()
    const song = await songOfFlow(api, play)
    const [one, two] = song.players
    await song.finish(one, 900_000, { warnings: ['wrong_map'] })
    await song.finish(two, 800_000)
    const proposal = await song.propose()
    expect(proposal).toMatchObject({ winner: 2, warnings: [{ code: 'wrong_map', user: one }] })
    const { body } = await accept(song.address, proposal.guid)
    expect(body.state).toMatchObject({ phase: 'referee', warnings: [{ code: 'wrong_map', blocking: true, user: one }] })
    expect(body.match.games).toEqual([])
  })

  test('a song of another map, or on another difficulty, than the flow is at', async () => {
    const play = await begin()
    const [{ map: own }] = play.state.games
    const foreign = play.state.pool.maps.find(({ guid }: StateBody) => guid !== own)
    const { hash, characteristic, difficulty, name, maxScore } = foreign.map
    const wrong = { hash, characteristic, difficulty, name, modifiers: [], maxScore }
    const song = await songOfFlow(api, play, { map: { ...wrong, poolMapGuid: foreign.guid } })
    await song.finish(song.players[0], 1)
    expect(await song.propose()).toMatchObject({
      warnings: [{ code: 'wrong_map', user: null }],
      sides: [{ score: 0 }, { score: 0 }],
    })
    const right = play.state.pool.maps.find(({ guid }: StateBody) => guid === own).map
    const easy = await songOfFlow(api, play, {
      map: { ...wrong, hash: right.hash, difficulty: 'Easy', poolMapGuid: null },
    })
    await easy.finish(easy.players[0], 1)
    expect((await easy.propose()).warnings.map(({ code }) => code)).toEqual(['wrong_difficulty', 'free_map'])
  })

  test('scores and games by hand take its place; a session that was begun anew, too', async () => {
    const play = await begin()
    const song = await songOfFlow(api, play)
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid } = await song.propose()
    await play.win(2)
    expect((await accept(song.address, guid)).status).toBe(409)
    await superseded(guid)
    const second = await songOfFlow(api, play)
    for (const user of second.players) await second.finish(user, 1_000)
    const told = await second.propose()
    await api.put(`${made.match(play.number)}/games/2`, referee, { sides: [{ score: 2 }, { score: 1 }] })
    expect((await accept(song.address, told.guid)).status).toBe(409)
    await superseded(told.guid)
    const anew = await begin()
    const third = await songOfFlow(api, anew)
    for (const user of third.players) await third.finish(user, 1_000)
    const old = await third.propose()
    await anew.call(referee, 'restart', { reason: 'The wrong pool.' })
    expect(outcome(await accept(third.address, old.guid))).toEqual([409, 'proposal.stale'])
  })

  test('rows that are withheld from outsiders count as well', async () => {
    const play = new MatchPlay(api, made, ++next)
    await play.begin({ flowGuid: drawn, viewDelaySeconds: 600 })
    const song = await songOfFlow(api, play)
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid } = await song.propose()
    await play.call(referee, 'scores', { scores: song.players.map((user, index) => ({ user, score: index + 1 })) })
    await superseded(guid)
    expect(outcome(await api.get(`${song.address}`, null))[0]).toBe(401)
  })

  test('sides of several players, by the flow’s rules: of each the best two, of whom one failed', async () => {
    const teams = await makeFlowPlay(api, {
      teams: 2,
      bestOf: 3,
      maps: 7,
      bracket: { tournament: { teamSize: { min: 1, max: 4, active: 3 } } },
    })
    const filled = await Promise.all([0, 1].map((index) => fillTeam(api, teams, index, 3)))
    const members = new Map(teams.teams.map(({ guid }, index) => [guid, filled[index] as string[]]))
    const flowGuid = await makeFlow(api, teams, {
      name: 'Best two',
      seats: 2,
      bestOf: null,
      pairs: [],
      steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
      rules: { map: { team: 'top', top: 2, players: 3 }, replays: { rule: 'none' } },
    })
    const play = new MatchPlay(api, teams, 1, members)
    await play.begin({ flowGuid })
    const expected = [1, 2].flatMap((side) => play.players(side).map((user) => expectedPlayer(user, side as 1 | 2)))
    const song = await songOfFlow(api, play, { expected })
    const scores = [900, 800, 100, 950, 700, 990]
    for (const [index, { userGuid }] of expected.entries()) {
      await song.finish(userGuid, scores[index] ?? 0, index === 5 ? { completion: 'failed' } : {})
    }
    const proposal = await song.propose()
    expect(proposal).toMatchObject({ status: 'proposed', winner: 1, sides: [{ score: 1_700 }, { score: 1_650 }] })
    const { body } = await accept(song.address, proposal.guid, undefined, '', teams.referee)
    expect(body.state.games[0]).toMatchObject({ winner: 1, totals: [1_700, 1_650] })
    expect(body.match.games[0].players).toHaveLength(6)
  })

  test('a session that was ended without a result leaves the match to its own operations', async () => {
    const play = await begin()
    const song = await songOfFlow(api, play)
    const [one, two] = song.players
    await song.finish(one, 3)
    await song.finish(two, 2)
    const { guid } = await song.propose()
    await play.call(referee, 'finish', { reason: 'By hand.' })
    const { body } = await accept(song.address, guid)
    expect(body.match.games).toMatchObject([{ number: 1, winner: 1, sides: [{ score: 3 }, { score: 2 }] }])
  })

  test('a flow that was ended has its maps told, and so are the songs', async () => {
    const play = await begin()
    const song = await songOfFlow(api, play)
    const [one, two] = song.players
    await song.finish(one, 3)
    await song.finish(two, 4)
    const { guid } = await song.propose()
    await play.override({ op: 'end_flow' })
    const { body } = await accept(song.address, guid)
    expect(body).toMatchObject({ match: { games: [{ winner: 2 }] }, state: { games: [{ because: 'told' }] } })
    play.state = body.state
    await play.agrees()
  })

  test('what comes late is a correction, of which the log says the same', async () => {
    const play = await begin()
    const song = await songOfFlow(api, play)
    await play.win(1)
    await play.win(1)
    const { games } = play.state
    const [one, two] = song.players
    await song.finish(one, 700_000)
    await song.finish(two, 750_000)
    const { guid, warnings, sides } = await song.propose()
    expect([warnings, sides]).toMatchObject([[{ code: 'late' }], [{ score: 700_000 }, { score: 750_000 }]])
    const preview = await accept(song.address, guid, undefined, '?dryRun=true')
    const { body } = await accept(song.address, guid, { revision: preview.body.correction.revision })
    expect(body).toMatchObject({
      match: { status: 'running', games: [{ winner: 2, sides: [{ score: 700_000 }, { score: 750_000 }] }, {}] },
      state: { scoreline: [1, 1], status: 'paused' },
    })
    await play.read()
    await play.agrees()
    expect(play.state.draws.seed).toBeNull()
    const undone = await api.post(`${made.path}/corrections/${body.correction.correctionGuid}/undo`, referee)
    expect(outcome(undone)).toEqual([200, null])
    expect(await play.agrees()).toMatchObject({ status: 'completed', games: [{ winner: 1 }, { winner: 1 }] })
    // The session has the games as they were played, so that their scores can still be corrected.
    expect(play.state.games).toEqual(games)
  })
})

test('nobody is refused for what the clock has done: that is kept, and told', async () => {
  const flow = await makeFlow(api, made, {
    name: 'Quick',
    seats: 2,
    bestOf: null,
    pairs: [],
    steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
    rules: { replays: { windowSeconds: 600 } },
  })
  const play = await begin(flow)
  const song = await songOfFlow(api, play)
  const [one, two] = song.players
  await play.run(5, 4)
  expect(play.state.phase).toBe('window')
  await song.finish(one, 5)
  await song.finish(two, 4)
  const { guid } = await song.propose()
  expect(outcome(await accept(song.address, guid))).toEqual([409, 'proposal.stale'])
})

describe('who', () => {
  test('staff read; operators decide; nobody else learns that there is anything', async () => {
    const song = await songOfMatch(api, made, ++next)
    for (const user of song.players) await song.finish(user, 1_000)
    const { guid } = await song.propose()
    const caster = await roleHolder(api, made.cup, 'role:caster')
    const player = made.captains.find((captain) => captain.guid === song.players[0]) as Caller
    expect((await list(song.address, caster)).length).toBe(1)
    expect(outcome(await api.get(song.address, null))[0]).toBe(401)
    for (const as of [player, await api.user()]) {
      expect(outcome(await api.get(song.address, as))).toEqual([403, 'role.missing'])
      expect(outcome(await accept(song.address, guid, undefined, '', as))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await accept(song.address, guid, undefined, '', caster))).toEqual([403, 'role.missing'])
    const again = await songOfMatch(api, made, next)
    await again.finish(again.players[0], 1)
    const newest = await again.propose()
    const page = await api.get(`${song.address}?limit=1`, caster)
    expect(page.body.proposals).toMatchObject([{ guid: newest.guid, status: 'collecting' }])
    const rest = await api.get(`${song.address}?limit=1&before=${page.body.nextCursor}`, caster)
    expect(rest.body).toMatchObject({ proposals: [{ guid }], nextCursor: null })
    const elsewhere = `${made.match(next - 1)}/proposals`
    expect(outcome(await accept(elsewhere, guid))).toEqual([404, 'proposal.unknown'])
    expect(outcome(await api.post(`${song.address}/${made.cup.guid}/reject`, referee, { reason: 'x' }))).toEqual([
      ...[404, 'proposal.unknown'],
    ])
    const token = await api.token(referee, ['assistant'])
    const path = `${song.address}/${guid}/accept`
    expect((await api.call('POST', path, { token })).status).toBe(200)
  })
})

test('personal data: exported, and of those who go, what is not a result goes', async () => {
  const song = await songOfMatch(api, made, ++next)
  const [one] = song.players
  const captain = made.captains.find(({ guid }) => guid === one) as Caller
  await song.finish(one, 777_000, { mods: ['SongCore'] })
  const { database } = api.app
  expect(await data.sections.assistantFinishes(database.db, one, 10)).toMatchObject([
    { score: 777_000, mods: ['SongCore'] },
  ])
  expect((await data.sections.gameProposalsDecided(database.db, referee.guid, 100)).length).toBeGreaterThan(3)
  await database.transaction((tx) => data.forget(tx, captain, new Date()))
  const [row] = await api.sql(
    'select expected, mods from assistant_plays p join assistant_finishes f on f.play_guid = p.guid where p.guid = $1',
    [song.play.guid],
  )
  expect(row).toMatchObject({
    mods: [],
    expected: [{ userGuid: one, platformId: null }, { platformId: expect.any(String) }],
  })
})
