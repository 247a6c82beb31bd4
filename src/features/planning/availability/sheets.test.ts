import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answered,
  at,
  makeMatches,
  makeSheet,
  problem,
  respond,
  says,
  sheetBody,
  sheetsOf,
  span,
} from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'

/** Creating and deleting sheets, and who may do so. */

let api: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'ozzie' })
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const nobody = '00000000-0000-4000-8000-000000000000'
const create = (changes: object = {}, as: Caller | null = organiser) => api.post(sheetsOf(cup), as, sheetBody(changes))

describe('a new sheet', () => {
  test('is answered whole', async () => {
    const reply = await create({
      description: 'Bring **tea**.',
      roles: ['role:caster', 'role:host'],
      closesAt: '2026-04-30T20:00:00+02:00',
      acceptedStatuses: ['available', 'unavailable'],
      windows: [span(42, 44), span(18, 22)],
    })
    expect(problem(reply)).toEqual([201, null])
    expect(reply.body).toEqual({
      guid: uuid,
      tournamentGuid: cup.guid,
      createdByGuid: organiser.guid,
      audience: 'staff',
      teamEligibility: 'both',
      slotMinutes: 15,
      acceptedStatuses: ['available', 'unavailable'],
      title: 'Finals',
      description: 'Bring **tea**.',
      mode: 'days',
      roles: ['role:caster', 'role:host'],
      timezone: 'Europe/Berlin',
      startsAt: null,
      endsAt: null,
      closesAt: '2026-04-30T18:00:00.000Z',
      matches: [],
      windows: [
        { guid: uuid, ...span(18, 22) },
        { guid: uuid, ...span(42, 44) },
      ],
      responses: [],
      submissions: [],
      teamResponses: [],
      teamSubmissions: [],
      eligibleTeams: [],
      createdBy: expect.objectContaining({ guid: organiser.guid, username: 'ozzie' }),
      createdAt: instant,
      updatedAt: instant,
    })
    expect((await api.get(`${sheetsOf(cup)}/${reply.body.guid}`, organiser)).body).toEqual(reply.body)
    expect((await api.get(`${sheetsOf(cup)}/${reply.body.guid.toUpperCase()}`, organiser)).body).toEqual(reply.body)
  })

  test('accepts all four answers unless it says otherwise', async () => {
    expect((await create()).body.acceptedStatuses).toEqual(['available', 'maybe', 'unavailable', 'would_rather_not'])
  })

  test('over a range shows the range, and that it is its only window', async () => {
    const { body } = await create({ mode: 'range', windows: undefined, ...span(18, 40) })
    expect([body.startsAt, body.endsAt]).toEqual([at(18), at(40)])
    expect(body.windows).toEqual([{ guid: uuid, ...span(18, 40) }])
  })

  test('of matches shows them, in its order, with their teams', async () => {
    const [home, guests] = [
      await makeTeam(api, cup, await api.user(), { status: 'registered' }),
      await makeTeam(api, cup, await api.user(), { status: 'registered' }),
    ]
    const [first, second] = await makeMatches(api, cup, [{ teams: [home, guests], scheduledAt: at(18) }, {}])
    const { body } = await create({ mode: 'matches', matchGuids: [second, first?.toUpperCase()] })
    const ref = ({ guid, id, name }: typeof home) => ({ guid, id, name, imageUrl: null, color: null })
    expect(body.matches).toEqual([
      {
        guid: uuid,
        matchGuid: second,
        match: { guid: second, number: 2, scheduledAt: null, status: 'ready', sides: [{ team: null }, { team: null }] },
      },
      {
        guid: uuid,
        matchGuid: first,
        match: {
          guid: first,
          number: 1,
          scheduledAt: at(18),
          status: 'ready',
          sides: [{ team: ref(home) }, { team: ref(guests) }],
        },
      },
    ])
    expect(body.windows).toEqual([])
  })

  test.each<[string, object, string]>([
    ['no title', { title: '' }, 'request.invalid'],
    ['a title of nothing but spaces', { title: '   ' }, 'request.invalid'],
    ['a title of 256 characters', { title: 'x'.repeat(256) }, 'request.invalid'],
    ['another mode', { mode: 'weeks' }, 'request.invalid'],
    ['no mode', { mode: undefined }, 'request.invalid'],
    ['another audience', { audience: 'everybody' }, 'request.invalid'],
    ['another eligibility', { teamEligibility: 'all' }, 'request.invalid'],
    ['slots of 45 minutes', { slotMinutes: 45 }, 'request.invalid'],
    ['slots as text', { slotMinutes: '30' }, 'request.invalid'],
    ['no accepted status', { acceptedStatuses: [] }, 'request.invalid'],
    ['an accepted status twice', { acceptedStatuses: ['maybe', 'maybe'] }, 'request.invalid'],
    ['another status', { acceptedStatuses: ['busy'] }, 'request.invalid'],
    ['another role', { roles: ['role:owner'] }, 'request.invalid'],
    ['a role twice', { roles: ['role:host', 'role:host'] }, 'request.invalid'],
    ['no time zone', { timezone: undefined }, 'request.invalid'],
    ['a match that is no GUID', { mode: 'matches', matchGuids: ['1'] }, 'request.invalid'],
    ['a match twice', { mode: 'matches', matchGuids: [nobody, nobody] }, 'request.invalid'],
    [
      '201 matches',
      { mode: 'matches', matchGuids: Array.from({ length: 201 }, () => crypto.randomUUID()) },
      'request.invalid',
    ],
    ['101 windows', { windows: Array.from({ length: 101 }, (_, n) => span(n, n + 0.25)) }, 'request.invalid'],
    ['a window without end', { windows: [{ startsAt: at(18) }] }, 'request.invalid'],
    ['a zone that is none', { timezone: 'Europe/Atlantis' }, 'availability.sheet_invalid'],
    ['overlapping windows', { windows: [span(18, 22), span(21, 23)] }, 'availability.sheet_invalid'],
    ['63 days', { mode: 'range', ...span(0, 63 * 24) }, 'availability.sheet_invalid'],
    ['matches for teams', { audience: 'teams', mode: 'matches', matchGuids: [nobody] }, 'availability.sheet_invalid'],
    ['an unknown match', { mode: 'matches', matchGuids: [nobody] }, 'availability.match_unknown'],
  ])('cannot have %s', async (_name, changes, code) => {
    expect(problem(await create(changes))).toEqual([400, code])
  })

  test('cannot ask for a match of another tournament', async () => {
    const other = await makeTournament(api, organiser)
    const [match] = await makeMatches(api, other, [{}])
    expect(problem(await create({ mode: 'matches', matchGuids: [match] }))).toEqual([400, 'availability.match_unknown'])
  })

  test('has a title of 255 characters, 100 windows and 200 matches at most, and ignores what it does not know', async () => {
    const matchGuids = await makeMatches(
      api,
      cup,
      Array.from({ length: 200 }, () => ({})),
    )
    expect(problem(await create({ title: 'x'.repeat(255), guid: nobody, colour: 'red' }))).toEqual([201, null])
    const windows = Array.from({ length: 100 }, (_, n) => span(n, n + 0.25))
    expect((await create({ windows })).body.windows).toHaveLength(100)
    expect((await create({ mode: 'matches', matchGuids })).body.matches).toHaveLength(200)
  })
})

