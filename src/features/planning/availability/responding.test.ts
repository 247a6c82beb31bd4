import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answered,
  at,
  type MadeSheet,
  makeMatches,
  makeSheet,
  problem,
  respond,
  says,
  span,
  told,
} from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'

/** Answers of staff. */

let api: Harness
let organiser: Caller
let cup: MadeTournament
let caster: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
  caster = await roleHolder(api, cup, 'role:caster')
})
afterAll(() => api[Symbol.asyncDispose]())

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const ownOf = async (sheet: MadeSheet, as: Caller) => (await answered(api.get(sheet.address, as))).responses

describe('answers to times', () => {
  test('are one for each quarter of an hour, with who answered', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    const body = await answered(respond(api, sheet, caster, [{ ...says('maybe', 18, 18.5), otherReason: 'exam' }]))
    const common = {
      guid: uuid,
      sheetGuid: sheet.guid,
      userGuid: caster.guid,
      role: 'role:caster',
      status: 'maybe',
      otherReason: 'exam',
      matchGuid: null,
      user: (await api.get(`/users/${caster.guid}/card`)).body,
    }
    expect(body).toEqual({
      submittedAt: expect.any(String),
      role: 'role:caster',
      responses: [
        { ...common, ...span(18, 18.25) },
        { ...common, ...span(18.25, 18.5) },
      ],
    })
    expect(await ownOf(sheet, caster)).toEqual(body.responses)
    expect(new Set(body.responses.map(({ guid }: { guid: string }) => guid)).size).toBe(2)
  })

  test('are quarters on the day on which clocks change, of which there are as many as the day has', async () => {
    // Two Sundays in Berlin, from midnight to midnight: one has 23 hours, the other 25.
    const spring = { startsAt: '2026-03-28T23:00:00Z', endsAt: '2026-03-29T22:00:00Z' }
    const autumn = { startsAt: '2026-10-24T22:00:00Z', endsAt: '2026-10-25T23:00:00Z' }
    const sheet = await makeSheet(api, cup, organiser, { windows: [spring, autumn] })
    const count = async (day: object) =>
      (await answered(respond(api, sheet, caster, [{ status: 'available', ...day }]))).responses.length
    expect([await count(spring), await count(autumn)]).toEqual([92, 100])
  })

  test('overlap, and the later wins', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    const inputs = [says('available', 18, 19), says('unavailable', 18.25, 18.75), says('maybe', 18.5, 19)]
    expect(told((await answered(respond(api, sheet, caster, inputs))).responses)).toEqual([
      '18–18.25 available',
      '18.25–18.5 unavailable',
      '18.5–18.75 maybe',
      '18.75–19 maybe',
    ])
  })

  test('replace all earlier ones, and keep their GUIDs where they say something to the same time', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    const first = await answered(respond(api, sheet, caster, [says('available', 18, 19)]))
    const second = await answered(respond(api, sheet, caster, [says('maybe', 18.75, 19.25)]))
    expect(told(await ownOf(sheet, caster))).toEqual(['18.75–19 maybe', '19–19.25 maybe'])
    expect(second.responses[0].guid).toBe(first.responses[3].guid)
    expect((await answered(respond(api, sheet, caster, []))).responses).toEqual([])
    expect(await ownOf(sheet, caster)).toEqual([])
    expect(await api.sql('select guid from availability_responses where sheet_guid = $1', [sheet.guid])).toEqual([])
  })

  test('are not for others to change', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    const other = await roleHolder(api, cup, 'role:caster')
    await answered(respond(api, sheet, caster, [says('available', 18, 18.25)]))
    await answered(respond(api, sheet, other, [says('maybe', 18, 18.25)]))
    expect(told(await ownOf(sheet, caster))).toEqual(['18–18.25 available'])
  })

  test('may be said for six weeks of quarters, each on its own, and for longer in fewer words', async () => {
    const sheet = await makeSheet(api, cup, organiser, { mode: 'range', ...span(0, 62 * 24) })
    const statuses = ['available', 'maybe', 'unavailable', 'would_rather_not'] as const
    const quarters = Array.from({ length: 42 * 96 }, (_, n) => says(statuses[n % 4] as string, n / 4, (n + 1) / 4))
    const both = [says('maybe', 0, 62 * 24), ...quarters]
    expect((await answered(respond(api, sheet, caster, both))).responses).toHaveLength(62 * 96)
    const own = await ownOf(sheet, caster)
    expect(own).toHaveLength(62 * 96)
    expect(told(own.slice(0, 3))).toEqual(['0–0.25 available', '0.25–0.5 maybe', '0.5–0.75 unavailable'])
    const tooMany = Array.from({ length: 4_501 }, () => says('maybe', 0, 1))
    expect(problem(await respond(api, sheet, caster, tooMany))).toEqual([400, 'request.invalid'])
  })
})

