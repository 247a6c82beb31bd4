import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament, remembered, roleHolder } from '../../../../test/make.ts'
import { makeCup, makePlayers, open, play, someMaps } from '../../../../test/qualifiers.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const guid = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('setting a qualifier up', () => {
  test('there is none until the organiser makes one', async () => {
    const { path, organiser } = await makeCup(api)
    for (const address of [path, `${path}/standings`]) {
      expect(outcome(await api.get(address))).toEqual([404, 'qualifier.unknown'])
    }
    expect(outcome(await api.get(`${path}/attempts`, organiser))).toEqual([404, 'qualifier.unknown'])
    const attempts = [{ mapGuid: organiser.guid, user: '@me', score: 1 }]
    expect(outcome(await api.post(`${path}/attempts`, organiser, { attempts }))).toEqual([404, 'qualifier.unknown'])
    const voiding = api.post(`${path}/attempts/${organiser.guid}/void`, organiser, { reason: 'x' })
    expect(outcome(await voiding)).toEqual([404, 'qualifier.unknown'])
    expect(outcome(await api.post(`${path}/sync`, organiser))).toEqual([404, 'qualifier.unknown'])
    expect(outcome(await api.post(`${path}/seed`, organiser, { size: 2 }))).toEqual([404, 'qualifier.unknown'])
  })

  test('an empty body makes a draft of the usual settings', async () => {
    const { path, organiser, tournament } = await makeCup(api)
    const made = await api.put(path, organiser, {})
    expect(made.status).toBe(200)
    expect(made.body).toEqual({
      guid,
      tournament: { guid: tournament.guid, id: tournament.id, name: `Tournament ${tournament.id}` },
      status: 'draft',
      opensAt: null,
      closesAt: null,
      attempts: 0,
      hideScores: false,
      method: 'average_accuracy',
      modifiers: 'any',
      settings: {
        countMaps: null,
        topPlayers: null,
        missing: 'zero',
        failCounts: true,
        points: [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      },
      maps: [],
      cutoff: null,
      syncUrl: null,
      createdAt: instant,
      updatedAt: instant,
    })
    const { syncUrl: _, ...seen } = made.body
    expect((await api.get(path)).body).toEqual(seen)
  })

  test('what is given changes, what is not stays, and nothing new changes nothing', async () => {
    const { path, organiser } = await makeCup(api)
    const first = {
      attempts: 3,
      hideScores: true,
      method: 'top_players',
      cutoff: 32,
      opensAt: inHours(1),
      closesAt: inHours(2),
      settings: { countMaps: 5, topPlayers: 3, points: [3, 2, 1], missing: 'last', failCounts: false },
    }
    const made = (await api.put(path, organiser, first)).body
    expect(made).toMatchObject(first)
    const changed = (await api.put(path, organiser, { attempts: 2, settings: { topPlayers: null } })).body
    expect(changed).toMatchObject({ ...first, attempts: 2, settings: { ...first.settings, topPlayers: null } })
    expect((await api.put(path, organiser, changed)).body).toEqual(changed)
    const unset = { opensAt: null, closesAt: '1970-01-01T00:00:00Z', cutoff: null }
    expect((await api.put(path, organiser, unset)).body).toMatchObject({ opensAt: null, closesAt: null, cutoff: null })
  })

  test.each<[string, object]>([
    ['an unknown method', { method: 'coin_toss' }],
    ['a negative limit', { attempts: -1 }],
    ['half a limit', { attempts: 1.5 }],
    ['no place that advances', { cutoff: 0 }],
    ['no map that counts', { settings: { countMaps: 0 } }],
    ['points that are none', { settings: { points: ['many'] } }],
    ['a rule for missing maps that there is not', { settings: { missing: 'mean' } }],
    ['a status that there is not', { status: 'paused' }],
    ['an instant without a zone', { opensAt: '2026-05-01T18:00:00' }],
    ['a map without a hash', { maps: [{ difficulty: 'Easy' }] }],
    ['a hash that is none', { maps: [{ hash: 'abc', difficulty: 'Easy' }] }],
    ['a map without weight', { maps: [{ ...someMaps(1)[0], weight: 0 }] }],
    ['more maps than fit', { maps: someMaps(51) }],
  ])('%s is refused', async (_, body) => {
    const { path, organiser } = await makeCup(api)
    expect(outcome(await api.put(path, organiser, body))).toEqual([400, 'request.invalid'])
  })

  test('a closing before the opening, and images that are no addresses, are refused', async () => {
    const { path, organiser } = await makeCup(api)
    const dates = { opensAt: inHours(2), closesAt: inHours(1) }
    expect(outcome(await api.put(path, organiser, dates))).toEqual([400, 'qualifier.invalid'])
    const maps = [{ ...someMaps(1)[0], imageUrl: 'javascript:alert(1)' }]
    expect(outcome(await api.put(path, organiser, { maps }))).toEqual([400, 'qualifier.invalid'])
  })

  test('of two at once, one makes it and the other changes it', async () => {
    const { path, organiser } = await makeCup(api)
    const replies = await Promise.all([1, 2, 3, 4].map((attempts) => api.put(path, organiser, { attempts })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(replies.map(({ body }) => body.guid)).size).toBe(1)
  })
})

