import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMatches, makeSheet } from '../../../../test/availability.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  grantRole,
  type MadeTournament,
  makeApplication,
  makeTeam,
  makeTournament,
  type TournamentOptions,
} from '../../../../test/make.ts'
import { makeAssignment } from '../../../../test/streaming.ts'
import { digestOf } from '../../../infra/secrets.ts'

/** A user's own calendar, readable by its secret address. */

let api: Harness
let second: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  organiser = await api.user()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const inHours = (hours: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + hours * 3_600_000).toISOString()
const unknown = [404, 'calendar.unknown']
const make = (as: Caller, on = api) => on.post('/users/@me/calendarToken', as)
const revoke = (as: Caller, on = api) => on.delete('/users/@me/calendarToken', as)

/** The secret address, as a path for the harness. */
async function addressOf(as: Caller, on = api): Promise<string> {
  const reply = await make(as, on)
  expect(outcome(reply), reply.text).toEqual([201, null])
  const { publicUrl } = api.app.config
  expect(reply.body.address).toMatch(/\/api\/users\/@me\/calendar\.ics\?token=[\w-]{43}$/)
  expect(reply.body.address.startsWith(`${publicUrl}/api/`)).toBe(true)
  return reply.body.address.slice(`${publicUrl}/api`.length)
}

