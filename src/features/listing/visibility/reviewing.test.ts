import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { remembered, roleHolder } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import { nobody } from '../../../../test/world.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { Decision, RequestStatus } from './types.ts'

/** Decisions on a request in a platform's queue. */

let api: Harness
let kit: Visibility
let platform: { guid: string; id: string }
let reviewer: Caller
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
  platform = await kit.community()
  reviewer = await kit.member('reviewer', platform.guid)
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const rejection = { decision: 'rejected', reason: 'No rules yet.' }
const block = { decision: 'blocked', reason: 'Stolen prizes.' }
const approval = { decision: 'approved' }
const bodies: Readonly<Record<Decision, object>> = { approved: approval, rejected: rejection, blocked: block }

const decidable: readonly RequestStatus[] = ['pending', 'approved', 'rejected', 'blocked']

describe('on a platform', () => {
  test.each(
    decidable.flatMap((before) => (Object.keys(bodies) as Decision[]).map((after) => [before, after] as const)),
  )('a request that is %s is decided as %s, and the tournament stays what it is', async (before, after) => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = await kit.place(tournament, platform.guid, before)
    const reply = await kit.review(platform, request, reviewer, bodies[after])
    const reason = (bodies[after] as { reason?: string }).reason ?? null
    const stays = before === after && after === 'approved'
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['request']])
    expect(reply.body.request).toMatchObject({
      guid: request,
      status: after,
      reason,
      requestedAt: '2026-01-01T00:00:00.000Z',
      decidedBy: { guid: stays ? kit.manager.guid : reviewer.guid },
      tournament: { guid: tournament.guid, id: tournament.id, organiser: { guid: kit.organiser.guid } },
    })
    const isNew = Date.parse(reply.body.request.decidedAt) > Date.parse('2026-01-02T00:00:00Z')
    expect(isNew).toBe(!stays)
    expect((await kit.queue(platform, reviewer)).body.requests).toContainEqual(reply.body.request)
    expect(await kit.standing(tournament, platform.guid)).toEqual(['ongoing', after === 'approved' ? 'ongoing' : null])
    expect(await kit.standing(tournament)).toEqual(['ongoing', 'ongoing'])
    expect(await kit.told(tournament)).toMatchObject(stays ? [] : [{ type: `platform.visibility_${after}` }])
  })

  test('decisions change again and again, each told to the staff as much as they may know and to the platform whole', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = await kit.place(tournament, platform.guid, 'pending')
    for (const decision of ['rejected', 'blocked', 'approved', 'blocked', 'rejected'] as const) {
      expect((await kit.review(platform, request, reviewer, bodies[decision])).status).toBe(200)
    }
    const platformGuid = platform.guid
    const common = { subject: request, actor: reviewer.guid }
    const staffs = (before: string, after: string, reason: string | null) => ({
      ...common,
      type: `visibility.${after}`,
      before: { status: before },
      after: { platformGuid, status: after, reason },
    })
    expect(await kit.audit(tournament)).toEqual([
      staffs('pending', 'rejected', 'No rules yet.'),
      staffs('rejected', 'rejected', null),
      staffs('rejected', 'approved', null),
      staffs('approved', 'rejected', null),
      staffs('rejected', 'rejected', 'No rules yet.'),
    ])
    const platforms = (before: string, after: string, reason: string | null) => ({
      ...common,
      type: `platform.visibility_${after}`,
      tournament: null,
      before: { status: before },
      after: { platformGuid, tournamentGuid: tournament.guid, status: after, reason },
    })
    expect(await kit.told(tournament)).toEqual([
      platforms('pending', 'rejected', 'No rules yet.'),
      platforms('rejected', 'blocked', 'Stolen prizes.'),
      platforms('blocked', 'approved', null),
      platforms('approved', 'blocked', 'Stolen prizes.'),
      platforms('blocked', 'rejected', 'No rules yet.'),
    ])
  })

  test('an approval may have a reason; the same decision with another one is told anew', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = await kit.place(tournament, platform.guid, 'approved')
    const reply = await kit.review(platform, request, reviewer, { decision: 'approved', reason: ' Well made. ' })
    expect(reply.body.request).toMatchObject({ status: 'approved', reason: 'Well made.' })
    expect((await kit.overview(tournament)).text).toContain('Well made.')
    await kit.review(platform, request, await kit.member('admin', platform.guid), {
      decision: 'approved',
      reason: 'Well made.',
    })
    expect((await kit.told(tournament)).length).toBe(1)
  })

  test('a reviewer replaces no decision that they have not seen', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = await kit.place(tournament, platform.guid, 'pending')
    const decide = (decision: string, expectedDecidedAt?: string | null) =>
      kit.review(platform, request, reviewer, { decision, reason: 'Why.', expectedDecidedAt })
    const seen = { expectedDecidedAt: null }
    // Of many at once, one is first.
    const replies = await Promise.all(
      ['approved', 'rejected', 'blocked'].map((decision) => decide(decision, seen.expectedDecidedAt)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const first = replies.find(({ status }) => status === 200)?.body.request
    for (const reply of replies.filter(({ status }) => status === 409)) {
      expect(reply.headers.get('problem-code')).toBe('visibility.decided')
      expect(reply.body).toMatchObject({ status: first.status, decidedAt: first.decidedAt })
    }
    // The same again is no other decision.
    expect((await decide(first.status, null)).status).toBe(200)
    const other = first.status === 'approved' ? 'rejected' : 'approved'
    expect((await decide(other, '2026-01-01T00:00:00.000Z')).status).toBe(409)
    const second = await decide(other, first.decidedAt)
    expect([second.status, second.body.request.status]).toEqual([200, other])
    // A request without the member decides on the request as it is.
    expect((await decide('blocked')).status).toBe(200)
  })

  test('organisers may ask again after a rejection, and not after a block', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const wish = { scope: 'selected', platformGuids: [platform.guid] }
    await kit.choose(tournament, wish)
    const status = async () => (await kit.stored(tournament, platform.guid))?.status
    const { guid } = (await kit.queue(platform, reviewer, '?status=pending')).body.requests[0]
    for (const [decision, becomes] of [
      ['rejected', 'pending'],
      ['blocked', 'blocked'],
      ['rejected', 'pending'],
    ] as const) {
      expect((await kit.review(platform, guid, reviewer, bodies[decision])).status).toBe(200)
      expect((await kit.choose(tournament, wish)).status).toBe(200)
      expect(await status()).toBe(becomes)
    }
  })

  test('remembered lists and cards know at once', async () => {
    const tournament = await kit.arrange('ongoing', null)
    const request = await kit.place(tournament, platform.guid, 'pending')
    const player = await api.user()
    await api.sql('insert into appearances (tournament_guid, user_guid) values ($1, $2)', [
      tournament.guid,
      player.guid,
    ])
    const listed = async () => {
      const reply = await remembered(api, `/tournaments?platform=${platform.id}&limit=100`)
      return reply.body.tournaments.some((each: { guid: string }) => each.guid === tournament.guid)
    }
    const played = async () => (await remembered(api, `/users/${player.guid}/card`)).body.tournamentsPlayed
    for (const [decision, is] of [
      ['approved', true],
      ['rejected', false],
      ['approved', true],
      ['blocked', false],
    ] as const) {
      expect([await listed(), await played()]).toEqual([!is, is ? 0 : 1])
      await kit.review(platform, request, reviewer, bodies[decision])
      expect([await listed(), await played()]).toEqual([is, is ? 1 : 0])
    }
  })
})

