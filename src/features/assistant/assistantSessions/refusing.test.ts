import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operated, type OperatedOptions, operate, operateAll } from '../../../../test/assistant-session.ts'
import { MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { beginSong, expectedPlayer } from '../../../../test/proposals.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/**
 * Commands that a session refuses because a result would be lost or impossible, and steps that it leaves out. (D75,
 * D77, D78)
 */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
})
afterAll(() => api[Symbol.asyncDispose]())

const patient = { timeout: 60_000, interval: 50 }
const paused = { steps: [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }] }

interface Row {
  readonly name: string
  readonly options?: OperatedOptions
  readonly see: (operated: Operated) => Promise<void>
}

const close = ({ path, made }: Operated, body?: object, query = '') =>
  api.delete(`${path}${query}`, made.organiser, body)

/** Starts a song that continues until it is stopped. */
async function playing(operated: Operated): Promise<void> {
  await operated.loaded()
  for (const { script } of operated.games) {
    script.songs.push({ seconds: 600, scores: [], score: 900_000, maxScore: 1_000_000 })
  }
  const needless = { force: true, reason: 'To be sure.' }
  expect(outcome(await operated.ask('POST', 'load', needless))).toEqual([200, null])
  expect(outcome(await operated.ask('POST', 'play', needless))).toEqual([200, null])
  await operated.until('playing')
}

/** The audit list's entries about forced loads and starts. */
const forcedIn = ({ made }: Operated) =>
  api.sql<{ type: string; actor: string; after: object }>(
    `select type, actor, after from event_log where type like 'assistant.%_forced' and tournament = $1 order by seq`,
    [made.cup.guid],
  )

const checksOf = async (operated: Operated) => {
  const { players } = await operated.read()
  return players.map(({ readyCheck }: { readonly readyCheck: string }) => readyCheck)
}