describe('who may make, replace and delete a sheet', () => {
  const own = { roles: ['role:caster'] }
  const teams = { audience: 'teams' }
  test.each(['role:admin', 'role:staff'])('%s, any', async (role) => {
    const holder = await roleHolder(api, cup, role)
    for (const asked of [{}, own, teams]) {
      const { guid, address } = await makeSheet(api, cup, holder, asked)
      expect(problem(await api.put(address, holder, sheetBody({ title: 'Other' })))).toEqual([200, null])
      expect(problem(await api.delete(address, holder))).toEqual([204, null])
      expect(problem(await api.get(`${sheetsOf(cup)}/${guid}`, holder))).toEqual([404, 'sheet.unknown'])
    }
  })

  test('global managers, any', async () => {
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const { address } = await makeSheet(api, cup, manager, teams)
    expect(problem(await api.delete(address, manager))).toEqual([204, null])
  })

  test.each<[string, string[], string[]]>([
    ['role:hcaster', ['role:caster', 'role:host'], ['role:coordinator']],
    ['role:hcoordinator', ['role:coordinator', 'role:referee'], ['role:hcoordinator']],
    ['role:hpooler', ['role:pooler'], ['role:caster']],
  ])('%s, for the roles that they manage alone', async (role, managed, foreign) => {
    const head = await roleHolder(api, cup, role)
    const { address } = await makeSheet(api, cup, head, { roles: managed })
    const refused = [{}, teams, { roles: foreign }, { roles: [...managed, ...foreign] }, { roles: [] }]
    for (const asked of refused) {
      expect(problem(await create(asked, head))).toEqual([403, 'role.missing'])
      expect(problem(await api.put(address, head, sheetBody(asked)))).toEqual([403, 'role.missing'])
    }
    expect((await api.get(address, head)).body.roles).toEqual(managed)
    // Sheets that other users created, if they ask only managed roles.
    const theirs = await makeSheet(api, cup, organiser, { roles: managed })
    expect(problem(await api.put(theirs.address, head, sheetBody({ roles: managed.slice(0, 1) })))).toEqual([200, null])
    expect(problem(await api.delete(theirs.address, head))).toEqual([204, null])
    const shared = await makeSheet(api, cup, organiser, { roles: [...managed, ...foreign] })
    const all = await makeSheet(api, cup, organiser)
    for (const sheet of [shared, all]) {
      expect(problem(await api.put(sheet.address, head, sheetBody({ roles: managed })))).toEqual([403, 'role.missing'])
      expect(problem(await api.delete(sheet.address, head))).toEqual([403, 'role.missing'])
    }
  })

  test('nobody else, who learn nothing of what is wrong with a body', async () => {
    const { address } = await makeSheet(api, cup, organiser)
    for (const role of ['role:coordinator', 'role:caster', 'role:host', 'role:pooler', 'role:referee']) {
      const holder = await roleHolder(api, cup, role)
      const replies = [
        await create(own, holder),
        await api.post(sheetsOf(cup), holder, { title: 7 }),
        await api.put(address, holder, sheetBody()),
        await api.delete(address, holder),
      ]
      for (const reply of replies) expect(problem(reply)).toEqual([403, 'role.missing'])
    }
    const [stranger, elsewhere] = [await api.user(), await api.user()]
    await makeTournament(api, elsewhere)
    for (const caller of [stranger, elsewhere]) {
      expect(problem(await create({}, caller))).toEqual([403, 'role.missing'])
      expect(problem(await api.delete(address, caller))).toEqual([404, 'sheet.unknown'])
    }
  })

  test('only in its own tournament', async () => {
    const other = await makeTournament(api, organiser)
    const { guid } = await makeSheet(api, cup, organiser)
    const address = `${sheetsOf(other)}/${guid}`
    expect(problem(await api.get(address, organiser))).toEqual([404, 'sheet.unknown'])
    expect(problem(await api.put(address, organiser, sheetBody()))).toEqual([404, 'sheet.unknown'])
    expect(problem(await api.delete(address, organiser))).toEqual([404, 'sheet.unknown'])
    expect(problem(await api.get(`${sheetsOf(cup)}/finals`, organiser))).toEqual([404, 'sheet.unknown'])
  })
})

