import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTeam, roleHolder } from '../../../../test/make.ts'
import { done, makePlayers, type Stage, stage } from '../../../../test/qualifiers.ts'

let api: Harness
/** The server that results are fetched from; each test sets its answer. */
let answer: RequestListener
let boardUrl: string
const server = createServer((request, response) => answer(request, response))
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  boardUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/board?key=s3cret`
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await new Promise((resolve) => server.close(resolve))
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const answers = (text: string, status = 200) => {
  answer = (_, response) => response.writeHead(status).end(text)
}
const sync = ({ cup }: Stage, source?: object) =>
  api.post(`${cup.path}/sync`, cup.organiser, source === undefined ? undefined : { source })
const standings = async ({ cup }: Stage, as = cup.organiser) => (await api.get(`${cup.path}/standings`, as)).body
const scores = async (it: Stage) =>
  (await api.get(`${it.cup.path}/attempts`, it.cup.organiser)).body.attempts
    .map(({ score }: { score: number }) => score)
    .sort()

describe('a synchronisation', () => {
  test('fetches the address that is set, and adds what is new to the ledger', async () => {
    const it = await stage(api, { syncUrl: boardUrl })
    const row = {
      player: it.player.chatPlatformId,
      map: it.maps[0],
      score: 700,
      accuracy: 0.71,
      misses: 3,
      fullCombo: false,
      playedAt: '2026-05-01T18:00:00Z',
    }
    answers(JSON.stringify({ rows: [row] }))
    const first = await sync(it)
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        message: '1 new result recorded; 0 rows could not be matched.',
        fetchedAt: instant,
        keptPreviousCache: false,
        recorded: 1,
        unmatched: 0,
      },
    ])
    const { attempts } = (await api.get(`${it.cup.path}/attempts`, it.player)).body
    expect(attempts).toMatchObject([
      {
        score: 700,
        accuracy: 0.71,
        misses: 3,
        fullCombo: false,
        source: 'assistant',
        playedAt: '2026-05-01T18:00:00.000Z',
      },
    ])
    answers(JSON.stringify([row, { ...row, score: 800 }]))
    expect((await sync(it)).body).toMatchObject({ success: true, recorded: 1, unmatched: 0 })
    expect(await scores(it)).toEqual([700, 800])
    expect(await standings(it)).toMatchObject({ syncedAt: instant, lastSyncError: null, unmatched: [] })
  })

  test('reads CSV, and names players and maps in every way that they have', async () => {
    const it = await stage(api)
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', '765611', now())`,
      [it.player.guid],
    )
    answers(
      [
        '\uFEFFPlayer,Name,Map,Difficulty,Score,Full_Combo,External Id',
        `765611,"Quaver, the",${'1'.repeat(40)},expertplus,100,true,a`,
        `${it.player.chatPlatformId},,custom_level_${'2'.repeat(40)},,200,no,b`,
        `${it.player.guid.toUpperCase()},,${it.maps[1]?.toUpperCase()},,300,,c`,
      ].join('\r\n'),
    )
    expect((await sync(it, { url: boardUrl })).body).toMatchObject({ success: true, recorded: 3 })
    const { attempts } = (await api.get(`${it.cup.path}/attempts`, it.player)).body
    const seen = attempts.map(({ score, map, fullCombo, externalId }: never) => ({
      score,
      map: (map as { name: string }).name,
      fullCombo,
      externalId,
    }))
    expect(seen.sort((a: { score: number }, b: { score: number }) => a.score - b.score)).toEqual([
      { score: 100, map: 'Map 1', fullCombo: true, externalId: 'a' },
      { score: 200, map: 'Map 2', fullCombo: false, externalId: 'b' },
      { score: 300, map: 'Map 2', fullCombo: null, externalId: 'c' },
    ])
  })

  test('takes an upload instead, as rows or as CSV', async () => {
    const it = await stage(api)
    const rows = [{ player: it.player.guid, map: it.maps[0], score: 5 }]
    expect((await sync(it, { rows })).body).toMatchObject({ success: true, recorded: 1 })
    const csv = `player;map;score\n${it.player.guid};${it.maps[0]};6\n`
    expect((await sync(it, { csv })).body).toMatchObject({ success: true, recorded: 1 })
    expect(await scores(it)).toEqual([5, 6])
  })

  test('lists rows that are nobody’s result here for the staff, and records them once they are', async () => {
    const it = await stage(api, { attempts: 1 })
    const newcomer = await api.user()
    const row = { map: it.maps[0], score: 50 }
    const rows = [
      { ...row, player: '99999', name: 'Stranger' },
      { ...row, player: newcomer.chatPlatformId, name: 'Newcomer' },
      { ...row, player: it.player.guid, map: 'f'.repeat(40) },
      { ...row, player: it.player.guid, score: 60 },
      { ...row, player: it.player.guid, score: 70 },
    ]
    expect((await sync(it, { rows })).body).toMatchObject({
      success: true,
      recorded: 1,
      unmatched: 4,
      message: '1 new result recorded; 4 rows could not be matched.',
    })
    const { unmatched } = await standings(it, it.cup.coordinator)
    expect(unmatched).toEqual([
      {
        player: '99999',
        name: 'Stranger',
        userGuid: null,
        map: it.maps[0],
        score: 50,
        reason: 'There is no such user.',
      },
      {
        player: newcomer.chatPlatformId,
        name: 'Newcomer',
        userGuid: newcomer.guid,
        map: it.maps[0],
        score: 50,
        reason: 'The player is in no registered team of the tournament.',
      },
      {
        player: it.player.guid,
        name: null,
        userGuid: it.player.guid,
        map: 'f'.repeat(40),
        score: 50,
        reason: 'The qualifier has no such map.',
      },
      {
        player: it.player.guid,
        name: null,
        userGuid: it.player.guid,
        map: it.maps[0],
        score: 70,
        reason: 'The player has no attempt left on this map.',
      },
    ])
    for (const caller of [null, it.player])
      expect((await api.get(`${it.cup.path}/standings`, caller)).body).not.toHaveProperty('unmatched')
    await makeTeam(api, it.cup.tournament, newcomer, { status: 'registered' })
    expect((await sync(it, { rows })).body).toMatchObject({ recorded: 1, unmatched: 3 })
  })

  test('leaves out rows with values out of range, and takes the rest (D62)', async () => {
    const it = await stage(api)
    const row = { player: it.player.guid, map: it.maps[0] }
    const rows = [
      { ...row, score: 1_047, accuracy: 1.047 },
      { ...row, score: -1 },
      { ...row, score: 5e9 },
      { ...row, score: 400, accuracy: 95 },
      { ...row, score: 2_001 },
      { ...row, score: 500, playedAt: '2019-05-01T18:00:00Z' },
    ]
    expect((await sync(it, { rows })).body).toMatchObject({ success: true, recorded: 1, unmatched: 5 })
    expect(await scores(it)).toEqual([1_047])
    const { unmatched } = await standings(it)
    expect(unmatched.map(({ score, reason }: { score: number | null; reason: string }) => [score, reason])).toEqual([
      [null, '"score" is -1; it must be from 0 to 2000000000.'],
      [null, '"score" is 5000000000; it must be from 0 to 2000000000.'],
      [400, '"accuracy" is 95; it must be from 0 to 2.'],
      [2_001, 'The score is higher than the map allows.'],
      [500, '"playedAt" must not be before 2020-01-01T00:00:00Z.'],
    ])
    await done(api.put(it.cup.path, it.cup.organiser, { modifiers: 'none' }))
    const csv = `player,map,score\n${it.player.guid},${it.maps[1]},1001\n${it.player.guid},${it.maps[1]},-7\n${it.player.guid},${it.maps[1]},1000\n`
    expect((await sync(it, { csv })).body).toMatchObject({ success: true, recorded: 1, unmatched: 2 })
  })

  test('does not bring back what was made void, and takes placeholders’ places', async () => {
    const it = await stage(api, { attempts: 1 })
    const row = { player: it.player.guid, map: it.maps[0], score: 0, externalId: 'x', completion: 'placeholder' }
    await done(sync(it, { rows: [row] }))
    expect(await it.attempt()).toBe('attempt.limit_reached')
    expect((await sync(it, { rows: [{ ...row, score: 900, completion: 'passed' }] })).body.recorded).toBe(1)
    const { attempts } = (await api.get(`${it.cup.path}/attempts`, it.cup.organiser)).body
    const { guid } = attempts.find(({ score }: { score: number }) => score === 900)
    await done(api.post(`${it.cup.path}/attempts/${guid}/void`, it.cup.coordinator, { reason: 'Cheated.' }))
    expect((await sync(it, { rows: [{ ...row, score: 900, completion: 'passed' }] })).body).toMatchObject({
      success: true,
      recorded: 0,
      unmatched: 0,
    })
    expect((await standings(it)).overallStandings).toEqual([])
  })

  test('may come after the closing, but neither into a draft nor once it is final', async () => {
    const it = await stage(api, { status: 'draft' })
    const rows = [{ player: it.player.guid, map: it.maps[0], score: 5 }]
    expect(outcome(await sync(it, { rows }))).toEqual([409, 'qualifier.not_open'])
    for (const status of ['open', 'closed']) {
      await done(api.put(it.cup.path, it.cup.organiser, { status }))
      expect((await sync(it, { rows })).body.success).toBe(true)
    }
    await done(api.put(it.cup.path, it.cup.organiser, { status: 'final' }))
    expect(outcome(await sync(it, { rows }))).toEqual([409, 'qualifier.final'])
  })

  test('records each result once when two run at once', async () => {
    const it = await stage(api)
    const rows = Array.from({ length: 20 }, (_, score) => ({ player: it.player.guid, map: it.maps[0], score }))
    const replies = await Promise.all([sync(it, { rows }), sync(it, { rows }), sync(it, { rows })])
    expect(replies.map(({ body }) => body.recorded).sort()).toEqual([0, 0, 20])
    expect(await scores(it)).toHaveLength(20)
  })

  test('is told in the log without addresses, players or scores', async () => {
    const it = await stage(api, { syncUrl: boardUrl })
    answers(`player,map,score\n${it.player.guid},${it.maps[0]},777`)
    await done(sync(it))
    answers('', 500)
    await done(sync(it))
    const log = await api.sql('select type, before, after from event_log where tournament = $1 order by seq', [
      it.cup.tournament.guid,
    ])
    expect(log.slice(-2)).toEqual([
      { type: 'qualifier.synchronised', before: null, after: { success: true, attempts: 1 } },
      { type: 'qualifier.synchronised', before: null, after: { success: false } },
    ])
  })

  test('is for the organiser and admins', async () => {
    const it = await stage(api)
    const path = `${it.cup.path}/sync`
    const roles = ['staff', 'coordinator', 'hcoordinator', 'hpooler', 'referee']
    for (const caller of [
      it.player,
      ...(await Promise.all(roles.map((role) => roleHolder(api, it.cup.tournament, `role:${role}`)))),
    ]) {
      expect(outcome(await api.post(path, caller, { source: { url: boardUrl } }))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.post(path, null))).toEqual([401, 'token.missing'])
    expect((await api.post(path, await roleHolder(api, it.cup.tournament, 'role:admin'), {})).status).toBe(200)
  })
})

