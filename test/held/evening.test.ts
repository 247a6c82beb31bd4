import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBracket } from '../bracket-play.ts'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { remembered, roleHolder } from '../make.ts'
import { openSocket } from '../realtime/sockets.ts'
import { until } from '../waiting.ts'

/** Who sees what of a held tournament, and how its horizon moves. (V1 to V4) */

let api: Harness
let second: Harness
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

test('outsiders are late on every process and topic; insiders, and players in their own match, are not', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { path, organiser, captains } = made
  const base = `/tournaments/${made.cup.guid}`
  const bracket = `${base}/brackets/${made.bracket.guid}`
  const list = `${base}/matches`
  const set = async (settings: object) =>
    expect(outcome(await api.patch(path, organiser, settings))).toEqual([200, null])
  const done = async (address: string, as: Parameters<Harness['get']>[1] = null, on = api) =>
    (await on.get(address, as)).text.split('"status":"completed"').length - 1
  const completed = `${list}?status=completed`

  await using late = await openSocket(api, { as: null })
  await using staff = await openSocket(second, { as: organiser })
  for (const socket of [late, staff]) await socket.ask({ type: 'subscribe', topic: bracket, facts: true })
  expect(outcome(await api.post(`${path}/reveal`, organiser, { all: true }))).toEqual([409, 'spoiler.not_held'])
  await set({ spoilerMode: 'held', streamDelaySeconds: 600 })
  const before = await api.get(bracket)
  expect(before.headers.get('delayed')).toBe('600')
  await made.win(1, 'team-1')
  await staff.copies.until((all) => JSON.stringify(all.of(`${bracket}?facts=1`).body).includes('completed'), 'staff')

  // In the bracket, in lists and their filters, with and without the delay asked for, on both processes.
  for (const service of [api, second]) {
    const again = await service.get(bracket)
    expect([again.text, again.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')])
    expect(await done(completed, null, service)).toBe(0)
    expect(await done(`${list}?delayed=true`, null, service)).toBe(0)
    expect(await done(completed, organiser, service)).toBe(1)
    expect(await done(`${list}?delayed=true`, organiser, service)).toBe(0)
  }
  const caster = await roleHolder(api, made.cup, 'role:caster')
  const [winner, other] = [captains[0], captains[1]]
  expect(await done(completed, caster)).toBe(1)
  expect(await done(completed, await api.user({ globalRoles: ['global:tournaments:manage'] }))).toBe(1)
  expect([await done(completed, winner), await done(completed, other)]).toEqual([0, 0])
  // What everybody gets is cached, and not what players get.
  await remembered(api, made.match(1))
  expect([await done(made.match(1), winner), await done(made.match(1), other)]).toEqual([1, 0])
  expect((await api.get(made.match(1), winner)).headers.get('delayed')).toBe(null)

  // How far the public is behind is for the staff.
  const horizon = await api.get(`${path}/horizon`, caster)
  expect(horizon.body).toMatchObject({ mode: 'held', delaySeconds: 600 })
  expect(horizon.body.waiting).toBeGreaterThan(0)
  expect(outcome(await api.get(`${path}/horizon`, winner))).toEqual([403, 'role.missing'])

  // A correction changes nothing for outsiders either.
  const { revision } = (await made.tell(1, { outcome: 'walkover', winner: 1, reason: 'It was so.' }, '?dryRun=true'))
    .body
  const corrected = await made.tell(1, { outcome: 'walkover', winner: 1, reason: 'It was so.', revision })
  expect(outcome(corrected), corrected.text).toEqual([200, null])
  expect((await api.get(bracket)).text).toBe(before.text)

  const [first, final] = [(await made.readMatch(1)).guid, (await made.readMatch(3)).guid]
  const reveal = (body: object, as = organiser, query = '') => api.post(`${path}/reveal${query}`, as, body)
  expect(outcome(await reveal({ match: final }))).toEqual([409, 'match.not_completed'])
  expect(outcome(await reveal({ match: made.bracket.guid }))).toEqual([404, 'match.unknown'])
  expect(outcome(await reveal({}))).toEqual([400, 'reveal.invalid'])
  expect(outcome(await reveal({ all: true }, caster))).toEqual([403, 'role.missing'])
  const dry = await reveal({ match: first }, organiser, '?dryRun=true')
  expect(dry.body.matches).toContain(first)
  expect(await done(completed)).toBe(0)
  expect(late.copies.packets.filter(({ type }) => type === 'event')).toEqual([])
  const shown = await reveal({ match: first })
  expect(shown.body).toEqual(dry.body)
  expect([await done(completed), await done(completed, null, second)]).toEqual([1, 1])
  await late.copies.until((all) => JSON.stringify(all.of(`${bracket}?facts=1`).body).includes('completed'), 'viewers')
  expect(late.copies.of(`${bracket}?facts=1`).facts).toEqual([])

  // A longer delay moves nothing back, and a shorter one runs forward by itself.
  await set({ streamDelaySeconds: 1_800 })
  expect(await done(completed)).toBe(1)
  await made.win(2, 'team-2')
  expect(await done(completed)).toBe(1)
  await set({ streamDelaySeconds: 0 })
  await until(async () => (await done(completed)) === 2)
  await set({ streamDelaySeconds: 900 })
  await made.win(3, 'team-1')
  expect(await done(completed)).toBe(2)
  await set({ streamDelaySeconds: 0 })
  const findings = (await api.get(`${path}/health`, organiser)).body as { code: string }[]
  expect(findings.map(({ code }) => code)).toContain('spoilers.no_delay')
  await set({ streamDelaySeconds: 900 })
  await set({ spoilerMode: 'open' })
  expect([await done(completed), await done(completed, null, second)]).toEqual([3, 3])
  const last = (await api.get(bracket)).headers
  expect(last.get('delayed')).toBe(null)
  await late.copies.until((all) => all.of(`${bracket}?facts=1`).etag === last.get('etag'), 'the end')
})

test('the mode is public, and for the organiser to set', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  expect((await api.get(made.path)).body.spoilerMode).toBe('open')
  const horizon = (await api.get(`${made.path}/horizon`, made.organiser)).body
  expect(horizon).toEqual({ mode: 'open', delaySeconds: 0, horizon: null, waiting: 0 })
  const staff = await roleHolder(api, made.cup, 'role:staff')
  expect(outcome(await api.patch(made.path, staff, { spoilerMode: 'held' }))).toEqual([
    403,
    'tournament.setting_forbidden',
  ])
  expect(outcome(await api.patch(made.path, made.organiser, { spoilerMode: 'hidden' }))).toEqual([
    400,
    'request.invalid',
  ])
})