test('deleting a sheet deletes its answers', async () => {
  const caster = await roleHolder(api, cup, 'role:caster')
  const sheet = await makeSheet(api, cup, organiser)
  await answered(respond(api, sheet, caster, [says('maybe', 18, 19)]))
  const reply = await api.delete(sheet.address, organiser)
  expect([...problem(reply), reply.text]).toEqual([204, null, ''])
  expect(await api.sql('select guid from availability_responses where sheet_guid = $1', [sheet.guid])).toEqual([])
  for (const call of [
    await api.delete(sheet.address, organiser),
    await api.put(sheet.address, organiser, sheetBody()),
    await respond(api, sheet, caster, [says('maybe', 18, 19)]),
  ]) {
    expect(problem(call)).toEqual([404, 'sheet.unknown'])
  }
})

test('a match that is deleted is on no sheet any more, and neither are answers to it', async () => {
  const caster = await roleHolder(api, cup, 'role:caster')
  const [first, second] = (await makeMatches(api, cup, [{}, {}])) as [string, string]
  const sheet = await makeSheet(api, cup, organiser, { mode: 'matches', matchGuids: [first, second] })
  const both = [first, second].map((matchGuid) => ({ status: 'maybe', matchGuid }))
  expect((await answered(respond(api, sheet, caster, both))).responses).toHaveLength(2)
  await api.sql('delete from matches where guid = $1', [first])
  const { matches, responses } = (await api.get(sheet.address, organiser)).body
  expect(matches.map(({ matchGuid }: { matchGuid: string }) => matchGuid)).toEqual([second])
  expect(responses.map(({ matchGuid }: { matchGuid: string }) => matchGuid)).toEqual([second])
})

