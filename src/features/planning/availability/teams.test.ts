import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answered,
  at,
  type MadeSheet,
  makeSheet,
  problem,
  respondFor,
  says,
  span,
  told,
} from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { type MadeTeam, type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'

/** Answers of captains for their teams. */

let api: Harness
let organiser: Caller
let cup: MadeTournament
let captain: Caller
let team: MadeTeam
let sheet: MadeSheet
const asked = { audience: 'teams', slotMinutes: 30 }
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  captain = await api.user()
  cup = await makeTournament(api, organiser)
  team = await makeTeam(api, cup, captain, { status: 'registered' })
  sheet = await makeSheet(api, cup, organiser, asked)
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const read = async (as: Caller, from = sheet) => answered(api.get(from.address, as))

describe('a team’s answers', () => {
  test('are one for each slot of the sheet, with who submitted them and when', async () => {
    const inputs = [says('available', 18, 20), says('unavailable', 18.5, 19), says('maybe', 21.5, 22)]
    const body = await answered(respondFor(api, sheet, team, captain, inputs))
    const common = { teamGuid: team.guid }
    expect(body).toEqual({
      teamResponses: [
        { ...common, status: 'available', ...span(18, 18.5) },
        { ...common, status: 'unavailable', ...span(18.5, 19) },
        { ...common, status: 'available', ...span(19, 19.5) },
        { ...common, status: 'available', ...span(19.5, 20) },
        { ...common, status: 'maybe', ...span(21.5, 22) },
      ],
      teamSubmission: { teamGuid: team.guid, updatedByGuid: captain.guid, submittedAt: instant },
    })
    for (const caller of [captain, organiser]) {
      const { teamResponses, teamSubmissions, responses } = await read(caller)
      expect([teamResponses, teamSubmissions, responses]).toEqual([body.teamResponses, [body.teamSubmission], []])
    }
  })

  test('replace all earlier ones; an empty list is a submission too', async () => {
    const first = await answered(respondFor(api, sheet, team, captain, [says('available', 18, 20)]))
    const second = await answered(respondFor(api, sheet, team, captain, [says('would_rather_not', 21, 21.5)]))
    expect(told((await read(captain)).teamResponses)).toEqual(['21–21.5 would_rather_not'])
    expect(second.teamSubmission.submittedAt >= first.teamSubmission.submittedAt).toBe(true)
    await answered(respondFor(api, sheet, team, captain, []))
    const { teamResponses, teamSubmissions } = await read(organiser)
    expect([teamResponses, teamSubmissions.map(({ teamGuid }: { teamGuid: string }) => teamGuid)]).toEqual([
      [],
      [team.guid],
    ])
  })

  test('are refused over others that came after those which were read', async () => {
    const own = await makeSheet(api, cup, organiser, { audience: 'teams' })
    const from = (expectedSubmittedAt: string | null) =>
      api.put(`${own.address}/teams/${team.guid}/responses`, captain, { responses: [], expectedSubmittedAt })
    const first = await answered(from(null))
    const { submittedAt } = first.teamSubmission
    const late = await from(null)
    expect([...problem(late), late.body.submittedAt]).toEqual([409, 'availability.stale', submittedAt])
    await answered(from(submittedAt))
    const replies = await Promise.all(
      [1, 2, 3].map(async () => from((await read(captain, own)).teamSubmissions[0].submittedAt)),
    )
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(problem(await from(submittedAt))).toEqual([409, 'availability.stale'])
  })

  test('are answered by GUID or short id of the team', async () => {
    const body = await answered(api.put(`${sheet.address}/teams/${team.id}/responses`, captain, { responses: [] }))
    expect(body.teamSubmission.teamGuid).toBe(team.guid)
  })

  test('of an hour, on a day that has none of one half: as many slots as are whole', async () => {
    // A Sunday on Lord Howe Island, where clocks go forward by half an hour.
    const day = { startsAt: '2026-10-03T13:30:00Z', endsAt: '2026-10-04T13:00:00Z' }
    const hours = await makeSheet(api, cup, organiser, { audience: 'teams', slotMinutes: 60, windows: [day] })
    const whole = { status: 'available', startsAt: day.startsAt, endsAt: '2026-10-04T12:30:00Z' }
    expect((await answered(respondFor(api, hours, team, captain, [whole]))).teamResponses).toHaveLength(23)
    const reply = await respondFor(api, hours, team, captain, [{ status: 'available', ...day }])
    expect(problem(reply)).toEqual([400, 'availability.outside'])
  })

  test.each<[string, object, string]>([
    ['no status', span(18, 19), 'request.invalid'],
    ['no end', { status: 'maybe', startsAt: at(18) }, 'request.invalid'],
    ['an end of null', { status: 'maybe', startsAt: at(18), endsAt: null }, 'request.invalid'],
    ['another status', says('busy', 18, 19), 'request.invalid'],
    ['half a slot', says('maybe', 18, 18.25), 'availability.unaligned'],
    ['halves of two slots', says('maybe', 18.25, 18.75), 'availability.unaligned'],
    [
      'off the quarters',
      { status: 'maybe', startsAt: '2026-05-01T18:10:00Z', endsAt: at(19) },
      'availability.unaligned',
    ],
    ['past the window', says('maybe', 21.5, 22.5), 'availability.outside'],
    ['before the window', says('maybe', 17.5, 18), 'availability.outside'],
    ['backwards', says('maybe', 20, 18), 'availability.response_invalid'],
    [
      'at the epoch',
      { status: 'maybe', startsAt: '1970-01-01T00:00:00Z', endsAt: at(19) },
      'availability.response_invalid',
    ],
    ['a status that is not accepted', says('would_rather_not', 18, 19), 'availability.status_not_accepted'],
  ])('cannot be: %s; and what was answered before stays', async (_name, input, code) => {
    const strict = await makeSheet(api, cup, organiser, {
      ...asked,
      acceptedStatuses: ['available', 'maybe', 'unavailable'],
    })
    await answered(respondFor(api, strict, team, captain, [says('available', 20, 20.5)]))
    expect(problem(await respondFor(api, strict, team, captain, [says('maybe', 18, 19), input]))).toEqual([400, code])
    expect(told((await read(captain, strict)).teamResponses)).toEqual(['20–20.5 available'])
  })

  test('are taken until the sheet closes', async () => {
    const closing = await makeSheet(api, cup, organiser, { ...asked, closesAt: '2026-01-01T00:00:00Z' })
    expect(problem(await respondFor(api, closing, team, captain, [says('maybe', 18, 19)]))).toEqual([
      409,
      'availability.closed',
    ])
    expect(problem(await respondFor(api, closing, team, captain, [says('maybe', 2, 3)]))).toEqual([
      400,
      'availability.outside',
    ])
  })
})

describe('who answers for a team', () => {
  test('its captain alone', async () => {
    const member = await api.user()
    const other = await api.user()
    const mine = await makeTeam(api, cup, await api.user(), { status: 'qualified', members: [member] })
    const theirs = await makeTeam(api, cup, other, { status: 'registered' })
    const admin = await roleHolder(api, cup, 'role:admin')
    const manager = await api.user({ globalRoles: ['role:owner'] })
    for (const caller of [organiser, admin, manager, captain, other]) {
      expect(problem(await respondFor(api, sheet, mine, caller, [says('maybe', 18, 19)]))).toEqual([
        403,
        'role.missing',
      ])
    }
    expect(problem(await respondFor(api, sheet, mine, member, []))).toEqual([404, 'sheet.unknown'])
    expect(problem(await respondFor(api, sheet, theirs, null, []))).toEqual([401, 'token.missing'])
    await answered(respondFor(api, sheet, theirs, other, []))
  })

  test.each<[string, string, number]>([
    ['both', 'registered', 200],
    ['both', 'qualified', 200],
    ['both', 'unregistered', 404],
    ['registered', 'registered', 200],
    ['registered', 'qualified', 404],
    ['qualified', 'registered', 404],
    ['qualified', 'qualified', 200],
  ])('when the sheet asks %s, of a team that is %s: %i', async (teamEligibility, status, expected) => {
    const chief = await api.user()
    const own = await makeTeam(api, cup, chief, { status: status as 'registered' })
    const some = await makeSheet(api, cup, organiser, { ...asked, teamEligibility })
    expect((await respondFor(api, some, own, chief, [says('maybe', 18, 19)])).status).toBe(expected)
  })

  test('not of a sheet for staff, whatever role the captain has', async () => {
    const playing = await roleHolder(api, cup, 'role:caster')
    const own = await makeTeam(api, cup, playing, { status: 'registered' })
    const forStaff = await makeSheet(api, cup, organiser)
    expect(problem(await respondFor(api, forStaff, own, playing, [says('maybe', 18, 19)]))).toEqual([
      403,
      'role.missing',
    ])
    expect(problem(await respondFor(api, forStaff, team, captain, [says('maybe', 18, 19)]))).toEqual([
      404,
      'sheet.unknown',
    ])
  })

  test('of a team of this tournament', async () => {
    const cup2 = await makeTournament(api, organiser)
    const elsewhere = await makeTeam(api, cup2, captain, { status: 'registered' })
    for (const which of [elsewhere, { guid: '00000000-0000-4000-8000-000000000000' }, { guid: 'no-such-team' }]) {
      expect(problem(await respondFor(api, sheet, which, captain, []))).toEqual([404, 'team.unknown'])
    }
  })

  test('a new captain answers in the place of the old one', async () => {
    const [old, next] = [await api.user(), await api.user()]
    const own = await makeTeam(api, cup, old, { status: 'registered', members: [next] })
    await answered(respondFor(api, sheet, own, old, [says('maybe', 18, 18.5)]))
    await api.sql('update teams set captain_guid = $2 where guid = $1', [own.guid, next.guid])
    expect(problem(await respondFor(api, sheet, own, old, []))).toEqual([404, 'sheet.unknown'])
    expect(told((await read(next)).teamResponses)).toEqual(['18–18.5 maybe'])
    const { teamSubmission } = await answered(respondFor(api, sheet, own, next, [says('available', 18, 18.5)]))
    expect(teamSubmission.updatedByGuid).toBe(next.guid)
  })
})

test('who is captain no more when the answers are stored does not answer', async () => {
  const [old, next] = [await api.user(), await api.user()]
  const own = await makeTeam(api, cup, old, { status: 'registered', members: [next] })
  const late: ReturnType<typeof respondFor>[] = []
  await whileHeld(api, ['select from users where guid = $1 for update', old.guid], async (waiting) => {
    late.push(respondFor(api, sheet, own, old, [says('maybe', 18, 18.5)]))
    await waiting(1)
    const { status } = await api.patch(`/tournaments/${cup.id}/teams/${own.guid}`, organiser, { captain: next.guid })
    expect(status).toBe(200)
  })
  expect((await Promise.all(late)).map(problem)).toEqual([[403, 'role.missing']])
  expect((await read(next)).teamResponses).toEqual([])
})

test('of many submissions at once, one stands as a whole', async () => {
  const chief = await api.user()
  const own = await makeTeam(api, cup, chief, { status: 'registered' })
  const inputs = Array.from({ length: 8 }, (_, n) =>
    [says('available', 18, 18.5), says('maybe', 18.5, 19 + n / 2)].filter((each) => each.endsAt <= at(22)),
  )
  const replies = await Promise.all(inputs.map((each) => respondFor(api, sheet, own, chief, each)))
  expect(replies.map(({ status }) => status)).toEqual(inputs.map(() => 200))
  const { teamResponses, teamSubmissions } = await read(chief)
  const winner = replies.find(({ body }) => body.teamResponses.length === teamResponses.length)
  expect(winner?.body.teamResponses).toEqual(teamResponses)
  expect(teamSubmissions).toHaveLength(1)
})

test('a team that is deleted meanwhile is unknown, and one that is deleted later takes its answers with it', async () => {
  const chief = await api.user()
  const own = await makeTeam(api, cup, chief, { status: 'registered' })
  await answered(respondFor(api, sheet, own, chief, [says('maybe', 18, 18.5)]))
  const stored = () => api.sql('select runs from availability_team_responses where team_guid = $1', [own.guid])
  expect(await stored()).toHaveLength(1)
  await api.sql('delete from availability_team_responses where team_guid = $1', [own.guid])
  const late: ReturnType<typeof respondFor>[] = []
  await whileHeld(api, ['delete from teams where guid = $1', own.guid], async (waiting) => {
    late.push(respondFor(api, sheet, own, chief, [says('maybe', 18, 18.5)]))
    await waiting(1)
  })
  expect((await Promise.all(late)).map(problem)).toEqual([[404, 'team.unknown']])
  expect(await stored()).toEqual([])

  const another = await makeTeam(api, cup, await api.user(), { status: 'registered' })
  await api.sql(
    `insert into availability_team_responses (sheet_guid, team_guid, runs, updated_by_guid, submitted_at)
     values ($1, $2, '[]', $3, now())`,
    [sheet.guid, another.guid, organiser.guid],
  )
  await api.sql('delete from teams where guid = $1', [another.guid])
  const { teamSubmissions } = await read(organiser)
  expect(teamSubmissions.some(({ teamGuid }: { teamGuid: string }) => teamGuid === another.guid)).toBe(false)
})