const rows: readonly Row[] = [
  {
    name: 'a session is not closed while a song is played; by force it is, and the next one takes the song up',
    async see(operated) {
      const [one, other] = operated.games
      await playing(operated)
      const [song] = await operated.plays()
      const refused = await close(operated)
      expect(outcome(refused)).toEqual([409, 'assistant.play_open'])
      expect(refused.body).toMatchObject({ play: { guid: song?.guid, game: 1, run: 1, state: 'started' } })
      expect(refused.body.inGame.toSorted()).toEqual([...operated.users].sort())
      one?.stop('passed')
      await expect.poll(async () => (await operated.finishes()).length, patient).toBe(1)
      expect(outcome(await close(operated, { deleteMatch: false }))).toEqual([409, 'assistant.play_open'])
      expect(outcome(await close(operated, undefined, '?force=true'))).toEqual([204, null])
      expect(await operated.read()).toMatchObject({ status: 'closed', phase: 'closed', controller: null })
      expect((await api.get(operated.path)).body).toEqual({ phase: 'closed', map: null, play: null })
      // The known results are proposed, in case no other session is opened.
      const [left] = await operated.proposals()
      expect(left).toMatchObject({ status: 'proposed', play: song?.guid, players: [{ score: 900_000 }] })
      const codesOf = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code).toSorted()
      expect(codesOf(left.warnings)).toEqual(['free_map', 'interrupted', 'player_missing'])
      expect(outcome(await operated.open())).toEqual([201, null])
      await operated.until('playing')
      expect((await operated.read()).map).toMatchObject({ hash: operated.made.hashes[0] })
      other?.stop('passed')
      expect(await operated.outcome()).toBe('finished')
      await operated.until('finished')
      const [whole, ...more] = await operated.proposals()
      expect(more).toEqual([])
      expect(whole).toMatchObject({ guid: left.guid, play: song?.guid, status: 'proposed' })
      expect(whole.players).toHaveLength(2)
      expect(codesOf(whole.warnings)).toEqual(['free_map', 'interrupted'])
      expect(operated.received('command.playSong')).toHaveLength(1)
      // The match still counts as one that this service made.
      expect(operated.fake.matches).toHaveLength(1)
      expect(outcome(await close(operated, { deleteMatch: true }))).toEqual([204, null])
      await expect.poll(() => operated.fake.matches, patient).toEqual([])
      // The match was not decided, so no force was used.
      expect(await forcedIn(operated)).toEqual([])
    },
  },
  {
    name: 'a start that waits is not sent once the session is closed',
    async see(operated) {
      await operated.loaded()
      await operated.ask('POST', 'play', { mode: 'held', delayMs: 30_000 })
      expect(outcome(await close(operated))).toEqual([409, 'assistant.play_open'])
      expect(outcome(await close(operated, { force: true }))).toEqual([204, null])
      expect(await operated.outcome()).toBe('not_started')
      await expect.poll(() => operated.fake.connections - operated.games.length, patient).toBeLessThan(1)
      expect(operated.received('command.playSong')).toEqual([])
    },
  },
  {
    name: 'a start that waits is not sent once whoever asked for it has lost the role',
    async see(operated) {
      const { made, path } = operated
      await operated.loaded()
      const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
      const taken = await api.post(`${path}/control`, coordinator, { action: 'takeover', reason: 'My turn.' })
      expect(outcome(taken)).toEqual([200, null])
      const held = await api.post(`${path}/play`, coordinator, { mode: 'held', delayMs: 30_000 })
      expect(outcome(held)).toEqual([200, null])
      const role = { role: 'role:coordinator' }
      await api.delete(`${made.path}/permissions/${coordinator.guid}/revoke`, made.organiser, role)
      expect(await operated.outcome()).toBe('not_started')
      expect(operated.received('command.playSong')).toEqual([])
    },
  },
  ...(['known', 'found out'] as const).map(
    (when): Row => ({
      name: `a ready check without the permission is left out: ${when}`,
      async see(operated) {
        const permission = 'tournament:player:show_prompt'
        if (when === 'known') operated.fake.permissions.lose('own', permission)
        await operated.loaded()
        if (when === 'found out') operated.fake.permissions.lose('own', permission)
        expect(outcome(await operated.ask('POST', 'ready-check'))).toEqual([200, null])
        expect(await checksOf(operated)).toEqual(['none', 'none'])
        expect(outcome(await operated.ask('POST', 'ready-check'))).toEqual([200, null])
        expect((await operated.warnings()).filter((code) => code === 'no_ready_check')).toHaveLength(1)
        expect((await operated.read()).phase).toBe('loaded')
        const link = async () => (await api.get(`${operated.made.path}/assistant`, operated.made.organiser)).body
        await expect.poll(async () => (await link()).status.missingPermissions, patient).toContain(permission)
        expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([200, null])
        expect(await operated.outcome()).toBe('finished')
        expect(operated.received('command.playSong')).toHaveLength(1)
      },
    }),
  ),
  {
    name: 'a match that may not be made is asked for again with the next map',
    async see(operated) {
      const permission = 'tournament:match:create_match'
      operated.fake.permissions.lose('own', permission)
      await operated.open()
      await expect.poll(async () => (await operated.read()).lastError?.code, patient).toBe('assistant.permission')
      for (const characteristic of ['One Saber', 'x'.repeat(33)]) {
        const other = await operated.ask('PUT', 'map', { ...operated.mapBody(), characteristic })
        expect(other.status).toBe(400)
      }
      expect(outcome(await operated.ask('PUT', 'map', operated.mapBody()))).toEqual([409, 'assistant.no_match'])
      operated.fake.permissions.gain('own', permission)
      expect((await operated.setMap()).status).toBe(200)
      expect((await operated.read()).lastError).toBeNull()
    },
  },
  {
    name: 'songs that may not be loaded: told by name, and loaded once they may',
    async see(operated) {
      const permission = 'tournament:player:load_song'
      await operated.open()
      await operated.until('ready')
      await operated.setMap()
      operated.fake.permissions.lose('own', permission)
      const refused = await operated.ask('POST', 'load')
      expect(outcome(refused)).toEqual([409, 'assistant.permission'])
      expect(refused.body).toMatchObject({ permission })
      // The permission to load does not block a start by itself: players who have the map may play.
      expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([409, 'assistant.not_ready'])
      operated.fake.permissions.gain('own', permission)
      expect(outcome(await operated.ask('POST', 'load'))).toEqual([200, null])
      await operated.until('loaded')
    },
  },
  {
    name: 'songs that may not be played: the refusal says how to go on',
    async see(operated) {
      const permission = 'tournament:player:play_song'
      operated.fake.permissions.lose('own', permission)
      await operated.loaded()
      const refused = await operated.ask('POST', 'play', {})
      expect(outcome(refused)).toEqual([409, 'assistant.permission'])
      expect(refused.body.message).toContain('resync')
      operated.fake.permissions.gain('own', permission)
      expect(outcome(await operated.ask('POST', 'resync'))).toEqual([200, null])
      await expect.poll(() => operated.received('request.connect').length, patient).toBe(2)
      await operated.until(/ready|loaded/)
      await operated.load()
      expect(outcome(await operated.insist('POST', 'play', {}))).toEqual([200, null])
      expect(await operated.outcome()).toBe('finished')
    },
  },
  {
    name: 'a run that a warning holds is not played again; nor is a match that is decided, unless somebody says why',
    options: { bestOf: 3 },
    async see(operated) {
      const { made } = operated
      const { first } = made
      const flowGuid = await makeFlow(api, made, {
        ...paused,
        seats: 2,
        bestOf: null,
        pairs: [],
        name: 'Paused',
        rules: { replays: { rule: 'none' }, pauseLimitSeconds: 1 },
      })
      const flow = new MatchPlay(api, made)
      await flow.begin({ flowGuid })
      await operated.open()
      await operated.until('ready')
      expect((await operated.insist('PUT', 'map', { source: 'flow' })).status).toBe(200)
      await operated.load()
      const list = async () => (await api.get(`${first}/proposals`, made.referee)).body
      expect((await list()).blockedBy).toEqual([])
      const match = await flow.match()
      await flow.run({ score: 900, pausedSeconds: 12 }, 800)
      const [warning, ...others] = flow.state.warnings
      expect([warning.code, warning.blocking, others]).toEqual(['paused', true, []])
      const named = { blockedBy: [{ guid: warning.guid, code: 'paused', game: 1, run: 1, seat: 1 }] }
      for (const [method, name, body] of [
        ['PUT', 'map', { source: 'flow' }],
        ['PUT', 'map', operated.mapBody(1)],
        ['POST', 'load', undefined],
        ['POST', 'play', {}],
        ['POST', 'play', { force: true, reason: 'All the same.' }],
      ] as const) {
        const refused = await operated.ask(method, name, body)
        expect([name, ...outcome(refused)]).toEqual([name, 409, 'flow.blocked'])
        expect(refused.body).toMatchObject(named)
      }
      expect(await operated.plays()).toEqual([])
      // The socket gives the same refusal.
      const socket = await openSocket(api, { as: made.organiser })
      const command = {
        type: 'command',
        name: 'assistant.load',
        params: { tournament: made.cup.guid, match: match.guid },
      }
      expect(JSON.stringify(await socket.ask({ ...command, body: {} }))).toContain('flow.blocked')
      await socket.close()
      // A song that was played nevertheless is not accepted, and waits.
      const song = await beginSong(api, {
        tournamentGuid: made.cup.guid,
        matchGuid: match.guid,
        flowSessionGuid: flow.state.session,
        map: { ...flow.state.pool.maps.find(isOf(flow)).map, poolMapGuid: flow.state.games[0].map, modifiers: [] },
        expected: [expectedPlayer(flow.player(1), 1), expectedPlayer(flow.player(2), 2)],
      })
      for (const user of [flow.player(1), flow.player(2)]) await song.finish(user, 700)
      const { guid } = await song.propose()
      await api.sql(`update assistant_plays set state = 'finished' where guid = $1`, [song.play.guid])
      const accept = () => api.post(`${first}/proposals/${guid}/accept`, made.referee)
      const refused = await accept()
      expect(outcome(refused)).toEqual([409, 'flow.blocked'])
      expect(refused.body).toMatchObject({ ...named, proposal: { guid, status: 'proposed' } })
      expect(await list()).toMatchObject({ ...named, proposals: [{ guid }] })
      await flow.override({ op: 'dismiss', warning: warning.guid })
      expect((await list()).blockedBy).toEqual([])
      expect(outcome(await accept())).toEqual([409, 'proposal.stale'])
      expect(outcome(await operated.ask('PUT', 'map', { source: 'flow' }))).toEqual([200, null])
      await flow.run(900, 800)
      expect((await flow.match()).status).toBe('completed')
      const why = 'The audience wants an encore.'
      for (const name of ['load', 'play']) {
        expect(outcome(await operated.ask('POST', name, {}))).toEqual([409, 'match.completed'])
        expect(outcome(await operated.ask('POST', name, { force: true }))).toEqual([400, 'assistant.reason_missing'])
        expect(outcome(await operated.ask('POST', name, { force: true, reason: why }))).toEqual([200, null])
      }
      expect(await operated.outcome(2)).toBe('finished')
      const [encore] = await operated.proposals()
      expect(encore.warnings.map(({ code }: { code: string }) => code)).toContain('late')
      const of = { actor: made.organiser.guid, after: { match: match.guid, reason: why } }
      expect(await forcedIn(operated)).toEqual([
        { ...of, type: 'assistant.load_forced' },
        { ...of, type: 'assistant.play_forced', after: { ...of.after, play: encore.play } },
      ])
    },
  },
]

const isOf = (flow: MatchPlay) => (entry: { readonly guid: string }) => entry.guid === flow.state.games[0].map

test('what would lose a result, or come to none, is refused with what to do; what may not be is left out', async () => {
  await operateAll(
    rows,
    ({ options }) => operate(api, options),
    (operated, { see }) => see(operated),
  )
})
