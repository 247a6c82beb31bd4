import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeMatches, makeSheet } from '../../../../test/availability.ts'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament, touch } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { operations } from '../../../app.ts'
import { findingCodes } from './types.ts'

/** What is wrong in a tournament, for its staff. (additions: Health) */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const pathOf = (cup: MadeTournament) => `/tournaments/${cup.guid}/health`

// biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member.
type Finding = any
async function healthOf(cup: MadeTournament, as: Caller = organiser): Promise<Finding[]> {
  const reply = await api.get(pathOf(cup), as)
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.body
}
const codesOf = (findings: readonly Finding[]) => findings.map(({ code, subject }) => [code, subject.name])
/** A tournament with which nothing is wrong. */
const healthy = (options: Parameters<typeof makeTournament>[2] = {}) =>
  makeTournament(api, organiser, { startsAt: inHours(48), endsAt: inHours(72), ...options })

test('a tournament with which nothing is wrong has no findings, nor has one that is over', async () => {
  const cup = await healthy({ requirements: { emailVerified: true } })
  expect(await healthOf(cup)).toEqual([])
  await makeTeam(api, cup, await api.user(), { status: 'registered' })
  expect(await healthOf(cup)).toHaveLength(1)
  for (const status of ['completed', 'cancelled']) {
    await api.sql('update tournaments set status = $2 where guid = $1', [cup.guid, status])
    expect(await healthOf(cup)).toEqual([])
  }
})

test('is for the staff alone; a draft is unknown to others', async () => {
  const [cup, draft] = [await healthy(), await healthy({ status: 'draft' })]
  const [captain, caster] = await Promise.all([api.user(), api.user()])
  await makeTeam(api, cup, captain)
  await grantRole(api, cup, caster, 'role:caster')
  expect(outcome(await api.get(pathOf(cup), null))).toEqual([401, 'token.missing'])
  expect(outcome(await api.get(pathOf(cup), captain))).toEqual([403, 'role.missing'])
  expect(outcome(await api.get(pathOf(draft), captain))).toEqual([404, 'tournament.unknown'])
  expect((await api.get(pathOf(cup), caster)).status).toBe(200)
})

test('each finding names an operation that exists', () => {
  const names = new Set(operations.map(({ name }) => name))
  for (const { action } of Object.values(findingCodes)) expect([action, names.has(action)]).toEqual([action, true])
})

describe('teams', () => {
  test('with a place that registration would refuse now, and fields that nobody answered; others are not told of', async () => {
    const field = {
      guid: '7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a11',
      label: 'Shirt',
      help: null,
      type: 'text',
      required: true,
      options: [],
      subject: 'team',
      private: true,
    }
    const cup = await healthy({
      requirements: { emailVerified: true, rankA: { max: 100 } },
      additionalFields: [field],
      capacity: 2,
    })
    const [gone, fine] = await Promise.all([api.user({ name: 'Quaver' }), api.user()])
    for (const [index, { guid }] of [gone, fine].entries()) {
      await api.sql(
        `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', $2, now())`,
        [guid, `9100${index}`],
      )
    }
    await api.sql('update users set email_verified_at = now() where guid = $1', [fine.guid])
    const ineligible = await makeTeam(api, cup, gone, { name: 'The Quavers', status: 'qualified' })
    const eligible = await makeTeam(api, cup, fine, { name: 'Offbeat', status: 'registered' })
    await makeTeam(api, cup, await api.user(), { name: 'Waiting' })
    await api.sql('insert into field_answers (team_guid, field_guid, response) values ($1, $2, $3)', [
      ineligible.guid,
      field.guid,
      JSON.stringify('L'),
    ])
    // The ranking platform was not asked yet, which is no fault of the teams.
    expect(await healthOf(cup)).toEqual([
      {
        code: 'team.ineligible',
        severity: 'error',
        subject: { kind: 'team', guid: ineligible.guid, name: 'The Quavers' },
        message: 'Quaver has to verify an e-mail address first.',
        action: 'registration.desk',
      },
      {
        code: 'field.unanswered',
        severity: 'warning',
        subject: { kind: 'team', guid: eligible.guid, name: 'Offbeat' },
        message: '“Offbeat” has not answered a required field.',
        action: 'registration.desk',
      },
    ])
  })
})

describe('matches', () => {
  test('outside of the dates, before their feeders, and late; those that were played are not told of', async () => {
    const made = await makeBracket(api, {
      teams: 4,
      format: 'single_elimination',
      tournament: { startsAt: inHours(-1), endsAt: inHours(8) },
    })
    const set = async (number: number, at: Date) =>
      api.sql('update matches set scheduled_at = $2 where bracket_guid = $1 and number = $3', [
        made.bracket.guid,
        at,
        number,
      ])
    await set(1, inHours(1))
    await set(2, inHours(-0.5))
    await set(3, inHours(0.9))
    await touch(api, made.cup.guid)
    const told = async () => codesOf(await healthOf(made.cup, made.organiser))
    expect(await told()).toEqual([
      ['match.before_feeder', 'Match 3, Main'],
      ['match.late', 'Match 2, Main'],
    ])
    await set(3, inHours(9))
    await set(2, inHours(-2))
    await touch(api, made.cup.guid)
    expect(await told()).toEqual([
      ['match.outside_dates', 'Match 2, Main'],
      ['match.outside_dates', 'Match 3, Main'],
      ['match.late', 'Match 2, Main'],
    ])
    await made.win(2, 'team-2')
    expect(await told()).toEqual([['match.outside_dates', 'Match 3, Main']])
  })
})

