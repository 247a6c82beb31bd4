import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BracketBody,
  eventsSince,
  lastEvent,
  type MadeBracket,
  makeBracket,
} from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
})
afterAll(() => api[Symbol.asyncDispose]())

const patch = (number: number, body: unknown, as: Caller | null = made.organiser) =>
  api.patch(made.match(number), as, body)

describe('who may change a match', () => {
  test.each(['role:coordinator', 'role:hcoordinator', 'role:admin'])('%s', async (role) => {
    const holder = await roleHolder(api, made.cup, role)
    expect(outcome(await patch(1, { notes: `by ${role}` }, holder))).toEqual([200, null])
  })

  test('the organiser and global managers', async () => {
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    for (const user of [made.organiser, manager]) expect((await patch(1, { notes: user.guid }, user)).status).toBe(200)
  })

  test.each(['role:referee', 'role:staff', 'role:caster', 'role:hcaster', 'role:hpooler', 'role:host'])(
    'not %s',
    async (role) => {
      const holder = await roleHolder(api, made.cup, role)
      expect(outcome(await patch(1, { notes: 'x' }, holder))).toEqual([403, 'role.missing'])
    },
  )

  test('not captains, players of other tournaments or anybody without a token that allows it', async () => {
    expect(outcome(await patch(1, { notes: 'x' }, made.captains[0]))).toEqual([403, 'role.missing'])
    expect(outcome(await patch(1, { notes: 'x' }, await api.user()))).toEqual([403, 'role.missing'])
    expect(outcome(await patch(1, { notes: 'x' }, null))).toEqual([401, 'token.missing'])
    const token = await api.token(made.organiser, ['rest:read'])
    const reply = await api.call('PATCH', made.match(1), { token, body: { notes: 'x' } })
    expect(outcome(reply)).toEqual([401, 'scope.missing'])
  })

  test('whoever may not is told nothing of the body or of what does not exist', async () => {
    const holder = await roleHolder(api, made.cup, 'role:referee')
    expect(outcome(await patch(1, { bestOf: 'many' }, holder))).toEqual([403, 'role.missing'])
    expect(outcome(await patch(99, { notes: 'x' }))).toEqual([404, 'match.unknown'])
  })
})

describe('the time', () => {
  test.each([
    ['2026-05-01T18:00:00Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01T18:00:00.123+02:00', '2026-05-01T16:00:00.123Z'],
    ['1970-01-01T00:00:00Z', null],
    [null, null],
  ])('%s is kept as %s', async (scheduledAt, kept) => {
    await patch(1, { scheduledAt: kept === null ? '2026-01-01T00:00:00Z' : null })
    const { status, body } = await patch(1, { scheduledAt })
    expect([status, body.scheduledAt]).toEqual([200, kept])
    expect((await made.readMatch(1)).scheduledAt).toBe(kept)
  })

  test.each(['2026-05-01T18:00:00', '2019-12-31T23:59:59Z', 'tomorrow', '', 0])(
    '%s is refused',
    async (scheduledAt) => {
      expect((await patch(1, { scheduledAt })).status).toBe(400)
    },
  )
})