describe('what is refused, and changes nothing', () => {
  const guid = '00000000-0000-4000-8000-000000000000'
  test.each<[string, object, string]>([
    ['no status', span(18, 19), 'request.invalid'],
    ['another status', says('busy', 18, 19), 'request.invalid'],
    [
      'an instant without zone',
      { status: 'maybe', startsAt: '2026-05-01T18:00:00', endsAt: at(19) },
      'request.invalid',
    ],
    ['a reason that is a number', { ...says('maybe', 18, 19), otherReason: 7 }, 'request.invalid'],
    ['a reason of 501 characters', { ...says('maybe', 18, 19), otherReason: 'x'.repeat(501) }, 'request.invalid'],
    ['a reason with NUL', { ...says('maybe', 18, 19), otherReason: 'a\u0000b' }, 'request.invalid'],
    ['a match', { status: 'maybe', matchGuid: guid }, 'availability.response_invalid'],
    ['both shapes', { ...says('maybe', 18, 19), matchGuid: guid }, 'availability.response_invalid'],
    ['no end', { status: 'maybe', startsAt: at(18) }, 'availability.response_invalid'],
    ['an end before the start', says('maybe', 19, 18), 'availability.response_invalid'],
    [
      'off the quarters',
      { status: 'maybe', startsAt: '2026-05-01T18:07:00Z', endsAt: at(19) },
      'availability.unaligned',
    ],
    ['outside', says('maybe', 21.75, 22.25), 'availability.outside'],
    ['a status that is not accepted', says('would_rather_not', 18, 19), 'availability.status_not_accepted'],
  ])('%s', async (_name, input, code) => {
    const sheet = await makeSheet(api, cup, organiser, { acceptedStatuses: ['available', 'maybe'] })
    await answered(respond(api, sheet, caster, [says('available', 20, 20.25)]))
    const reply = await respond(api, sheet, caster, [says('maybe', 18, 19), input])
    expect(problem(reply)).toEqual([400, code])
    expect(told(await ownOf(sheet, caster))).toEqual(['20–20.25 available'])
  })

  test.each<[string, unknown]>([
    ['no list', {}],
    ['a list that is none', { responses: {} }],
    ['null in the list', { responses: [null] }],
    ['a role that is none', { responses: [], role: 'role:king' }],
    ['the body as a list', []],
  ])('%s', async (_name, body) => {
    const sheet = await makeSheet(api, cup, organiser)
    expect(problem(await api.put(`${sheet.address}/responses`, caster, body))).toEqual([400, 'request.invalid'])
  })

  test('members that are not known are ignored: nobody answers for another', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    const other = await roleHolder(api, cup, 'role:caster')
    const body = {
      userGuid: other.guid,
      responses: [{ ...says('maybe', 18, 18.25), userGuid: other.guid, role: 'role:host' }],
    }
    const { role, responses } = await answered(api.put(`${sheet.address}/responses`, caster, body))
    expect([role, responses[0].userGuid, responses[0].role]).toEqual(['role:caster', caster.guid, 'role:caster'])
    expect(await ownOf(sheet, other)).toEqual([])
  })
})

