import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, remembered, roleHolder } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import { nobody } from '../../../../test/world.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { RequestStatus } from './types.ts'

let api: Harness
let kit: Visibility
let one: { guid: string; id: string }
let other: { guid: string; id: string }
let everywhere: string[]
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
  one = await kit.community()
  other = await kit.community()
  everywhere = [kit.systemPlatform, one.guid, other.guid]
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const guid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const selected = (...platformGuids: string[]) => ({ scope: 'selected', platformGuids })
const all = { scope: 'all' }

/** Statuses by platform, in the order of `everywhere`. */
const statuses = async (tournament: MadeTournament) =>
  Promise.all(everywhere.map(async (platform) => (await kit.stored(tournament, platform))?.status ?? null))

const scopeOf = async (tournament: MadeTournament) => {
  const [row] = await api.sql<{ scope: string }>('select visibility_scope as scope from tournaments where guid = $1', [
    tournament.guid,
  ])
  return row?.scope
}

/** Everything that is stored about where a tournament is listed. */
const everything = async (tournament: MadeTournament) =>
  JSON.stringify([
    await api.sql('select * from tournaments where guid = $1', [tournament.guid]),
    await api.sql('select * from visibility_requests where tournament_guid = $1 order by guid', [tournament.guid]),
    await api.sql('select * from listings where tournament_guid = $1 order by platform_guid', [tournament.guid]),
    await api.sql('select count(*) from event_log'),
  ])

