import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePlay, makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { type FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { passTime, passUntilLapse } from '../../../../test/flow-time.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

/** Secret choices and undone rows. (match-flows: Flow, secret; Operations, undo) */

let api: Harness
let made: MadeFlowPlay
let caster: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 9 })
  caster = await roleHolder(api, made.cup, 'role:caster')
})
afterAll(() => api[Symbol.asyncDispose]())

interface LogRow {
  readonly kind: string
  readonly position: number
  readonly seat: number | null
  readonly map: string | null
  readonly data: object
  readonly undoneBy: number | null
}
const rowsOf = async (play: FlowPlay, as: Caller | null): Promise<LogRow[]> =>
  (await api.get(`${play.path}/log`, as)).body.rows
const begun = async (steps: readonly object[], rules: object = {}) => {
  const flow = await makeFlow(api, made, { ...toTheEnd, rules, steps: [...steps, ...toTheEnd.steps] })
  return freePlay(api, made, { flow })
}

/** Everything that a caller can read of a session, as text without values that differ between sessions. */
async function everything(play: FlowPlay, as: Caller | null): Promise<string> {
  const session = play.state.session
  const replies = await Promise.all([
    api.get(play.path, as),
    api.get(`${play.path}/log`, as),
    api.get(`${made.path}/flow-sessions?free=true`, as),
  ])
  const events = await api.sql<{ text: string }>(
    "select type || after::text as text from event_log where subject = $1 and type like 'flow.%' order by seq",
    [session],
  )
  return JSON.stringify([...replies.map(({ body }) => body), ...events.map(({ text }) => text)])
}

describe('a secret choice', () => {
  test('is seen by its seat alone until all have chosen: two sessions that differ by it alone look alike', async () => {
    const step = { action: 'ban', actor: 'all', secret: true, seconds: 3_600 }
    const [one, other] = await Promise.all([begun([step]), begun([step])])
    const choices = [made.poolMaps[2], made.poolMaps[5]] as const
    const plays = [one, other] as const
    for (const [index, play] of plays.entries()) {
      expect(outcome(await play.act(1, { action: 'ban', map: choices[index] }))).toEqual([200, null])
    }
    const watchers = [null, await api.user(), caster, made.referee, made.organiser, made.captains[1] as Caller]
    /** Removes the values that differ between any two sessions. */
    const bare = (text: string, play: FlowPlay) =>
      text
        .replaceAll(play.state.session, 'session')
        .replaceAll(play.state.flow.guid, 'flow')
        .replace(/Flow \d+/g, 'Flow')
        .replace(/[0-9a-f]{64}/g, 'commitment')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
        .replace(/"(remainingMs|etag)":[^,}]*/g, '')
    for (const as of watchers) {
      const [first, second] = await Promise.all(
        plays.map(async (play) => {
          const reply = await api.get(play.path, as)
          const { turn, maps } = reply.body
          expect(turn).toMatchObject({ action: 'ban', secret: true, done: [1], seats: [2], own: [] })
          expect(turn.options).toHaveLength(9)
          expect(maps.every(({ state }: { state: string }) => state === 'available')).toBe(true)
          const row = (await rowsOf(play, as)).find(({ kind }) => kind === 'ban')
          expect(row).toMatchObject({ seat: 1, map: null, data: { secret: true } })
          const parts = JSON.parse(await everything(play, as))
          return bare(JSON.stringify([parts[0], parts[1], ...parts.slice(3)]), play)
        }),
      )
      expect(second).toBe(first)
    }
    for (const [index, play] of plays.entries()) {
      const own = await play.read(play.captain(1))
      expect(own.turn.own).toEqual([{ seat: 1, map: choices[index], users: null }])
      expect((await rowsOf(play, play.captain(1))).find(({ kind }) => kind === 'ban')?.map).toBe(choices[index])
      // A refusal reveals nothing: the other seat may choose the same map, and sees only its own choice.
      await play.read(play.captain(2))
      const refused = await play.act(2, { action: 'pick', map: choices[index] })
      expect(outcome(refused)).toEqual([409, 'flow.wrong_action'])
      expect(refused.body.state.turn.own).toEqual([])
      const again = await play.call(play.captain(1), 'act', { action: 'ban', map: made.poolMaps[0] })
      expect(outcome(again)).toEqual([409, 'flow.not_your_turn'])
    }
    // Two equal bans count once; then everything is revealed.
    expect(outcome(await one.act(2, { action: 'ban', map: choices[0] }))).toEqual([200, null])
    const shown = await one.read(null)
    expect(shown.picksBans.filter(({ isBan }: { isBan: boolean }) => isBan)).toMatchObject([{ mapGuid: choices[0] }])
    expect((await rowsOf(one, null)).filter(({ kind }) => kind === 'ban').map(({ map }) => map)).toEqual([
      choices[0],
      choices[0],
    ])
    // The choices are also revealed when the time is over.
    await passUntilLapse(api, [other.state.session], 300)
    await expect
      .poll(async () => (await rowsOf(other, null)).find(({ kind }) => kind === 'ban')?.map, { timeout: 60_000 })
      .toBe(choices[1])
    expect((await rowsOf(other, null)).find(({ kind }) => kind === 'lapse')).toMatchObject({ seat: 2 })
  })

  test('that is taken back is never told', async () => {
    const play = await begun([{ action: 'ban', actor: 'all', secret: true }], { selfUndoSeconds: 60 })
    await play.act(1, { action: 'ban', map: made.poolMaps[2] })
    expect(outcome(await play.call(play.captain(1), 'undo', {}))).toEqual([200, null])
    await play.act(2, { action: 'ban', map: made.poolMaps[3] })
    await play.act(1, { action: 'ban', map: made.poolMaps[4] })
    const bans = (await rowsOf(play, null)).filter(({ kind }) => kind === 'ban')
    expect(bans).toMatchObject([
      { position: 2, map: null, undoneBy: 3 },
      { map: made.poolMaps[3], undoneBy: null },
      { map: made.poolMaps[4], undoneBy: null },
    ])
    // A revealed choice stays visible after a referee undoes it.
    expect(outcome(await play.call(made.referee, 'undo', {}))).toEqual([200, null])
    expect((await rowsOf(play, null)).filter(({ kind }) => kind === 'ban')).toMatchObject([
      { position: 2, map: null },
      { map: made.poolMaps[3], undoneBy: null },
      { map: made.poolMaps[4], undoneBy: expect.any(Number) },
    ])
  })

  test('that was told stays told where the lapse that ended the secrecy is taken back', async () => {
    const play = await begun([{ action: 'ban', actor: 'all', secret: true, seconds: 3_600 }])
    const [, , first, second, third] = made.poolMaps
    const bans = async () => (await rowsOf(play, null)).filter(({ kind }) => kind === 'ban').map(({ map }) => map)
    expect(outcome(await play.act(1, { action: 'ban', map: first }))).toEqual([200, null])
    expect(await bans()).toEqual([null])
    await passUntilLapse(api, [play.state.session], 300)
    await expect.poll(bans, { timeout: 60_000 }).toEqual([first])
    await play.read()
    expect(outcome(await play.call(made.referee, 'undo', {}))).toEqual([200, null])
    expect(play.state.turn).toMatchObject({ action: 'ban', done: [1], seats: [2] })
    expect(await bans()).toEqual([first])
    // A choice that was not revealed stays hidden.
    expect(outcome(await play.call(made.referee, 'undo', {}))).toEqual([200, null])
    expect(outcome(await play.act(1, { action: 'ban', map: second }))).toEqual([200, null])
    expect(await bans()).toEqual([first, null])
    expect(outcome(await play.act(2, { action: 'ban', map: third }))).toEqual([200, null])
    expect(await bans()).toEqual([first, second, third])
  })
})