describe('who may set it up', () => {
  test('the organiser, admins and global managers; nobody else but head poolers', async () => {
    const { path, tournament, coordinator } = await makeCup(api)
    const admin = await roleHolder(api, tournament, 'role:admin')
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    for (const caller of [admin, manager]) expect((await api.put(path, caller, { attempts: 1 })).status).toBe(200)
    const roles = ['staff', 'hcoordinator', 'pooler', 'caster', 'hcaster', 'host', 'referee']
    const others = await Promise.all(roles.map((role) => roleHolder(api, tournament, `role:${role}`)))
    for (const caller of [...others, coordinator, await api.user()]) {
      expect(outcome(await api.put(path, caller, { attempts: 1 }))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.put(path, null, {}))).toEqual([401, 'token.missing'])
  })

  test('head poolers change the maps of a qualifier that is there, and nothing else', async () => {
    const cup = await makeCup(api)
    const pooler = await roleHolder(api, cup.tournament, 'role:hpooler')
    expect(outcome(await api.put(cup.path, pooler, { maps: someMaps(1) }))).toEqual([404, 'qualifier.unknown'])
    await api.put(cup.path, cup.organiser, { attempts: 3 })
    const changed = await api.put(cup.path, pooler, { maps: someMaps(2) })
    expect([changed.status, changed.body.maps.length]).toEqual([200, 2])
    for (const body of [{ hideScores: true }, { status: 'open' }, { maps: someMaps(1), cutoff: 4 }, { attempts: 2 }]) {
      expect(outcome(await api.put(cup.path, pooler, body))).toEqual([403, 'role.missing'])
    }
    expect((await api.get(cup.path, pooler)).body).toMatchObject({ attempts: 3, hideScores: false, status: 'draft' })
    // Sending the returned settings back is no change.
    expect((await api.put(cup.path, pooler, { ...changed.body, maps: someMaps(3) })).body.maps).toHaveLength(3)
  })

  test.each<[string, object]>([
    ['a status that it cannot take', { status: 'final' }],
    ['dates that contradict each other', { opensAt: '2027-05-02T00:00:00Z', closesAt: '2027-05-01T00:00:00Z' }],
    ['a status that skips one', { status: 'closed' }],
    ['an address that none may give', { syncUrl: 'ftp://board.example.org' }],
  ])('head poolers are told that they may not before they are told what is wrong with %s (D1)', async (_what, body) => {
    const cup = await makeCup(api)
    const pooler = await roleHolder(api, cup.tournament, 'role:hpooler')
    await api.put(cup.path, cup.organiser, { attempts: 3 })
    const refused = outcome(await api.put(cup.path, cup.organiser, body))
    expect([400, 409]).toContain(refused[0])
    expect(outcome(await api.put(cup.path, pooler, body))).toEqual([403, 'role.missing'])
    expect(outcome(await api.put(cup.path, pooler, { ...body, maps: someMaps(1) }))).toEqual([403, 'role.missing'])
  })

  test('whoever was organiser may no longer', async () => {
    const { path, organiser, tournament } = await makeCup(api)
    await api.sql('update tournaments set organiser_guid = $2 where guid = $1', [
      tournament.guid,
      (await api.user()).guid,
    ])
    expect(outcome(await api.put(path, organiser, {}))).toEqual([403, 'role.missing'])
  })
})