describe('on the system platform', () => {
  // Request and tournament before; decision; the tournament after; the status in the public list, null if not listed.
  const table: readonly [RequestStatus, TournamentStatus, Decision, TournamentStatus, TournamentStatus | null][] = [
    ['pending', 'draft', 'approved', 'approved', 'approved'],
    ['rejected', 'draft', 'approved', 'approved', 'approved'],
    ['pending', 'ongoing', 'approved', 'ongoing', 'ongoing'],
    ['blocked', 'cancelled', 'approved', 'cancelled', null],
    ['pending', 'draft', 'rejected', 'draft', null],
    ['approved', 'approved', 'rejected', 'draft', null],
    ['approved', 'ongoing', 'rejected', 'ongoing', null],
    ['approved', 'completed', 'rejected', 'completed', null],
    ['blocked', 'cancelled', 'rejected', 'cancelled', null],
    ['pending', 'draft', 'blocked', 'cancelled', null],
    ['rejected', 'draft', 'blocked', 'cancelled', null],
    ['approved', 'approved', 'blocked', 'cancelled', null],
    ['approved', 'ongoing', 'blocked', 'cancelled', null],
    ['approved', 'completed', 'blocked', 'cancelled', null],
    ['approved', 'cancelled', 'blocked', 'cancelled', null],
  ]

  test.each(table)('%s, %s: %s makes it %s, listed: %s', async (request, status, decision, becomes, listed) => {
    const tournament = await kit.arrange(status, request)
    const guid = (
      await api.sql<{ guid: string }>('select guid from visibility_requests where tournament_guid = $1', [
        tournament.guid,
      ])
    )[0]?.guid as string
    const reply = await kit.review(kit.main, guid, kit.manager, bodies[decision])
    expect([reply.status, reply.body.request.status, reply.body.request.tournament.status]).toEqual([
      200,
      decision,
      becomes,
    ])
    expect(await kit.standing(tournament)).toEqual([becomes, listed])
  })

  test('a block takes the tournament off every list, and from then on its organiser can choose no platform', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    await kit.place(tournament, platform.guid, 'approved')
    const { guid } = (await kit.queue(kit.main, kit.manager, '?limit=100')).body.requests.find(
      (each: { tournament: { guid: string } }) => each.tournament.guid === tournament.guid,
    )
    expect((await kit.review(kit.main, guid, kit.manager, block)).status).toBe(200)
    expect(await kit.standing(tournament, platform.guid)).toEqual(['cancelled', null])
    expect(problem(await kit.choose(tournament, { scope: 'all' }))).toEqual([400, 'visibility.not_active'])
    const overview = await kit.overview(tournament)
    expect(overview.body.platforms[0]).toMatchObject({
      request: { status: 'rejected', reason: null },
      canRequest: false,
    })
    for (const path of ['', '/audit', '/visibility']) {
      const reply = await api.get(`/tournaments/${tournament.guid}${path}`, kit.organiser)
      expect([reply.status, reply.text.replace('"blocked":[', '')]).toEqual([
        200,
        expect.not.stringMatching(/block|Stolen/i),
      ])
    }
  })

  test('the old addresses and the queue decide on the same request', async () => {
    const tournament = await kit.arrange('draft', null)
    const { guid } = (await kit.ask(tournament)).body.request
    expect((await kit.review(kit.main, guid, kit.manager, approval)).status).toBe(200)
    expect(await kit.standing(tournament)).toEqual(['approved', 'approved'])
    expect((await kit.reject(tournament)).body.request.guid).toBe(guid)
    expect(await kit.standing(tournament)).toEqual(['draft', null])
  })
})