describe('a failure', () => {
  /** A qualifier that has fetched one result. */
  async function fetched() {
    const it = await stage(api, { syncUrl: boardUrl })
    answers(`player,map,score\n${it.player.guid},${it.maps[0]},700\n31337,${it.maps[0]},5`)
    const { fetchedAt } = (await done(sync(it))).body
    return { ...it, fetchedAt: fetchedAt as string }
  }

  test.each<[string, () => void, RegExp]>([
    [
      'an error',
      () => answers('broken', 500),
      /^The board could not be fetched\. 127\.0\.0\.1:\d+: the answer is an error \(500\)\./,
    ],
    [
      'a redirect',
      () => {
        answer = (_, response) => response.writeHead(302, { location: '/other' }).end()
      },
      /the answer is an error \(302\)/,
    ],
    ['an answer that is too large', () => answers(`[${' '.repeat(1_100_000)}]`), /too large/],
    [
      'an answer that breaks off',
      () => {
        answer = (request) => request.socket.destroy()
      },
      /could not be fetched/,
    ],
    [
      'something else',
      () => answers('<html><body>Sign in</body></html>'),
      /^The board needs the columns "player", "map" and "score"\./,
    ],
    ['broken JSON', () => answers('[{"player":'), /^The board is not valid JSON\./],
    [
      'JSON of another form',
      () => answers('{"scores":[]}'),
      /^The board is neither a list of rows nor an object with "rows"\./,
    ],
    [
      'a row that cannot be used',
      () => answers('[{"player":"1","map":"x","score":1},{"player":"1","map":"x","score":"many"}]'),
      /^The board has an unusable "score" in row 2\./,
    ],
    ['broken CSV', () => answers('player,map,score\n"1,x,5'), /^The board is not well-formed CSV\./],
    [
      'too many rows',
      () => answers(`player,map,score\n${'1,x,5\n'.repeat(5_001)}`),
      /^The board has more than 5000 rows\./,
    ],
    ['a board without rows', () => answers('[]'), /^The board is empty, and had 2 rows before\./],
  ])('by %s keeps what was fetched before, and says what is wrong', async (_, arrange, message) => {
    const it = await fetched()
    const before = await standings(it)
    arrange()
    const reply = await sync(it)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        success: false,
        message: expect.stringMatching(message),
        fetchedAt: it.fetchedAt,
        keptPreviousCache: true,
        recorded: 0,
        unmatched: 0,
      },
    ])
    expect(reply.body.message).toContain(`What was fetched at ${it.fetchedAt} is kept.`)
    expect(reply.text).not.toContain('s3cret')
    const after = await standings(it)
    expect(after).toEqual({ ...before, lastSyncError: expect.stringMatching(message) })
    expect(after.unmatched).toHaveLength(1)
    expect((await api.get(`${it.cup.path}/standings`)).body).toMatchObject({
      lastSyncError: null,
      syncedAt: it.fetchedAt,
    })
    expect((await standings(it, it.cup.coordinator)).lastSyncError).toMatch(message)
    answers(`player,map,score\n${it.player.guid},${it.maps[0]},700`)
    expect((await sync(it)).body.success).toBe(true)
    expect((await standings(it)).lastSyncError).toBeNull()
  })

  test('is having no address', async () => {
    const it = await stage(api, { status: 'draft' })
    const { status, body } = await sync(it)
    expect([status, body]).toEqual([
      200,
      {
        success: false,
        message: 'There is no address to fetch results from; set "syncUrl" first.',
        keptPreviousCache: true,
        recorded: 0,
        unmatched: 0,
      },
    ])
  })

  test('is not an empty board where there never was a row', async () => {
    const it = await stage(api)
    expect((await sync(it, { rows: [] })).body).toMatchObject({ success: true, recorded: 0, unmatched: 0 })
  })
})

