import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import { listDecisions, listRequests } from './store/reviewing.ts'
import { type RequestStatus, requestStatuses } from './types.ts'

/** What reviewers can read: the requests to their platform, and the decisions on each. */

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
const guidsIn = (reply: Reply) => reply.body.requests.map(({ guid }: { guid: string }) => guid)

/** A new platform with requests of these statuses, oldest first; each two of them have the same time. */
async function queueOf(...statuses: RequestStatus[]) {
  const own = await kit.community()
  const as = await kit.member('reviewer', own.guid)
  const guids: string[] = []
  for (const [index, status] of statuses.entries()) {
    const tournament = await kit.arrange('approved', null)
    const guid = await kit.place(tournament, own.guid, status)
    await api.sql('update visibility_requests set requested_at = $2 where guid = $1', [
      guid,
      new Date(Date.UTC(2026, 1, 1, 0, Math.floor(index / 2))),
    ])
    guids.push(guid)
  }
  return { own, as, guids }
}

/** GUIDs on all pages of the list. */
async function walk(own: { id: string }, as: Caller, query: string) {
  const pages: string[][] = []
  for (let before = ''; ; ) {
    const reply = await kit.queue(own, as, `?${query}${before}`)
    expect(reply.status).toBe(200)
    pages.push(guidsIn(reply))
    if (reply.body.nextCursor === null) return pages
    before = `&before=${reply.body.nextCursor}`
  }
}