function events(reply: Reply): ICAL.Event[] {
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'private, no-store',
  ])
  return new ICAL.Component(ICAL.parse(reply.text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
}

const busy = ({ component }: ICAL.Event) =>
  ['transp', 'x-microsoft-cdo-busystatus'].map((name) => component.getFirstPropertyValue(name))
const summaries = async (address: string, on = api) => events(await on.get(address)).map(({ summary }) => summary)
const cup = (options: TournamentOptions = {}) => makeTournament(api, organiser, { name: 'Cup', ...options })
const teamOf = (of: MadeTournament, captain: Caller, name: string, members: readonly Caller[] = []) =>
  makeTeam(api, of, captain, { name, members, status: 'registered' })

describe('the address', () => {
  test('is told once, is replaced by the next one, and leads nowhere once it is revoked, on every process', async () => {
    const user = await api.user()
    const first = await addressOf(user)
    for (const on of [api, second]) expect(await summaries(first, on)).toEqual([])
    const next = await addressOf(user, second)
    expect(next).not.toBe(first)
    for (const on of [api, second]) {
      expect(outcome(await on.get(first))).toEqual(unknown)
      expect(await summaries(next, on)).toEqual([])
    }
    expect(outcome(await revoke(user))).toEqual([204, null])
    for (const on of [api, second]) expect(outcome(await on.get(next))).toEqual(unknown)
    expect(outcome(await revoke(user))).toEqual([204, null])
    const told = await api.sql(
      `select type, subject, actor, before, after from event_log where subject = $1 and type like 'calendar.%' order by seq`,
      [user.guid],
    )
    const common = { subject: user.guid, actor: user.guid }
    const made = { type: 'calendar.address_made', ...common, before: null, after: { user: user.guid } }
    expect(told).toEqual([
      made,
      made,
      { type: 'calendar.address_revoked', ...common, before: { user: user.guid }, after: null },
    ])
  })

  test('of many that are made at once, one is good', async () => {
    const user = await api.user()
    const addresses = await Promise.all(Array.from({ length: 8 }, (_, n) => addressOf(user, n % 2 ? api : second)))
    const replies = await Promise.all(addresses.map((address) => api.get(address)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })

  test('is kept as a digest, and stands in no export', async () => {
    const user = await api.user()
    const address = await addressOf(user)
    const token = address.slice(address.indexOf('=') + 1)
    const [row] = await api.sql<{ digest: Buffer }>('select * from calendar_tokens where user_guid = $1', [user.guid])
    expect(row?.digest).toEqual(digestOf(token))
    const reply = await api.get('/users/@me/export', user)
    expect(reply.body.held.calendarAddress.records).toEqual([{ createdAt: expect.any(String) }])
    for (const secret of [token, digestOf(token).toString('hex'), digestOf(token).toString('base64')]) {
      expect(reply.text).not.toContain(secret)
    }
    expect((await api.delete('/users/@me', user)).status).toBe(204)
    expect(outcome(await api.get(address))).toEqual(unknown)
    expect(await api.sql('select from calendar_tokens where user_guid = $1', [user.guid])).toEqual([])
  })

  test('is made and revoked by users themselves, with no token that an application was given', async () => {
    const user = await api.user()
    const applied = await api.token(user, ['rest:write'], await makeApplication(api, user))
    const reading = await api.token(user, ['rest:user:read'])
    for (const method of ['POST', 'DELETE']) {
      const call = (token: string | null) => api.call(method, '/users/@me/calendarToken', { token })
      expect(outcome(await call(null))).toEqual([401, 'token.missing'])
      expect(outcome(await call(reading))).toEqual([401, 'scope.missing'])
      expect(outcome(await call(applied))).toEqual([403, 'role.missing'])
    }
  })

  test('that is wrong is that of no calendar, whoever asks; only the address counts', async () => {
    const [user, other] = [await api.user(), await api.user()]
    const address = await addressOf(user)
    await addressOf(other)
    const wrong = address.slice(0, -1) + (address.endsWith('A') ? 'B' : 'A')
    for (const path of [wrong, '/users/@me/calendar.ics', '/users/@me/calendar.ics?token=', `${address}=`]) {
      for (const as of [null, user]) expect(outcome(await api.get(path, as)), path).toEqual(unknown)
    }
    expect(outcome(await api.get(address, other))).toEqual([200, null])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect([404, 405]).toContain((await api.call(method, address, {})).status)
    }
  })

  test('of whoever is banned is that of no calendar', async () => {
    const [owner, user] = [await api.user({ globalRoles: ['role:owner'] }), await api.user()]
    const address = await addressOf(user)
    expect((await api.patch(`/admin/users/${user.guid}`, owner, { banned: true })).status).toBe(200)
    for (const on of [api, second]) expect(outcome(await on.get(address))).toEqual(unknown)
    expect((await api.patch(`/admin/users/${user.guid}`, owner, { banned: false })).status).toBe(200)
    expect(await summaries(address)).toEqual([])
  })
})

test('guesses count as attempts to sign in, and what is right does not', async () => {
  await using limited = await startHarness({ rateLimits: true })
  const user = await limited.user()
  const reply = await limited.post('/users/@me/calendarToken', user)
  const address = reply.body.address.slice(`${limited.app.config.publicUrl}/api`.length)
  const statuses = new Set<number>()
  for (let tries = 0; tries < 400 && !statuses.has(429); tries++) {
    statuses.add((await limited.get(`/users/@me/calendar.ics?token=guess-${tries}`)).status)
  }
  expect([...statuses]).toEqual([404, 429])
  expect((await limited.get(address)).status).toBe(200)
})

describe('it has', () => {
  test('the matches of one’s teams, as a player sees them: in time, and unlisted or not', async () => {
    const [player, rival, outsider] = [await api.user(), await api.user(), await api.user()]
    const of = await cup()
    const [team, other] = [await teamOf(of, rival, 'Rests', [player]), await teamOf(of, outsider, 'Reeds')]
    const [soon, later] = [inHours(3), inHours(5)]
    const [first, second, , third, past] = await makeMatches(api, of, [
      { teams: [team, other], scheduledAt: later },
      { teams: [null, team], scheduledAt: soon },
      { teams: [other, null], scheduledAt: soon },
      { teams: [team, null] },
      { teams: [team, other], scheduledAt: inHours(-24 * 40) },
    ])
    const sides = [
      { from: { match: 12, guid: first, outcome: 'winner' }, bye: false },
      { from: null, bye: false },
    ]
    await api.sql('update matches set sides = $2 where guid = $1', [second, JSON.stringify(sides)])
    await api.sql('delete from listings where tournament_guid = $1', [of.guid])
    await api.sql('update tournaments set stream_delay_seconds = 600 where guid = $1', [of.guid])
    const expected = ['Cup: Winner of match 12 – Rests', 'Cup: Rests – Reeds']
    const address = await addressOf(player)
    const shown = events(await api.get(address))
    expect(shown.map(({ summary }) => summary)).toEqual(expected)
    expect(shown.map(({ uid }) => uid.split('@')[0])).toEqual([second, first])
    expect(shown.map(({ startDate }) => startDate.toJSDate().toISOString())).toEqual([soon, later])
    const lasts = shown.map(({ startDate, endDate }) => endDate.toUnixTime() - startDate.toUnixTime())
    expect(lasts).toEqual([1_800, 1_800])
    expect(shown.map(busy)).toEqual(Array(2).fill(['OPAQUE', 'BUSY']))
    expect([third, past].some((guid) => shown.some(({ uid }) => uid.startsWith(guid ?? '-')))).toBe(false)
    expect(await summaries(await addressOf(rival))).toEqual(expected)
    expect(await summaries(await addressOf(await api.user()))).toEqual([])
    // The user's own calendar shows changes without the stream's delay.
    await api.sql(`update matches set status = 'cancelled', conditional = true where guid = $1`, [first])
    await api.sql('update matches set team1_guid = $2 where guid = $1', [second, other.guid])
    const after = events(await api.get(address))
    expect(after.map(({ summary, component }) => [summary, component.getFirstPropertyValue('status')])).toEqual([
      ['Cup: Reeds – Rests', 'CONFIRMED'],
      ['Cup: Rests – Reeds (not needed)', 'CANCELLED'],
    ])
    expect(after.map(busy)).toEqual([
      ['OPAQUE', 'BUSY'],
      ['TRANSPARENT', 'FREE'],
    ])
    await api.sql('delete from team_members where user_guid = $1', [player.guid])
    expect(await summaries(address)).toEqual([])
  })

  test('duties at matches and on streams', async () => {
    const [user, captain] = [await api.user(), await api.user()]
    const of = await cup()
    const team = await teamOf(of, captain, 'Rests')
    const [match] = await makeMatches(api, of, [{ teams: [team, null], scheduledAt: inHours(2) }])
    await api.sql(
      `insert into match_officials (match_guid, user_guid, role) values ($1, $2, 'role:referee'), ($1, $2, 'role:hcaster')`,
      [match, user.guid],
    )
    const casting = await makeAssignment(api, of, user, { match: match as string, role: 'caster', from: 110, to: 180 })
    const free = await makeAssignment(api, of, user, { role: 'observer', from: -10, to: 50 })
    const cancelled = await makeAssignment(api, of, user, { role: 'observer', from: 10, to: 50 })
    await api.sql('update stream_assignments set cancelled_at = now() where guid = $1', [cancelled])
    const shown = events(await api.get(await addressOf(user)))
    const told = shown.map(({ uid, summary, component }) => {
      return [uid.split('@')[0], summary, component.getFirstPropertyValue('dtend') !== null]
    })
    expect(shown.map(busy)).toEqual(Array(4).fill(['OPAQUE', 'BUSY']))
    expect(told).toEqual([
      [`stream-${free}`, 'Cup: Stream as observer', true],
      [`stream-${casting}`, 'Cup: Stream as caster: Rests – To be decided', true],
      [`duty-hcaster-${match}`, 'Cup: Head caster: Rests – To be decided', true],
      [`duty-referee-${match}`, 'Cup: Referee: Rests – To be decided', true],
    ])
    expect(await summaries(await addressOf(captain))).toEqual(['Cup: Rests – To be decided'])
  })

  test('when the sheets close that ask oneself, or the team that one captains', async () => {
    const of = await cup({ status: 'ongoing' })
    const people = {
      referee: await api.user(),
      caster: await api.user(),
      captain: await api.user(),
      member: await api.user(),
      unregistered: await api.user(),
    }
    await grantRole(api, of, people.referee, 'role:referee')
    await grantRole(api, of, people.referee, 'role:host')
    await grantRole(api, of, people.caster, 'role:caster')
    await teamOf(of, people.captain, 'Rests', [people.member])
    await makeTeam(api, of, people.unregistered, { name: 'Late', status: 'unregistered' })
    const closing = async (title: string, body: object, hours: number | null) => {
      const { guid } = await makeSheet(api, of, organiser, { title, ...body })
      await api.sql('update availability_sheets set closes_at = $2 where guid = $1', [
        guid,
        hours === null ? null : inHours(hours),
      ])
    }
    await closing('All', { audience: 'staff' }, 1)
    await closing('Referees', { audience: 'staff', roles: ['role:referee', 'role:host'] }, 2)
    await closing('Teams', { audience: 'teams', teamEligibility: 'registered' }, 3)
    await closing('Qualified', { audience: 'teams', teamEligibility: 'qualified' }, 4)
    await closing('Any', { audience: 'teams', teamEligibility: 'both' }, 5)
    await closing('Open', { audience: 'staff' }, null)
    const told = async (user: Caller) =>
      (await summaries(await addressOf(user))).map((summary) => summary.replace('Cup: Availability closes: ', ''))
    expect(await told(people.referee)).toEqual(['All', 'Referees'])
    const closings = events(await api.get(await addressOf(people.referee)))
    expect(closings.map(busy)).toEqual(Array(2).fill(['TRANSPARENT', 'FREE']))
    expect(await told(people.caster)).toEqual(['All'])
    expect(await told(people.captain)).toEqual(['Teams', 'Any'])
    expect(await told(people.member)).toEqual([])
    expect(await told(people.unregistered)).toEqual([])
    expect(await told(organiser)).toEqual([])
    await api.sql('delete from tournament_role_holders where user_guid = $1', [people.caster.guid])
    expect(await told(people.caster)).toEqual([])
  })

  test('nothing of a tournament that one may not see', async () => {
    const [player, referee] = [await api.user(), await api.user()]
    const addresses = [await addressOf(player), await addressOf(referee), await addressOf(organiser)]
    for (const [options, seen] of [
      [{ status: 'draft' }, [0, 1, 0]],
      [{ status: 'cancelled', approved: false }, [0, 1, 0]],
      [{ status: 'cancelled' }, [1, 1, 0]],
      [{ status: 'completed' }, [1, 1, 0]],
    ] as const) {
      const of = await cup(options)
      await grantRole(api, of, referee, 'role:referee')
      const team = await teamOf(of, player, 'Rests')
      const [match] = await makeMatches(api, of, [{ teams: [team, null], scheduledAt: inHours(2) }])
      await api.sql(`insert into match_officials (match_guid, user_guid, role) values ($1, $2, 'role:referee')`, [
        match,
        referee.guid,
      ])
      const counts = await Promise.all(addresses.map(async (address) => (await summaries(address)).length))
      expect(counts, JSON.stringify(options)).toEqual(seen)
      if (options.status === 'cancelled' && counts[0] === 1) {
        const [event] = events(await api.get(addresses[0] as string))
        expect(event?.component.getFirstPropertyValue('status')).toBe('CANCELLED')
      }
      await api.sql('delete from match_officials where match_guid = $1', [match])
      await api.sql('delete from matches where guid = $1', [match])
    }
  })

  test('at most 500 entries, those that start first', async () => {
    const player = await api.user()
    const of = await cup()
    const team = await teamOf(of, player, 'Rests')
    const matches = Array.from({ length: 520 }, (_, n) => ({
      teams: [team, null] as const,
      scheduledAt: inHours(n / 10),
    }))
    await makeMatches(api, of, matches)
    const shown = events(await api.get(await addressOf(player)))
    expect(shown).toHaveLength(500)
    expect(shown.at(-1)?.startDate.toJSDate().getTime()).toBeLessThan(Date.now() + 50 * 3_600_000)
  })
})