test('divisions without a bracket, once registration is closed', async () => {
  const cup = await healthy({ registrationClosesAt: inHours(-1) })
  for (let made = 0; made < 2; made++) await makeTeam(api, cup, await api.user(), { status: 'registered' })
  expect(codesOf(await healthOf(cup))).toEqual([['division.no_bracket', `Tournament ${cup.id}`]])
  await api.post(`/tournaments/${cup.guid}/divisions`, organiser, { name: 'Advanced' })
  expect(codesOf(await healthOf(cup))).toEqual([['division.no_bracket', 'Advanced']])
})

test('a qualifier that closes too late, or was not synchronised', async () => {
  const cup = await healthy()
  await makeMatches(api, cup, [{ scheduledAt: inHours(50).toISOString() }])
  const [qualifier] = await api.sql<{ guid: string }>(
    `insert into qualifiers (tournament_guid, status, opens_at, closes_at, attempts, hide_scores, method, settings)
     values ($1, 'open', $2, $3, 0, true, 'sum_of_scores', '{}') returning guid`,
    [cup.guid, inHours(-1), inHours(51)],
  )
  await api.sql(`insert into qualifier_syncs (qualifier_guid, last_error) values ($1, 'It did not answer.')`, [
    qualifier?.guid,
  ])
  await touch(api, cup.guid)
  expect((await healthOf(cup)).map(({ code, message }) => [code, message.includes('It did not answer.')])).toEqual([
    ['qualifier.closes_late', false],
    ['qualifier.sync_failed', true],
  ])
})

test('open sheets whose times are over, and failed deliveries: for organiser and role:staff alone', async () => {
  const cup = await healthy({ status: 'ongoing', startsAt: inHours(-30) })
  const [staff, referee] = await Promise.all([api.user(), api.user()])
  await grantRole(api, cup, staff, 'role:staff')
  await grantRole(api, cup, referee, 'role:referee')
  // The sheets’ times are in May 2026.
  await makeSheet(api, cup, organiser, { title: 'Over' })
  const closed = await makeSheet(api, cup, organiser, { title: 'Closed' })
  await api.sql(`update availability_sheets set closes_at = now() - interval '1 day' where guid = $1`, [closed.guid])
  const later = { startsAt: '2099-05-01T18:00:00.000Z', endsAt: '2099-05-01T19:00:00.000Z' }
  await makeSheet(api, cup, organiser, { title: 'To come', windows: [later] })
  const [match = ''] = await makeMatches(api, cup, [{}])
  await makeSheet(api, cup, organiser, {
    title: 'Of a match',
    mode: 'matches',
    windows: undefined,
    matchGuids: [match],
  })
  for (const [title, status] of [
    ['Sent', 'delivered'],
    ['Lost', 'failed'],
    ['Kept', 'removal_failed'],
  ]) {
    const [update] = await api.sql<{ guid: string }>(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
       values (gen_random_uuid(), $1, $2, $3, '', '[]', '') returning guid`,
      [cup.guid, organiser.guid, title],
    )
    await api.sql(
      `insert into chat_deliveries (guid, tournament_guid, status, revision, attempts, failures, last_error, updated_at)
       values ($1, $3, $2, 1, 1, 1, 'The channel is gone.', now())`,
      [update?.guid, status, cup.guid],
    )
  }
  // Of the announcements of a channel, the last one that is no longer being sent counts.
  for (const [channel, status, minutes] of [
    ['results', 'delivered', 9],
    ['results', 'failed', 8],
    ['results', 'pending', 7],
    ['streams', 'failed', 6],
    ['streams', 'delivered', 5],
  ]) {
    const [announcement] = await api.sql<{ guid: string }>(
      `insert into announcements (guid, tournament_guid, kind, channel, created_at)
       values (gen_random_uuid(), $1, 'match_started', $2, now() - make_interval(mins => $3)) returning guid`,
      [cup.guid, channel, minutes],
    )
    await api.sql(
      `insert into chat_deliveries (guid, tournament_guid, channel, status, revision, attempts, failures, last_error,
         updated_at)
       values ($1, $2, $3, $4, 1, 1, 1, 'The webhook is gone.', now())`,
      [announcement?.guid, cup.guid, channel, status],
    )
  }
  await touch(api, cup.guid)
  const told = async (as: Caller) => codesOf(await healthOf(cup, as)).toSorted()
  const all = [
    ['announcement.failed', `Tournament ${cup.id}`],
    ['delivery.failed', 'Kept'],
    ['delivery.failed', 'Lost'],
    ['sheet.overdue', 'Over'],
  ]
  for (const as of [organiser, staff]) expect(await told(as)).toEqual(all)
  expect((await healthOf(cup, staff)).map(({ message }) => message)).toContain(
    'The last announcement did not reach the chat channel “results”: The webhook is gone.',
  )
  expect(await told(referee)).toEqual([])
  await api.sql(`update matches set status = 'completed' where guid = $1`, [match])
  await touch(api, cup.guid)
  expect(await told(staff)).toEqual([...all, ['sheet.overdue', 'Of a match']].toSorted())
})

test('can be followed: what was put right leaves the copies of all staff', async () => {
  const cup = await healthy({ requirements: { emailVerified: true } })
  const [caster, captain] = await Promise.all([api.user(), api.user()])
  await grantRole(api, cup, caster, 'role:caster')
  await makeTeam(api, cup, captain, { status: 'registered' })
  const topic = pathOf(cup)
  await using socket = await openSocket(api, { as: caster })
  expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  await using outsider = await openSocket(api, { as: captain })
  expect(await outsider.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
  expect(socket.copies.of(topic).body).toHaveLength(1)
  await api.patch(`/tournaments/${cup.guid}`, organiser, { requirements: {} })
  await vi.waitFor(() => expect(socket.copies.of(topic).body).toEqual([]), { timeout: 20_000, interval: 50 })
})
