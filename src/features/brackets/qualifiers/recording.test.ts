import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTeam, roleHolder } from '../../../../test/make.ts'
import { done, makePlayers, type Stage, stage } from '../../../../test/qualifiers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('recording', () => {
  test('answers each attempt as it stands in the ledger', async () => {
    const { maps, player, post } = await stage(api)
    const full = {
      mapGuid: maps[0],
      user: player.chatPlatformId,
      score: 900,
      accuracy: 0.91,
      misses: 2,
      badCuts: 1,
      maxCombo: 400,
      fullCombo: false,
      completion: 'failed',
      source: 'import',
      externalId: 'row 7',
      playedAt: '2026-05-01T18:00:00+02:00',
    }
    const reply = await post([full, { mapGuid: maps[1], user: player.guid, score: 250 }])
    expect(reply.status).toBe(201)
    const { team } = player
    expect(reply.body).toEqual({
      accepted: [
        {
          guid: expect.any(String),
          map: {
            guid: maps[0],
            hash: '1'.repeat(40),
            difficulty: 'ExpertPlus',
            characteristic: 'Standard',
            name: 'Map 1',
          },
          user: {
            guid: player.guid,
            username: player.username,
            preferredName: player.username,
            avatarUrl: expect.any(String),
          },
          team: { guid: team.guid, id: team.id, name: team.name, imageUrl: null, color: null },
          score: 900,
          accuracy: 0.91,
          misses: 2,
          badCuts: 1,
          maxCombo: 400,
          fullCombo: false,
          completion: 'failed',
          source: 'import',
          externalId: 'row 7',
          playedAt: '2026-05-01T16:00:00.000Z',
          recordedAt: instant,
          voidedAt: null,
          voidReason: null,
        },
        expect.objectContaining({
          score: 250,
          accuracy: 0.25,
          completion: 'passed',
          source: 'manual',
          externalId: null,
          misses: null,
        }),
      ],
      duplicates: [],
      rejected: [],
    })
  })

  test('takes any identifier of a player, and @me', async () => {
    const { cup, maps, player, post } = await stage(api)
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', '7656119001', now()), ($1, 'ranking-b', '42', now())`,
      [player.guid],
    )
    const [unverified] = await makePlayers(api, cup)
    await api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '4711')`, [
      unverified?.guid,
    ])
    await makeTeam(api, cup.tournament, cup.coordinator, { status: 'registered' })
    const names = [
      player.guid.toUpperCase(),
      player.chatPlatformId,
      '7656119001',
      '42',
      '@me',
      '4711',
      'nobody',
      `${'0'.repeat(8)}-0000-4000-8000-000000000000`,
    ]
    const { accepted, rejected } = (await post(names.map((user) => ({ mapGuid: maps[0], user, score: 1 })))).body
    expect(accepted.map(({ user }: { user: Caller }) => user.guid)).toEqual([
      ...[player.guid, player.guid, player.guid, player.guid, cup.coordinator.guid],
    ])
    expect(rejected.map(({ index, reason }: { index: number; reason: string }) => [index, reason])).toEqual([
      [5, 'user.unknown'],
      [6, 'user.unknown'],
      [7, 'user.unknown'],
    ])
  })

  test('rejects each for itself, and says why', async () => {
    const { cup, maps, player, post } = await stage(api)
    const [outsider, banned, unregistered] = [await api.user(), (await makePlayers(api, cup))[0], await api.user()]
    await api.sql('update users set banned_at = now() where guid = $1', [banned?.guid])
    await makeTeam(api, cup.tournament, unregistered)
    const good = { mapGuid: maps[0], user: player.guid, score: 1_000 }
    const { accepted, duplicates, rejected } = (
      await post([
        { ...good, score: 2_001 },
        { ...good, mapGuid: player.guid },
        { ...good, user: outsider.guid },
        good,
        { ...good, user: banned?.guid },
        { ...good, user: unregistered.guid },
        { ...good, score: undefined },
      ])
    ).body
    expect(rejected).toEqual([
      { index: 0, reason: 'attempt.score_too_high', message: 'The score is higher than the map allows.' },
      { index: 1, reason: 'map.unknown', message: 'The qualifier has no such map.' },
      { index: 2, reason: 'team.not_registered', message: 'The player is in no registered team of the tournament.' },
      { index: 4, reason: 'user.unknown', message: 'There is no such user.' },
      { index: 5, reason: 'team.not_registered', message: 'The player is in no registered team of the tournament.' },
      { index: 6, reason: 'attempt.score_missing', message: 'An attempt has a score, unless it is a placeholder.' },
    ])
    expect([accepted.length, duplicates]).toEqual([1, []])
  })

  test('needs a qualifier that is open', async () => {
    const { cup, attempt, post, maps, player } = await stage(api, { status: 'draft' })
    const one = [{ mapGuid: maps[0], user: player.guid, score: 1 }]
    expect(outcome(await post(one))).toEqual([409, 'qualifier.not_open'])
    await api.put(cup.path, cup.organiser, { status: 'open' })
    expect(await attempt()).toBe('accepted')
    await api.put(cup.path, cup.organiser, { closesAt: new Date(Date.now() - 1_000).toISOString() })
    expect(outcome(await post(one))).toEqual([409, 'qualifier.not_open'])
  })

  test('needs a tournament that takes place', async () => {
    const { cup, maps, player, post } = await stage(api)
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [cup.tournament.guid])
    const reply = await post([{ mapGuid: maps[0], user: player.guid, score: 1 }])
    expect(outcome(reply)).toEqual([409, 'tournament.cancelled'])
    const rows = [{ player: player.guid, map: maps[0], score: 5 }]
    const synchronised = await api.post(`${cup.path}/sync`, cup.organiser, { source: { rows } })
    expect(outcome(synchronised)).toEqual([409, 'tournament.cancelled'])
  })

  test('is for coordinators, their heads, admins and the organiser', async () => {
    const { cup, maps, player, post } = await stage(api)
    const one = [{ mapGuid: maps[0], user: player.guid, score: 1 }]
    const holders = (roles: readonly string[]) =>
      Promise.all(roles.map((role) => roleHolder(api, cup.tournament, `role:${role}`)))
    for (const caller of [cup.organiser, ...(await holders(['admin', 'coordinator', 'hcoordinator']))]) {
      expect((await post(one, caller)).status).toBe(201)
    }
    for (const caller of [
      player,
      ...(await holders(['staff', 'referee', 'hpooler', 'pooler', 'caster', 'hcaster', 'host'])),
    ]) {
      expect(outcome(await post(one, caller))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await post(one, null))).toEqual([401, 'token.missing'])
  })

  test.each<[string, object]>([
    ['half a point', { score: 1.5 }],
    ['an accuracy in words', { accuracy: 'high' }],
    ['an ending that there is not', { completion: 'won' }],
    ['a source that there is not', { source: 'rumour' }],
    ['a map that is no GUID', { mapGuid: 'first' }],
    ['an instant without a zone', { playedAt: '2026-05-01T18:00:00' }],
    ['an id that is too long', { externalId: 'x'.repeat(201) }],
  ])('%s is refused with the whole list', async (_, more) => {
    const { maps, player, post } = await stage(api)
    const good = { mapGuid: maps[0], user: player.guid, score: 1 }
    expect(outcome(await post([good, { ...good, ...more }]))).toEqual([400, 'request.invalid'])
    expect(await api.sql('select 1 from qualifier_attempts where user_guid = $1', [player.guid])).toEqual([])
  })

  test('rejects a row with a value out of range, and records the rows beside it (D62)', async () => {
    const { maps, player, post } = await stage(api)
    const good = { mapGuid: maps[0], user: player.guid, score: 900 }
    const bad = [{ score: -1 }, { accuracy: 95 }, { score: 1e12 }, { misses: -3 }, { playedAt: '2019-05-01T18:00:00Z' }]
    const { accepted, rejected } = (await post([good, ...bad.map((more) => ({ ...good, ...more })), good])).body
    expect(accepted).toHaveLength(2)
    expect(rejected.map(({ index, reason }: { index: number; reason: string }) => [index, reason])).toEqual(
      bad.map((_, index) => [index + 1, 'attempt.out_of_range']),
    )
    expect(rejected[1].message).toBe('"accuracy" is 95; it must be from 0 to 2.')
  })

  test('takes what modifiers raise above the maximum, unless they are ruled out (D62)', async () => {
    const it = await stage(api, { method: 'average_accuracy' })
    expect((await api.get(it.cup.path)).body.modifiers).toBe('any')
    expect(await it.attempt({ score: 1_047, accuracy: 1.047 })).toBe('accepted')
    expect(await it.attempt({ score: 1_080 })).toBe('accepted')
    const { overallStandings } = (await api.get(`${it.cup.path}/standings`)).body
    expect(overallStandings[0].perMap[0]).toMatchObject({ score: 1_080, accuracy: 1.08 })
    const none = (await done(api.put(it.cup.path, it.cup.organiser, { modifiers: 'none' }))).body
    expect(none.modifiers).toBe('none')
    expect(await it.attempt({ score: 1_001 })).toBe('attempt.score_too_high')
    expect(await it.attempt({ accuracy: 1.01 })).toBe('attempt.score_too_high')
    expect(await it.attempt({ score: 1_000, accuracy: 1 })).toBe('accepted')
    const { description } = (await api.get(`${it.cup.path}/standings`)).body
    expect(description).toContain('Modifiers do not count: a score above the highest that its map allows is refused.')
    expect(outcome(await api.put(it.cup.path, it.cup.organiser, { modifiers: 'some' }))).toEqual([
      ...[400, 'request.invalid'],
    ])
  })

  test('takes at least one and at most 500 at a time', async () => {
    const { maps, player, post } = await stage(api)
    const list = (count: number) =>
      Array.from({ length: count }, (_, score) => ({ mapGuid: maps[0], user: player.guid, score }))
    expect(outcome(await post([]))).toEqual([400, 'request.invalid'])
    expect(outcome(await post(list(501)))).toEqual([400, 'request.invalid'])
    expect((await post(list(500))).body.accepted).toHaveLength(500)
  })
})

describe('what is known already', () => {
  test('under its external id is a duplicate, in the same list and later, from the same source alone', async () => {
    const { maps, player, post } = await stage(api)
    const one = { mapGuid: maps[0], user: player.guid, score: 1, externalId: 'a' }
    const first = (await post([one, { ...one, score: 2 }, { ...one, source: 'import' }, { ...one, externalId: 'b' }]))
      .body
    expect([first.accepted.length, first.duplicates]).toEqual([3, [1]])
    const again = (await post([one, { ...one, source: 'assistant' }])).body
    expect([again.accepted.length, again.duplicates, again.rejected]).toEqual([1, [0], []])
    const elsewhere = await stage(api)
    const other = { ...one, mapGuid: elsewhere.maps[0], user: elsewhere.player.guid }
    expect((await elsewhere.post([other])).body.accepted).toHaveLength(1)
  })

  test('is recorded once, however many send it at once', async () => {
    const { maps, player, post } = await stage(api)
    const one = { mapGuid: maps[0], user: player.guid, score: 1, externalId: 'a' }
    const replies = await Promise.all(Array.from({ length: 12 }, () => post([one])))
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect(replies.filter(({ body }) => body.accepted.length === 1)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.duplicates.length === 1)).toHaveLength(11)
  })
})

describe('the limit of attempts', () => {
  test('is each player’s on each map, and failed, quit and placeholder attempts use it up', async () => {
    const { cup, maps, attempt } = await stage(api, { attempts: 3 })
    expect(await attempt({ completion: 'failed' })).toBe('accepted')
    expect(await attempt({ completion: 'quit' })).toBe('accepted')
    expect(await attempt({ completion: 'placeholder', score: undefined })).toBe('accepted')
    expect(await attempt()).toBe('attempt.limit_reached')
    expect(await attempt({ mapGuid: maps[1] })).toBe('accepted')
    const [other] = await makePlayers(api, cup)
    expect(await attempt({ user: other?.guid })).toBe('accepted')
  })

  test('holds within one list', async () => {
    const { maps, player, post } = await stage(api, { attempts: 2 })
    const list = Array.from({ length: 4 }, (_, score) => ({ mapGuid: maps[0], user: player.guid, score }))
    const { accepted, rejected } = (await post(list)).body
    expect(accepted.map(({ score }: { score: number }) => score)).toEqual([0, 1])
    expect(rejected.map(({ index }: { index: number }) => index)).toEqual([2, 3])
  })

  test('holds when twenty record at once, on two processes', async () => {
    const { cup, maps, player } = await stage(api, { attempts: 3 })
    const sibling = await api.sibling()
    const one = { attempts: [{ mapGuid: maps[0], user: player.guid, score: 1 }] }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? api : sibling).post(`${cup.path}/attempts`, cup.coordinator, one),
      ),
    )
    await sibling[Symbol.asyncDispose]()
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(replies.flatMap(({ body }) => body.accepted)).toHaveLength(3)
    expect(replies.flatMap(({ body }) => body.rejected).every(({ reason }) => reason === 'attempt.limit_reached')).toBe(
      true,
    )
    expect(await api.sql('select 1 from qualifier_attempts where user_guid = $1', [player.guid])).toHaveLength(3)
  })

  test('may be lowered without taking anything back', async () => {
    const { cup, attempt } = await stage(api, { attempts: 2 })
    expect([await attempt(), await attempt()]).toEqual(['accepted', 'accepted'])
    await api.put(cup.path, cup.organiser, { attempts: 1 })
    expect(await attempt()).toBe('attempt.limit_reached')
    expect((await api.get(`${cup.path}/attempts`, cup.coordinator)).body.attempts).toHaveLength(2)
  })
})

describe('a placeholder', () => {
  const list = async ({ cup }: Stage) => (await api.get(`${cup.path}/attempts`, cup.coordinator)).body.attempts

  test('is superseded by the attempt with its external id, which uses up nothing more', async () => {
    const it = await stage(api, { attempts: 1 })
    expect(await it.attempt({ completion: 'placeholder', score: undefined, externalId: 'a' })).toBe('accepted')
    expect(await it.attempt({ completion: 'placeholder', externalId: 'a' })).toBe('duplicate')
    expect(await it.attempt({ externalId: 'b' })).toBe('attempt.limit_reached')
    expect(await it.attempt({ externalId: 'a', score: 800 })).toBe('accepted')
    expect(await it.attempt({ externalId: 'a', score: 900 })).toBe('duplicate')
    expect(await it.attempt({ externalId: 'a', completion: 'placeholder' })).toBe('duplicate')
    expect(await it.attempt({ externalId: 'c' })).toBe('attempt.limit_reached')
    const attempts = await list(it)
    expect(attempts).toHaveLength(2)
    expect(attempts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          completion: 'placeholder',
          score: 0,
          voidedAt: instant,
          voidReason: 'The attempt itself came in.',
        }),
        expect.objectContaining({ completion: 'passed', score: 800, voidedAt: null }),
      ]),
    )
  })

  test('is superseded in the same list too', async () => {
    const it = await stage(api, { attempts: 1 })
    const one = { mapGuid: it.maps[0], user: it.player.guid, externalId: 'a' }
    const { accepted, rejected } = (
      await it.post([
        { ...one, completion: 'placeholder' },
        { ...one, score: 7 },
        { ...one, externalId: 'b', score: 8 },
      ])
    ).body
    expect(accepted.map(({ voidedAt }: { voidedAt: string | null }) => voidedAt)).toEqual([instant, null])
    expect(rejected).toMatchObject([{ index: 2, reason: 'attempt.limit_reached' }])
  })

  test('keeps the team for which it was begun', async () => {
    const it = await stage(api)
    await it.attempt({ completion: 'placeholder', externalId: 'a' })
    await api.sql(`update teams set status = 'unregistered' where guid = $1`, [it.player.team.guid])
    expect(await it.attempt({ externalId: 'b' })).toBe('team.not_registered')
    expect(await it.attempt({ externalId: 'a' })).toBe('accepted')
    expect((await list(it))[0].team.guid).toBe(it.player.team.guid)
  })

  test('is not superseded by an attempt of somebody else or on another map', async () => {
    const it = await stage(api)
    const [other] = await makePlayers(api, it.cup)
    await it.attempt({ completion: 'placeholder', externalId: 'a' })
    expect(await it.attempt({ externalId: 'a', user: other?.guid })).toBe('attempt.placeholder_of_another')
    expect(await it.attempt({ externalId: 'a', mapGuid: it.maps[1] })).toBe('attempt.placeholder_of_another')
    expect(await it.attempt({ externalId: 'a' })).toBe('accepted')
  })

  test('that was given back does not hold a place for its attempt', async () => {
    const it = await stage(api, { attempts: 1 })
    await it.attempt({ completion: 'placeholder', externalId: 'a' })
    const [{ guid }] = await list(it)
    await done(api.post(`${it.cup.path}/attempts/${guid}/void`, it.cup.coordinator, { reason: 'Crashed.' }))
    expect(await it.attempt({ externalId: 'b' })).toBe('accepted')
    expect(await it.attempt({ externalId: 'a' })).toBe('attempt.limit_reached')
  })
})
