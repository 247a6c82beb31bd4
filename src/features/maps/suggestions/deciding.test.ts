import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadlocks } from '../../../../test/bracket-play.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { makePooling, type Pooling } from '../../../../test/suggestions.ts'

let catalogue: FakeCatalogue
let api: Harness
let cup: Pooling
let pool: string
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  cup = await makePooling(api, catalogue)
  pool = await cup.pool('Group stage')
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const nobody = '00000000-0000-4000-8000-000000000000'
const at = (guid: string, step = '') => `${cup.path}/suggestions/${guid}${step}`
const statusOf = async (guid: string) => (await api.get(at(guid), cup.head)).body.status
const mapsOf = async (guid: string) => (await api.get(`${cup.path}/pools/${guid}`, cup.head)).body.maps

describe('accepting', () => {
  test('puts the map into the pool that the suggestion is for, with its flair and what is set of it', async () => {
    const flairs = await api.put(`${cup.path}/flairs`, cup.head, {
      flairs: [
        { name: 'Tech', color: '#3fa7d6' },
        { name: 'Speed', color: '#d63f3f' },
      ],
    })
    const [tech, speed] = flairs.body
    const target = { targetPool: pool, targetFlair: tech.guid }
    const [one, two] = [await cup.suggest(cup.pooler, target), await cup.suggest(cup.pooler, target)]
    const accepted = await api.post(at(one.guid, '/accept'), cup.head, { isTiebreaker: true, note: 'The closer.' })
    expect(accepted.status, accepted.text).toBe(200)
    expect(accepted.body).toEqual({
      suggestion: expect.objectContaining({
        guid: one.guid,
        status: 'accepted',
        poolMapGuid: accepted.body.poolMap.guid,
        reason: null,
        decidedBy: expect.objectContaining({ guid: cup.head.guid }),
      }),
      poolMap: expect.objectContaining({
        map: expect.objectContaining({ hash: one.map.hash }),
        isTiebreaker: true,
        note: 'The closer.',
        suggestionGuid: one.guid,
        flair: expect.objectContaining({ name: 'Tech' }),
        addedBy: expect.objectContaining({ guid: cup.head.guid }),
      }),
    })
    const other = await api.post(at(two.guid, '/accept'), cup.head, { flairGuid: speed.guid })
    expect(other.body.poolMap.flair.name).toBe('Speed')
    expect((await mapsOf(pool)).slice(-2)).toMatchObject([{ guid: accepted.body.poolMap.guid }, other.body.poolMap])
  })

  test('is for heads', async () => {
    const { guid } = await cup.suggest(cup.pooler, { targetPool: pool })
    for (const step of ['/accept', '/reopen']) {
      expect(outcome(await api.post(at(guid, step), cup.other))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.post(at(guid, '/reject'), cup.other, { reason: 'x' }))).toEqual([403, 'role.missing'])
    expect(outcome(await api.post(at(guid, '/withdraw'), cup.head))).toEqual([403, 'role.missing'])
  })

  test('fails as a whole where the map cannot go in', async () => {
    const foreign = await makePooling(api, catalogue)
    const [elsewhere, archived, empty] = [await foreign.pool('X'), await cup.pool('Old'), await cup.pool('Empty')]
    await cup.add(archived)
    await cup.publish(archived)
    await api.post(`${cup.path}/pools/${archived}/archive`, cup.head)
    const made = await cup.suggest(cup.pooler)
    await cup.add(pool, { ref: made.map.hash })
    const before = await mapsOf(pool)
    const refused = async (body: object) => outcome(await api.post(at(made.guid, '/accept'), cup.head, body))
    expect(await refused({})).toEqual([400, 'suggestion.pool_missing'])
    expect(await refused({ poolGuid: nobody })).toEqual([404, 'pool.unknown'])
    expect(await refused({ poolGuid: elsewhere })).toEqual([404, 'pool.unknown'])
    expect(await refused({ poolGuid: archived })).toEqual([409, 'pool.archived'])
    expect(await refused({ poolGuid: pool })).toEqual([409, 'pool.map_twice'])
    expect(await refused({ poolGuid: empty, flairGuid: nobody })).toEqual([400, 'flair.unknown'])
    expect(await refused({ poolGuid: empty, modifiers: ['SlowSong', 'FastSong'] })).toEqual([400, 'pool.map_invalid'])
    expect(await statusOf(made.guid)).toBe('open')
    expect([await mapsOf(pool), await mapsOf(empty)]).toEqual([before, []])
    await api.sql(
      `with more as (
         insert into maps (hash, characteristic, difficulty, state)
         select lpad(to_hex(n), 40, '0'), 'Standard', 'Easy', 'known' from generate_series(1, 200) n returning guid)
       insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight)
       select $1, guid, row_number() over () - 1, false, '{}', '{}', '{}', 1 from more`,
      [empty],
    )
    expect(await refused({ poolGuid: empty })).toEqual([409, 'pool.full'])
  })

  test('into a published pool is a correction, with a reason', async () => {
    const published = await cup.pool('Published')
    await cup.add(published)
    await cup.publish(published)
    const { guid, map } = await cup.suggest(cup.pooler, { targetPool: published })
    expect(outcome(await api.post(at(guid, '/accept'), cup.head, {}))).toEqual([400, 'pool.reason_missing'])
    const accepted = await api.post(at(guid, '/accept'), cup.head, { reason: 'One was missing.' })
    expect(accepted.body).toMatchObject({ suggestion: { status: 'accepted', reason: 'One was missing.' } })
    const seen = (await api.get(`${cup.path}/pools/${published}`)).body
    expect(seen).toMatchObject({ revision: 2, changes: [{ kind: 'added', reason: 'One was missing.', by: null }] })
    expect(seen.maps[1].map.hash).toBe(map.hash)
    expect(JSON.stringify(seen)).not.toContain(guid)
  })

  test('the same by many heads at once happens once', async () => {
    const { guid } = await cup.suggest(cup.pooler, { targetPool: pool })
    const before = (await mapsOf(pool)).length
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => api.post(at(guid, '/accept'), cup.head, {})),
      ...Array.from({ length: 3 }, () => api.post(at(guid, '/reject'), cup.organiser, { reason: 'No.' })),
      ...Array.from({ length: 3 }, () => api.post(at(guid, '/withdraw'), cup.pooler)),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(outcome)).toEqual(refused.map(() => [409, 'suggestion.wrong_status']))
    expect((await mapsOf(pool)).length - before).toBe((await statusOf(guid)) === 'accepted' ? 1 : 0)
  })

  test('while the pool is deleted, and the target changed, ends one way or the other', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = await cup.pool(`Doomed ${round}`)
      const { guid } = await cup.suggest(cup.pooler, { targetPool: doomed })
      const [accepted, deleted, edited] = await Promise.all([
        api.post(at(guid, '/accept'), cup.head, {}),
        api.delete(`${cup.path}/pools/${doomed}`, cup.organiser),
        api.patch(at(guid), cup.pooler, { targetPool: doomed, note: 'Again.' }),
      ])
      // If the pool went first, it is unknown, or the suggestion was for no pool any more.
      expect(['200 null', '404 pool.unknown', '400 suggestion.pool_missing']).toContain(
        outcome(accepted).map(String).join(' '),
      )
      expect(deleted.status, deleted.text).toBe(204)
      expect([200, 404, 409]).toContain(edited.status)
    }
    expect(await deadlocks(api)).toBe(0)
  })
})

