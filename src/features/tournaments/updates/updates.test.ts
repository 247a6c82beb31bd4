import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { type PublishBody, publish as publishTo } from '../../../../test/updates.ts'

/** Updates on the website; delivery.test.ts and its neighbours test the chat. */

let api: Harness
let organiser: Caller
let tournament: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const pathOf = (of: MadeTournament) => `/tournaments/${of.guid}/updates`

const publish = (body: PublishBody = {}, as = organiser, to = tournament) =>
  publishTo(api, { tournament: to, organiser: as }, body)

async function published(body: PublishBody = {}, to = tournament): Promise<{ guid: string }> {
  const reply = await publish(body, organiser, to)
  expect(outcome(reply)).toEqual([201, null])
  return reply.body.update
}

const edit = (guid: string, body: object, as: Caller | null = organiser, of = tournament) =>
  api.patch(`${pathOf(of)}/${guid}`, as, body)
const remove = (guid: string, body: object = { expectedUpdatedAt: null }, as: Caller | null = organiser) =>
  api.delete(`${pathOf(tournament)}/${guid}`, as, body)
const list = (of: MadeTournament, query = '', as: Caller | null = null) => api.get(`${pathOf(of)}${query}`, as)
const listed = async (guid: string) =>
  (await list(tournament, '?limit=50')).body.updates.find((update: { guid: string }) => update.guid === guid)

const none = { status: 'none', parts: [], attempts: 0, lastError: null, updatedAt: null }

async function eventsOf(guid: string) {
  return api.sql('select type, tournament, actor, before, after from event_log where subject = $1 order by seq', [guid])
}

describe('publishing', () => {
  test('answers the update and that nothing goes to the chat', async () => {
    const guid = randomUUID()
    const changes = [{ title: 'Grand final', before: { day: 'Saturday' }, after: ['Sunday', 20, true, null] }]
    const reply = await publish({ guid, title: 'Finals moved', content: 'To **Sunday**.', changes })
    expect(outcome(reply)).toEqual([201, null])
    expect(reply.body).toEqual({
      update: {
        guid,
        title: 'Finals moved',
        content: 'To **Sunday**.',
        changes,
        createdAt: instant,
        updatedAt: null,
      },
      delivery: none,
    })
    expect(await listed(guid)).toEqual(reply.body.update)
    expect(await eventsOf(guid)).toEqual([
      {
        type: 'update.published',
        tournament: tournament.guid,
        actor: organiser.guid,
        before: null,
        after: { title: 'Finals moved', content: 'To **Sunday**.', changes, sendToChat: false },
      },
    ])
  })

  test('needs no title and no cards, and takes a GUID in any case', async () => {
    const guid = randomUUID()
    const reply = await publish({ guid: guid.toUpperCase() })
    expect(reply.body.update).toMatchObject({ guid, title: '', changes: [] })
  })

  test('ends at five thousand of a tournament, deleted ones among them; what was published before is answered still', async () => {
    const to = await makeTournament(api, organiser)
    const first = { guid: randomUUID(), content: 'The first.' }
    await published(first, to)
    await api.sql(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash, deleted_at)
       select gen_random_uuid(), $1, $2, '', '', '[]', '', now() from generate_series(1, 4998)`,
      [to.guid, organiser.guid],
    )
    const two = await Promise.all([publish({ content: 'The last.' }, organiser, to), publish({}, organiser, to)])
    expect(two.map(outcome).toSorted()).toEqual([
      [201, null],
      [409, 'update.limit_reached'],
    ])
    await published(first, to)
    await published()
  })

  test('keeps the members of a card in their order', async () => {
    const changes = [{ zebra: 1, a: { zz: 2, b: 3 } }]
    const { guid } = await published({ changes })
    expect(JSON.stringify((await listed(guid)).changes)).toBe(JSON.stringify(changes))
  })

  test.each<[string, object, string | null]>([
    ['no GUID', { guid: undefined }, 'request.invalid'],
    ['what is no GUID', { guid: 'finals' }, 'request.invalid'],
    ['no content', { content: undefined }, 'request.invalid'],
    ['an empty content', { content: '' }, 'request.invalid'],
    ['a content of white space', { content: ' \n ' }, 'request.invalid'],
    ['a content with nothing to show', { content: '<script>x</script>' }, 'update.content_empty'],
    ['16,000 characters', { content: 'é'.repeat(16_000) }, null],
    ['16,001 characters', { content: 'é'.repeat(16_001) }, 'request.invalid'],
    ['a content that is no text', { content: 1 }, 'request.invalid'],
    ['a title of 120 characters', { title: 'é'.repeat(120) }, null],
    ['a title of 121 characters', { title: 'é'.repeat(121) }, 'request.invalid'],
    ['12 cards', { changes: Array(12).fill({ a: 1 }) }, null],
    ['13 cards', { changes: Array(13).fill({ a: 1 }) }, 'request.invalid'],
    ['a card that is a text', { changes: ['x'] }, 'request.invalid'],
    ['a card that is a list', { changes: [[1]] }, 'request.invalid'],
    ['a card that is null', { changes: [null] }, 'request.invalid'],
    ['cards that are no list', { changes: { a: 1 } }, 'request.invalid'],
    ['cards that are too long', { changes: [{ a: 'x'.repeat(24_000) }] }, 'update.changes_invalid'],
    ['500 texts in cards', { changes: Array(10).fill({ a: Array(50).fill('x') }) }, null],
    ['501 texts in cards', { changes: [{ a: Array(501).fill('x') }] }, 'update.changes_invalid'],
    ['cards full of markup', { changes: [{ a: Array(40).fill('- `<b>`\n'.repeat(25)) }] }, 'update.changes_invalid'],
    ['an answer to sendToChat that is none', { sendToChat: 'yes' }, 'request.invalid'],
    ['a member that is not known', { important: true }, null],
  ])('with %s', async (_what, body, code) => {
    expect(outcome(await publish(body))).toEqual(code === null ? [201, null] : [400, code])
  })

  test('without a chat to send it to is refused, and leaves nothing', async () => {
    const guid = randomUUID()
    expect(outcome(await publish({ guid, sendToChat: true }))).toEqual([400, 'update.chat_missing'])
    expect([await listed(guid), await eventsOf(guid)]).toEqual([undefined, []])
    await published({ guid })
  })

  test('works whatever the tournament is about to do', async () => {
    for (const status of ['draft', 'ongoing', 'completed', 'cancelled'] as const) {
      await published({}, await makeTournament(api, organiser, { status }))
    }
  })
})

describe('a GUID', () => {
  test('used again for the same is answered as it was at first, and changes nothing', async () => {
    const body = { guid: randomUUID(), title: 'T', content: 'C', changes: [{ a: 1, b: 2 }] }
    const first = await publish(body)
    const colleague = await roleHolder(api, tournament, 'role:staff')
    const again = await publish({ ...body, changes: [{ b: 2, a: 1 }] })
    const byColleague = await publish({ ...body, sendToChat: false }, colleague)
    for (const reply of [again, byColleague]) expect([outcome(reply), reply.body]).toEqual([[201, null], first.body])
    expect(await eventsOf(body.guid)).toHaveLength(1)
  })

  test('used again after an edit is still answered as it was at first', async () => {
    const body = { guid: randomUUID(), content: 'C' }
    const first = await publish(body)
    expect((await edit(body.guid, { content: 'D', expectedUpdatedAt: null })).status).toBe(200)
    expect((await publish(body)).body).toEqual(first.body)
    expect((await listed(body.guid)).content).toBe('D')
    expect(outcome(await publish({ ...body, content: 'D' }))).toEqual([409, 'update.guid_reused'])
  })

  test.each<[string, object]>([
    ['content', { content: 'D' }],
    ['title', { title: 'U' }],
    ['cards', { changes: [{ a: 2 }] }],
    ['way to the chat', { sendToChat: true }],
  ])('used again with another %s is refused', async (_what, other) => {
    const body = { guid: randomUUID(), title: 'T', content: 'C', changes: [{ a: 1 }] }
    await published(body)
    expect(outcome(await publish({ ...body, ...other }))).toEqual([409, 'update.guid_reused'])
    expect(await listed(body.guid)).toMatchObject({ title: 'T', content: 'C', changes: [{ a: 1 }] })
  })

  test('used in another tournament is refused, in the same words whatever stands there', async () => {
    const hidden = await makeTournament(api, await api.user(), { status: 'draft' })
    const { guid } = await published({ content: 'C' })
    const elsewhere = await makeTournament(api, organiser)
    const reply = await publish({ guid, content: 'C' }, organiser, elsewhere)
    expect(outcome(reply)).toEqual([409, 'update.guid_reused'])
    expect((await list(elsewhere)).body.updates).toEqual([])
    const taken = randomUUID()
    await api.sql(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
       select $1, guid, organiser_guid, '', 'Secret', '[]', '' from tournaments where guid = $2`,
      [taken, hidden.guid],
    )
    expect((await publish({ guid: taken, content: 'Secret' })).text).toBe(reply.text)
  })

  test('of an update that was deleted is not used again', async () => {
    const body = { guid: randomUUID(), content: 'C' }
    await published(body)
    expect((await remove(body.guid)).status).toBe(200)
    expect(outcome(await publish(body))).toEqual([409, 'update.guid_reused'])
    expect(await listed(body.guid)).toBeUndefined()
  })
})

