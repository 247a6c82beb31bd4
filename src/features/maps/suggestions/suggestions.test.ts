import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadlocks } from '../../../../test/bracket-play.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTeam, roleHolder, touch } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { makePooling, type Pooling } from '../../../../test/suggestions.ts'

let catalogue: FakeCatalogue
let api: Harness
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const nobody = '00000000-0000-4000-8000-000000000000'
const make = () => makePooling(api, catalogue)
const listed = async ({ path }: Pooling, as: Caller, query = '') => {
  const reply = await api.get(`${path}/suggestions${query}`, as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.suggestions.map(({ guid }: { guid: string }) => guid)
}

describe('a pooler’s suggestion', () => {
  let cup: Pooling
  beforeAll(async () => {
    cup = await make()
  })

  test('shows the map, who made it, and what poolers see beside it', async () => {
    const pool = await cup.pool('Group stage')
    const map = cup.map('Galop')
    const made = await cup.suggest(cup.pooler, { ...map, note: 'Fair, and fun.', targetPool: pool.toUpperCase() })
    expect(made).toEqual({
      guid: expect.any(String),
      map: expect.objectContaining({ hash: map.ref, name: 'Galop', difficulty: 'Expert', state: 'known' }),
      note: 'Fair, and fun.',
      suggestedBy: expect.objectContaining({ guid: cup.pooler.guid }),
      status: 'open',
      reason: null,
      decidedAt: null,
      decidedBy: null,
      poolMapGuid: null,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
      targetPool: pool,
      targetFlair: null,
      tally: null,
      myVote: null,
      comments: 0,
      usedBefore: [],
      duplicateOf: null,
    })
    expect((await api.get(`${cup.path}/suggestions/${made.guid}`, cup.other)).body).toEqual(made)
  })

  test('is refused where its target does not exist, or takes nothing any more', async () => {
    const foreign = await make()
    const pool = await foreign.pool('Elsewhere')
    const refused = async (body: object) =>
      outcome(await api.post(`${cup.path}/suggestions`, cup.pooler, { ...cup.map(), ...body }))
    expect(await refused({ targetPool: pool })).toEqual([404, 'pool.unknown'])
    expect(await refused({ targetPool: nobody })).toEqual([404, 'pool.unknown'])
    expect(await refused({ targetFlair: nobody })).toEqual([400, 'flair.unknown'])
    const archived = await cup.pool('Archived')
    await cup.add(archived)
    await cup.publish(archived)
    expect((await api.post(`${cup.path}/pools/${archived}/archive`, cup.head)).status).toBe(200)
    expect(await refused({ targetPool: archived })).toEqual([409, 'pool.archived'])
    expect(await refused({ ref: 'f'.repeat(40) })).toEqual([404, 'map.unknown'])
    expect(await refused({ note: 'x'.repeat(1_001) })).toEqual([400, 'request.invalid'])
  })

  test('is said otherwise by whoever made it, and by nobody else, while it is open', async () => {
    const { guid, updatedAt } = await cup.suggest(cup.pooler)
    const pool = await cup.pool('Semi-finals')
    const at = `${cup.path}/suggestions/${guid}`
    expect(outcome(await api.patch(at, cup.head, { note: 'No.' }))).toEqual([403, 'role.missing'])
    const edited = await api.patch(at, cup.pooler, { note: 'Better so.', targetPool: pool })
    expect(edited.body).toMatchObject({ note: 'Better so.', targetPool: pool })
    expect(edited.body.updatedAt >= updatedAt).toBe(true)
    expect((await api.patch(at, cup.pooler, { targetPool: null })).body).toMatchObject({
      note: 'Better so.',
      targetPool: null,
    })
    expect((await api.post(`${at}/withdraw`, cup.pooler)).body).toMatchObject({ status: 'withdrawn' })
    expect(outcome(await api.patch(at, cup.pooler, { note: 'x' }))).toEqual([409, 'suggestion.wrong_status'])
  })

  test('loses a target that is deleted', async () => {
    const pool = await cup.pool('Short-lived')
    const { guid } = await cup.suggest(cup.pooler, { targetPool: pool })
    expect((await api.delete(`${cup.path}/pools/${pool}`, cup.head)).status).toBe(204)
    expect((await api.get(`${cup.path}/suggestions/${guid}`, cup.pooler)).body.targetPool).toBeNull()
  })
})

test('lists are filtered, and their pages neither skip nor repeat', async () => {
  const cup = await make()
  const pool = await cup.pool('One')
  const made: string[] = []
  for (let index = 0; index < 7; index++) {
    const body = index % 2 === 0 ? {} : { targetPool: pool }
    made.unshift((await cup.suggest(index < 4 ? cup.pooler : cup.other, body)).guid)
  }
  expect(await listed(cup, cup.head)).toEqual(made)
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const before: string = cursor === '' ? '' : `&before=${cursor}`
    const { body } = await api.get(`${cup.path}/suggestions?limit=3${before}`, cup.head)
    paged.push(...body.suggestions.map(({ guid }: { guid: string }) => guid))
    cursor = body.nextCursor
  }
  expect(paged).toEqual(made)
  const of = (...indices: number[]) => indices.map((index) => made[6 - index]).reverse()
  expect(await listed(cup, cup.head, `?pool=${pool}`)).toEqual(of(1, 3, 5))
  expect(await listed(cup, cup.head, `?by=${cup.other.chatPlatformId}`)).toEqual(of(4, 5, 6))
  expect(await listed(cup, cup.other, '?by=@me')).toEqual(of(4, 5, 6))
  expect(await listed(cup, cup.head, '?by=somebody')).toEqual([])
  await api.post(`${cup.path}/suggestions/${made[0]}/withdraw`, cup.other)
  expect(await listed(cup, cup.head, '?status=withdrawn')).toEqual([made[0]])
  expect(outcome(await api.get(`${cup.path}/suggestions?status=lost`, cup.head))).toEqual([400, 'request.invalid'])
})