describe('a suggestion that was decided', () => {
  test('is decided no more, unless a head opens it again', async () => {
    const { guid } = await cup.suggest(cup.pooler, { targetPool: pool })
    expect(outcome(await api.post(at(guid, '/reopen'), cup.head))).toEqual([409, 'suggestion.wrong_status'])
    const rejected = await api.post(at(guid, '/reject'), cup.head, { reason: 'Too long.' })
    expect(rejected.body).toMatchObject({ status: 'rejected', reason: 'Too long.', decidedBy: { guid: cup.head.guid } })
    for (const [step, body] of [
      ['/accept', {}],
      ['/reject', { reason: 'x' }],
    ] as const) {
      expect(outcome(await api.post(at(guid, step), cup.head, body))).toEqual([409, 'suggestion.wrong_status'])
    }
    expect(outcome(await api.post(at(guid, '/withdraw'), cup.pooler))).toEqual([409, 'suggestion.wrong_status'])
    const reopened = await api.post(at(guid, '/reopen'), cup.head)
    expect(reopened.body).toMatchObject({ status: 'open', reason: null, decidedBy: null, decidedAt: null })
    expect((await api.post(at(guid, '/accept'), cup.head, {})).status).toBe(200)
    expect(outcome(await api.post(at(guid, '/reopen'), cup.head))).toEqual([409, 'suggestion.wrong_status'])
  })

  test('is told to whoever made it, not to whoever decided on their own', async () => {
    const maker = cup.other
    const one = await cup.suggest(maker, { ...cup.map('Cadenza'), targetPool: pool })
    await api.post(at(one.guid, '/reject'), cup.head, { reason: 'Too long.' })
    const own = await cup.suggest(cup.head, { targetPool: pool })
    await api.post(at(own.guid, '/accept'), cup.head, {})
    const messages = await messagesOf(api, maker)
    expect(messages).toEqual([
      {
        type: 'suggestion.rejected',
        title: expect.stringMatching(/^Your suggestion of “Cadenza” for .+ was rejected$/),
        body: 'Too long.',
        data: { tournamentGuid: cup.tournament.guid, suggestionGuid: one.guid },
      },
    ])
    expect(await messagesOf(api, cup.head)).toEqual([])
  })
})
