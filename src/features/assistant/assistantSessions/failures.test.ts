import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putLink } from '../../../../test/assistant.ts'
import { type Operated, type OperatedOptions, operate, operateAll } from '../../../../test/assistant-session.ts'
import { startFakeAssistant } from '../../../../test/fakes/assistant/assistant.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/**
 * What the session does after each failure of an assistant. (AS1, AS2, AS6, AS10; assistant: Failures; assistant: What
 * proves it, 8)
 */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
})
afterAll(() => api[Symbol.asyncDispose]())

const patient = { timeout: 60_000, interval: 50 }

interface Row {
  readonly name: string
  readonly options?: OperatedOptions
  readonly see: (operated: Operated) => Promise<void>
}

const lastError = async (operated: Operated) => (await operated.read()).lastError
const linkOf = async ({ made }: Operated) => (await api.get(`${made.path}/assistant`, made.organiser)).body
const connected = async (operated: Operated) => {
  await operated.open()
  await operated.until('ready')
}
const untilStatus = (operated: Operated, status: string) =>
  expect.poll(async () => (await operated.read()).status, patient).toBe(status)
const untilError = (operated: Operated, code: string) =>
  expect.poll(async () => (await lastError(operated))?.code, patient).toBe(code)

const rows: readonly Row[] = [
  {
    name: 'a version near ours is taken on',
    options: { server: { version: 1_320 } },
    async see(operated) {
      await connected(operated)
      expect((await linkOf(operated)).status).toMatchObject({ state: 'ok', serverVersion: 1_320 })
    },
  },
  {
    name: 'another version is told with both numbers',
    options: { server: { version: 1_400 } },
    async see(operated) {
      await operated.open()
      await untilError(operated, 'assistant.version')
      expect((await lastError(operated)).message).toMatch(/1400.*1310/)
      await expect.poll(async () => (await linkOf(operated)).status.state, patient).toBe('failing')
    },
  },
  {
    name: 'a refused token: one new one, and no more',
    async see(operated) {
      const { fake } = operated
      await connected(operated)
      fake.faults.unauthorise()
      await untilStatus(operated, 'reconnecting')
      await untilStatus(operated, 'connected')
      expect(fake.tokens.size).toBe(2)
      fake.faults.unauthorise()
      await untilStatus(operated, 'failed')
      expect(await lastError(operated)).toMatchObject({ code: 'assistant.unauthorised' })
      const tries = operated.received('request.connect').length
      await wait(2_500)
      expect(operated.received('request.connect').length).toBe(tries)
      // An operator opens the failed session again.
      expect((await operated.open()).status).toBe(200)
      await untilStatus(operated, 'connected')
    },
  },
  {
    name: 'a link that is switched off ends the connection, and one that is switched on again makes another',
    async see(operated) {
      const { fake, made } = operated
      await connected(operated)
      expect((await putLink(api, fake, made, { enabled: false })).status).toBe(200)
      await untilError(operated, 'assistant.not_linked')
      await expect.poll(() => fake.connections, patient).toBe(0)
      expect((await linkOf(operated)).status.state).toBe('ok')
      expect((await putLink(api, fake, made)).status).toBe(200)
      await untilStatus(operated, 'connected')
      expect(operated.received('request.connect').length).toBe(2)
    },
  },
  {
    name: 'a permission that is missing is named',
    async see(operated) {
      await connected(operated)
      const permission = 'tournament:match:set_match_map'
      operated.fake.permissions.lose('own', permission)
      const reply = await operated.ask('PUT', 'map', operated.mapBody())
      expect(outcome(reply)).toEqual([409, 'assistant.permission'])
      expect(JSON.stringify(reply.body)).toContain(permission)
      const missing = async () => (await linkOf(operated)).status.missingPermissions
      await expect.poll(missing, patient).toContain(permission)
    },
  },
  {
    name: 'a wrong password is not tried again',
    options: { server: { password: 'open sesame' } },
    async see(operated) {
      await operated.open()
      await untilStatus(operated, 'failed')
      expect(await lastError(operated)).toMatchObject({ code: 'assistant.password' })
      await wait(2_500)
      expect(operated.received('request.join').length).toBe(1)
    },
  },
  {
    name: 'an unknown tournament, with those that are seen',
    options: {
      link: { assistantTournament: { guid: crypto.randomUUID(), name: 'Gone' } },
      server: { name: 'The cup' },
    },
    async see(operated) {
      await operated.open()
      await untilError(operated, 'assistant.tournament_unknown')
      expect((await lastError(operated)).message).toContain('The cup')
    },
  },
  {
    name: 'no answer within ten seconds, and a new look',
    async see(operated) {
      await connected(operated)
      operated.fake.faults.add({ direction: 'sent', kind: 'response.updateMatch', nth: 1 }, 'drop')
      expect(outcome(await operated.ask('PUT', 'map', operated.mapBody()))).toEqual([503, 'assistant.timeout'])
      await expect.poll(() => operated.received('request.connect').length, patient).toBe(2)
      expect((await operated.setMap()).status).toBe(200)
    },
  },
  {
    name: 'a start without effect, and another one',
    async see(operated) {
      const { fake } = operated
      await operated.loaded()
      fake.permissions.lose('own', 'tournament:player:play_song')
      expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([504, 'assistant.not_started'])
      expect((await operated.read()).phase).toBe('loaded')
      expect((await operated.plays()).map(({ state }) => state)).toEqual(['not_started'])
      fake.permissions.gain('own', 'tournament:player:play_song')
      expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([200, null])
      expect(await operated.outcome(2)).toBe('finished')
      expect((await operated.proposals()).length).toBe(1)
    },
  },
  {
    name: 'a map that one player cannot load, and one that another is silent about',
    options: { players: 2, link: { defaults: { loadTimeoutMs: 10_000 } } },
    async see(operated) {
      const [one, other] = operated.games
      Object.assign(one?.script ?? {}, { download: { error: 'The disk is full' } })
      Object.assign(other?.script ?? {}, { download: 'silent' })
      await connected(operated)
      await operated.setMap()
      expect((await operated.ask('POST', 'load')).status).toBe(200)
      const loads = async () => {
        const { players } = await operated.read()
        return players.map(({ load }: { readonly load: object }) => load)
      }
      const loaded = { state: 'loaded', error: null }
      await expect
        .poll(loads, patient)
        .toMatchObject([{ state: 'failed', error: expect.stringContaining('') }, { state: 'failed' }, loaded, loaded])
      const reply = await operated.ask('POST', 'play', {})
      expect(outcome(reply)).toEqual([409, 'assistant.not_ready'])
      Object.assign(one?.script ?? {}, { download: 'ok' })
      Object.assign(other?.script ?? {}, { download: 'ok' })
      expect((await operated.ask('POST', 'load', { players: operated.users.slice(0, 2) })).status).toBe(200)
      expect(await loads()).toEqual([loaded, loaded, loaded, loaded])
    },
  },
  {
    name: 'a match that somebody deletes',
    async see(operated) {
      await connected(operated)
      const { assistantMatch } = await operated.read()
      operated.fake.others.deleteMatch(assistantMatch)
      await expect.poll(() => operated.warnings(), patient).toContain('match_deleted')
      await expect.poll(async () => (await operated.read()).assistantMatch, patient).not.toBe(assistantMatch)
      await operated.until('ready')
      expect(operated.fake.matches.length).toBe(1)
    },
  },
  {
    name: 'nobody listens',
    async see(operated) {
      await operated.fake.close()
      await operated.open()
      await untilError(operated, 'assistant.unreachable')
      expect(JSON.stringify(await lastError(operated))).not.toContain('127.0.0.1')
    },
  },
  {
    name: 'what only a newer server knows',
    async see(operated) {
      await connected(operated)
      operated.fake.faults.unknown()
      expect((await operated.setMap()).status).toBe(200)
      expect(operated.received('request.connect').length).toBe(1)
    },
  },
  ...(['garbage', 'text', 'oversize'] as const).map(
    (fault): Row => ({
      name: `${fault}: no assistant’s`,
      async see(operated) {
        await connected(operated)
        operated.fake.faults[fault](2 * 1024 * 1024)
        await untilError(operated, 'assistant.protocol')
        await untilStatus(operated, 'connected')
      },
    }),
  ),
  {
    name: 'a thousand values a second',
    async see(operated) {
      await operated.loaded()
      const [one] = operated.games
      for (const { script } of operated.games) script.song = { seconds: 2 }
      expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([200, null])
      const { revision } = await operated.read()
      for (let score = 1; score <= 1_000; score++) one?.tellScore({ at: 0.5, score })
      expect(await operated.outcome()).toBe('finished')
      await operated.until('finished')
      // The scores are not saved: the revision counts only few changes.
      expect((await operated.read()).revision - revision).toBeLessThan(20)
    },
  },
  {
    name: 'silence of a connection that is there: dead after 25 seconds',
    async see(operated) {
      await connected(operated)
      const since = performance.now()
      operated.fake.faults.halfOpen()
      await untilStatus(operated, 'reconnecting')
      expect(performance.now() - since).toBeGreaterThan(20_000)
      expect(performance.now() - since).toBeLessThan(36_000)
      await untilStatus(operated, 'connected')
    },
  },
  {
    name: 'a broken connection is told within a second, and made again after one',
    async see(operated) {
      await connected(operated)
      const since = performance.now()
      operated.fake.faults.cutAll()
      await untilStatus(operated, 'reconnecting')
      // The upper bound is generous, because a busy machine is several times slower.
      expect(performance.now() - since).toBeLessThan(3_000)
      await untilStatus(operated, 'connected')
      expect(performance.now() - since).toBeGreaterThan(700)
    },
  },
  ...(['own', 'bot'] as const).map(
    (tokenKind): Row => ({
      name: `a link that leads elsewhere takes no ${tokenKind} token along`,
      async see(operated) {
        const { fake, made } = operated
        const token = fake.bot()
        if (tokenKind === 'bot') expect((await putLink(api, fake, made, { tokenKind, token })).status).toBe(200)
        await connected(operated)
        await using elsewhere = await startFakeAssistant()
        const moved = await putLink(api, elsewhere, made, { tokenKind })
        expect([200, 400, 409]).toContain(moved.status)
        const given = moved.status === 200 ? {} : { token: 'another' }
        if (moved.status !== 200) {
          expect((await putLink(api, elsewhere, made, { tokenKind, ...given })).status).toBe(200)
        }
        await expect.poll(() => fake.connections, patient).toBe(0)
        await expect.poll(async () => (await lastError(operated))?.code, patient).toBe('assistant.unauthorised')
        expect(fake.tokens.size).toBeGreaterThan(0)
        expect([...fake.tokens].filter((one) => elsewhere.tokens.has(one))).toEqual([])
      },
    }),
  ),
]

test('each row of the table of failures', async () => {
  await operateAll(
    rows,
    ({ options }) => operate(api, options),
    (operated, { see }) => see(operated),
  )
})