test('what a reviewer never reads: their own tournament’s organisers, of a block', async () => {
  const tournament = await kit.arrange('approved', 'approved')
  const request = await kit.place(tournament, platform.guid, 'pending')
  await kit.review(platform, request, reviewer, block)
  const staff = [kit.organiser, await roleHolder(api, tournament, 'role:admin')]
  const paths = [
    ...['', '?include=staff', '/visibility', '/audit', '/access'].map(
      (path) => `/tournaments/${tournament.guid}${path}`,
    ),
    '/users/@me/notifications',
    '/users/@me/export',
  ]
  for (const side of staff) {
    for (const path of paths) {
      const reply = await api.get(path, side)
      const text = reply.text.replace('"blocked":[', '')
      expect([path, reply.status, text]).toEqual([path, 200, expect.not.stringMatching(/blocked|Stolen/i)])
    }
    for (const forbidden of [
      await kit.queue(platform, side),
      await kit.history(platform, request, side),
      await kit.review(platform, request, side, approval),
    ]) {
      expect([...problem(forbidden), forbidden.text]).toEqual([
        403,
        'role.missing',
        'Only reviewers of the platform may do this.',
      ])
    }
  }
})

describe('is refused', () => {
  test('for a request that was withdrawn, whatever the decision', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = await kit.place(tournament, platform.guid, 'withdrawn')
    for (const body of Object.values(bodies)) {
      expect(problem(await kit.review(platform, request, reviewer, body))).toEqual([409, 'visibility.withdrawn'])
    }
    expect(await kit.stored(tournament, platform.guid)).toEqual({ status: 'withdrawn', reason: null, by: null })
    expect((await kit.history(platform, request, reviewer)).body.decisions).toEqual([])
    expect(await kit.told(tournament)).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['no body', undefined, 'request.malformed'],
    ['no decision', { reason: 'Why.' }, 'request.invalid'],
    ['an unknown decision', { decision: 'maybe', reason: 'Why.' }, 'request.invalid'],
    ['pending', { decision: 'pending' }, 'request.invalid'],
    ['withdrawn', { decision: 'withdrawn' }, 'request.invalid'],
    ['null', { decision: null }, 'request.invalid'],
    ['a rejection without a reason', { decision: 'rejected' }, 'visibility.reason_missing'],
    ['a block without a reason', { decision: 'blocked' }, 'visibility.reason_missing'],
    ['an empty reason', { decision: 'rejected', reason: '' }, 'visibility.reason_missing'],
    ['a blank reason', { decision: 'blocked', reason: ' \n\t\u200b ' }, 'visibility.reason_missing'],
    ['a reason that is a number', { decision: 'rejected', reason: 1 }, 'request.invalid'],
    ['a long reason', { decision: 'rejected', reason: 'x'.repeat(2_001) }, 'request.invalid'],
    ['control characters', { decision: 'rejected', reason: 'a\u0007' }, 'request.invalid'],
  ])('%s, before the state is looked at', async (_name, body, code) => {
    for (const status of ['pending', 'withdrawn'] as const) {
      const tournament = await kit.arrange('ongoing', 'approved')
      const request = await kit.place(tournament, platform.guid, status)
      expect(problem(await kit.review(platform, request, reviewer, body))).toEqual([400, code])
      expect((await kit.stored(tournament, platform.guid))?.status).toBe(status)
    }
  })

  test('for requests of other platforms and those that nobody made, before the body is looked at', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const elsewhere = await kit.place(tournament, await kit.otherPlatform(), 'pending')
    for (const request of [elsewhere, nobody, tournament.guid, 'x', '%00', "'--", 'a'.repeat(300)]) {
      for (const body of [approval, {}]) {
        const reply = await kit.review(platform, encodeURI(request), reviewer, body)
        expect([reply.status, reply.text]).toEqual([404, 'There is no such request on this platform.'])
        expect(problem(reply)).toEqual([404, 'request.unknown'])
      }
      expect(problem(await kit.history(platform, encodeURI(request), reviewer))).toEqual([404, 'request.unknown'])
    }
  })

  test('on platforms that there are not', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    for (const id of ['no-such-circle', platform.guid, '%27', 'mine2']) {
      for (const reply of [
        await kit.queue({ id }, owner),
        await kit.review({ id }, nobody, owner, approval),
        await kit.history({ id }, nobody, owner),
      ]) {
        expect(problem(reply)).toEqual([404, 'platform.unknown'])
      }
    }
  })
})

