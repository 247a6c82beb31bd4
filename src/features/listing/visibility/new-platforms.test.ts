import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import type { MadeTournament } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'

/** Tournaments that want to be listed everywhere, and platforms that are added later. */

let api: Harness
let kit: Visibility
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

let made = 0
const named = (members: object = {}) => ({
  contextId: `League-${++made}`,
  name: `League ${made}`,
  description: 'A league.',
  imageUrl: '',
  ...members,
})
const create = (body: object = named(), as: Caller = owner) => api.post('/admin/tournament-platforms', as, body)

/** A tournament that wants to be listed everywhere, with no request yet. */
async function wanting(status: TournamentStatus): Promise<MadeTournament> {
  const tournament = await kit.arrange(status, null)
  await api.sql(`update tournaments set visibility_scope = 'all' where guid = $1`, [tournament.guid])
  return tournament
}

const requestOn = async (reply: Reply, tournament: MadeTournament) =>
  (await kit.stored(tournament, reply.body.guid))?.status ?? null

describe('a platform that is added', () => {
  test.each<[TournamentStatus, 'pending' | null]>([
    ['draft', 'pending'],
    ['approved', 'pending'],
    ['ongoing', 'pending'],
    ['completed', null],
    ['cancelled', null],
  ])('has a tournament that wants to be seen everywhere and is %s in its queue: %s', async (status, request) => {
    const [everywhere, selected] = [await wanting(status), await kit.arrange(status, null)]
    const reply = await create()
    expect([await requestOn(reply, everywhere), await requestOn(reply, selected)]).toEqual([request, null])
    expect(await kit.standing(everywhere, reply.body.guid)).toEqual([status, null])
  })

  test('has requests in its queue like any other, and one event tells of them all', async () => {
    const tournament = await kit.arrange('draft', null)
    await kit.choose(tournament, { scope: 'all' })
    const { body: platform } = await create()
    const queue = await kit.queue({ id: platform.contextId }, owner, '?limit=100&status=pending')
    const request = queue.body.requests.find(
      (each: { tournament: { guid: string } }) => each.tournament.guid === tournament.guid,
    )
    expect(request).toMatchObject({ status: 'pending', reason: null, decidedAt: null, decidedBy: null })
    expect(Date.now() - Date.parse(request.requestedAt)).toBeLessThan(10_000)
    expect((await kit.overview(tournament)).body.platforms).toContainEqual({
      platform: expect.objectContaining({ guid: platform.guid }),
      request: expect.objectContaining({ guid: request.guid, status: 'pending' }),
      canRequest: true,
    })
    const events = await api.sql(
      'select type, tournament, actor, after from event_log where subject = $1 order by seq',
      [platform.guid],
    )
    const after = { platformGuid: platform.guid, requests: queue.body.requests.length }
    expect(events).toEqual([
      expect.objectContaining({ type: 'platform.created' }),
      { type: 'platform.queue_filled', tournament: null, actor: owner.guid, after },
    ])
    expect((await kit.review({ id: platform.contextId }, request.guid, owner, { decision: 'approved' })).status).toBe(
      200,
    )
    // A request that the service submitted can be withdrawn.
    await kit.choose(tournament, { scope: 'selected' })
    expect((await kit.stored(tournament, platform.guid))?.status).toBe('withdrawn')
  })

  test('is asked no more by a tournament that has chosen others since', async () => {
    const tournament = await kit.arrange('draft', null)
    await kit.choose(tournament, { scope: 'all' })
    const first = await create()
    await kit.choose(tournament, { scope: 'selected', platformGuids: [first.body.guid] })
    const second = await create()
    expect([await requestOn(first, tournament), await requestOn(second, tournament)]).toEqual(['pending', null])
  })

  test('is asked by thousands at once', async () => {
    await api.sql(
      `insert into tournaments (id, name, team_size_min, team_size_max, team_size_active, links, organiser_guid, visibility_scope)
       select 'many-' || n, 'Cup ' || n, 1, 1, 1, '{}', $1, 'all' from generate_series(1, 5000) n`,
      [kit.organiser.guid],
    )
    const begun = Date.now()
    const reply = await create()
    expect([reply.status, Date.now() - begun < 5_000]).toEqual([201, true])
    const [row] = await api.sql('select count(*)::int from visibility_requests where platform_guid = $1', [
      reply.body.guid,
    ])
    expect(row?.count).toBeGreaterThanOrEqual(5_000)
    await api.sql(`delete from tournaments where id like 'many-%'`)
  })

  test('with a context id that is taken is refused, and nobody asks anything', async () => {
    await wanting('draft')
    const first = named()
    expect((await create(first)).status).toBe(201)
    const count = async () => (await api.sql('select count(*) from visibility_requests'))[0]?.count
    const before = await count()
    for (const contextId of [first.contextId, first.contextId.toUpperCase(), 'main', 'MAIN']) {
      expect(problem(await create({ ...first, contextId }))).toEqual([409, 'platform.context_id_taken'])
    }
    expect(await count()).toBe(before)
  })
})

describe('at once', () => {
  test('a tournament that chooses all and a platform that is added find each other', async () => {
    const sibling = await api.sibling()
    for (let round = 0; round < 6; round++) {
      const tournaments = await Promise.all(Array.from({ length: 4 }, () => kit.arrange('draft', null)))
      const choices = tournaments.map(
        (tournament, index) => () =>
          (index % 2 === 0 ? api : sibling).put(`/tournaments/${tournament.guid}/visibility`, kit.organiser, {
            scope: 'all',
          }),
      )
      const additions = [() => create(), () => sibling.post('/admin/tournament-platforms', owner, named())]
      const calls = round % 2 === 0 ? [...choices, ...additions] : [...additions, ...choices]
      const list = await hold(api, ['select from platforms where is_system for no key update'])
      const called = calls.map((call) => call())
      await list.waiting(calls.length)
      await list.release()
      const replies = await Promise.all(called)
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201, 201])
      const platforms = replies.filter(({ status }) => status === 201)
      for (const tournament of tournaments) {
        for (const platform of platforms) expect(await requestOn(platform, tournament)).toBe('pending')
      }
    }
    await sibling[Symbol.asyncDispose]()
  })

  test.each([
    ['is deleted', 'delete from tournaments where guid = $1'],
    ['is cancelled', `update tournaments set status = 'cancelled' where guid = $1`],
    ['chooses others', `update tournaments set visibility_scope = 'selected' where guid = $1`],
  ])('a tournament that %s while a platform is added does not ask it', async (_name, change) => {
    const [leaving, staying] = [await wanting('draft'), await wanting('draft')]
    const tournament = await hold(api, [change, leaving.guid])
    const addition = create()
    await tournament.waiting(1)
    await tournament.release()
    const reply = await addition
    expect(reply.status).toBe(201)
    expect([await requestOn(reply, leaving), await requestOn(reply, staying)]).toEqual([null, 'pending'])
  })
})