describe('who answers', () => {
  test('holders of a role that the sheet asks, and nobody for them', async () => {
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:caster'] })
    const head = await roleHolder(api, cup, 'role:hcaster')
    for (const caller of [
      organiser,
      head,
      await roleHolder(api, cup, 'role:admin'),
      await roleHolder(api, cup, 'role:staff'),
    ]) {
      expect(problem(await respond(api, sheet, caller, [says('maybe', 18, 19)]))).toEqual([403, 'role.missing'])
    }
    expect(problem(await respond(api, sheet, null, []))).toEqual([401, 'token.missing'])
    expect(problem(await respond(api, sheet, await roleHolder(api, cup, 'role:host'), []))).toEqual([
      404,
      'sheet.unknown',
    ])
  })

  test('everybody with a role where the sheet names none; the organiser has none', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    for (const role of ['role:admin', 'role:staff', 'role:hcaster', 'role:referee']) {
      const holder = await roleHolder(api, cup, role)
      expect((await answered(respond(api, sheet, holder, [says('maybe', 18, 18.25)]))).role).toBe(role)
    }
    expect(problem(await respond(api, sheet, organiser, []))).toEqual([403, 'role.missing'])
  })

  test('not the holders of roles, of a sheet for teams', async () => {
    const sheet = await makeSheet(api, cup, organiser, { audience: 'teams' })
    const admin = await roleHolder(api, cup, 'role:admin')
    expect(problem(await respond(api, sheet, admin, [says('maybe', 18, 19)]))).toEqual([403, 'role.missing'])
    const captain = await api.user()
    await makeTeam(api, cup, captain, { status: 'registered' })
    expect(problem(await respond(api, sheet, captain, [says('maybe', 18, 19)]))).toEqual([403, 'role.missing'])
  })
})

describe('the role in which one answers', () => {
  test('must be said by those whom the sheet asks in several, and each is answered on its own', async () => {
    const both = await roleHolder(api, cup, 'role:caster')
    await grantRole(api, cup, both, 'role:host')
    await grantRole(api, cup, both, 'role:pooler')
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:host', 'role:caster'] })
    expect(problem(await respond(api, sheet, both, [says('maybe', 18, 18.25)]))).toEqual([
      400,
      'availability.role_needed',
    ])
    expect(problem(await respond(api, sheet, both, [], 'role:pooler'))).toEqual([400, 'availability.role_invalid'])
    expect(problem(await respond(api, sheet, both, [], 'role:referee'))).toEqual([400, 'availability.role_invalid'])

    await answered(respond(api, sheet, both, [says('maybe', 18, 18.25)], 'role:host'))
    await answered(respond(api, sheet, both, [says('available', 19, 19.25)], 'role:caster'))
    const roles = async () =>
      (await ownOf(sheet, both)).map(({ role, status }: { role: string; status: string }) => `${role} ${status}`)
    expect(await roles()).toEqual(['role:caster available', 'role:host maybe'])
    await answered(respond(api, sheet, both, [], 'role:caster'))
    expect(await roles()).toEqual(['role:host maybe'])
  })

  test('need not be said where the sheet asks one of several alone', async () => {
    const both = await roleHolder(api, cup, 'role:caster')
    await grantRole(api, cup, both, 'role:pooler')
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:pooler'] })
    expect((await answered(respond(api, sheet, both, [says('maybe', 18, 19)]))).role).toBe('role:pooler')
    expect((await answered(respond(api, sheet, both, [says('maybe', 18, 19)], 'role:pooler'))).role).toBe('role:pooler')
    expect(problem(await respond(api, sheet, both, [], 'role:caster'))).toEqual([400, 'availability.role_invalid'])
  })
})