describe('the same map', () => {
  test('is open once for poolers, who are told where', async () => {
    const cup = await make()
    const { guid, map } = await cup.suggest(cup.pooler)
    const again = await api.post(`${cup.path}/suggestions`, cup.other, { mapGuid: map.guid })
    expect([...outcome(again), again.body.suggestionGuid]).toEqual([409, 'suggestion.exists', guid])
    await api.post(`${cup.path}/suggestions/${guid}/withdraw`, cup.pooler)
    await cup.suggest(cup.other, { ref: map.hash })
    const reopened = await api.post(`${cup.path}/suggestions/${guid}/reopen`, cup.head)
    expect(outcome(reopened)).toEqual([409, 'suggestion.exists'])
  })

  test('suggested by ten poolers at once is suggested once', async () => {
    const cup = await make()
    const poolers = await Promise.all(Array.from({ length: 10 }, () => roleHolder(api, cup.tournament, 'role:pooler')))
    const map = cup.map()
    const replies = await Promise.all(poolers.map((as) => api.post(`${cup.path}/suggestions`, as, map)))
    const made = replies.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.suggestionGuid)).toEqual(Array(9).fill(made[0]?.body.guid))
  })

  test('is suggested by others as often as they like, and poolers see which was first', async () => {
    const cup = await make()
    await cup.set({ openSuggestions: true })
    const map = cup.map()
    const first = await cup.suggest(cup.pooler, map)
    const player = await api.user()
    const [second, third] = [await cup.suggest(player, map), await cup.suggest(player, map)]
    const { suggestions } = (await api.get(`${cup.path}/suggestions`, cup.other)).body
    expect(suggestions.map(({ guid, duplicateOf }: Record<string, string>) => [guid, duplicateOf])).toEqual([
      [third.guid, first.guid],
      [second.guid, first.guid],
      [first.guid, null],
    ])
  })
})

