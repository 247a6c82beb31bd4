import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import {
  grantRole,
  type MadeTournament,
  makeTournament,
  remembered,
  type TournamentOptions,
} from '../../../../test/make.ts'
import { approveTournament, cancelByBlock, revokeApproval } from './commands/status.ts'
import { lockTournament } from './store/tournaments.ts'
import type { Tournament } from './types.ts'

/** Status changes of a tournament. (D25) */

let api: Harness
let organiser: Caller
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'quaver' })
  manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

let sequence = 0
/** Each tournament starts later than the previous ones, so that it is on the first page. */
const make = (host: Caller, options: TournamentOptions = {}) =>
  makeTournament(api, host, { startsAt: new Date(Date.UTC(2090, 0, ++sequence)), ...options })
const move = (tournament: MadeTournament, as: Caller | null, status: string, reason?: string | null) =>
  api.post(`/tournaments/${tournament.id}/status`, as, reason === undefined ? { status } : { status, reason })
const isListed = async ({ guid }: MadeTournament) =>
  (await remembered(api, '/tournaments?limit=5')).body.tournaments.some(
    (listed: { guid: string }) => listed.guid === guid,
  )
const eventsOf = ({ guid }: MadeTournament) =>
  api.sql<{ type: string; before: object; after: object; actor: string }>(
    `select type, before, after, actor from event_log where subject = $1 and type <> 'tournament.created' order by seq`,
    [guid],
  )