describe('hostile content', () => {
  test('is stored without what is unsafe, wherever it stands', async () => {
    const evil = '<img src=x onerror=alert(1)>[click](javascript:alert(2))<script>alert(3)</script>'
    const { guid } = await published({ content: `Hello ${evil}`, changes: [{ title: evil, before: { deep: [evil] } }] })
    const shown = JSON.stringify(await listed(guid))
    expect(shown).not.toMatch(/onerror|javascript:|<script|<img/)
    expect((await listed(guid)).content).toBe('Hello [click](#)')
  })

  test.each<[string, string]>([
    ['a title with a control character', '{"title":"a\\u0000b"}'],
    ['a content with half a character', '{"content":"\\ud800"}'],
    ['a content that turns around', '{"content":"a\\u202eb"}'],
    ['a card with a name that reaches a prototype', '{"changes":[{"__proto__":{"admin":true}}]}'],
    ['a card with a name that holds a control character', '{"changes":[{"a\\u0007":1}]}'],
    ['a card with a number that is none', '{"changes":[{"a":1e999}]}'],
    ['a card that is deeper than anybody reads', `{"changes":[{"a":${'['.repeat(12)}1${']'.repeat(12)}}]}`],
  ])('like %s is refused', async (_what, members) => {
    const raw = `{"guid":"${randomUUID()}","content":"x",${members.slice(1)}`
    const headers = { 'content-type': 'application/json' }
    const reply = await api.call('POST', pathOf(tournament), { as: organiser, raw, headers })
    expect(reply.status).toBe(400)
    expect(reply.headers.get('problem-code')).toMatch(/^(request\.invalid|update\.changes_invalid)$/)
  })
})