describe('maps', () => {
  test('have what is told of them, hashes in lower case, in their order', async () => {
    const { path, organiser } = await makeCup(api)
    const full = {
      hash: 'AB'.repeat(20),
      difficulty: 'Expert',
      characteristic: 'OneSaber',
      name: 'Cadenza',
      artist: 'A',
      mapper: 'M',
      imageUrl: 'https://maps.example/1.png',
      maxScore: 912_755,
      weight: 0.5,
      order: 7,
    }
    const { maps } = (await api.put(path, organiser, { maps: [full, { hash: 'c'.repeat(40), difficulty: 'Easy' }] }))
      .body
    const bare = { name: null, artist: null, mapper: null, imageUrl: null, maxScore: null, weight: 1, order: 1 }
    expect(maps).toEqual([
      { guid, hash: 'c'.repeat(40), difficulty: 'Easy', characteristic: 'Standard', ...bare },
      { ...full, guid, hash: 'ab'.repeat(20) },
    ])
  })

  test('are updated by GUID or because they are the same map, added, and removed', async () => {
    const { path, organiser } = await makeCup(api)
    const [first, second, third] = someMaps(3)
    const before = (await api.put(path, organiser, { maps: [first, second] })).body.maps
    const changed = { ...second, guid: before[1].guid.toUpperCase(), difficulty: 'Hard' }
    const after = (await api.put(path, organiser, { maps: [{ ...first, name: 'Renamed' }, changed, third] })).body.maps
    expect(after).toMatchObject([
      { guid: before[0].guid, name: 'Renamed' },
      { guid: before[1].guid, difficulty: 'Hard' },
      { guid, name: 'Map 3' },
    ])
    expect((await api.put(path, organiser, { maps: [{ ...third, order: 0 }] })).body.maps).toEqual([
      { ...after[2], order: 0 },
    ])
  })

  test('stand there once, and are the qualifier’s own', async () => {
    const { path, organiser } = await makeCup(api)
    const [map] = someMaps(1)
    const twice = [map, { ...map, hash: map?.hash.toUpperCase(), difficulty: 'expertplus' }]
    expect(outcome(await api.put(path, organiser, { maps: twice }))).toEqual([400, 'qualifier.map_twice'])
    const others = await open(api, await makeCup(api))
    const maps = [{ ...map, guid: others[0] }]
    expect(outcome(await api.put(path, organiser, { maps }))).toEqual([400, 'qualifier.map_unknown'])
  })

  test('that were played stay what they are, but what is told of them can be put right', async () => {
    const cup = await makeCup(api)
    const maps = await open(api, cup)
    const [player] = await makePlayers(api, cup)
    await play(api, cup, maps, player as never, [500])
    const [first, second] = someMaps(2)
    for (const wanted of [[second], [{ ...first, guid: maps[0], difficulty: 'Hard' }, second]]) {
      expect(outcome(await api.put(cup.path, cup.organiser, { maps: wanted }))).toEqual([409, 'qualifier.map_played'])
    }
    const put = await api.put(cup.path, cup.organiser, { maps: [{ ...first, maxScore: 2_000 }] })
    expect([put.status, put.body.maps.length]).toEqual([200, 1])
    const [row] = (await api.get(`${cup.path}/standings`)).body.overallStandings
    expect(row.value).toBe(0.25)
  })

  test('are the staff’s secret until it opens', async () => {
    const cup = await makeCup(api)
    await open(api, cup, { status: 'draft' })
    const player = (await makePlayers(api, cup))[0]
    for (const caller of [null, player ?? null]) {
      expect((await api.get(cup.path, caller)).body.maps).toEqual([])
      const standings = (await api.get(`${cup.path}/standings`, caller)).body
      expect([standings.maps, standings.songAndTeamProcesses, standings.description.join()]).toEqual([
        [],
        [],
        expect.not.stringContaining('2 maps'),
      ])
    }
    const pooler = await roleHolder(api, cup.tournament, 'role:pooler')
    for (const caller of [pooler, cup.coordinator, cup.organiser]) {
      expect((await api.get(cup.path, caller)).body.maps).toHaveLength(2)
      expect((await api.get(`${cup.path}/standings`, caller)).body.maps).toHaveLength(2)
    }
    await api.put(cup.path, cup.organiser, { status: 'open' })
    expect((await api.get(cup.path)).body.maps).toHaveLength(2)
  })
})