describe('with a revision', () => {
  test('that is old, nothing changes, and the match is answered; what holds already is no change', async () => {
    const { revision } = (await patch(5, { scheduledAt: '2026-05-01T18:00:00.000Z' })).body
    const refused = await patch(5, { scheduledAt: '2026-05-01T19:00:00.000Z', revision: revision - 1 })
    expect(outcome(refused)).toEqual([409, 'match.stale'])
    expect(refused.body.match).toEqual((await api.get(made.match(5), made.organiser)).body)
    expect((await made.readMatch(5)).scheduledAt).toBe('2026-05-01T18:00:00.000Z')
    const same = await patch(5, { scheduledAt: '2026-05-01T18:00:00.000Z', revision: revision - 1 })
    expect([same.status, same.body.revision]).toEqual([200, revision])
    const moved = await patch(5, { scheduledAt: '2026-05-01T19:00:00.000Z', revision })
    expect([moved.status, moved.body.revision > revision]).toEqual([200, true])
  })

  test('of many at once, one moves the match', async () => {
    const { revision } = (await made.readMatch(6)) as { revision: number }
    const times = [18, 19, 20, 21].map((hour) => `2026-05-02T${hour}:00:00.000Z`)
    const replies = await Promise.all(times.map((scheduledAt) => patch(6, { scheduledAt, revision })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const [winner] = replies.filter(({ status }) => status === 200)
    for (const { status, body } of replies)
      if (status === 409) expect(body.match.scheduledAt).toBe(winner?.body.scheduledAt)
  })
})

describe('the addresses', () => {
  test('are kept, and removed by null or nothing', async () => {
    const streamUrl = 'https://stream.example.org/live?channel=1'
    const vodUrl = 'http://vod.example.org/1'
    expect((await patch(1, { streamUrl, vodUrl })).body).toMatchObject({ streamUrl, vodUrl })
    expect((await patch(1, { streamUrl: '' })).body).toMatchObject({ streamUrl: null, vodUrl })
    expect((await patch(1, { vodUrl: null })).body).toMatchObject({ streamUrl: null, vodUrl: null })
  })

  test.each(['javascript:alert(1)', 'ftp://example.org', 'example.org', 'https://user:word@example.org', 'https://'])(
    '%s is refused',
    async (address) => {
      expect(outcome(await patch(1, { streamUrl: address }))).toEqual([400, 'match.invalid'])
      expect(outcome(await patch(1, { vodUrl: address }))).toEqual([400, 'match.invalid'])
    },
  )

  test('of more than 2000 characters are refused', async () => {
    const reply = await patch(1, { streamUrl: `https://example.org/${'a'.repeat(2_000)}` })
    expect(reply.status).toBe(400)
  })
})

describe('the officials', () => {
  const officialsOf = ({ body }: Reply) =>
    body.officials.map(({ user, role }: BracketBody) => `${user.guid} ${role}`).sort()

  test('are replaced, whoever is not named is taken off, and nobody stands twice in one role', async () => {
    const [first, second] = await Promise.all([api.user(), api.user()])
    const both = await patch(2, {
      officials: [
        { user: first.chatPlatformId, role: 'role:caster' },
        { user: first.guid.toUpperCase(), role: 'role:caster' },
        { user: first.guid, role: 'role:referee' },
        { user: '@me', role: 'role:host' },
      ],
    })
    const expected = [`${first.guid} role:caster`, `${first.guid} role:referee`, `${made.organiser.guid} role:host`]
    expect([both.status, officialsOf(both)]).toEqual([200, expected.sort()])
    const one = await patch(2, { officials: [{ user: second.guid, role: 'role:caster' }] })
    expect(officialsOf(one)).toEqual([`${second.guid} role:caster`])
    expect(officialsOf(await patch(2, { notes: 'They stay.' }))).toEqual([`${second.guid} role:caster`])
    expect(officialsOf(await patch(2, { officials: [] }))).toEqual([])
  })

  test('must be users, none of them banned, in roles of the tournament', async () => {
    const banned = await api.user()
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    for (const user of ['nobody', '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11', banned.guid]) {
      const reply = await patch(2, { officials: [{ user, role: 'role:caster' }], notes: 'Not kept.' })
      expect(outcome(reply)).toEqual([404, 'user.unknown'])
    }
    const role = 'role:owner'
    const reply = await patch(2, { officials: [{ user: made.organiser.guid, role }] })
    expect(outcome(reply)).toEqual([400, 'request.invalid'])
    expect((await made.readMatch(2)).notes).toBe('They stay.')
  })

  test('at most 32 are named', async () => {
    const officials = Array.from({ length: 33 }, () => ({ user: made.organiser.guid, role: 'role:caster' }))
    expect(outcome(await patch(2, { officials }))).toEqual([400, 'request.invalid'])
    expect((await patch(2, { officials: officials.slice(1) })).status).toBe(200)
  })

  test('whoever gives up their account works at no match any more', async () => {
    const leaver = await api.user()
    await patch(2, { officials: [{ user: leaver.guid, role: 'role:caster' }] })
    expect((await api.get(made.match(2))).body.officials).toHaveLength(1)
    expect((await api.delete('/users/@me', leaver)).status).toBe(204)
    expect((await api.get(made.match(2))).body.officials).toEqual([])
  })
})

describe('the length', () => {
  test('is odd, and changes until something was played', async () => {
    const { body } = await patch(3, { bestOf: 5 })
    expect(body).toMatchObject({ bestOf: 5, winsNeeded: 3 })
    expect(outcome(await patch(3, { bestOf: 4 }))).toEqual([400, 'match.best_of_invalid'])
    for (const bestOf of [0, -1, 101, 2.5, '3', null]) expect((await patch(3, { bestOf })).status).toBe(400)
    expect((await api.post(`${made.match(3)}/start`, made.organiser)).status).toBe(200)
    expect(outcome(await patch(3, { bestOf: 3 }))).toEqual([409, 'match.started'])
    expect(outcome(await patch(3, { bestOf: 5, notes: 'Still five.' }))).toEqual([200, null])
  })

  test('of a match that was told is fixed; of one whose teams are not known it is not', async () => {
    await made.win(4, 'team-3')
    expect(outcome(await patch(4, { bestOf: 1, vodUrl: 'https://example.org/4' }))).toEqual([409, 'match.started'])
    expect((await made.readMatch(4)).vodUrl).toBeNull()
    expect((await patch(7, { bestOf: 7 })).body).toMatchObject({ bestOf: 7, winsNeeded: 4, status: 'locked' })
  })
})

describe('a change', () => {
  test('needs something to change; what is not known is ignored', async () => {
    for (const body of [{}, { status: 'completed', games: [] }]) {
      expect(outcome(await patch(1, body))).toEqual([400, 'match.nothing_to_change'])
    }
    for (const body of [[], 'x', null, { notes: 'n'.repeat(5_001) }, { notes: 'a\u0000b' }]) {
      expect((await patch(1, body)).status).toBe(400)
    }
  })

  test('raises the revisions of match and bracket, and is told to the staff without the notes', async () => {
    await patch(5, { notes: null, scheduledAt: null })
    const before = await made.read()
    const seq = await lastEvent(api)
    const scheduledAt = '2026-06-01T18:00:00.000Z'
    const { body } = await patch(5, { scheduledAt, notes: 'Quiet.', bestOf: 5, streamUrl: null })
    const after = await made.read()
    expect(body.revision).toBeGreaterThan(before.matches[4].revision)
    expect(after.revision).toBe(before.revision + 1)
    expect(await eventsSince(api, made.cup, seq)).toEqual([
      {
        type: 'match.updated',
        subject: body.guid,
        actor: made.organiser.guid,
        before: { number: 5, scheduledAt: null, bestOf: 3 },
        after: { number: 5, scheduledAt, bestOf: 5, notesChanged: true },
      },
    ])
    const { body: audit } = await api.get(`${made.path}/audit?limit=1`, made.organiser)
    expect(audit.entries).toMatchObject([
      { type: 'match.updated', subject: body.guid, before: { bestOf: 3 }, after: { bestOf: 5 } },
    ])
  })

  test('of officials tells who came and who went', async () => {
    const user = await api.user()
    await patch(6, { officials: [{ user: made.organiser.guid, role: 'role:host' }] })
    const seq = await lastEvent(api)
    await patch(6, { officials: [{ user: user.guid, role: 'role:caster' }] })
    expect(await eventsSince(api, made.cup, seq)).toMatchObject([
      {
        before: { number: 6, officials: [{ userGuid: made.organiser.guid, role: 'role:host' }] },
        after: { number: 6, officials: [{ userGuid: user.guid, role: 'role:caster' }] },
      },
    ])
  })

  test('that changes nothing leaves everything as it is', async () => {
    const same = { scheduledAt: '2026-07-01T00:00:00Z', notes: 'Same.', streamUrl: 'https://example.org/s', bestOf: 3 }
    const officials = [
      { user: made.organiser.guid, role: 'role:host' },
      { user: made.organiser.guid, role: 'role:caster' },
    ]
    await patch(6, { ...same, officials })
    const [before, seq] = [await made.read(), await lastEvent(api)]
    expect((await patch(6, { ...same, officials: officials.toReversed() })).body).toEqual(before.matches[5])
    expect(await made.read()).toEqual(before)
    expect(await eventsSince(api, made.cup, seq)).toEqual([])
  })
})

test('nothing changes in a cancelled tournament; in a completed one what is shown does', async () => {
  const over = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  await api.sql(`update tournaments set status = 'completed' where guid = $1`, [over.cup.guid])
  const vodUrl = 'https://example.org/final'
  expect((await api.patch(over.match(1), over.organiser, { vodUrl })).body).toMatchObject({ vodUrl })
  await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [over.cup.guid])
  const reply = await api.patch(over.match(1), over.organiser, { vodUrl: null })
  expect(outcome(reply)).toEqual([409, 'tournament.cancelled'])
})