describe('whoever is no pooler', () => {
  let cup: Pooling
  let player: Caller
  beforeAll(async () => {
    cup = await make()
    player = await api.user()
  })

  test('suggests nothing where that is not open, and has the catalogue asked nothing', async () => {
    const body = cup.map('Unasked')
    const caster = await roleHolder(api, cup.tournament, 'role:caster')
    const asked = catalogue.paths.length
    expect(outcome(await api.post(`${cup.path}/suggestions`, null, body))).toEqual([401, 'token.missing'])
    for (const as of [player, caster]) {
      expect(outcome(await api.post(`${cup.path}/suggestions`, as, body))).toEqual([403, 'role.missing'])
    }
    expect(catalogue.paths.length).toBe(asked)
  })

  test('knows of no suggestion: each is answered as what does not exist', async () => {
    const made = await cup.suggest(cup.pooler)
    const comment = await api.post(`${cup.path}/suggestions/${made.guid}/comments`, cup.pooler, { text: 'So?' })
    const caster = await roleHolder(api, cup.tournament, 'role:caster')
    const foreign = (await make()).pooler
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { note: 'x' }],
      ['POST', '/accept', {}],
      ['POST', '/reject', { reason: 'x' }],
      ['POST', '/withdraw'],
      ['POST', '/reopen'],
      ['GET', '/vote'],
      ['PUT', '/vote', { value: 1 }],
      ['DELETE', '/vote'],
      ['GET', '/comments'],
      ['POST', '/comments', { text: 'x' }],
    ]
    const seen = async (method: string, at: string, as: Caller, body?: object) => {
      const reply = await api.call(method, at, { as, ...(body === undefined ? {} : { body }) })
      return [...outcome(reply), reply.text, reply.headers.get('etag')]
    }
    for (const as of [player, caster, foreign]) {
      expect(await listed(cup, as)).toEqual([])
      for (const [method, rest, body] of calls) {
        const [real, none] = await Promise.all(
          [made.guid, nobody].map((guid) => seen(method, `${cup.path}/suggestions/${guid}${rest}`, as, body)),
        )
        expect(real, `${method} ${rest}`).toEqual(none)
        expect(real?.slice(0, 2)).toEqual([404, 'suggestion.unknown'])
      }
      for (const [method, body] of [['PATCH', { text: 'x' }], ['DELETE']] as const) {
        const [real, none] = await Promise.all(
          [comment.body.guid, nobody].map((guid) => seen(method, `${cup.path}/pool-comments/${guid}`, as, body)),
        )
        expect(real).toEqual(none)
        expect(real?.slice(0, 2)).toEqual([404, 'comment.unknown'])
      }
    }
  })

  test('sees their own, with how it was decided, and no more than that', async () => {
    await cup.set({ openSuggestions: true })
    const pool = await cup.pool('Secret')
    const body = { ...cup.map('Galop'), note: 'Please.' }
    const made = await cup.suggest(player, body)
    const at = `${cup.path}/suggestions/${made.guid}`
    await api.put(`${at}/vote`, cup.pooler, { value: 1 })
    await api.post(`${at}/comments`, cup.pooler, { text: 'Why not.' })
    const open = {
      guid: made.guid,
      map: expect.objectContaining({ hash: body.ref, checkedAt: null }),
      suggestedBy: expect.objectContaining({ guid: player.guid }),
      note: 'Please.',
      status: 'open',
      reason: null,
      decidedAt: null,
      createdAt: made.createdAt,
      targetPool: null,
      targetFlair: null,
      decidedBy: null,
      poolMapGuid: null,
      tally: null,
      myVote: null,
      updatedAt: made.createdAt,
    }
    expect(made).toEqual(open)
    expect((await api.get(at, player)).body).toEqual(open)
    // The pooler also made a suggestion, which other users must not see.
    expect((await api.get(`${cup.path}/suggestions`, player)).body).toEqual({ suggestions: [open], nextCursor: null })
    for (const rest of ['/vote', '/comments']) {
      expect(outcome(await api.get(at + rest, player))).toEqual([403, 'role.missing'])
    }
    const accepted = await api.post(`${at}/accept`, cup.head, { poolGuid: pool, reason: 'Well found.' })
    expect(accepted.status, accepted.text).toBe(200)
    const seen = (await api.get(at, player)).body
    expect(seen).toEqual({
      ...open,
      status: 'accepted',
      reason: 'Well found.',
      decidedAt: accepted.body.suggestion.decidedAt,
      updatedAt: accepted.body.suggestion.updatedAt,
    })
    expect(JSON.stringify(seen)).not.toContain(pool)
    expect(await messagesOf(api, player)).toEqual([
      {
        type: 'suggestion.accepted',
        title: expect.stringContaining('Your suggestion of “Galop” for'),
        body: 'Well found.',
        data: { tournamentGuid: cup.tournament.guid, suggestionGuid: made.guid },
      },
    ])
  })

  test('still reads their own once it is not open to them any more, and takes them back', async () => {
    await cup.set({ openSuggestions: true })
    const made = await cup.suggest(player)
    await cup.set({ openSuggestions: false })
    expect(outcome(await api.post(`${cup.path}/suggestions`, player, cup.map()))).toEqual([403, 'role.missing'])
    expect((await listed(cup, player))[0]).toBe(made.guid)
    expect((await api.post(`${cup.path}/suggestions/${made.guid}/withdraw`, player)).body.status).toBe('withdrawn')
    const reopened = await api.post(`${cup.path}/suggestions/${made.guid}/reopen`, player)
    expect(outcome(reopened)).toEqual([403, 'role.missing'])
  })

  test('names no pool and no flair, and no map that only poolers know of', async () => {
    await cup.set({ openSuggestions: true })
    const pool = await cup.pool('Hidden')
    const drafted = await api.post(`${cup.path}/pools/${pool}/maps`, cup.head, cup.map())
    const refused = async (body: object) => {
      const reply = await api.post(`${cup.path}/suggestions`, player, body)
      return [...outcome(reply), reply.text]
    }
    const target = await refused({ ...cup.map(), targetPool: pool })
    expect(target.slice(0, 2)).toEqual([400, 'suggestion.target_unknown'])
    expect(await refused({ ...cup.map(), targetPool: nobody })).toEqual(target)
    const hidden = await refused({ mapGuid: drafted.body.map.guid })
    expect(hidden.slice(0, 2)).toEqual([404, 'map.unknown'])
    expect(await refused({ mapGuid: nobody })).toEqual(hidden)
    await cup.publish(pool)
    expect((await cup.suggest(player, { ref: undefined, mapGuid: drafted.body.map.guid })).status).toBe('open')
    expect(await listed(cup, player, `?pool=${pool}`)).toEqual([])
    expect(await listed(cup, player, `?by=${cup.pooler.guid}`)).toEqual([])
  })

  test('has twenty open ones at most', async () => {
    await cup.set({ openSuggestions: true })
    const eager = await api.user()
    const maps = Array.from({ length: 25 }, () => cup.map())
    const replies = await Promise.all(maps.map((map) => api.post(`${cup.path}/suggestions`, eager, map)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused.map(outcome)).toEqual(Array(5).fill([409, 'suggestion.too_many']))
    const [first] = await listed(cup, eager)
    await api.post(`${cup.path}/suggestions/${first}/withdraw`, eager)
    await cup.suggest(eager)
  })
})