describe('status', () => {
  test('moves by PUT from draft to open, closed and final, and from closed back to open', async () => {
    const { path, organiser } = await makeCup(api)
    const move = async (status: string) => outcome(await api.put(path, organiser, { status }))
    expect(await move('closed')).toEqual([409, 'qualifier.status_illegal'])
    expect(await move('final')).toEqual([409, 'qualifier.status_illegal'])
    expect(await move('draft')).toEqual([200, null])
    expect(await move('open')).toEqual([200, null])
    expect(await move('draft')).toEqual([409, 'qualifier.status_illegal'])
    expect(await move('final')).toEqual([409, 'qualifier.status_illegal'])
    expect(await move('closed')).toEqual([200, null])
    expect(await move('draft')).toEqual([409, 'qualifier.status_illegal'])
    expect(await move('open')).toEqual([200, null])
    expect(await move('closed')).toEqual([200, null])
    expect(await move('final')).toEqual([200, null])
    expect(await move('final')).toEqual([200, null])
    for (const status of ['draft', 'open', 'closed'])
      expect(await move(status)).toEqual([409, 'qualifier.status_illegal'])
  })

  test('moves by date without anybody doing anything, for everybody', async () => {
    const cup = await makeCup(api)
    await open(api, cup, { status: undefined, opensAt: inHours(1), closesAt: inHours(2) })
    const statusFor = async () => (await remembered(api, cup.path)).body.status
    expect(await statusFor()).toBe('draft')
    const shift = (hours: number) =>
      api.sql(
        `update qualifiers set opens_at = opens_at - $2 * interval '1 hour', closes_at = closes_at - $2 * interval '1 hour' where tournament_guid = $1`,
        [cup.tournament.guid, hours],
      )
    await shift(1.5)
    expect(await statusFor()).toBe('open')
    expect((await api.get(cup.path)).body.maps).toHaveLength(2)
    await shift(1)
    expect(await statusFor()).toBe('closed')
    // After it was opened by hand, the past date does not close it; a new date does.
    expect((await api.put(cup.path, cup.organiser, { status: 'open' })).body.status).toBe('open')
    expect(await statusFor()).toBe('open')
    await api.put(cup.path, cup.organiser, { closesAt: inHours(-0.1) })
    expect(await statusFor()).toBe('closed')
    await api.put(cup.path, cup.organiser, { closesAt: inHours(1) })
    expect(await statusFor()).toBe('open')
  })

  test('never becomes final by date, nor goes back because of one', async () => {
    const cup = await makeCup(api)
    await open(api, cup, { status: undefined, opensAt: inHours(-2), closesAt: inHours(-1) })
    expect((await api.get(cup.path)).body.status).toBe('closed')
    const back = await api.put(cup.path, cup.organiser, { opensAt: inHours(1), closesAt: null })
    expect(outcome(back)).toEqual([409, 'qualifier.status_illegal'])
  })

  test('final keeps everything as it is', async () => {
    const cup = await makeCup(api)
    const maps = await open(api, cup)
    await api.put(cup.path, cup.organiser, { status: 'closed' })
    await api.put(cup.path, cup.organiser, { status: 'final' })
    for (const body of [{ attempts: 9 }, { hideScores: true }, { maps: someMaps(1) }]) {
      expect(outcome(await api.put(cup.path, cup.organiser, body))).toEqual([409, 'qualifier.final'])
    }
    const attempts = [{ mapGuid: maps[0], user: '@me', score: 1 }]
    expect(outcome(await api.post(`${cup.path}/attempts`, cup.organiser, { attempts }))).toEqual([
      409,
      'qualifier.not_open',
    ])
  })
})

