import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import { nobody } from '../../../../test/world.ts'
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

describe('asking for the main listing', () => {
  test('submits a request, which is answered and logged', async () => {
    const tournament = await kit.arrange('draft', null)
    const reply = await kit.ask(tournament)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        request: {
          guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          status: 'pending',
          reason: null,
          requestedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          decidedAt: null,
        },
        canRequest: true,
      },
    ])
    expect(await kit.stored(tournament)).toEqual({ status: 'pending', reason: null, by: null })
    expect(await kit.standing(tournament)).toEqual(['draft', null])
    expect(await kit.audit(tournament)).toEqual([
      {
        type: 'visibility.requested',
        subject: reply.body.request.guid,
        actor: kit.organiser.guid,
        before: null,
        after: { platformGuid: kit.systemPlatform, status: 'pending', reason: null },
      },
    ])
  })

  test.each<[RequestStatus]>([['rejected'], ['withdrawn']])(
    'submits a %s request again, with a clean slate',
    async (status) => {
      const tournament = await kit.arrange('draft', status)
      const reply = await kit.ask(tournament)
      expect([reply.status, reply.body.request]).toMatchObject([
        200,
        { status: 'pending', reason: null, decidedAt: null },
      ])
      expect(Date.parse(reply.body.request.requestedAt)).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'))
      expect(await kit.stored(tournament)).toEqual({ status: 'pending', reason: null, by: null })
      expect(await kit.audit(tournament)).toMatchObject([{ type: 'visibility.requested', before: { status } }])
    },
  )

  test.each<[RequestStatus, TournamentStatus]>([
    ['pending', 'draft'],
    ['approved', 'approved'],
    ['approved', 'ongoing'],
  ])('leaves a request that is %s alone', async (status, tournamentStatus) => {
    const tournament = await kit.arrange(tournamentStatus, status)
    const reply = await kit.ask(tournament)
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { request: { status, requestedAt: '2026-01-01T00:00:00.000Z' }, canRequest: true },
    ])
    expect(await kit.standing(tournament)).toEqual([tournamentStatus, status === 'approved' ? tournamentStatus : null])
    expect(await kit.audit(tournament)).toEqual([])
  })

  test('skips a blocked request, which organisers see as rejected without a reason', async () => {
    const tournament = await kit.arrange('draft', 'blocked')
    const admin = await api.user()
    await grantRole(api, tournament, admin, 'role:admin')
    for (const side of [kit.organiser, admin]) {
      const reply = await kit.ask(tournament, side)
      expect([reply.status, reply.body]).toMatchObject([
        200,
        { request: { status: 'rejected', reason: null }, canRequest: false },
      ])
      expect(reply.text).not.toMatch(/block|The old reason/)
    }
    const truth = await kit.ask(tournament, kit.manager)
    expect(truth.body).toMatchObject({ request: { status: 'blocked', reason: 'The old reason.' }, canRequest: false })
    expect(await kit.stored(tournament)).toMatchObject({ status: 'blocked', reason: 'The old reason.' })
    expect(await kit.audit(tournament)).toEqual([])
  })

  test.each<[TournamentStatus, RequestStatus | null]>([
    ['cancelled', null],
    ['completed', null],
    ['cancelled', 'rejected'],
    ['completed', 'withdrawn'],
    ['cancelled', 'blocked'],
  ])('is refused for a tournament that is %s (request: %s)', async (status, request) => {
    const tournament = await kit.arrange(status, request)
    expect(problem(await kit.ask(tournament))).toEqual([400, 'visibility.not_active'])
    expect((await kit.stored(tournament))?.status).toBe(request ?? undefined)
    expect(await kit.audit(tournament)).toEqual([])
  })

  test('is for the organiser, admins and global managers', async () => {
    const allowed = ['role:admin']
    for (const role of ['role:admin', 'role:staff', 'role:hcoordinator', 'role:referee']) {
      const tournament = await kit.arrange('draft', null)
      const user = await api.user()
      await grantRole(api, tournament, user, role)
      const expected = allowed.includes(role) ? [200, null] : [403, 'role.missing']
      expect([role, ...problem(await kit.ask(tournament, user))]).toEqual([role, ...expected])
    }
    const tournament = await kit.arrange('approved', null)
    for (const stranger of [await api.user(), await kit.member('admin')]) {
      expect(problem(await kit.ask(tournament, stranger))).toEqual([403, 'role.missing'])
    }
    expect(await kit.stored(tournament)).toBeUndefined()
    expect(problem(await kit.ask(tournament, kit.manager))).toEqual([200, null])
  })
})

describe('what is not there', () => {
  test('unknown tournaments, and drafts that did not ask, are 404 for each', async () => {
    const reviewer = await kit.member('reviewer')
    const [silent, withdrawn] = [await kit.arrange('draft', null), await kit.arrange('draft', 'withdrawn')]
    for (const tournament of [silent, withdrawn, { guid: nobody }, { guid: 'no-such-cup' }]) {
      for (const reply of [
        await kit.ask(tournament, reviewer),
        await kit.approve(tournament, reviewer),
        await kit.reject(tournament, reviewer),
      ]) {
        expect(problem(reply)).toEqual([404, 'tournament.unknown'])
      }
    }
  })

  test('a reviewer of another platform does not see a draft that asked the system platform alone', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    expect(problem(await kit.approve(tournament, await kit.member('admin', await kit.otherPlatform())))).toEqual([
      404,
      'tournament.unknown',
    ])
  })

  test('a token with the scope is needed', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    const token = await api.token(kit.manager, ['rest:read'])
    for (const verb of ['request', 'approve', 'reject'] as const) {
      const address = `/tournaments/${tournament.guid}/visibility/${verb}`
      expect(problem(await api.call('POST', address))).toEqual([401, 'token.missing'])
      expect(problem(await api.call('POST', address, { token }))).toEqual([401, 'scope.missing'])
    }
  })
})