describe('the queue of a platform', () => {
  test('shows a request with who decided and its tournament', async () => {
    const tournament = await makeTournament(api, kit.organiser, {
      status: 'ongoing',
      approved: false,
      name: 'Night Cup',
      startsAt: new Date('2026-03-01T18:00:00Z'),
    })
    await api.sql(
      `update tournaments set summary = 'By night.', image_url = 'https://x.example/n.png' where guid = $1`,
      [tournament.guid],
    )
    const request = await kit.place(tournament, platform.guid, 'rejected')
    const reply = await kit.queue(platform, reviewer)
    const card = async ({ guid }: Caller) => (await api.get(`/users/${guid}/card`)).body
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        requests: [
          {
            guid: request,
            status: 'rejected',
            reason: 'The old reason.',
            requestedAt: '2026-01-01T00:00:00.000Z',
            decidedAt: '2026-01-02T00:00:00.000Z',
            decidedBy: await card(kit.manager),
            tournament: {
              guid: tournament.guid,
              id: tournament.id,
              name: 'Night Cup',
              summary: 'By night.',
              imageUrl: 'https://x.example/n.png',
              status: 'ongoing',
              startsAt: '2026-03-01T18:00:00.000Z',
              endsAt: null,
              organiser: await card(kit.organiser),
            },
          },
        ],
        nextCursor: null,
      },
    ])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  })

  test('is newest first, whatever became of the requests, and blocks are blocks', async () => {
    const { own, as, guids } = await queueOf('withdrawn', 'blocked', 'pending', 'approved', 'rejected')
    const reply = await kit.queue(own, as)
    const shown = reply.body.requests.map((each: Record<string, unknown>) => [each.status, each.reason, each.decidedAt])
    const at = '2026-01-02T00:00:00.000Z'
    expect([...shown].sort()).toEqual(
      [
        ['approved', null, at],
        ['blocked', 'The old reason.', at],
        ['pending', null, null],
        ['rejected', 'The old reason.', at],
        ['withdrawn', null, null],
      ].sort(),
    )
    const newest = [guids[4], ...[guids[2], guids[3]].sort().reverse(), ...[guids[0], guids[1]].sort().reverse()]
    expect(guidsIn(reply)).toEqual(newest)
  })

  test('comes in pages that skip and repeat nothing, by any status', async () => {
    const statuses = Array.from({ length: 13 }, (_, n) => requestStatuses[(n * 3) % 5] as RequestStatus)
    const { own, as, guids } = await queueOf(...statuses)
    const ofStatus = (...wanted: RequestStatus[]) =>
      guids.filter((_, index) => wanted.includes(statuses[index] as RequestStatus)).sort()
    for (const limit of [1, 2, 3, 12, 13, 14, 100]) {
      const pages = await walk(own, as, `limit=${limit}`)
      expect(pages.flat().sort()).toEqual([...guids].sort())
      expect(pages.map(({ length }) => length)).toEqual(
        Array.from({ length: Math.ceil(13 / limit) }, (_, page) => Math.min(limit, 13 - page * limit)),
      )
      expect(pages.flat()).toEqual((await walk(own, as, 'limit=100')).flat())
      for (const status of requestStatuses) {
        expect((await walk(own, as, `status=${status}&limit=${limit}`)).flat().sort()).toEqual(ofStatus(status))
      }
      const two = await walk(own, as, `status=withdrawn,%20pending&limit=${limit}`)
      expect([...two.flat()].sort()).toEqual(ofStatus('pending', 'withdrawn'))
      expect(two.flat()).toEqual(pages.flat().filter((guid) => two.flat().includes(guid)))
    }
    expect(await walk(own, as, `status=${requestStatuses.join(',')}&limit=100`)).toEqual(
      await walk(own, as, 'limit=100'),
    )
    expect((await walk(own, as, 'limit=5&status=pending,pending')).flat().sort()).toEqual(ofStatus('pending'))
  })

  test('a page goes on where the one before ended, however the queue has grown meanwhile', async () => {
    const { own, as, guids } = await queueOf('pending', 'pending', 'pending', 'pending')
    const first = await kit.queue(own, as, '?limit=2')
    const newcomer = await kit.place(await kit.arrange('draft', null), own.guid, 'pending')
    await api.sql('update visibility_requests set requested_at = now() where guid = $1', [newcomer])
    const rest = await kit.queue(own, as, `?limit=2&before=${first.body.nextCursor}`)
    expect([...guidsIn(first), ...guidsIn(rest)].sort()).toEqual([...guids].sort())
    expect(guidsIn(await kit.queue(own, as, '?limit=1'))).toEqual([newcomer])
  })

  test('has 25 requests on a page unless told otherwise', async () => {
    const { own, as } = await queueOf(...Array<RequestStatus>(26).fill('pending'))
    const reply = await kit.queue(own, as)
    expect([reply.body.requests.length, typeof reply.body.nextCursor]).toEqual([25, 'string'])
  })

  test('of a platform that nobody asked is empty', async () => {
    const { own, as } = await queueOf()
    expect((await kit.queue(own, as)).body).toEqual({ requests: [], nextCursor: null })
    expect((await kit.queue(own, as, '?status=pending')).body).toEqual({ requests: [], nextCursor: null })
  })

  test('shows none of another platform’s requests', async () => {
    const { own, as, guids } = await queueOf('pending')
    const tournament = await kit.arrange('draft', 'pending')
    await kit.place(tournament, own.guid, 'pending')
    expect(guidsIn(await kit.queue(own, as)).length).toBe(2)
    expect(guidsIn(await kit.queue(kit.main, kit.manager, '?limit=100'))).not.toContain(guids[0])
  })

  test('shows of a draft what it is for as long as it asks, and afterwards only which it was', async () => {
    const own = await kit.community()
    const as = await kit.member('reviewer', own.guid)
    const draft = await kit.arrange('draft', null)
    await api.sql(`update tournaments set summary = 'Secret.', starts_at = '2026-03-01T18:00:00Z' where guid = $1`, [
      draft.guid,
    ])
    const tournament = async () => (await kit.queue(own, as)).body.requests[0].tournament
    await kit.choose(draft, { scope: 'all' })
    expect(await tournament()).toMatchObject({ summary: 'Secret.', startsAt: '2026-03-01T18:00:00.000Z' })
    expect((await api.get(`/tournaments/${draft.id}`, as)).status).toBe(200)
    await kit.choose(draft, { scope: 'selected' })
    expect(await tournament()).toMatchObject({ guid: draft.guid, id: draft.id, status: 'draft' })
    expect(await tournament()).toMatchObject({ summary: null, imageUrl: null, startsAt: null, endsAt: null })
    expect((await api.get(`/tournaments/${draft.id}`, as)).status).toBe(404)
    // A public tournament is shown whole.
    await kit.approve(draft)
    expect(await tournament()).toMatchObject({ summary: 'Secret.', status: 'approved' })
  })

  test.each<[string, string, string]>([
    ['an unknown status', 'status=open', 'visibility.status_unknown'],
    ['one of several', 'status=pending,open', 'visibility.status_unknown'],
    ['no status', 'status=', 'visibility.status_unknown'],
    ['an empty one', 'status=pending,', 'visibility.status_unknown'],
    ['capitals', 'status=Pending', 'visibility.status_unknown'],
    ['SQL', `status=${encodeURIComponent("pending') or true --")}`, 'visibility.status_unknown'],
    ['a status given twice', 'status=pending&status=blocked', 'request.invalid'],
    ['a long one', `status=${'pending,'.repeat(20)}pending`, 'request.invalid'],
    ['limit 0', 'limit=0', 'request.invalid'],
    ['limit 101', 'limit=101', 'request.invalid'],
    ['limit x', 'limit=x', 'request.invalid'],
    ['a cursor that is none', 'before=x', 'cursor.invalid'],
    [
      'a cursor of another list',
      `before=${Buffer.from('["users","2026-01-01T00:00:00.000Z","00000000-0000-4000-8000-000000000000"]').toString('base64url')}`,
      'cursor.invalid',
    ],
    [
      'a cursor without an instant',
      `before=${Buffer.from('["visibility.requests","x","00000000-0000-4000-8000-000000000000"]').toString('base64url')}`,
      'cursor.invalid',
    ],
  ])('%s is refused', async (_name, query, code) => {
    expect(problem(await kit.queue(platform, reviewer, `?${query}`))).toEqual([400, code])
  })
})