describe('the address of results', () => {
  const syncUrl = 'https://board.example/results?key=s3cret'

  test('is kept secret, told as configured to the organiser and admins, and to nobody else that it exists', async () => {
    const cup = await makeCup(api)
    const put = await api.put(cup.path, cup.organiser, { syncUrl })
    expect(put.body.syncUrl).toBe('configured')
    expect(put.text).not.toContain('s3cret')
    const admin = await roleHolder(api, cup.tournament, 'role:admin')
    expect((await api.get(cup.path, admin)).body.syncUrl).toBe('configured')
    for (const caller of [cup.coordinator, await api.user(), null]) {
      expect((await api.get(cup.path, caller)).body).not.toHaveProperty('syncUrl')
    }
    expect((await api.put(cup.path, cup.organiser, put.body)).body.syncUrl).toBe('configured')
    expect(await api.sql('select sync_url from qualifiers where tournament_guid = $1', [cup.tournament.guid])).toEqual([
      { sync_url: syncUrl },
    ])
    for (const nothing of ['', null]) {
      expect((await api.put(cup.path, cup.organiser, { syncUrl: nothing })).body.syncUrl).toBeNull()
      await api.put(cup.path, cup.organiser, { syncUrl })
    }
    const audit = await api.get(`/tournaments/${cup.tournament.id}/audit`, cup.organiser)
    expect(audit.text).not.toContain('s3cret')
    expect(audit.body.entries[0]).toMatchObject({
      type: 'qualifier.updated',
      before: { syncUrl: null },
      after: { syncUrl: 'configured' },
    })
    await api.put(cup.path, cup.organiser, { syncUrl: `${syncUrl}2` })
    const [entry] = (await api.get(`/tournaments/${cup.tournament.id}/audit`, cup.organiser)).body.entries
    expect([entry.before, entry.after]).toEqual([{ syncUrl: 'configured' }, { syncUrl: 'configured' }])
  })

  test.each([
    'ftp://board.example/x',
    'board.example',
    'https://user:pass@board.example/',
    'http://127.0.0.1/x',
    'http://10.0.0.1/',
    'http://printer.local/',
  ])('%s is refused', async (address) => {
    const { path, organiser } = await makeCup(api)
    expect(outcome(await api.put(path, organiser, { syncUrl: address }))).toEqual([400, 'qualifier.invalid'])
  })
})

test('a draft tournament hides its qualifier like everything else of it', async () => {
  const organiser = await api.user()
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  await api.put(`/tournaments/${draft.id}/qualifier`, organiser, {})
  expect(outcome(await api.get(`/tournaments/${draft.id}/qualifier`))).toEqual([404, 'tournament.unknown'])
  const staff = await api.user()
  await grantRole(api, draft, staff, 'role:caster')
  expect((await api.get(`/tournaments/${draft.id}/qualifier`, staff)).status).toBe(200)
})