describe('all that one person suggested, whatever became of it,', () => {
  const withdrawn = (cup: Pooling, map: string, user: Caller, count: number) =>
    api.sql(
      `insert into suggestions (tournament_guid, map_guid, suggested_by_guid, status)
       select $1, $2, $3, 'withdrawn' from generate_series(1, $4::int)`,
      [cup.tournament.guid, map, user.guid, count],
    )

  test('is two hundred at most, however it is made and withdrawn', async () => {
    const cup = await make()
    await cup.set({ openSuggestions: true })
    const eager = await api.user()
    const map = cup.map()
    const { guid, map: suggested } = await cup.suggest(eager, map)
    await withdrawn(cup, suggested.guid, eager, 197)
    const suggest = async () => {
      const reply = await api.post(`${cup.path}/suggestions`, eager, map)
      if (reply.status === 201) await api.post(`${cup.path}/suggestions/${reply.body.guid}/withdraw`, eager)
      return outcome(reply)
    }
    const replies = []
    for (let round = 0; round < 4; round += 1) replies.push(await suggest())
    const refused = [409, 'suggestion.limit_reached']
    expect(replies).toEqual([[201, null], [201, null], refused, refused])
    expect((await api.patch(`${cup.path}/suggestions/${guid}`, eager, { note: 'Or this.' })).status).toBe(200)
    // Suggestions of others do not stop anybody from suggesting the same map.
    await cup.suggest(await api.user(), map)
  })

  test('is two thousand at most of a pooler', async () => {
    const cup = await make()
    const { map } = await cup.suggest(cup.pooler)
    await withdrawn(cup, map.guid, cup.pooler, 1_999)
    const reply = await api.post(`${cup.path}/suggestions`, cup.pooler, cup.map())
    expect(outcome(reply)).toEqual([409, 'suggestion.limit_reached'])
    await cup.suggest(cup.other)
  })
})

test('a tournament has two thousand open suggestions at most', async () => {
  const cup = await make()
  const { map } = await cup.suggest(cup.pooler)
  await api.sql(
    `insert into suggestions (tournament_guid, map_guid, suggested_by_guid)
     select $1, $2, $3 from generate_series(1, 1999)`,
    [cup.tournament.guid, map.guid, cup.pooler.guid],
  )
  const reply = await api.post(`${cup.path}/suggestions`, cup.pooler, cup.map())
  expect(outcome(reply)).toEqual([409, 'suggestion.limit_reached'])
})