describe('the history of a request', () => {
  test('tells who decided what and why, newest first', async () => {
    const own = await kit.community()
    const [first, second] = [await kit.member('reviewer', own.guid), await kit.member('admin', own.guid)]
    const tournament = await kit.arrange('approved', 'approved')
    const asked = await kit.choose(tournament, { scope: 'selected', platformGuids: [own.guid] })
    const request = asked.body.platforms.find((each: { platform: { guid: string } }) => each.platform.guid === own.guid)
      .request.guid
    expect((await kit.history(own, request, first)).body).toEqual({ decisions: [], nextCursor: null })

    await kit.review(own, request, first, { decision: 'rejected', reason: 'No rules.' })
    await kit.review(own, request, second, { decision: 'approved' })
    await kit.review(own, request, second, { decision: 'approved' })
    // Withdrawing and submitting again keep the history of decisions.
    await kit.choose(tournament, { scope: 'selected' })
    await kit.choose(tournament, { scope: 'all' })
    await kit.review(own, request, first, { decision: 'blocked', reason: 'Spam.' })

    const reply = await kit.history(own, request.toUpperCase(), second)
    const card = async ({ guid }: Caller) => (await api.get(`/users/${guid}/card`)).body
    const decidedAt = expect.stringMatching(/^\d{4}-.*Z$/)
    const [one, two] = [await card(first), await card(second)]
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        decisions: [
          { decision: 'blocked', reason: 'Spam.', decidedAt, decidedBy: one },
          { decision: 'approved', reason: null, decidedAt, decidedBy: two },
          { decision: 'rejected', reason: 'No rules.', decidedAt, decidedBy: one },
        ],
        nextCursor: null,
      },
    ])
    const pages: unknown[] = []
    for (let before = ''; ; ) {
      const page = await kit.history(own, request, first, `?limit=1${before}`)
      pages.push(...page.body.decisions)
      if (page.body.nextCursor === null) break
      before = `&before=${page.body.nextCursor}`
    }
    expect(pages).toEqual(reply.body.decisions)
  })

  test('holds decisions by the old addresses, too', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    const { guid } = (await kit.reject(tournament)).body.request
    await kit.approve(tournament, await kit.member('reviewer'))
    const { body } = await kit.history(kit.main, guid, kit.manager)
    expect(body.decisions).toMatchObject([
      { decision: 'approved', reason: null },
      { decision: 'rejected', reason: 'No rules yet.', decidedBy: { guid: kit.manager.guid } },
    ])
  })

  test('still names a reviewer who gave up their account', async () => {
    const own = await kit.community()
    const former = await kit.member('reviewer', own.guid)
    const request = await kit.place(await kit.arrange('draft', null), own.guid, 'pending')
    await kit.review(own, request, former, { decision: 'rejected', reason: 'No.' })
    expect((await api.delete('/users/@me', former)).status).toBe(204)
    const as = await kit.member('reviewer', own.guid)
    const reply = await kit.history(own, request, as)
    expect(reply.body.decisions).toMatchObject([{ decision: 'rejected', decidedBy: { guid: former.guid } }])
    expect(reply.text).not.toContain(former.username)
    expect((await kit.queue(own, as)).body.requests[0].decidedBy.guid).toBe(former.guid)
  })

  test('goes with the draft', async () => {
    const draft = await kit.arrange('draft', 'rejected')
    const [{ guid }] = (await kit.queue(kit.main, kit.manager, '?limit=100')).body.requests.filter(
      (each: { tournament: { guid: string } }) => each.tournament.guid === draft.guid,
    )
    expect((await api.delete(`/tournaments/${draft.id}`, kit.organiser)).status).toBe(204)
    expect(problem(await kit.history(kit.main, guid, kit.manager))).toEqual([404, 'request.unknown'])
    expect(problem(await kit.review(kit.main, guid, kit.manager, { decision: 'approved' }))).toEqual([
      404,
      'request.unknown',
    ])
  })

  test.each([
    ['limit=0', 'request.invalid'],
    ['before=x', 'cursor.invalid'],
    [`before=${Buffer.from('["visibility.decisions","1"]').toString('base64url')}`, 'cursor.invalid'],
    [`before=${Buffer.from('["tournaments.audit",1]').toString('base64url')}`, 'cursor.invalid'],
  ])('%s is refused', async (query, code) => {
    const request = await kit.place(await kit.arrange('draft', null), platform.guid, 'pending')
    expect(problem(await kit.history(platform, request, reviewer, `?${query}`))).toEqual([400, code])
  })
})