describe('the overview', () => {
  test('shows every platform, the system platform first, with what became of the request there', async () => {
    const tournament = await kit.arrange('draft', 'rejected')
    const request = await kit.place(tournament, one.guid, 'pending')
    const reply = await kit.overview(tournament)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        scope: 'selected',
        platforms: [
          {
            platform: {
              guid: kit.systemPlatform,
              contextId: 'main',
              name: 'Main listing',
              imageUrl: '',
              isSystem: true,
            },
            request: {
              guid,
              status: 'rejected',
              reason: 'The old reason.',
              requestedAt: '2026-01-01T00:00:00.000Z',
              decidedAt: '2026-01-02T00:00:00.000Z',
            },
            canRequest: true,
          },
          {
            platform: { guid: one.guid, contextId: one.id, name: one.id, imageUrl: '', isSystem: false },
            request: {
              guid: request,
              status: 'pending',
              reason: null,
              requestedAt: '2026-01-01T00:00:00.000Z',
              decidedAt: null,
            },
            canRequest: true,
          },
          {
            platform: { guid: other.guid, contextId: other.id, name: other.id, imageUrl: '', isSystem: false },
            request: null,
            canRequest: true,
          },
        ],
        blocked: [],
      },
    ])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each<[TournamentStatus, boolean]>([
    ['draft', true],
    ['approved', true],
    ['ongoing', true],
    ['completed', false],
    ['cancelled', false],
  ])('of a tournament that is %s says that asking is of use: %s', async (status, canRequest) => {
    const { body } = await kit.overview(await kit.arrange(status, null))
    expect(body.platforms.map((each: { canRequest: boolean }) => each.canRequest)).toEqual(
      everywhere.map(() => canRequest),
    )
  })

  test('shows a block as a rejection without a reason, and system administrators what it is', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    await kit.place(tournament, one.guid, 'blocked')
    await kit.place(tournament, other.guid, 'rejected')
    const of = ({ body }: Reply) =>
      body.platforms.map(({ request, canRequest }: { request: Record<string, unknown>; canRequest: boolean }) => [
        request.status,
        request.reason,
        request.decidedAt,
        canRequest,
      ])
    const at = '2026-01-02T00:00:00.000Z'
    for (const side of [kit.organiser, await roleHolder(api, tournament, 'role:admin')]) {
      const reply = await kit.overview(tournament, side)
      expect(of(reply)).toEqual([
        ['approved', null, at, true],
        ['rejected', null, at, false],
        ['rejected', 'The old reason.', at, true],
      ])
      expect(reply.body.blocked).toEqual([one.guid])
      expect(reply.text.replace('"blocked":[', '')).not.toContain('block')
      expect(reply.headers.get('etag')).not.toBe((await kit.overview(tournament, kit.manager)).headers.get('etag'))
    }
    const administrators = [
      kit.manager,
      await api.user({ globalRoles: ['role:dev'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ]
    for (const administrator of administrators) {
      const reply = await kit.overview(tournament, administrator)
      expect(of(reply)[1]).toEqual(['blocked', 'The old reason.', at, false])
      expect(reply.body.blocked).toEqual([one.guid])
    }
  })

  test('tells the organiser, who reviews for the platform as well, no more than others', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    await kit.place(tournament, one.guid, 'blocked')
    await api.sql(`insert into platform_members (platform_guid, user_guid, role) values ($1, $2, 'admin')`, [
      one.guid,
      kit.organiser.guid,
    ])
    expect((await kit.overview(tournament)).body.platforms[1].request).toMatchObject({
      status: 'rejected',
      reason: null,
    })
    await api.sql('delete from platform_members where user_guid = $1', [kit.organiser.guid])
  })

  test('answers 304 until something changes', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    const path = `/tournaments/${tournament.id}/visibility`
    const etag = (await api.get(path, kit.organiser)).headers.get('etag') as string
    expect((await api.get(path, kit.organiser, { 'if-none-match': etag })).status).toBe(304)
    await kit.reject(tournament)
    expect((await api.get(path, kit.organiser, { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('choosing platforms', () => {
  // A platform that is chosen or left out, with the status of the request before and after; null for no request.
  const table: readonly [RequestStatus | null, 'chosen' | 'left out', RequestStatus | null][] = [
    [null, 'chosen', 'pending'],
    ['rejected', 'chosen', 'pending'],
    ['withdrawn', 'chosen', 'pending'],
    ['pending', 'chosen', 'pending'],
    ['approved', 'chosen', 'approved'],
    ['blocked', 'chosen', 'blocked'],
    [null, 'left out', null],
    ['pending', 'left out', 'withdrawn'],
    ['approved', 'left out', 'withdrawn'],
    ['rejected', 'left out', 'withdrawn'],
    ['withdrawn', 'left out', 'withdrawn'],
    ['blocked', 'left out', 'blocked'],
  ]

  test.each(table)('%s, %s: becomes %s', async (before, choice, after) => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const request = before === null ? null : await kit.place(tournament, one.guid, before)
    const chosen = choice === 'chosen' ? [one.guid] : []
    const reply = await kit.choose(tournament, selected(...chosen))
    expect(reply.status).toBe(200)
    expect(await statuses(tournament)).toEqual(['approved', after, null])
    const [, shown] = reply.body.platforms
    if (after === null) expect(shown.request).toBeNull()
    else {
      expect(shown.request.guid).toEqual(request ?? guid)
      expect(shown.request.status).toBe(after === 'blocked' ? 'rejected' : after)
    }
    expect(reply.body.blocked).toEqual(before === 'blocked' ? [one.guid] : [])
    expect(shown.canRequest).toBe(before !== 'blocked')

    // A submitted or withdrawn request has lost its old decision; any other request is unchanged.
    const stayed = before === after
    const [row] = await api.sql(
      'select reason, requested_at, decided_at, decided_by_guid from visibility_requests where tournament_guid = $1 and platform_guid = $2',
      [tournament.guid, one.guid],
    )
    if (!stayed) expect(row).toMatchObject({ reason: null, decided_at: null, decided_by_guid: null })
    const isNew = after === 'pending' && !stayed
    if (row !== undefined) expect((row.requested_at as Date).getTime() > Date.parse('2026-01-01')).toBe(isNew)
    expect(await kit.standing(tournament, one.guid)).toEqual(['ongoing', after === 'approved' ? 'ongoing' : null])
    expect((await kit.audit(tournament)).length + (await kit.told(tournament)).length).toBe(stayed ? 0 : 2)
  })

  test.each<[RequestStatus | null, TournamentStatus, RequestStatus]>([
    [null, 'draft', 'pending'],
    ['rejected', 'draft', 'pending'],
    ['withdrawn', 'draft', 'pending'],
    ['pending', 'draft', 'pending'],
    ['approved', 'approved', 'approved'],
    ['approved', 'ongoing', 'approved'],
    ['rejected', 'ongoing', 'pending'],
  ])('asks the system platform whatever is selected (%s, %s)', async (before, status, after) => {
    for (const platforms of [undefined, [], [one.guid]]) {
      const tournament = await kit.arrange(status, before)
      const reply = await kit.choose(tournament, { scope: 'selected', platformGuids: platforms })
      expect([reply.status, reply.body.scope]).toEqual([200, 'selected'])
      expect(await statuses(tournament)).toEqual([after, platforms?.length === 1 ? 'pending' : null, null])
      expect(await kit.standing(tournament)).toEqual([status, after === 'approved' ? status : null])
    }
  })

  test('asks all of them, those to come included, whatever is listed beside that', async () => {
    const tournament = await kit.arrange('draft', null)
    const reply = await kit.choose(tournament, { scope: 'all', platformGuids: [nobody] })
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        scope: 'all',
        platforms: everywhere.map((platform) =>
          expect.objectContaining({
            platform: expect.objectContaining({ guid: platform }),
            request: { guid, status: 'pending', reason: null, requestedAt: instant, decidedAt: null },
            canRequest: true,
          }),
        ),
        blocked: [],
      },
    ])
    expect(await scopeOf(tournament)).toBe('all')
    expect((await api.get(`/tournaments/${tournament.id}`, kit.organiser)).body.visibilityScope).toBe('all')
    expect((await kit.overview(tournament)).body).toEqual(reply.body)

    // The organiser changes the choice back.
    expect((await kit.choose(tournament, selected(other.guid.toUpperCase(), other.guid))).status).toBe(200)
    expect([await scopeOf(tournament), await statuses(tournament)]).toEqual([
      'selected',
      ['pending', 'withdrawn', 'pending'],
    ])
  })

  test('tells the staff and the platforms of each request that changes, in one step', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    const first = await kit.place(tournament, one.guid, 'approved')
    const reply = await kit.choose(tournament, { scope: 'all' })
    await kit.choose(tournament, selected(other.guid))
    const second = reply.body.platforms[2].request.guid
    const actor = kit.organiser.guid
    const requested = { platformGuid: other.guid, status: 'pending', reason: null }
    const withdrawn = { platformGuid: one.guid, status: 'withdrawn', reason: null }
    expect(await kit.audit(tournament)).toEqual([
      { type: 'visibility.requested', subject: second, actor, before: null, after: requested },
      { type: 'visibility.withdrawn', subject: first, actor, before: { status: 'approved' }, after: withdrawn },
    ])
    const common = { tournament: null, actor }
    const tournamentGuid = tournament.guid
    expect(await kit.told(tournament)).toEqual([
      {
        ...common,
        type: 'platform.visibility_requested',
        subject: second,
        before: null,
        after: { ...requested, tournamentGuid },
      },
      {
        ...common,
        type: 'platform.visibility_withdrawn',
        subject: first,
        before: { status: 'approved' },
        after: { ...withdrawn, tournamentGuid },
      },
    ])
    const scopes = await api.sql(
      `select actor, before, after from event_log where tournament = $1 and type = 'tournament.updated' order by seq`,
      [tournament.guid],
    )
    const scope = (visibilityScope: string) => ({ visibilityScope })
    expect(scopes).toEqual([
      { actor, before: scope('selected'), after: scope('all') },
      { actor, before: scope('all'), after: scope('selected') },
    ])
    const audit = await api.get(`/tournaments/${tournament.id}/audit`, kit.organiser)
    expect(audit.body.entries.map(({ type }: { type: string }) => type)).toEqual([
      'visibility.withdrawn',
      'tournament.updated',
      'visibility.requested',
      'tournament.updated',
    ])
  })

  test('the same choice again changes nothing', async () => {
    const tournament = await kit.arrange('draft', null)
    const first = await kit.choose(tournament, all)
    const before = await everything(tournament)
    expect((await kit.choose(tournament, all)).body).toEqual(first.body)
    expect((await kit.choose(tournament, all, await roleHolder(api, tournament, 'role:admin'))).body).toEqual(
      first.body,
    )
    expect(await everything(tournament)).toBe(before)
  })

  test('a platform that is left out lists the tournament no more, and remembered lists and cards know at once', async () => {
    const tournament = await kit.arrange('ongoing', 'approved')
    await kit.place(tournament, one.guid, 'approved')
    const listed = async () => {
      const reply = await remembered(api, `/tournaments?platform=${one.id}`)
      return reply.body.tournaments.some((each: { guid: string }) => each.guid === tournament.guid)
    }
    const player = await api.user()
    await api.sql('delete from listings where platform_guid = $1 and tournament_guid = $2', [
      kit.systemPlatform,
      tournament.guid,
    ])
    await api.sql('insert into appearances (tournament_guid, user_guid) values ($1, $2)', [
      tournament.guid,
      player.guid,
    ])
    const played = async () => (await remembered(api, `/users/${player.guid}/card`)).body.tournamentsPlayed
    // The tournament is not listed on the system platform, so only this platform makes it count.
    expect([await listed(), await played()]).toEqual([true, 1])
    await api.sql(
      `update visibility_requests set status = 'pending' where tournament_guid = $1 and platform_guid = $2`,
      [tournament.guid, kit.systemPlatform],
    )
    expect((await kit.choose(tournament, selected())).status).toBe(200)
    expect([await listed(), await played()]).toEqual([false, 0])
    // Submitting again is no approval.
    await kit.choose(tournament, selected(one.guid))
    expect([await listed(), await played()]).toEqual([false, 0])
    await kit.onPlatform(tournament, one.guid, 'approved')
    expect([await listed(), await played()]).toEqual([true, 1])
  })

  test('skips blocks and lists them, without a word of why', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    await kit.place(tournament, one.guid, 'blocked')
    for (const body of [all, selected(one.guid), selected(other.guid)]) {
      const reply = await kit.choose(tournament, body)
      expect([reply.status, reply.body.blocked]).toEqual([200, [one.guid]])
      expect(reply.body.platforms[1]).toMatchObject({
        request: { status: 'rejected', reason: null },
        canRequest: false,
      })
      expect(reply.text).not.toMatch(/"blocked",|The old reason/)
      const truth = await kit.choose(tournament, body, kit.manager)
      expect(truth.body.platforms[1].request).toMatchObject({ status: 'blocked', reason: 'The old reason.' })
      expect(await kit.stored(tournament, one.guid)).toEqual({
        status: 'blocked',
        reason: 'The old reason.',
        by: kit.manager.guid,
      })
    }
    const events = await api.sql('select * from event_log where subject = $1', [
      (await kit.overview(tournament)).body.platforms[1].request.guid,
    ])
    expect(events).toEqual([])
  })

  test.each<[TournamentStatus, RequestStatus | null]>([
    ['cancelled', null],
    ['cancelled', 'blocked'],
    ['cancelled', 'approved'],
    ['completed', 'approved'],
  ])('is refused for a tournament that is %s (%s), and changes nothing', async (status, request) => {
    const tournament = await kit.arrange(status, request)
    await kit.place(tournament, one.guid, 'approved')
    const before = await everything(tournament)
    for (const body of [all, selected()]) {
      expect(problem(await kit.choose(tournament, body))).toEqual([400, 'visibility.not_active'])
    }
    expect(await everything(tournament)).toBe(before)
  })

  test('a platform that there is not is refused, and nothing of the rest happens', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    await kit.place(tournament, other.guid, 'approved')
    const over = await kit.arrange('cancelled', null)
    const before = await everything(tournament)
    const reply = await kit.choose(tournament, selected(one.guid, nobody))
    expect([...problem(reply), reply.text]).toEqual([
      400,
      'platform.unknown',
      `There is no platform with the GUID ${nobody}.`,
    ])
    // The unknown platform is reported before the tournament's status.
    expect(problem(await kit.choose(over, selected(nobody)))).toEqual([400, 'platform.unknown'])
    expect(await everything(tournament)).toBe(before)
  })

  test.each<[string, unknown, string]>([
    ['no body', undefined, 'request.malformed'],
    ['no scope', {}, 'request.invalid'],
    ['an unknown scope', { scope: 'some' }, 'request.invalid'],
    ['a scope in capitals', { scope: 'ALL' }, 'request.invalid'],
    ['null', { scope: null }, 'request.invalid'],
    ['a list', [], 'request.invalid'],
    ['platforms that are no list', { scope: 'selected', platformGuids: nobody }, 'request.invalid'],
    ['null for platforms', { scope: 'selected', platformGuids: null }, 'request.invalid'],
    ['a context id', { scope: 'selected', platformGuids: ['main'] }, 'request.invalid'],
    ['SQL', { scope: 'selected', platformGuids: ["' or true --"] }, 'request.invalid'],
    ['numbers', { scope: 'selected', platformGuids: [1] }, 'request.invalid'],
    ['endless platforms', { scope: 'selected', platformGuids: Array(501).fill(nobody) }, 'request.invalid'],
  ])('%s is refused', async (_name, body, code) => {
    const tournament = await kit.arrange('draft', null)
    expect(problem(await kit.choose(tournament, body))).toEqual([400, code])
    expect(await statuses(tournament)).toEqual([null, null, null])
  })

  test('members that are not known are ignored', async () => {
    const tournament = await kit.arrange('draft', null)
    expect((await kit.choose(tournament, { scope: 'selected', status: 'approved', force: true })).status).toBe(200)
    expect(await statuses(tournament)).toEqual(['pending', null, null])
  })
})