describe('what is told of sheets', () => {
  test('that they were made, changed and deleted, but not what they ask', async () => {
    const other = await makeTournament(api, organiser)
    const sheet = await makeSheet(api, other, organiser, { title: 'Secret plans', roles: ['role:caster'] })
    await answered(api.put(sheet.address, organiser, sheetBody({ title: 'Secret plans 2' })))
    await api.delete(sheet.address, organiser)
    const events = await api.sql(
      'select type, subject, actor, before, after from event_log where tournament = $1 order by seq',
      [other.guid],
    )
    expect(events).toEqual(
      ['sheet_created', 'sheet_updated', 'sheet_deleted'].map((type) => ({
        type: `availability.${type}`,
        subject: sheet.guid,
        actor: organiser.guid,
        before: null,
        after: null,
      })),
    )
  })

  test('of answers nothing that the audit list shows', async () => {
    const other = await makeTournament(api, organiser)
    const sheet = await makeSheet(api, other, organiser)
    const caster = await roleHolder(api, other, 'role:caster')
    await answered(respond(api, sheet, caster, [{ ...says('maybe', 18, 19), otherReason: 'dentist' }]))
    const audit = await api.get(`/tournaments/${other.guid}/audit`, organiser)
    expect(audit.body.entries.map(({ type }: { type: string }) => type)).toEqual(['availability.sheet_created'])
    const logged = await api.sql(
      'select type, actor, tournament, before, after from event_log where subject = $1 order by seq',
      [sheet.guid],
    )
    expect(logged.at(-1)).toEqual({
      type: 'availability.answered',
      actor: caster.guid,
      tournament: null,
      before: null,
      after: null,
    })
  })
})

test('a tournament has a hundred sheets at most, however many are made at once', async () => {
  const other = await makeTournament(api, organiser)
  await api.sql(
    `insert into availability_sheets (tournament_guid, created_by_guid, audience, team_eligibility, slot_minutes,
       accepted_statuses, title, mode, roles, timezone, windows)
     select $1, $2, 'staff', 'both', 15, '{available}', 'Sheet ' || n, 'days', '{}', 'UTC', '[]' from generate_series(1, 97) n`,
    [other.guid, organiser.guid],
  )
  const replies = await Promise.all(Array.from({ length: 8 }, () => api.post(sheetsOf(other), organiser, sheetBody())))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expect(problem(reply)).toEqual([409, 'availability.limit_reached'])
  }
  expect((await api.get(`/tournaments/${other.guid}/availability`, organiser)).body.sheets).toHaveLength(100)
})
