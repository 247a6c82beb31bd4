import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makePooling, type Pooling } from '../../../../test/suggestions.ts'

let catalogue: FakeCatalogue
let api: Harness
let cup: Pooling
let draft: string
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  cup = await makePooling(api, catalogue)
  draft = await cup.pool('Draft')
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const nobody = '00000000-0000-4000-8000-000000000000'
const one = (guid: string) => `${cup.path}/pool-comments/${guid}`
const say = async (at: string, as: Caller, text: string, replyTo?: string) => {
  const reply = await api.post(at, as, { text, ...(replyTo === undefined ? {} : { replyTo }) })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const commentsAt = async (at: string, as = cup.other) => {
  const reply = await api.get(at, as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.comments
}

const targets = {
  'a suggestion': async () => `${cup.path}/suggestions/${(await cup.suggest(cup.pooler)).guid}/comments`,
  'a map of a pool': async () => `${cup.path}/pools/${draft}/maps/${await cup.add(draft)}/comments`,
} as const

describe.each(Object.entries(targets))('comments on %s', (_what, arrange) => {
  test('are read by poolers, oldest first, in pages', async () => {
    const at = await arrange()
    expect(await commentsAt(at)).toEqual([])
    const said = []
    for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) said.push(await say(at, cup.pooler, text))
    expect(said[0]).toEqual({
      guid: expect.any(String),
      author: expect.objectContaining({ guid: cup.pooler.guid }),
      text: 'One',
      replyTo: null,
      createdAt: expect.any(String),
      editedAt: null,
      deleted: false,
    })
    expect(await commentsAt(at)).toEqual(said)
    expect(await commentsAt(at, cup.head)).toEqual(said)
    const first = (await api.get(`${at}?limit=2`, cup.other)).body
    expect(first.comments).toEqual(said.slice(0, 2))
    const second = (await api.get(`${at}?limit=3&before=${first.nextCursor}`, cup.other)).body
    expect([second.comments, second.nextCursor]).toEqual([said.slice(2), null])
  })

  test('are said at once by many in an order of their own', async () => {
    const at = await arrange()
    await Promise.all(Array.from({ length: 20 }, (_, index) => say(at, cup.pooler, `No. ${index}`)))
    const times = (await commentsAt(at)).map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(new Set(times).size).toBe(20)
    expect(times.toSorted()).toEqual(times)
  })

  test('answer one another in threads that are one deep, of the same target', async () => {
    const at = await arrange()
    const root = await say(at, cup.pooler, 'Root')
    const reply = await say(at, cup.other, 'Reply', root.guid.toUpperCase())
    const deep = await say(at, cup.head, 'Reply to the reply', reply.guid)
    expect([root.replyTo, reply.replyTo, deep.replyTo]).toEqual([null, root.guid, root.guid])
    const elsewhere = await say(await targets['a suggestion'](), cup.pooler, 'Elsewhere')
    for (const replyTo of [elsewhere.guid, nobody]) {
      expect(outcome(await api.post(at, cup.pooler, { text: 'x', replyTo }))).toEqual([404, 'comment.unknown'])
    }
  })

  test('are edited by their author within 15 minutes', async () => {
    const at = await arrange()
    const { guid } = await say(at, cup.pooler, 'Fisrt')
    for (const as of [cup.other, cup.head]) {
      expect(outcome(await api.patch(one(guid), as, { text: 'Mine.' }))).toEqual([403, 'role.missing'])
    }
    const edited = await api.patch(one(guid), cup.pooler, { text: 'First' })
    expect(edited.body).toMatchObject({ guid, text: 'First', editedAt: expect.any(String) })
    expect(await commentsAt(at)).toEqual([edited.body])
    await api.sql(`update pool_comments set created_at = created_at - interval '15 minutes 1 second' where guid = $1`, [
      guid,
    ])
    expect(outcome(await api.patch(one(guid), cup.pooler, { text: 'Last' }))).toEqual([409, 'comment.too_late'])
  })

  test('are deleted by their author at any time, and by heads; what was answered stays', async () => {
    const at = await arrange()
    const root = await say(at, cup.pooler, 'Root')
    const reply = await say(at, cup.other, 'Reply', root.guid)
    expect(outcome(await api.delete(one(root.guid), cup.other))).toEqual([403, 'role.missing'])
    await api.sql(`update pool_comments set created_at = created_at - interval '1 day' where guid = $1`, [root.guid])
    expect((await api.delete(one(root.guid), cup.pooler)).status).toBe(204)
    expect((await api.delete(one(root.guid), cup.pooler)).status).toBe(204)
    expect(await commentsAt(at)).toEqual([
      { ...root, createdAt: expect.any(String), author: null, text: null, deleted: true },
      reply,
    ])
    expect(outcome(await api.patch(one(root.guid), cup.pooler, { text: 'x' }))).toEqual([409, 'comment.deleted'])
    expect((await api.delete(one(reply.guid), cup.head)).status).toBe(204)
    const [stored] = await api.sql('select text from pool_comments where guid = $1', [reply.guid])
    expect(stored).toEqual({ text: null })
  })

  test('are plain text of 1 to 2,000 characters', async () => {
    const at = await arrange()
    const text = '<b>bold</b> **too** @everyone [x](https://example.org)'
    expect((await say(at, cup.pooler, text)).text).toBe(text)
    expect((await say(at, cup.pooler, 'x'.repeat(2_000))).text).toHaveLength(2_000)
    for (const wrong of ['', '   ', '\u200b', 'x'.repeat(2_001), 'a\u0000b', null, 1]) {
      expect(outcome(await api.post(at, cup.pooler, { text: wrong }))).toEqual([400, 'request.invalid'])
    }
  })

  test('are five hundred at most', async () => {
    const at = await arrange()
    const { guid } = await say(at, cup.pooler, 'First')
    await api.sql(
      `insert into pool_comments (tournament_guid, suggestion_guid, pool_map_guid, author_guid, text)
       select tournament_guid, suggestion_guid, pool_map_guid, author_guid, 'More' from pool_comments,
         generate_series(1, 498) where guid = $1`,
      [guid],
    )
    const replies = await Promise.all([1, 2, 3].map(() => api.post(at, cup.pooler, { text: 'Last' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(replies.filter(({ status }) => status === 409).map(outcome)).toEqual([
      [409, 'comment.limit_reached'],
      [409, 'comment.limit_reached'],
    ])
  })
})

test('a suggestion counts what is said of it, without what was deleted', async () => {
  const { guid } = await cup.suggest(cup.pooler)
  const at = `${cup.path}/suggestions/${guid}`
  const [first] = [await say(`${at}/comments`, cup.pooler, 'One'), await say(`${at}/comments`, cup.other, 'Two')]
  expect((await api.get(at, cup.other)).body.comments).toBe(2)
  await api.delete(one(first.guid), cup.pooler)
  expect((await api.get(at, cup.other)).body.comments).toBe(1)
})

test('comments on a map go on once its pool is published and archived, and go with the map', async () => {
  const pool = await cup.pool('Public')
  const [map, gone] = [await cup.add(pool), await cup.add(pool)]
  const at = (guid: string) => `${cup.path}/pools/${pool}/maps/${guid}/comments`
  const { guid } = await say(at(gone), cup.pooler, 'Out with it.')
  expect((await api.delete(`${cup.path}/pools/${pool}/maps/${gone}`, cup.head)).status).toBe(204)
  expect(outcome(await api.delete(one(guid), cup.pooler))).toEqual([404, 'comment.unknown'])
  await cup.publish(pool)
  await say(at(map), cup.pooler, 'Published.')
  await api.post(`${cup.path}/pools/${pool}/archive`, cup.head)
  await say(at(map), cup.pooler, 'Archived.')
  expect(await commentsAt(at(map))).toHaveLength(2)
  expect(outcome(await api.get(at(map), await api.user()))).toEqual([403, 'role.missing'])
  expect(JSON.stringify((await api.get(`${cup.path}/pools/${pool}`)).body)).not.toContain('Archived.')
})

test('comments of another tournament are none', async () => {
  const { guid } = await say(await targets['a suggestion'](), cup.pooler, 'Here.')
  const other = await makePooling(api, catalogue)
  const at = `${other.path}/pool-comments/${guid}`
  expect(outcome(await api.delete(at, other.head))).toEqual([404, 'comment.unknown'])
})
