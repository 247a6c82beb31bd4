import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'

/** The maximum number of drafts per user. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

let sequence = 0
function create(as: Caller, at = api): Promise<Reply> {
  return at.post('/tournaments', as, { name: 'Spring Cup', id: `drafted-${++sequence}` })
}

const handOver = (tournament: { readonly guid: string }, as: Caller, to: Caller) =>
  api.post(`/tournaments/${tournament.guid}/organiser`, as, { userIdentifier: to.guid })

async function countDrafts({ guid }: Caller): Promise<unknown> {
  const [row] = await api.sql(
    `select count(*)::int as drafts from tournaments where organiser_guid = $1 and status = 'draft'`,
    [guid],
  )
  return row?.drafts
}

/** Creates a user with this number of drafts; returns the first draft too. */
async function withDrafts(count: number, globalRoles: readonly ('role:dev' | 'global:tournaments:manage')[] = []) {
  const user = await api.user({ globalRoles })
  const drafts = []
  for (let made = 0; made < count; made++) drafts.push(await makeTournament(api, user, { status: 'draft' }))
  return { user, drafts }
}

const tooMany = [409, 'tournament.too_many_drafts']

describe('a user with 50 drafts', () => {
  test('makes no other one until one of them is deleted or no longer a draft', async () => {
    const { user, drafts } = await withDrafts(49)
    expect((await create(user)).status).toBe(201)
    expect(outcome(await create(user))).toEqual(tooMany)
    expect((await api.delete(`/tournaments/${drafts[0]?.id}`, user)).status).toBe(204)
    expect((await create(user)).status).toBe(201)
    expect(outcome(await create(user))).toEqual(tooMany)
    const cancelled = await api.post(`/tournaments/${drafts[1]?.id}/status`, user, { status: 'cancelled' })
    expect(cancelled.status).toBe(200)
    expect((await create(user)).status).toBe(201)
    expect(await countDrafts(user)).toBe(50)
  })

  test('makes as many when all are made at once, on several processes', async () => {
    await using sibling = await api.sibling()
    const { user } = await withDrafts(45)
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => create(user, index % 2 === 0 ? api : sibling)),
    )
    const made = replies.filter(({ status }) => status === 201)
    expect(made).toHaveLength(5)
    for (const reply of replies) if (reply.status !== 201) expect(outcome(reply)).toEqual(tooMany)
    expect(await countDrafts(user)).toBe(50)
  })

  test('receives none either, and whoever offers one does not learn why', async () => {
    const { user } = await withDrafts(50)
    const giver = await api.user()
    const draft = await makeTournament(api, giver, { status: 'draft' })
    const banned = await api.user()
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    const [full, barred] = [await handOver(draft, giver, user), await handOver(draft, giver, banned)]
    expect(outcome(full)).toEqual([409, 'tournament.organiser_unfit'])
    const withoutIds = ({ body }: Reply) => ({ ...body, requestId: null, request_id: null })
    expect(withoutIds(full)).toEqual(withoutIds(barred))
    const running = await makeTournament(api, giver, { status: 'approved' })
    expect((await handOver(running, giver, user)).status).toBe(200)
    expect(await countDrafts(user)).toBe(50)
  })

  test('receives the last one of two that are offered at once', async () => {
    const { user } = await withDrafts(49)
    const offered = await Promise.all(
      [1, 2].map(async () => {
        const giver = await api.user()
        return { giver, draft: await makeTournament(api, giver, { status: 'draft' }) }
      }),
    )
    const replies = await Promise.all(offered.map(({ giver, draft }) => handOver(draft, giver, user)))
    expect(replies.map(outcome).sort()).toEqual([
      [200, null],
      [409, 'tournament.organiser_unfit'],
    ])
    expect(await countDrafts(user)).toBe(50)
  })
})

test.each(['global:tournaments:manage', 'role:dev'] as const)('%s lets a user have any number', async (role) => {
  const { user } = await withDrafts(50, [role])
  expect((await create(user)).status).toBe(201)
  const giver = await api.user()
  expect((await handOver(await makeTournament(api, giver, { status: 'draft' }), giver, user)).status).toBe(200)
  expect(await countDrafts(user)).toBe(52)
  await api.sql(`update users set global_roles = '{}' where guid = $1`, [user.guid])
  expect(outcome(await create(user))).toEqual(tooMany)
})
