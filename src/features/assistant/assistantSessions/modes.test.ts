import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operated, type OperatedOptions, operate, operateAll } from '../../../../test/assistant-session.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** Starts, aborted songs and refused starts. (AS8, AS11, AS12, AS13) */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
})
afterAll(() => api[Symbol.asyncDispose]())

const patient = { timeout: 60_000, interval: 50 }

interface Way {
  readonly name: string
  readonly options?: OperatedOptions
  readonly see: (operated: Operated) => Promise<void>
}

const reasonsOf = ({ body }: { readonly body: { readonly reasons: readonly { readonly code: string }[] } }) =>
  body.reasons.map(({ code }) => code).toSorted()

const ways: readonly Way[] = [
  {
    name: 'held: all at once, after the time',
    async see(operated) {
      await operated.loaded()
      const since = performance.now()
      expect(outcome(await operated.ask('POST', 'play', { mode: 'held', delayMs: 1_500 }))).toEqual([200, null])
      expect((await operated.read()).phase).toBe('starting')
      expect(operated.received('command.playSong')).toEqual([])
      expect(await operated.outcome()).toBe('finished')
      const [start, ...more] = operated.received('command.playSong')
      expect(more).toEqual([])
      expect((start?.at ?? 0) - since).toBeGreaterThan(1_490)
    },
  },
  {
    name: 'held, and called off before: nothing is sent',
    async see(operated) {
      await operated.loaded()
      await operated.ask('POST', 'play', { mode: 'held', delayMs: 2_000 })
      expect((await operated.ask('POST', 'return')).status).toBe(200)
      await wait(2_500)
      expect(operated.received('command.playSong')).toEqual([])
      expect((await operated.plays()).map(({ state }) => state)).toEqual(['not_started'])
      expect(await operated.proposals()).toEqual([])
    },
  },
  {
    name: 'held while the connection breaks and comes back: sent once',
    async see(operated) {
      await operated.loaded()
      await operated.ask('POST', 'play', { mode: 'held', delayMs: 4_000 })
      operated.fake.faults.cutAll()
      expect(await operated.outcome()).toBe('finished')
      expect(operated.received('command.playSong').length).toBe(1)
    },
  },
  {
    name: 'synced: who is ahead begins later',
    async see(operated) {
      const [one = '', other = ''] = operated.users
      await operated.loaded()
      const refused = await operated.ask('POST', 'play', { mode: 'synced' })
      expect(outcome(refused)).toEqual([409, 'assistant.not_ready'])
      expect(reasonsOf(refused)).toEqual(['no_delay', 'no_delay'])
      const delays = [
        { user: one, delayMs: 1_200 },
        { user: other, delayMs: 200 },
      ]
      expect((await operated.ask('PUT', 'delays', delays)).status).toBe(200)
      expect(outcome(await operated.ask('POST', 'play', { mode: 'synced' }))).toEqual([200, null])
      expect(await operated.outcome()).toBe('finished')
      const released = operated.received('command.delayTestFinish').map(({ packet: { packet }, at }) => ({
        to: packet.case === 'command' ? packet.value.forwardTo : [],
        at,
      }))
      const [first, second] = operated.games.map(({ guid }) => released.find(({ to }) => to.includes(guid))?.at ?? 0)
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(900)
      expect(released.length).toBe(2)
    },
  },
  {
    name: 'synced while the connection breaks before they are let go',
    async see(operated) {
      await operated.loaded()
      const delays = operated.users.map((user, index) => ({ user, delayMs: index * 1_500 }))
      await operated.ask('PUT', 'delays', delays)
      for (const { script } of operated.games) script.song = { seconds: 3 }
      expect(outcome(await operated.ask('POST', 'play', { mode: 'synced' }))).toEqual([200, null])
      await operated.until('playing')
      operated.fake.faults.cutAll()
      expect(await operated.outcome()).toBe('finished')
      expect((await operated.finishes()).length).toBe(2)
    },
  },
  {
    name: 'who is not ready, who has a banned mod, who is not there, another map and another leader: each a reason',
    options: { players: 2, link: { bannedMods: ['Cheat'] } },
    async see(operated) {
      const [one, two, three] = operated.games
      if (one !== undefined) one.script.prompt = { value: 'not_yet' }
      await operated.loaded()
      expect((await operated.ask('POST', 'ready-check')).status).toBe(200)
      two?.setMods('Cheat@1.2.3')
      three?.disconnect()
      const { assistantMatch } = await operated.read()
      operated.fake.others.setMap(assistantMatch, { hash: 'c'.repeat(40) })
      const takeLead = () => operated.fake.others.setLeader(assistantMatch, two?.guid ?? '')
      takeLead()
      const expectedCodes = ['banned_mod', 'other_leader', 'other_map', 'player_left']
      await expect.poll(() => operated.warnings(), patient).toEqual(expect.arrayContaining(expectedCodes))
      const codes = ['banned_mod', 'not_ready', 'other_leader', 'other_map', 'player_missing']
      // The session takes the lead back after a second.
      const refusal = async () => {
        takeLead()
        const refused = await operated.ask('POST', 'play', {})
        return [...outcome(refused), ...reasonsOf(refused)]
      }
      await expect.poll(refusal, patient).toEqual([409, 'assistant.not_ready', ...codes])
      const most = await operated.ask('POST', 'play', { ignore: codes.slice(1) })
      expect(reasonsOf(most)).toEqual(['banned_mod'])
      expect(operated.received('command.playSong')).toEqual([])
      expect(outcome(await operated.ask('POST', 'play', { ignore: codes }))).toEqual([200, null])
      expect(await operated.outcome()).toBe('finished')
      expect((await operated.finishes()).length).toBe(3)
    },
  },
  {
    name: 'nothing to play, and nobody to play it: not to be passed over',
    async see(operated) {
      await operated.open()
      await operated.until('ready')
      const ignore = ['no_map', 'nobody', 'no_match', 'not_loaded']
      const refused = await operated.ask('POST', 'play', { ignore })
      expect(outcome(refused)).toEqual([409, 'assistant.not_ready'])
      expect(reasonsOf(refused)).toEqual(['no_map'])
    },
  },
  {
    name: 'some begin: told by name, and it goes on',
    async see(operated) {
      const [, other] = operated.games
      await operated.loaded()
      for (const { script } of operated.games) script.song = { seconds: 17 }
      if (other !== undefined) other.script.starts = 'never'
      const [, late] = operated.users
      expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([200, null])
      const { phase, warnings } = await operated.read()
      expect(phase).toBe('playing')
      expect(warnings).toMatchObject([{ code: 'not_started', user: late }])
      expect(await operated.outcome()).toBe('finished')
      const [proposal] = await operated.proposals()
      expect(proposal.warnings).toContainEqual({ code: 'player_missing', user: late })
    },
  },
  {
    name: 'broken off: no result, though one is told as quit',
    async see(operated) {
      await operated.loaded()
      for (const { script } of operated.games) script.song = { seconds: 30 }
      await operated.ask('POST', 'play', {})
      expect((await operated.ask('POST', 'return')).status).toBe(200)
      expect((await operated.plays()).map(({ state }) => state)).toEqual(['aborted'])
      expect(await operated.proposals()).toEqual([])
      // The map is still set and loaded.
      for (const { script } of operated.games) script.song = { seconds: 0.2 }
      await operated.until('loaded')
      expect(outcome(await operated.ask('POST', 'play', {}))).toEqual([200, null])
      expect(await operated.outcome(2)).toBe('finished')
    },
  },
  {
    name: 'a game is changed where the link allows it, and in a song with a word more',
    options: { link: { allowModify: true } },
    async see(operated) {
      await operated.loaded()
      for (const { script } of operated.games) script.song = { seconds: 3 }
      const change = { modifier: 'InvertColors' }
      expect((await operated.ask('POST', 'modify', change)).status).toBe(200)
      await operated.ask('POST', 'play', {})
      expect(outcome(await operated.ask('POST', 'modify', change))).toEqual([409, 'assistant.modify_unconfirmed'])
      expect((await operated.ask('POST', 'modify', { ...change, confirm: true })).status).toBe(200)
      await expect.poll(() => operated.received('command.modifyGameplay').length, patient).toBe(2)
      expect(await operated.outcome()).toBe('finished')
    },
  },
  {
    name: 'a link that does not allow it',
    async see(operated) {
      await operated.open()
      await operated.until('ready')
      const reply = await operated.ask('POST', 'modify', { modifier: 'InvertColors' })
      expect(outcome(reply)).toEqual([409, 'assistant.modify_off'])
      expect(operated.received('command.modifyGameplay')).toEqual([])
    },
  },
]

test('each way in which a song is started, or is not', async () => {
  await operateAll(
    ways,
    ({ options }) => operate(api, options),
    (operated, { see }) => see(operated),
  )
})