describe('answers to matches', () => {
  let first: string
  let second: string
  let sheet: MadeSheet
  beforeAll(async () => {
    ;[first, second] = (await makeMatches(api, cup, [{}, {}])) as [string, string]
    sheet = await makeSheet(api, cup, organiser, { mode: 'matches', matchGuids: [first, second] })
  })

  test('are one for each match, the later wins, and a new list replaces them', async () => {
    const { responses } = await answered(
      respond(api, sheet, caster, [
        { status: 'available', matchGuid: first },
        { status: 'maybe', matchGuid: second?.toUpperCase(), otherReason: 'late' },
        { status: 'unavailable', matchGuid: first },
      ]),
    )
    const common = {
      guid: uuid,
      sheetGuid: sheet.guid,
      userGuid: caster.guid,
      role: 'role:caster',
      startsAt: null,
      endsAt: null,
    }
    expect(responses).toEqual([
      { ...common, matchGuid: first, status: 'unavailable', otherReason: null, user: expect.anything() },
      { ...common, matchGuid: second, status: 'maybe', otherReason: 'late', user: expect.anything() },
    ])
    expect(await ownOf(sheet, caster)).toEqual(responses)
    const again = await answered(respond(api, sheet, caster, [{ status: 'maybe', matchGuid: second }]))
    expect(again.responses).toEqual([{ ...responses[1], otherReason: null }])
    expect(await ownOf(sheet, caster)).toEqual(again.responses)
  })

  test.each<[string, () => object, string]>([
    ['times', () => says('maybe', 18, 19), 'availability.response_invalid'],
    ['both shapes', () => ({ ...says('maybe', 18, 19), matchGuid: first }), 'availability.response_invalid'],
    ['neither', () => ({ status: 'maybe' }), 'availability.response_invalid'],
    ['another match', () => ({ status: 'maybe', matchGuid: cup.guid }), 'availability.outside'],
    ['a match that is no GUID', () => ({ status: 'maybe', matchGuid: '12' }), 'request.invalid'],
  ])('cannot be %s', async (_name, input, code) => {
    expect(problem(await respond(api, sheet, caster, [input()]))).toEqual([400, code])
  })
})

describe('closing', () => {
  test('from the close on nobody answers, and what was answered stays', async () => {
    const sheet = await makeSheet(api, cup, organiser, { closesAt: '2099-01-01T00:00:00Z' })
    await answered(respond(api, sheet, caster, [says('maybe', 18, 18.25)]))
    await api.sql(`update availability_sheets set closes_at = now() - interval '1 millisecond' where guid = $1`, [
      sheet.guid,
    ])
    expect(problem(await respond(api, sheet, caster, [says('available', 18, 19)]))).toEqual([
      409,
      'availability.closed',
    ])
    expect(problem(await respond(api, sheet, caster, []))).toEqual([409, 'availability.closed'])
    expect(told(await ownOf(sheet, caster))).toEqual(['18–18.25 maybe'])
    // An invalid answer is reported before a closed sheet.
    expect(problem(await respond(api, sheet, caster, [says('maybe', 2, 3)]))).toEqual([400, 'availability.outside'])
  })

  test('an edit opens it again', async () => {
    const sheet = await makeSheet(api, cup, organiser, { closesAt: '2026-01-01T00:00:00Z' })
    expect(problem(await respond(api, sheet, caster, []))).toEqual([409, 'availability.closed'])
    const body = { title: 'Finals', mode: 'days', timezone: 'UTC', windows: [span(18, 22)], closesAt: null }
    await answered(api.put(sheet.address, organiser, body))
    await answered(respond(api, sheet, caster, [says('maybe', 18, 19)]))
  })
})

test('of many submissions of one user at once, one stands as a whole', async () => {
  const sheet = await makeSheet(api, cup, organiser)
  const submissions = Array.from({ length: 10 }, (_, n) =>
    [
      { ...says('available', 18, 19), otherReason: `run ${n}` },
      { ...says('maybe', 19 + n / 4, 20), otherReason: `run ${n}` },
    ].filter(({ startsAt, endsAt }) => startsAt < endsAt),
  )
  const replies = await Promise.all(submissions.map((inputs) => respond(api, sheet, caster, inputs)))
  expect(replies.map(({ status }) => status)).toEqual(submissions.map(() => 200))
  const left = await ownOf(sheet, caster)
  const [{ otherReason }] = left
  const winner = replies.find(({ body }) => body.responses[0].otherReason === otherReason)
  expect(left).toEqual(winner?.body.responses)
})

