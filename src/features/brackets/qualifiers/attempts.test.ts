import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { done, makePlayers, type Player, play, stage } from '../../../../test/qualifiers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('making an attempt void', () => {
  async function withAttempt(settings: object = {}) {
    const it = await stage(api, settings)
    await it.attempt({ externalId: 'a' })
    const [{ guid }] = (await api.get(`${it.cup.path}/attempts`, it.cup.coordinator)).body.attempts
    const path = `${it.cup.path}/attempts/${guid}/void`
    return {
      ...it,
      guid: guid as string,
      path,
      refund: (as: Caller | null, body: object = { reason: 'The game crashed.' }) => api.post(path, as, body),
    }
  }

  test('gives it back, keeps it in the ledger with the reason, and out of the standings', async () => {
    const it = await withAttempt({ attempts: 1 })
    expect(await it.attempt()).toBe('attempt.limit_reached')
    const reply = await it.refund(it.cup.coordinator)
    expect([reply.status, reply.body]).toEqual([
      200,
      expect.objectContaining({ guid: it.guid, score: 500, voidedAt: instant, voidReason: 'The game crashed.' }),
    ])
    expect((await api.get(`${it.cup.path}/standings`)).body.overallStandings).toEqual([])
    expect(await it.attempt({ externalId: 'a' })).toBe('duplicate')
    expect(await it.attempt()).toBe('accepted')
  })

  test('happens once, however many want it at once', async () => {
    const it = await withAttempt()
    const replies = await Promise.all(Array.from({ length: 8 }, () => it.refund(it.cup.coordinator)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(replies.filter(({ status }) => status === 409).map(outcome)).toEqual(Array(7).fill([409, 'attempt.void']))
  })

  test('is for those who record; nobody else learns whether there is such an attempt', async () => {
    const it = await withAttempt()
    const missing = `${it.cup.path}/attempts/${it.player.guid}/void`
    for (const caller of [it.player, await api.user(), await roleHolder(api, it.cup.tournament, 'role:staff')]) {
      expect(outcome(await it.refund(caller))).toEqual([403, 'role.missing'])
      expect(outcome(await api.post(missing, caller, { reason: 'x' }))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await it.refund(null))).toEqual([401, 'token.missing'])
    for (const path of [missing, `${it.cup.path}/attempts/nonsense/void`]) {
      expect(outcome(await api.post(path, it.cup.coordinator, { reason: 'x' }))).toEqual([404, 'attempt.unknown'])
    }
    const elsewhere = await stage(api)
    const foreign = `${elsewhere.cup.path}/attempts/${it.guid}/void`
    expect(outcome(await api.post(foreign, elsewhere.cup.coordinator, { reason: 'x' }))).toEqual([
      404,
      'attempt.unknown',
    ])
    expect((await it.refund(await roleHolder(api, it.cup.tournament, 'role:admin'))).status).toBe(200)
  })

  test('needs a reason, and a qualifier that is not final', async () => {
    const it = await withAttempt()
    for (const body of [{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(501) }]) {
      expect(outcome(await it.refund(it.cup.coordinator, body))).toEqual([400, 'request.invalid'])
    }
    await api.put(it.cup.path, it.cup.organiser, { status: 'closed' })
    await api.put(it.cup.path, it.cup.organiser, { status: 'final' })
    expect(outcome(await it.refund(it.cup.coordinator))).toEqual([409, 'qualifier.final'])
  })
})