test('a page costs the same however long the queue is: no scan of a table, no sort', async () => {
  const long = await kit.community()
  await api.sql(
    `with made as (
       insert into tournaments (id, name, team_size_min, team_size_max, team_size_active, links, organiser_guid)
       select 'long-' || n, 'Cup ' || n, 1, 1, 1, '{}', $1 from generate_series(1, 20000) n returning guid, id)
     insert into visibility_requests (tournament_guid, platform_guid, status, requested_at)
     select guid, $2, case when id like '%500' then 'blocked' when id like '%7' then 'rejected' else 'approved' end,
       timestamptz '2025-01-01' + length(id) * interval '1 hour' from made`,
    [kit.organiser.guid, long.guid],
  )
  await api.sql(
    `insert into visibility_decisions (request_guid, decision, decided_at, decided_by_guid)
     select guid, 'approved', now(), $1 from visibility_requests where platform_guid = $2`,
    [kit.organiser.guid, long.guid],
  )
  await api.sql('analyze tournaments, visibility_requests, visibility_decisions')
  const { session } = api.app.database.db
  const planOf = async (statement: string, values: string) => {
    await session.client.query('set plan_cache_mode = force_generic_plan')
    const { rows } = await session.client.query(`explain (costs off) execute "${statement}"(${values})`)
    await session.client.query('reset plan_cache_mode')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const start = `'${long.guid}', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 26`
  await listRequests({ session }, long.guid, { limit: 25 })
  const plain = await planOf('visibility.requests', start)
  expect(plain).toContain('using visibility_requests_order')
  expect(plain).not.toMatch(/Seq Scan|Sort|Hash/)

  await listRequests({ session }, long.guid, { limit: 25, statuses: ['blocked', 'pending'] })
  const byStatus = await planOf('visibility.requests_by_status', `'{blocked,pending}', ${start}`)
  expect(byStatus).toContain('using visibility_requests_queue')
  expect(byStatus).not.toMatch(/Seq Scan|Hash/)

  await listDecisions({ session }, long.guid, 25)
  const decisions = await planOf('visibility.decisions', `'${long.guid}', 9007199254740991, 26`)
  expect(decisions).toContain('using visibility_decisions_request')
  expect(decisions).not.toMatch(/Seq Scan|Sort/)
})