describe('addresses in private networks', () => {
  test('are not fetched, whether named at once or by a name that leads there', async () => {
    const guarded = await startHarness()
    const it = await stage(guarded)
    const send = (url: string) => guarded.post(`${it.cup.path}/sync`, it.cup.organiser, { source: { url } })
    let asked = 0
    answer = (_, response) => {
      asked++
      response.end('[]')
    }
    for (const url of [
      boardUrl,
      'http://localhost/x',
      'http://[::1]/x',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'nonsense',
    ]) {
      expect(outcome(await send(url))).toEqual([400, 'qualifier.invalid'])
    }
    // The address was set while it was allowed, or resolves to a private address by now.
    await guarded.sql('update qualifiers set sync_url = $2 where tournament_guid = $1', [
      it.cup.tournament.guid,
      boardUrl,
    ])
    const reply = await guarded.post(`${it.cup.path}/sync`, it.cup.organiser)
    expect([reply.status, reply.body.message]).toEqual([
      200,
      expect.stringContaining('there is no address that may be connected to'),
    ])
    expect(asked).toBe(0)
    await guarded[Symbol.asyncDispose]()
  })

  test.each([{ source: {} }, { source: { url: 5 } }, { source: { rows: 'x' } }, { source: 'x' }])(
    'a source such as %j is refused',
    async (body) => {
      const it = await stage(api)
      expect(outcome(await api.post(`${it.cup.path}/sync`, it.cup.organiser, body))).toEqual([400, 'request.invalid'])
    },
  )
})

test('players of a board are found in one step however many there are', async () => {
  const it = await stage(api)
  const players = (await Promise.all(Array.from({ length: 4 }, () => makePlayers(api, it.cup, 3)))).flat()
  const rows = players.map(({ chatPlatformId }, score) => ({ player: chatPlatformId, map: it.maps[0], score }))
  expect((await sync(it, { rows })).body.recorded).toBe(12)
})