describe('who sees and chooses', () => {
  test('the organiser, admins and global managers', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    const holders = [
      kit.organiser,
      await roleHolder(api, tournament, 'role:admin'),
      kit.manager,
      await api.user({ globalRoles: ['role:dev'] }),
    ]
    for (const holder of holders) {
      expect((await kit.overview(tournament, holder)).status).toBe(200)
      expect((await kit.choose(tournament, all, holder)).status).toBe(200)
    }
  })

  test('nobody else, reviewers of the platforms included, who learn nothing about the body', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    const others: Caller[] = [
      await api.user(),
      await api.user({ globalRoles: ['global:users:read'] }),
      await kit.member('admin'),
      await kit.member('admin', one.guid),
      ...(await Promise.all(
        ['role:staff', 'role:hcoordinator', 'role:referee'].map((role) => roleHolder(api, tournament, role)),
      )),
    ]
    for (const stranger of others) {
      expect(problem(await kit.overview(tournament, stranger))).toEqual([403, 'role.missing'])
      for (const body of [all, {}, selected(nobody)]) {
        expect(problem(await kit.choose(tournament, body, stranger))).toEqual([403, 'role.missing'])
      }
    }
    expect(await statuses(tournament)).toEqual(['approved', null, null])
  })

  test('drafts of others are not there, and neither are tournaments that nobody made', async () => {
    const draft = await kit.arrange('draft', null)
    const stranger = await api.user()
    for (const tournament of [draft, { guid: nobody }, { guid: 'no-such-cup' }]) {
      expect(problem(await kit.overview(tournament, stranger))).toEqual([404, 'tournament.unknown'])
      expect(problem(await kit.choose(tournament, all, stranger))).toEqual([404, 'tournament.unknown'])
    }
  })

  test('a token with the scope is needed', async () => {
    const tournament = await kit.arrange('draft', null)
    const address = `/tournaments/${tournament.guid}/visibility`
    const [user, reader] = [
      await api.token(kit.organiser, ['rest:user:write']),
      await api.token(kit.organiser, ['rest:read']),
    ]
    expect(problem(await api.call('GET', address))).toEqual([401, 'token.missing'])
    expect(problem(await api.call('GET', address, { token: user }))).toEqual([401, 'scope.missing'])
    expect((await api.call('GET', address, { token: reader })).status).toBe(200)
    expect(problem(await api.call('PUT', address, { body: all }))).toEqual([401, 'token.missing'])
    expect(problem(await api.call('PUT', address, { token: reader, body: all }))).toEqual([401, 'scope.missing'])
  })
})