describe('answers over those that were read', () => {
  const from = (sheet: MadeSheet, responses: object[], expectedSubmittedAt?: string | null) =>
    api.put(`${sheet.address}/responses`, caster, { responses, expectedSubmittedAt })
  const readAt = async (sheet: MadeSheet): Promise<string | null> => {
    const { submissions } = await answered(api.get(sheet.address, caster))
    return submissions[0]?.submittedAt ?? null
  }

  test('are refused when others came after them, with when they came', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    expect(await readAt(sheet)).toBeNull()
    const first = await answered(from(sheet, [says('available', 18, 19)], null))
    expect(await readAt(sheet)).toBe(first.submittedAt)
    const late = await from(sheet, [says('maybe', 18, 19)], null)
    expect([...problem(late), late.body.submittedAt]).toEqual([409, 'availability.stale', first.submittedAt])
    const second = await answered(from(sheet, [says('maybe', 18, 18.25)], first.submittedAt))
    expect(second.submittedAt > first.submittedAt).toBe(true)
    expect(problem(await from(sheet, [], first.submittedAt))).toEqual([409, 'availability.stale'])
    // Without the time of what was read, it is replaced.
    const third = await answered(from(sheet, [says('unavailable', 20, 20.25)]))
    expect(told(await ownOf(sheet, caster))).toEqual(['20–20.25 unavailable'])
    expect(await answered(from(sheet, [], third.submittedAt))).toMatchObject({ responses: [], submittedAt: null })
    expect(problem(await from(sheet, [], third.submittedAt))).toEqual([409, 'availability.stale'])
    expect(problem(await from(sheet, [], 'yesterday'))).toEqual([400, 'request.invalid'])
    await answered(from(sheet, [says('maybe', 18, 19)], null))
  })

  test.each(['before there are any', 'over the same ones'])('of many at once, one is taken: %s', async (when) => {
    const sheet = await makeSheet(api, cup, organiser)
    if (when !== 'before there are any') await answered(from(sheet, [says('available', 18, 19)]))
    const expected = await readAt(sheet)
    const replies = await Promise.all(
      [18, 19, 20, 21].map((hour) => from(sheet, [says('maybe', hour, hour + 0.25)], expected)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await ownOf(sheet, caster)).toEqual(replies.find(({ status }) => status === 200)?.body.responses)
  })

  test('show when others answered only to those who see their answers', async () => {
    const sheet = await makeSheet(api, cup, organiser)
    await answered(from(sheet, [says('maybe', 18, 19)]))
    const other = await roleHolder(api, cup, 'role:caster')
    expect((await answered(api.get(sheet.address, other))).submissions).toEqual([])
    expect((await answered(api.get(sheet.address, organiser))).submissions).toEqual([
      { userGuid: caster.guid, role: 'role:caster', submittedAt: expect.any(String) },
    ])
  })
})

test('whoever gives up their account meanwhile leaves no answers behind', async () => {
  const leaver = await roleHolder(api, cup, 'role:caster')
  const sheet = await makeSheet(api, cup, organiser)
  const held = await hold(api, ['select from users where guid = $1 for update', leaver.guid])
  const replies = Promise.all([
    api.delete('/users/@me', leaver),
    held.waiting(1).then(() => respond(api, sheet, leaver, [says('maybe', 18, 19)])),
  ])
  await held.waiting(2).finally(() => held.release())
  const [deleted, answer] = await replies
  expect(problem(deleted)).toEqual([204, null])
  // Either request may come first; the deletion of the account also revokes the token.
  expect([200, 401, 404]).toContain(answer.status)
  expect(await api.sql('select guid from availability_responses where user_guid = $1', [leaver.guid])).toEqual([])
})
