import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadlocks } from '../../../../test/bracket-play.ts'
import { MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { beginSong, type PlayedSong, songOfFlow, songOfMatch } from '../../../../test/proposals.ts'
import { saveFinish } from './commands/plays.ts'

/** Concurrent decisions on two processes: exactly one result counts. */

let api: Harness
let other: Harness
let made: MadeFlowPlay
let referee: Caller
let drawn: string
let next = 0

beforeAll(async () => {
  api = await startHarness()
  other = await api.sibling()
  made = await makeFlowPlay(api, { teams: 64, bestOf: 3, maps: 12 })
  referee = made.referee
  drawn = await makeFlow(api, made, {
    name: 'Drawn',
    seats: 2,
    bestOf: null,
    pairs: [],
    rules: { replays: { rule: 'none' } },
    steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
  })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

type Song = PlayedSong & { readonly players: readonly [string, string]; readonly address: string }

const either = (index: number) => (index % 2 === 0 ? api : other)
const begin = async () => {
  const play = new MatchPlay(api, made, ++next)
  await play.begin({ flowGuid: drawn })
  return play
}

async function proposed(song: Song): Promise<string> {
  const [one, two] = song.players
  await song.finish(one, 900_000)
  await song.finish(two, 800_000)
  return (await song.propose()).guid
}

const eventsOf = async (match: string) => {
  const rows = await api.sql<{ type: string; count: number }>(
    `select type, count(*)::int as count from event_log where $1 = any(touches) and type ~ 'proposal_|^match\\.' group by type`,
    [match],
  )
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}

describe('30 at once: accepts, rejects, and results by hand', () => {
  const told = { sides: [{ score: 1 }, { score: 2 }] }
  const rush = async (song: Song, guid: string, number: number, byHand: (index: number) => Promise<Reply>) => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const service = either(index >> 2)
        if (index % 3 === 0) return service.post(`${song.address}/${guid}/accept`, referee)
        if (index % 3 === 1) return service.post(`${song.address}/${guid}/reject`, referee, { reason: 'No.' })
        return byHand(index)
      }),
    )
    for (const reply of replies) expect(reply.status, reply.text.slice(0, 300)).toBeLessThan(500)
    const won = (from: number) => replies.filter((reply, index) => index % 3 === from && reply.status === 200).length
    const match = await made.readMatch(number)
    expect(match.games).toHaveLength(1)
    const [row] = await api.sql<{ status: string }>('select status from game_proposals where guid = $1', [guid])
    return { match, status: row?.status, accepts: won(0), rejects: won(1), byHand: won(2), replies }
  }

  test('without a flow: one game', async () => {
    for (let round = 0; round < 3; round += 1) {
      const song = await songOfMatch(api, made, ++next)
      const number = next
      const guid = await proposed(song)
      const after = await rush(song, guid, number, (index) =>
        either(index).put(`${made.match(number)}/games/1`, referee, told),
      )
      expect(after.accepts + after.rejects).toBeLessThanOrEqual(1)
      const isAccepted = after.accepts === 1
      expect(after.match.games[0].winner).toBe(isAccepted ? 1 : 2)
      if (isAccepted) expect(after.status).toBe('accepted')
      const codes = new Set(after.replies.map((reply) => outcome(reply)[1]))
      expect(
        [...codes].filter((code) => !['proposal.decided', 'proposal.stale', 'game.reported', null].includes(code)),
      ).toEqual([])
      const events = await eventsOf(after.match.guid)
      expect(events['assistant.proposal_accepted'] ?? 0).toBe(after.accepts)
      expect(events['match.game_reported']).toBe(1)
    }
  })

  test('with a flow: one game, with the scores of one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const play = await begin()
      const song = await songOfFlow(api, play)
      const guid = await proposed(song)
      const scores = { game: 1, scores: song.players.map((user, index) => ({ user, score: index + 1 })) }
      const after = await rush(song, guid, play.number, (index) =>
        either(index).post(`${play.path}/scores`, referee, scores),
      )
      expect(after.accepts + after.rejects).toBeLessThanOrEqual(1)
      expect(after.match.games[0].winner).toBe(after.accepts === 1 ? 1 : 2)
      await play.read()
      await play.agrees()
      expect(play.state.games[0].chains[0][0].scores).toHaveLength(2)
    }
  })

  test('two proposals of one song', async () => {
    const songs = [await songOfMatch(api, made, ++next), await songOfMatch(api, made, next)] as const
    const guids = [await proposed(songs[0]), await proposed(songs[1])]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        either(index).post(`${songs[0].address}/${guids[(index >> 1) % 2]}/accept`, referee),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await made.readMatch(next)).games).toHaveLength(1)
  })
})