test('asking the main listing by its old address chooses no platform and leaves the scope alone', async () => {
  const tournament = await kit.arrange('draft', null)
  await kit.choose(tournament, selected(one.guid))
  await kit.reject(tournament)
  expect((await kit.ask(tournament)).status).toBe(200)
  expect([await scopeOf(tournament), await statuses(tournament)]).toEqual(['selected', ['pending', 'pending', null]])
})

test('what waits elsewhere outlasts an approval on the main listing, its revocation and a cancellation', async () => {
  const tournament = await kit.arrange('draft', null)
  await kit.choose(tournament, selected(one.guid, other.guid))
  await kit.onPlatform(tournament, other.guid, 'approved')
  expect(await kit.standing(tournament, other.guid)).toEqual(['draft', null])
  await kit.approve(tournament)
  // A request that was approved for a draft is listed as soon as the tournament is no draft.
  expect(await kit.standing(tournament, other.guid)).toEqual(['approved', 'approved'])
  expect(await statuses(tournament)).toEqual(['approved', 'pending', 'approved'])
  await kit.reject(tournament)
  expect(await kit.standing(tournament, other.guid)).toEqual(['draft', null])
  expect(await statuses(tournament)).toEqual(['rejected', 'pending', 'approved'])
  await kit.onPlatform(tournament, kit.systemPlatform, 'blocked', 'Why.')
  expect(await kit.standing(tournament, other.guid)).toEqual(['cancelled', null])
  expect(await statuses(tournament)).toEqual(['blocked', 'pending', 'approved'])
})