describe('former poolers', () => {
  test('see no suggestion but their own, and of that no more than others do', async () => {
    const cup = await make()
    const pool = await cup.pool('One')
    const [own, foreign] = [await cup.suggest(cup.pooler, { targetPool: pool }), await cup.suggest(cup.other)]
    await api.put(`${cup.path}/suggestions/${foreign.guid}/vote`, cup.pooler, { value: 1 })
    const revoke = `/tournaments/${cup.tournament.id}/permissions/${cup.pooler.guid}/revoke`
    expect((await api.delete(revoke, cup.organiser, { role: 'role:pooler' })).status).toBe(200)
    expect(await listed(cup, cup.pooler)).toEqual([own.guid])
    expect((await api.get(`${cup.path}/suggestions/${own.guid}`, cup.pooler)).body.targetPool).toBeNull()
    for (const rest of ['', '/vote', '/comments']) {
      const reply = await api.get(`${cup.path}/suggestions/${foreign.guid}${rest}`, cup.pooler)
      expect(outcome(reply)).toEqual([404, 'suggestion.unknown'])
    }
  })
})

test('what happens to suggestions stands in the audit list for poolers alone, without how anybody voted', async () => {
  const cup = await make()
  const { guid } = await cup.suggest(cup.pooler)
  const at = `${cup.path}/suggestions/${guid}`
  await api.put(`${at}/vote`, cup.other, { value: -1 })
  await api.post(`${at}/comments`, cup.other, { text: 'Not this one.' })
  await api.post(`${at}/reject`, cup.head, { reason: 'No.' })
  const staff = await roleHolder(api, cup.tournament, 'role:staff')
  const entries = async (as: Caller) => {
    const reply = await api.get(`/tournaments/${cup.tournament.id}/audit`, as)
    expect(reply.status, reply.text).toBe(200)
    return reply
  }
  const types = (reply: { body: { entries: { type: string }[] } }) =>
    reply.body.entries.map(({ type }) => type).filter((type) => type.startsWith('suggestion.'))
  const seen = await entries(cup.organiser)
  expect(types(seen)).toEqual([
    ...['suggestion.rejected', 'suggestion.commented', 'suggestion.voted', 'suggestion.created'],
  ])
  expect(seen.text).not.toContain('Not this one.')
  expect(seen.text).not.toMatch(/"value"/)
  expect(types(await entries(staff))).toEqual([])
})

test('nothing is suggested or decided in a cancelled tournament', async () => {
  const cup = await make()
  const { guid } = await cup.suggest(cup.pooler)
  await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [cup.tournament.guid])
  await touch(api, cup.tournament.guid)
  const at = `${cup.path}/suggestions/${guid}`
  const replies = await Promise.all([
    api.post(`${cup.path}/suggestions`, cup.pooler, cup.map()),
    api.patch(at, cup.pooler, { note: 'x' }),
    api.post(`${at}/withdraw`, cup.pooler),
    api.post(`${at}/accept`, cup.head, { poolGuid: nobody }),
    api.post(`${at}/reject`, cup.head, { reason: 'x' }),
    api.post(`${at}/reopen`, cup.head),
    api.put(`${at}/vote`, cup.pooler, { value: 1 }),
    api.delete(`${at}/vote`, cup.pooler),
    api.post(`${at}/comments`, cup.pooler, { text: 'x' }),
  ])
  expect(replies.map(outcome)).toEqual(replies.map(() => [409, 'tournament.cancelled']))
  expect((await api.get(at, cup.pooler)).status).toBe(200)
})

test('heads see who plays and pools', async () => {
  const cup = await make()
  const { guid } = await cup.suggest(cup.pooler)
  const at = `${cup.path}/suggestions/${guid}`
  await makeTeam(api, cup.tournament, await api.user(), { members: [cup.pooler], status: 'registered' })
  await makeTeam(api, cup.tournament, cup.other, { status: 'unregistered' })
  await api.put(`${at}/vote`, cup.pooler, { value: 1 })
  await api.put(`${at}/vote`, cup.other, { value: 0 })
  expect((await api.get(at, cup.head)).body.plays).toBe(true)
  expect((await api.get(at, cup.pooler)).body).not.toHaveProperty('plays')
  const votes = async (as: Caller) =>
    Object.fromEntries(
      (await api.get(`${at}/vote`, as)).body.votes.map((vote: { user: Caller; plays?: boolean }) => [
        vote.user.guid,
        vote.plays,
      ]),
    )
  expect(await votes(cup.head)).toEqual({ [cup.pooler.guid]: true, [cup.other.guid]: undefined })
  expect(await votes(cup.other)).toEqual({ [cup.pooler.guid]: undefined, [cup.other.guid]: undefined })
})

test('nobody waited for each other in vain', async () => {
  expect(await deadlocks(api)).toBe(0)
})