test('of a song that is told of by several ways at once, each player’s first report counts', async () => {
  const song = await songOfMatch(api, made, ++next)
  const [one] = song.players
  const firsts = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      either(index).app.database.transaction((tx) =>
        saveFinish(
          tx,
          song.play.guid,
          {
            userGuid: one,
            side: 1,
            score: 1_000 + (index % 2),
            maxScore: null,
            accuracy: null,
            misses: 0,
            badCuts: 0,
            goodCuts: 0,
            maxCombo: null,
            completion: 'passed',
            endTime: null,
            mods: [],
            warnings: [],
            receivedAt: new Date(),
          },
          new Date(),
        ),
      ),
    ),
  )
  expect(firsts.filter(({ isFirst }) => isFirst)).toHaveLength(1)
  expect((await song.propose()).warnings).toEqual([{ code: 'second_report', user: one }])
  const [row] = await api.sql(
    `select count(*)::int as count from event_log where type = 'assistant.song_finished' and subject = $1`,
    [song.play.matchGuid],
  )
  expect(row).toEqual({ count: 1 })
})

test('one start of a session is open at a time', async () => {
  const { play } = await songOfMatch(api, made, ++next)
  const sessionGuid = '00000000-0000-4000-8000-00000000beef'
  const starts = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      beginSong(either(index), {
        sessionGuid,
        tournamentGuid: play.tournamentGuid,
        matchGuid: play.matchGuid,
        expected: play.expected,
      }),
    ),
  )
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const start of starts) {
    if (start.status === 'rejected') expect(start.reason).toMatchObject({ code: 'assistant.play_open' })
  }
})