describe('the organiser', () => {
  test('starts, completes, resumes and cancels', async () => {
    const cup = await make(organiser)
    const steps = ['ongoing', 'completed', 'ongoing', 'completed', 'ongoing', 'cancelled']
    for (const status of steps) {
      const reply = await move(cup, organiser, status)
      expect([reply.status, reply.body.status]).toEqual([200, status])
      expect((await api.get(`/tournaments/${cup.id}`)).body.status).toBe(status)
      expect(await isListed(cup)).toBe(status !== 'cancelled')
    }
    expect((await eventsOf(cup)).map(({ after }) => after)).toEqual(steps.map((status) => ({ status })))
  })

  test('says why it is cancelled, which everybody reads; the reason of another step stays in the audit list', async () => {
    const cup = await make(organiser)
    await move(cup, organiser, 'ongoing', 'SECRET-START')
    expect((await remembered(api, `/tournaments/${cup.id}`)).text).not.toContain('SECRET-START')
    const reply = await move(cup, organiser, 'cancelled', ' The hall\nhas burnt down ')
    expect([reply.status, reply.body.cancelReason]).toEqual([200, 'The hall has burnt down'])
    expect((await api.get(`/tournaments/${cup.id}`, null)).body.cancelReason).toBe('The hall has burnt down')
    const silent = await make(organiser)
    expect((await move(silent, organiser, 'cancelled', ' ')).body.cancelReason).toBeNull()
  })

  test.each([
    ['draft', 'cancelled'],
    ['approved', 'cancelled'],
    ['approved', 'ongoing'],
    ['ongoing', 'completed'],
    ['ongoing', 'cancelled'],
  ] as const)('moves from %s to %s, with a reason for the audit list', async (from, to) => {
    const cup = await make(organiser, { status: from })
    expect((await move(cup, organiser, to, 'Because')).status).toBe(200)
    expect(await eventsOf(cup)).toEqual([
      {
        type: 'tournament.status_changed',
        before: { status: from },
        after: { status: to, reason: 'Because' },
        actor: organiser.guid,
      },
    ])
  })

  const all = ['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const
  const legal = ['draft cancelled', 'approved ongoing', 'approved cancelled', 'ongoing completed', 'ongoing cancelled']
  const illegal = all
    .flatMap((from) => all.map((to) => [from, to] as const))
    .filter(([from, to]) => !legal.includes(`${from} ${to}`))
  test.each(illegal)('cannot move from %s to %s', async (from, to) => {
    // Without a completion date, the time limit cannot be checked, so resuming is refused.
    const cup = await make(organiser, { status: from })
    expect(outcome(await move(cup, organiser, to))).toEqual([409, 'tournament.step_illegal'])
    expect(await eventsOf(cup)).toEqual([])
  })

  test('is told to ask for listing when they try to approve their draft', async () => {
    const draft = await make(organiser, { status: 'draft' })
    expect((await move(draft, organiser, 'approved')).text).toContain('listed')
    expect((await move(draft, manager, 'approved')).status).toBe(409)
  })
})

describe('resuming', () => {
  const completedAgo = async (interval: string) => {
    const cup = await make(organiser, { status: 'completed' })
    await api.sql(`update tournaments set completed_at = now() - $2::interval where guid = $1`, [cup.guid, interval])
    return cup
  }

  test('is possible for 14 days', async () => {
    expect((await move(await completedAgo('13 days 23 hours'), organiser, 'ongoing')).status).toBe(200)
    for (const caller of [organiser, manager]) {
      expect(outcome(await move(await completedAgo('14 days 1 minute'), caller, 'ongoing'))).toEqual([
        409,
        'tournament.step_illegal',
      ])
    }
  })

  test('is possible for owners and developers at any time', async () => {
    for (const role of ['role:owner', 'role:dev'] as const) {
      const caller = await api.user({ globalRoles: [role] })
      expect((await move(await completedAgo('3 years'), caller, 'ongoing')).status).toBe(200)
    }
  })

  test('counts from the last completion', async () => {
    const cup = await make(organiser, { status: 'ongoing' })
    await move(cup, organiser, 'completed')
    const [first] = await api.sql<{ age: number }>(
      'select extract(epoch from now() - completed_at)::int as age from tournaments where guid = $1',
      [cup.guid],
    )
    expect(first?.age).toBeLessThan(60)
    await move(cup, organiser, 'ongoing')
    expect(await api.sql('select completed_at from tournaments where guid = $1', [cup.guid])).toEqual([
      { completed_at: null },
    ])
  })
})

describe('who may', () => {
  test.each(['role:admin'])('%s may move it', async (role) => {
    const cup = await make(organiser)
    const caller = await api.user()
    await grantRole(api, cup, caller, role)
    expect((await move(cup, caller, 'ongoing')).status).toBe(200)
    expect((await move(cup, manager, 'completed')).status).toBe(200)
  })

  test.each(['role:staff', 'role:coordinator', 'role:hcoordinator', 'role:referee', null])(
    '%s may not',
    async (role) => {
      const cup = await make(organiser)
      const caller = await api.user()
      if (role !== null) await grantRole(api, cup, caller, role)
      expect(outcome(await move(cup, caller, 'ongoing'))).toEqual([403, 'role.missing'])
      expect(outcome(await move(cup, caller, 'nonsense'))).toEqual([403, 'role.missing'])
      expect(outcome(await move(cup, null, 'ongoing'))).toEqual([401, 'token.missing'])
    },
  )
})

test.each([
  {},
  { status: null },
  { status: 'started' },
  { status: 'Ongoing' },
  { status: 'ongoing', reason: 5 },
  { status: 'ongoing', reason: 'x'.repeat(2_001) },
])('the body %o is refused', async (body) => {
  const cup = await make(organiser)
  expect(outcome(await api.post(`/tournaments/${cup.id}/status`, organiser, body))).toEqual([400, 'request.invalid'])
})

test('of many equal steps at once, one is taken', async () => {
  const cup = await make(organiser)
  const replies = await Promise.all(Array.from({ length: 8 }, () => move(cup, organiser, 'ongoing')))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  expect(await eventsOf(cup)).toHaveLength(1)
})

test('a cancelled tournament leaves the lists and stays readable at its address (D26)', async () => {
  const cup = await make(organiser)
  expect(await isListed(cup)).toBe(true)
  await move(cup, organiser, 'cancelled')
  expect(await isListed(cup)).toBe(false)
  expect((await api.get(`/tournaments/${cup.id}`)).body.status).toBe('cancelled')
})

test('a draft that is cancelled stays hidden, since nobody has seen it', async () => {
  const draft = await make(organiser, { status: 'draft' })
  await move(draft, organiser, 'cancelled')
  expect((await api.get(`/tournaments/${draft.id}`)).status).toBe(404)
  expect((await api.get(`/tournaments/${draft.id}`, organiser)).body.status).toBe('cancelled')
})

test('what somebody has played follows the lists at once (D12)', async () => {
  const player = await api.user()
  const cup = await make(organiser)
  await api.sql('insert into appearances (user_guid, tournament_guid) values ($1, $2)', [player.guid, cup.guid])
  const played = async () => (await remembered(api, `/users/${player.guid}/card`)).body.tournamentsPlayed
  expect(await played()).toBe(1)
  await move(cup, organiser, 'cancelled')
  expect(await played()).toBe(0)
})

describe('a decision on the main list', () => {
  type Decide = (tx: Parameters<typeof approveTournament>[0], tournament: Tournament) => Promise<Tournament>
  const decide = ({ guid }: MadeTournament, work: Decide) =>
    api.app.database.transaction(async (tx) => {
      const locked = await lockTournament(tx, guid)
      if (locked === undefined) throw new Error('no such tournament')
      return work(tx, locked.tournament)
    })
  const approve: Decide = (tx, tournament) => approveTournament(tx, tournament, manager.guid, new Date())
  const revoke: Decide = (tx, tournament) => revokeApproval(tx, tournament, manager.guid, new Date())
  const block: Decide = (tx, tournament) => cancelByBlock(tx, tournament, manager.guid, new Date())
  const request = ({ guid }: MadeTournament, status: string) =>
    api.sql(
      `insert into visibility_requests (tournament_guid, platform_guid, status) select $1, guid, $2 from platforms where is_system
       on conflict (tournament_guid, platform_guid) do update set status = excluded.status`,
      [guid, status],
    )

  test('approves a draft, lists it and makes its organiser one on cards for good (D24)', async () => {
    const host = await api.user()
    const draft = await make(host, { status: 'draft' })
    const roles = async () => (await remembered(api, `/users/${host.guid}/card`)).body.roles
    expect([await roles(), await isListed(draft)]).toEqual([[], false])
    await request(draft, 'approved')
    const approved = await decide(draft, approve)
    expect(approved.status).toBe('approved')
    expect([await roles(), await isListed(draft)]).toEqual([['organiser'], true])
    expect(await eventsOf(draft)).toEqual([
      {
        type: 'tournament.status_changed',
        before: { status: 'draft' },
        after: { status: 'approved' },
        actor: manager.guid,
      },
    ])

    await request(draft, 'rejected')
    expect((await decide(draft, revoke)).status).toBe('draft')
    expect([await roles(), await isListed(draft)]).toEqual([['organiser'], false])
    expect((await api.get(`/tournaments/${draft.id}`)).status).toBe(404)

    await request(draft, 'approved')
    const again = await decide(draft, approve)
    expect(again.approvedAt).toEqual(approved.approvedAt)
  })

  test.each(['ongoing', 'completed'] as const)('leaves the status %s, but not the list', async (status) => {
    const cup = await make(organiser, { status })
    await request(cup, 'rejected')
    expect((await decide(cup, revoke)).status).toBe(status)
    expect(await isListed(cup)).toBe(false)
    expect((await api.get(`/tournaments/${cup.id}`)).body.status).toBe(status)
    await request(cup, 'approved')
    expect((await decide(cup, approve)).status).toBe(status)
    expect(await isListed(cup)).toBe(true)
  })

  test('does not bring a cancelled tournament back', async () => {
    const cup = await make(organiser, { status: 'cancelled', approved: false })
    await request(cup, 'approved')
    expect(await decide(cup, approve)).toMatchObject({ status: 'cancelled', approvedAt: null })
    expect(await isListed(cup)).toBe(false)
  })

  test.each(['draft', 'approved', 'ongoing', 'completed'] as const)(
    'that blocks cancels from %s, and keeps its reason from the staff',
    async (status) => {
      const cup = await make(organiser, { status })
      await request(cup, 'blocked')
      expect((await decide(cup, block)).status).toBe('cancelled')
      expect(await isListed(cup)).toBe(false)
      const audit = await api.get(`/tournaments/${cup.id}/audit`, organiser)
      expect(audit.body.entries[0]).toMatchObject({ before: { status }, after: { status: 'cancelled' } })
      expect(audit.text).not.toContain('Secret')
    },
  )

  test('that blocks a cancelled tournament changes nothing', async () => {
    const cup = await make(organiser, { status: 'cancelled' })
    const before = await api.get(`/tournaments/${cup.id}`)
    expect((await decide(cup, block)).status).toBe('cancelled')
    expect((await api.get(`/tournaments/${cup.id}`)).body).toEqual(before.body)
  })
})