describe('an undo', () => {
  test('of a speaker takes back their own last choice, for as long as it is said', async () => {
    const ban = (seat: number) => ({ action: 'ban', actor: `seat:${seat}` })
    const play = await begun([ban(1), ban(2), ban(1)], { selfUndoSeconds: 30 })
    const undo = async (as: Caller) => outcome(await play.call(as, 'undo', {}))
    const nothing = [409, 'flow.nothing_to_undo']
    await play.act(1, { action: 'ban', map: made.poolMaps[0] })
    expect(await undo(play.captain(2))).toEqual(nothing)
    expect(await undo(play.captain(1))).toEqual([200, null])
    expect(play.state).toMatchObject({ turn: { seats: [1] }, position: 3 })
    expect(await undo(play.captain(1))).toEqual(nothing)
    await play.act(1, { action: 'ban', map: made.poolMaps[1] })
    await play.act(2, { action: 'ban', map: made.poolMaps[2] })
    // Another caller has acted since, so the captain cannot undo.
    expect(await undo(play.captain(1))).toEqual(nothing)
    await passTime(api, [play.state.session], 31_000)
    expect(await undo(play.captain(2))).toEqual(nothing)
    // A seat cannot undo what a referee did for it.
    await play.call(made.referee, 'act', { action: 'ban', map: made.poolMaps[3] })
    expect(await undo(play.captain(1))).toEqual(nothing)
    // The referee undoes as many rows as there are, together with the system's rows after them; rows that cannot be
    // undone are skipped.
    await play.call(made.referee, 'act', { seat: 1, action: 'present' })
    expect(await undo(made.referee)).toEqual([200, null])
    expect(play.state).toMatchObject({ turn: { action: 'ban', seats: [1] }, games: [] })
    expect(await undo(made.referee)).toEqual([200, null])
    expect(await undo(made.referee)).toEqual([200, null])
    expect(await undo(made.referee)).toEqual(nothing)
    expect(play.state.maps.every(({ state }: { state: string }) => state === 'available')).toBe(true)
    expect(play.state.seats[0].present).toBe(true)
    const rows = await rowsOf(play, null)
    expect(
      rows
        .filter(({ kind }) => kind !== 'undo' && kind !== 'start' && kind !== 'present')
        .every(({ undoneBy }) => undoneBy !== null),
    ).toBe(true)
  })

  test('takes back a lapse, and the choice that was drawn because of it', async () => {
    const play = await begun([{ action: 'ban', actor: 'seat:1', seconds: 3_600, onTimeout: 'random' }])
    await passUntilLapse(api, [play.state.session], 300)
    await expect.poll(async () => (await rowsOf(play, null)).length, { timeout: 60_000 }).toBe(4)
    await play.read()
    const drawn = (await rowsOf(play, null))[2]?.map
    expect(outcome(await play.call(made.referee, 'undo', {}))).toEqual([200, null])
    expect(play.state).toMatchObject({ turn: { action: 'ban', seats: [1] }, clock: { dueAt: expect.any(String) } })
    expect((await rowsOf(play, null)).map(({ undoneBy }) => undoneBy)).toEqual([null, 5, 5, 5, null])
    // An undone draw has the same outcome again.
    await passUntilLapse(api, [play.state.session], 300)
    await expect.poll(async () => (await rowsOf(play, null)).length, { timeout: 60_000 }).toBe(8)
    expect((await rowsOf(play, null))[6]?.map).toBe(drawn)
  })
})