describe('what accepts itself', () => {
  const link = (cup: MadeFlowPlay, autoAcceptMs: number, autoAccept = true) =>
    api.sql(
      `insert into assistant_links (tournament_guid, host, port, tls, certificate, assistant_guid, assistant_name, token_kind,
         enabled, allow_modify, banned_mods, defaults)
       values ($1, 'assistant.example.org', 8676, true, 'public', 'a', 'A', 'bot', true, false, '{Cheat}', $2)`,
      [
        cup.cup.guid,
        JSON.stringify({
          playMode: 'now',
          readyCheck: false,
          prompt: '',
          loadTimeoutMs: 100_000,
          autoAccept,
          autoAcceptMs,
        }),
      ],
    )

  test('after its time, once, in the name of the service; with warnings, by hand or switched off, never', async () => {
    const cup = await makeFlowPlay(api, { teams: 16, bestOf: 3, maps: 12 })
    const flow = await makeFlow(api, cup, {
      name: 'Drawn',
      seats: 2,
      bestOf: null,
      pairs: [],
      rules: { replays: { rule: 'none' } },
      steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
    })
    await link(cup, 3_000)
    const plain = await songOfMatch(api, cup, 1)
    const plays = new MatchPlay(api, cup, 2)
    await plays.begin({ flowGuid: flow })
    const flowing = await songOfFlow(api, plays)
    const warned = await songOfMatch(api, cup, 3)
    const touched = await songOfMatch(api, cup, 4)
    const ofGame = await songOfMatch(api, cup, 5, { source: 'game' })
    const banned = await songOfMatch(api, cup, 6)
    const told = await songOfMatch(api, cup, 7)
    const secondReport = await songOfMatch(api, cup, 8)
    await banned.finish(banned.players[0], 1, { mods: ['Cheat'] })
    const [first, second, failed, rejected, game, modded, handed, twice] = await Promise.all([
      ...[plain, flowing].map(proposed),
      warned.finish(warned.players[0], 1, { completion: 'failed' }).then(() => proposed(warned)),
      ...[touched, ofGame].map(proposed),
      ...[banned, told, secondReport].map(proposed),
    ])
    await api.post(`${touched.address}/${rejected}/reject`, cup.referee, { reason: 'No.' })
    await api.put(`${cup.match(7)}/games/1`, cup.referee, { sides: [{ score: 1 }, { score: 2 }] })
    await secondReport.finish(secondReport.players[0], 5)
    const read = async () => {
      const rows = await api.sql<{ guid: string; status: string; decided_by: string | null }>(
        'select guid, status, decided_by from game_proposals where tournament_guid = $1',
        [cup.cup.guid],
      )
      const of = new Map(rows.map((row) => [row.guid, `${row.status} ${row.decided_by === null ? '-' : 'user'}`]))
      return [first, second, failed, rejected, game, modded, handed, twice].map((guid) => of.get(guid ?? ''))
    }
    expect((await read()).slice(0, 2)).toEqual(['proposed -', 'proposed -'])
    await expect
      .poll(async () => (await read()).slice(0, 2), { timeout: 15_000, interval: 100 })
      .toEqual([...['accepted -', 'accepted -']])
    expect(await read()).toEqual([
      ...['accepted -', 'accepted -', 'proposed -', 'rejected user', 'proposed -', 'proposed -', 'superseded -'],
      'proposed -',
    ])
    expect((await cup.readMatch(1)).games).toMatchObject([{ winner: 1 }])
    await plays.read()
    expect((await plays.agrees()).games).toMatchObject([{ winner: 1 }])
    expect((await plays.log()).find(({ kind }) => kind === 'scores')).toMatchObject({ by: null })
    for (const song of [plain, flowing]) {
      expect((await eventsOf(song.play.matchGuid))['assistant.proposal_accepted']).toBe(1)
    }
    await api.sql(
      `update assistant_links set defaults = defaults || '{"autoAccept": false}' where tournament_guid = $1`,
      [cup.cup.guid],
    )
    const off = await songOfMatch(api, cup, 1, { game: 2 })
    const guid = await proposed(off)
    expect(await api.sql('select accept_at, status from game_proposals where guid = $1', [guid])).toEqual([
      { accept_at: null, status: 'proposed' },
    ])
    // The session's setting has priority over the link's.
    const [session] = await api.sql<{ guid: string }>(
      `insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, state, auto_accept)
       values ($1, $2, $3, 'connected', 'idle', '{}', true) returning guid`,
      [cup.cup.guid, plain.play.matchGuid, cup.referee.guid],
    )
    const own = await songOfMatch(api, cup, 1, { game: 2, sessionGuid: session?.guid ?? null })
    const [row] = await api.sql('select accept_at from game_proposals where guid = $1', [await proposed(own)])
    expect(row?.accept_at).toBeInstanceOf(Date)
  })

  test('nothing does in a cancelled tournament', async () => {
    const cup = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 4 })
    await link(cup, 60_000)
    const song = await songOfMatch(api, cup, 1)
    const guid = await proposed(song)
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [cup.cup.guid])
    await api.sql(`update game_proposals set accept_at = now() where guid = $1`, [guid])
    const read = () => api.sql('select status, accept_at from game_proposals where guid = $1', [guid])
    await expect
      .poll(read, { timeout: 15_000, interval: 100 })
      .not.toMatchObject([{ status: 'proposed', accept_at: expect.any(Date) }])
    expect(await read()).toEqual([{ status: 'proposed', accept_at: null }])
  })

  test('nothing does while the session of its match is paused: an operator looks at it', async () => {
    const cup = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 6 })
    await link(cup, 60_000)
    const flow = await makeFlow(api, cup, {
      name: 'Drawn',
      seats: 2,
      bestOf: null,
      pairs: [],
      rules: { replays: { rule: 'none' } },
      steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }],
    })
    const play = new MatchPlay(api, cup, 1)
    await play.begin({ flowGuid: flow })
    const song = await songOfFlow(api, play)
    const guid = await proposed(song)
    await play.done(cup.referee, 'clock', { op: 'pause' })
    await api.sql(`update game_proposals set accept_at = now() where guid = $1`, [guid])
    const read = async () => (await api.sql('select status, accept_at from game_proposals where guid = $1', [guid]))[0]
    await expect.poll(read, { timeout: 15_000, interval: 100 }).toEqual({ status: 'proposed', accept_at: null })
    expect((await play.match()).games).toEqual([])
    expect((await api.post(`${song.address}/${guid}/accept`, cup.referee)).status).toBe(200)
    expect((await play.match()).games).toMatchObject([{ winner: 1 }])
  })

  test('a refusal leaves it to operators, and is not tried again each second', async () => {
    const song = await songOfMatch(api, made, ++next)
    const guid = await proposed(song)
    await api.sql(`update game_proposals set game = 2, accept_at = now() where guid = $1`, [guid])
    await api.sql(`update assistant_plays set game = 2 where guid = $1`, [song.play.guid])
    await link(made, 3_000)
    await expect
      .poll(async () => (await api.sql('select accept_at, status from game_proposals where guid = $1', [guid]))[0], {
        timeout: 10_000,
      })
      .toEqual({ accept_at: null, status: 'proposed' })
  })
})

test('in all of this nobody waited in a circle', async () => {
  expect(await deadlocks(api)).toBe(0)
})
