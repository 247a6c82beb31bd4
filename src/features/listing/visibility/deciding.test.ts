import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { RequestStatus } from './types.ts'

let api: Harness
let kit: Visibility
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

describe('deciding on the main listing', () => {
  // Request and tournament before; decision; request and tournament after; the status in the public list, null if not
  // listed.
  const table: readonly [
    RequestStatus,
    TournamentStatus,
    'approve' | 'reject',
    RequestStatus,
    TournamentStatus,
    TournamentStatus | null,
  ][] = [
    ['pending', 'draft', 'approve', 'approved', 'approved', 'approved'],
    ['rejected', 'draft', 'approve', 'approved', 'approved', 'approved'],
    ['blocked', 'cancelled', 'approve', 'approved', 'cancelled', null],
    ['approved', 'approved', 'approve', 'approved', 'approved', 'approved'],
    ['pending', 'ongoing', 'approve', 'approved', 'ongoing', 'ongoing'],
    ['rejected', 'completed', 'approve', 'approved', 'completed', 'completed'],
    ['pending', 'draft', 'reject', 'rejected', 'draft', null],
    ['rejected', 'draft', 'reject', 'rejected', 'draft', null],
    ['blocked', 'cancelled', 'reject', 'rejected', 'cancelled', null],
    ['approved', 'approved', 'reject', 'rejected', 'draft', null],
    ['approved', 'ongoing', 'reject', 'rejected', 'ongoing', null],
    ['approved', 'completed', 'reject', 'rejected', 'completed', null],
    ['approved', 'cancelled', 'reject', 'rejected', 'cancelled', null],
  ]

  test.each(table)('%s, %s: %s gives %s, %s, listed: %s', async (request, status, verb, decided, becomes, listed) => {
    const tournament = await kit.arrange(status, request)
    const reply = await kit.act(
      kit.manager,
      tournament,
      verb,
      verb === 'reject' ? { reason: 'No rules yet.' } : undefined,
    )
    const reason = verb === 'reject' ? 'No rules yet.' : null
    expect([reply.status, reply.body]).toMatchObject([200, { request: { status: decided, reason } }])
    expect(Object.keys(reply.body.request)).toEqual(['guid', 'status', 'reason', 'requestedAt', 'decidedAt'])
    expect(await kit.stored(tournament)).toEqual({ status: decided, reason, by: kit.manager.guid })
    expect(await kit.standing(tournament)).toEqual([becomes, listed])
  })

  test('a decision is logged for the staff, with its reason', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    const reviewer = await kit.member('reviewer')
    const { guid } = (await kit.approve(tournament, reviewer)).body.request
    await kit.reject(tournament, reviewer)
    const common = { subject: guid, actor: reviewer.guid }
    const platformGuid = kit.systemPlatform
    expect(await kit.audit(tournament)).toEqual([
      {
        ...common,
        type: 'visibility.approved',
        before: { status: 'pending' },
        after: { platformGuid, status: 'approved', reason: null },
      },
      {
        ...common,
        type: 'visibility.rejected',
        before: { status: 'approved' },
        after: { platformGuid, status: 'rejected', reason: 'No rules yet.' },
      },
    ])
  })

  test('the same decision again changes nothing; another reason does', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    const first = await kit.reject(tournament)
    expect((await kit.reject(tournament, await kit.member('admin'))).body).toEqual(first.body)
    expect((await kit.audit(tournament)).length).toBe(1)
    const second = await kit.reject(tournament, kit.manager, { reason: '  No prizes either.  ' })
    expect(second.body.request).toMatchObject({ status: 'rejected', reason: 'No prizes either.' })
    expect((await kit.audit(tournament)).length).toBe(2)
  })

  test('the whole way: asked, rejected, asked again, approved, taken back, approved for good', async () => {
    const tournament = await kit.arrange('draft', null)
    const cardRoles = async () => (await api.get(`/users/${kit.organiser.guid}/card`)).body.roles
    const publicly = async () => (await api.get(`/tournaments/${tournament.id}/staff`)).status
    await api.sql('update tournaments set approved_at = null where organiser_guid = $1', [kit.organiser.guid])
    const steps: [() => Promise<Reply>, TournamentStatus, number][] = [
      [() => kit.ask(tournament), 'draft', 404],
      [() => kit.reject(tournament), 'draft', 404],
      [() => kit.ask(tournament), 'draft', 404],
      [() => kit.approve(tournament), 'approved', 200],
      [() => kit.reject(tournament), 'draft', 404],
      [() => kit.ask(tournament), 'draft', 404],
      [() => kit.approve(tournament), 'approved', 200],
    ]
    for (const [step, status, seen] of steps) {
      expect((await step()).status).toBe(200)
      // Read twice, since the second answer may come from the cache.
      expect([(await kit.standing(tournament))[0], await publicly(), await publicly()]).toEqual([status, seen, seen])
      const listed = (await api.get(`/tournaments?organiser=${kit.organiser.guid}&limit=100`)).text.includes(
        tournament.guid,
      )
      expect(listed).toBe(seen === 200)
    }
    expect(await cardRoles()).toEqual(['organiser'])
  })

  test.each<[string, RequestStatus | null, string]>([
    ['withdrawn', 'withdrawn', 'visibility.withdrawn'],
    ['never asked for', null, 'visibility.not_requested'],
  ])('what was %s cannot be decided', async (_name, request, code) => {
    const tournament = await kit.arrange('draft', request)
    expect(problem(await kit.approve(tournament))).toEqual([409, code])
    expect(problem(await kit.reject(tournament))).toEqual([409, code])
    expect((await kit.stored(tournament))?.status).toBe(request ?? undefined)
    expect(await kit.standing(tournament)).toEqual(['draft', null])
  })

  test.each<[string, unknown, string]>([
    ['no reason', {}, 'visibility.reason_missing'],
    ['an empty reason', { reason: '' }, 'visibility.reason_missing'],
    ['a blank reason', { reason: ' \n\t ' }, 'visibility.reason_missing'],
    ['null', { reason: null }, 'request.invalid'],
    ['a number', { reason: 7 }, 'request.invalid'],
    ['a long reason', { reason: 'x'.repeat(2_001) }, 'request.invalid'],
    ['control characters', { reason: 'a\u0007' }, 'request.invalid'],
    ['no body', undefined, 'request.malformed'],
  ])('rejecting with %s is refused, whatever the request’s state', async (_name, body, code) => {
    for (const request of ['pending', 'withdrawn'] as const) {
      const tournament = await kit.arrange('draft', request)
      expect(problem(await kit.act(kit.manager, tournament, 'reject', body))).toEqual([400, code])
      expect((await kit.stored(tournament))?.status).toBe(request)
    }
  })

  test('is for members of the system platform, global managers, owners and developers', async () => {
    const reviewers = [
      await kit.member('reviewer'),
      await kit.member('admin'),
      await api.user({ globalRoles: ['role:dev'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ]
    for (const reviewer of reviewers) {
      const tournament = await kit.arrange('draft', 'pending')
      expect(problem(await kit.approve(tournament, reviewer))).toEqual([200, null])
      expect(problem(await kit.reject(tournament, reviewer))).toEqual([200, null])
    }
  })

  test('is for nobody else, who learn nothing about the body', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    const others = [kit.organiser, await api.user(), await api.user({ globalRoles: ['global:users:read'] })]
    for (const role of ['role:admin', 'role:staff']) {
      const user = await api.user()
      await grantRole(api, tournament, user, role)
      others.push(user)
    }
    const elsewhere = await kit.otherPlatform()
    others.push(await kit.member('admin', elsewhere))
    for (const other of others) {
      const replies = [
        await kit.approve(tournament, other),
        await kit.reject(tournament, other),
        await kit.reject(tournament, other, {}),
      ]
      for (const reply of replies)
        expect([...problem(reply), reply.text]).toEqual([403, 'role.missing', replies[0]?.text])
    }
    expect(await kit.standing(tournament)).toEqual(['approved', 'approved'])
  })

  test('a member who leaves the platform reviews no more', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    const reviewer = await kit.member('reviewer')
    expect((await kit.approve(tournament, reviewer)).status).toBe(200)
    await api.sql('delete from platform_members where user_guid = $1', [reviewer.guid])
    expect(problem(await kit.reject(tournament, reviewer))).toEqual([403, 'role.missing'])
  })
})

describe('at once', () => {
  test('many requests are one', async () => {
    const tournament = await kit.arrange('draft', null)
    const replies = await Promise.all(Array.from({ length: 12 }, () => kit.ask(tournament)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await kit.audit(tournament)).length).toBe(1)
  })

  test('of opposite decisions the last one stands, with all that follows from it', async () => {
    for (let round = 0; round < 3; round++) {
      const tournament = await kit.arrange('draft', 'pending')
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? kit.approve(tournament) : kit.reject(tournament))),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      const request = (await kit.stored(tournament))?.status
      const log = await kit.audit(tournament)
      expect(log.at(-1)).toMatchObject({ after: { status: request } })
      expect(await kit.standing(tournament)).toEqual(
        request === 'approved' ? ['approved', 'approved'] : ['draft', null],
      )
      // Each logged decision begins with the status of the one before it.
      const after = ['pending', ...log.map((event) => (event as { after: { status: string } }).after.status)]
      expect(log.map((event) => (event as { before: { status: string } }).before.status)).toEqual(after.slice(0, -1))
    }
  })
})