describe('the list of attempts', () => {
  test('shows all to coordinators, organisers and role:staff, to everybody else what they played', async () => {
    const { cup, maps, player } = await stage(api, { hideScores: true })
    const [other] = (await makePlayers(api, cup)) as [Player]
    await play(api, cup, maps, player, [500, 600])
    await play(api, cup, maps, other, [700])
    const path = `${cup.path}/attempts`
    const seenBy = async (caller: Caller, query = '') => {
      const { body } = await api.get(path + query, caller)
      return body.attempts.map(({ score }: { score: number }) => score).sort()
    }
    const roles = async (...names: string[]) =>
      Promise.all(names.map((role) => roleHolder(api, cup.tournament, `role:${role}`)))
    for (const caller of [cup.organiser, cup.coordinator, ...(await roles('admin', 'staff', 'hcoordinator'))]) {
      expect(await seenBy(caller)).toEqual([500, 600, 700])
    }
    for (const caller of await roles('referee', 'pooler', 'hpooler', 'caster', 'hcaster', 'host')) {
      expect(await seenBy(caller)).toEqual([])
    }
    expect(await seenBy(player)).toEqual([500, 600])
    expect(await seenBy(other)).toEqual([700])
    for (const name of ['@me', player.guid, player.chatPlatformId])
      expect(await seenBy(player, `?user=${name}`)).toEqual([500, 600])
    for (const name of [other.guid, other.chatPlatformId, 'nobody']) {
      expect(outcome(await api.get(`${path}?user=${name}`, player))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.get(path))).toEqual([401, 'token.missing'])
  })

  test('can be narrowed to a map, a player and a team', async () => {
    const { cup, maps, player } = await stage(api)
    const [other] = (await makePlayers(api, cup)) as [Player]
    await play(api, cup, maps, player, [500, 600])
    await play(api, cup, maps, other, [700, 800])
    const scores = async (query: string) =>
      (await api.get(`${cup.path}/attempts?${query}`, cup.coordinator)).body.attempts
        .map(({ score }: { score: number }) => score)
        .sort()
    expect(await scores(`map=${maps[0]}`)).toEqual([500, 700])
    expect(await scores(`user=${other.chatPlatformId}`)).toEqual([700, 800])
    expect(await scores(`user=${other.guid}&map=${maps[1]?.toUpperCase()}`)).toEqual([800])
    expect(await scores(`map=${player.guid}`)).toEqual([])
    const { body } = await api.get(`${cup.path}/attempts?user=${other.guid}`, cup.coordinator)
    const team = body.attempts[0].team.guid
    expect(await scores(`team=${team}`)).toEqual([700, 800])
    expect(await scores(`team=${team}&map=${maps[1]}`)).toEqual([800])
    expect(await scores(`team=${team}&user=${player.guid}`)).toEqual([])
    expect(await scores(`team=${maps[0]}`)).toEqual([])
    // Players have no more of it than their own.
    expect((await api.get(`${cup.path}/attempts?team=${team}`, player)).body.attempts).toEqual([])
    expect(outcome(await api.get(`${cup.path}/attempts?team=b`, cup.coordinator))).toEqual([400, 'request.invalid'])
    expect(outcome(await api.get(`${cup.path}/attempts?map=first`, cup.coordinator))).toEqual([400, 'request.invalid'])
    expect(outcome(await api.get(`${cup.path}/attempts?user=nobody`, cup.coordinator))).toEqual([404, 'user.unknown'])
  })

  test('comes in pages, newest first, without skipping or repeating', async () => {
    const { cup, maps, player } = await stage(api)
    for (let score = 0; score < 7; score++) await play(api, cup, maps, player, [score])
    const seen: number[] = []
    let before = ''
    for (let pages = 0; pages < 5; pages++) {
      const { attempts, nextCursor } = (await api.get(`${cup.path}/attempts?limit=3${before}`, player)).body
      seen.push(...attempts.map(({ score }: { score: number }) => score))
      if (nextCursor === null) break
      before = `&before=${nextCursor}`
      if (pages === 0) await play(api, cup, maps, player, [99])
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect(outcome(await api.get(`${cup.path}/attempts?before=x`, player))).toEqual([400, 'cursor.invalid'])
    expect(outcome(await api.get(`${cup.path}/attempts?limit=101`, player))).toEqual([400, 'request.invalid'])
  })

  test('still names a team that is gone by nothing', async () => {
    const { cup, maps, player } = await stage(api)
    await play(api, cup, maps, player, [500])
    await done(api.delete(`/tournaments/${cup.tournament.id}/teams`, cup.organiser, { teamGuid: player.team.guid }))
    const [attempt] = (await api.get(`${cup.path}/attempts`, player)).body.attempts
    expect(attempt).toMatchObject({ score: 500, team: null })
    expect((await api.get(`${cup.path}/standings`)).body).toMatchObject({
      overallStandings: [],
      overallTeamStandings: [],
    })
  })
})

test('the log tells that there were attempts, and nothing of how they went', async () => {
  const { cup, maps, player } = await stage(api)
  await play(api, cup, maps, player, [123, 456])
  const [{ guid }] = (await api.get(`${cup.path}/attempts`, cup.coordinator)).body.attempts
  await done(api.post(`${cup.path}/attempts/${guid}/void`, cup.coordinator, { reason: 'Secret reason' }))
  const log = await api.sql('select type, before, after from event_log where tournament = $1 order by seq', [
    cup.tournament.guid,
  ])
  expect(log.slice(-2)).toEqual([
    { type: 'qualifier.attempts_recorded', before: null, after: { attempts: 2 } },
    { type: 'qualifier.attempt_voided', before: null, after: { attemptGuid: guid } },
  ])
})