describe('who reviews', () => {
  const actions = async (at: { id: string }, request: string, as: Caller) => [
    problem(await kit.queue(at, as)),
    problem(await kit.history(at, request, as)),
    problem(await kit.review(at, request, as, approval)),
  ]
  const allowed = Array(3).fill([200, null])
  const refused = Array(3).fill([403, 'role.missing'])

  test('members of the platform, by its context id in any case, owners and developers', async () => {
    const reviewers = [
      reviewer,
      await kit.member('admin', platform.guid),
      await api.user({ globalRoles: ['role:dev'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ]
    for (const as of reviewers) {
      const request = await kit.place(await kit.arrange('draft', null), platform.guid, 'pending')
      expect(await actions({ id: platform.id.toUpperCase() }, request, as)).toEqual(allowed)
    }
  })

  test('global tournament managers on the system platform alone', async () => {
    const request = await kit.place(await kit.arrange('draft', null), platform.guid, 'pending')
    expect(await actions(platform, request, kit.manager)).toEqual(refused)
    const main = await kit.place(await kit.arrange('draft', null), kit.systemPlatform, 'pending')
    expect(await actions(kit.main, main, kit.manager)).toEqual(allowed)
  })

  test('nobody else, who learns neither of requests nor of bodies', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    const request = await kit.place(tournament, platform.guid, 'pending')
    const others = [
      await api.user(),
      kit.organiser,
      await kit.member('admin'),
      await kit.member('admin', await kit.otherPlatform()),
      await api.user({ globalRoles: ['global:users:read', 'global:notices:manage'] }),
      await roleHolder(api, tournament, 'role:admin'),
    ]
    for (const as of others) {
      expect(await actions(platform, request, as)).toEqual(refused)
      const texts = new Set<string>()
      for (const guid of [request, nobody, 'x']) {
        for (const body of [approval, {}]) texts.add((await kit.review(platform, guid, as, body)).text)
        texts.add((await kit.history(platform, guid, as)).text)
      }
      expect([...texts]).toEqual(['Only reviewers of the platform may do this.'])
    }
    expect((await kit.stored(tournament, platform.guid))?.status).toBe('pending')
  })

  test('a member who leaves reviews no more', async () => {
    const former = await kit.member('reviewer', platform.guid)
    const request = await kit.place(await kit.arrange('draft', null), platform.guid, 'pending')
    expect(await actions(platform, request, former)).toEqual(allowed)
    await api.sql('delete from platform_members where user_guid = $1', [former.guid])
    expect(await actions(platform, request, former)).toEqual(refused)
  })

  test('a token with the scope is needed', async () => {
    const request = await kit.place(await kit.arrange('draft', null), platform.guid, 'pending')
    const [reading, nothing] = [
      await api.token(reviewer, ['rest:read']),
      await api.token(reviewer, ['rest:user:write']),
    ]
    const base = `/tournament-platforms/${platform.id}/requests`
    for (const path of [base, `${base}/${request}/history`]) {
      expect(problem(await api.call('GET', path))).toEqual([401, 'token.missing'])
      expect(problem(await api.call('GET', path, { token: nothing }))).toEqual([401, 'scope.missing'])
      expect((await api.call('GET', path, { token: reading })).status).toBe(200)
    }
    const path = `${base}/${request}/review`
    expect(problem(await api.call('POST', path, { body: approval }))).toEqual([401, 'token.missing'])
    expect(problem(await api.call('POST', path, { token: reading, body: approval }))).toEqual([401, 'scope.missing'])
  })
})
