import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { type PublishBody, publish as publishTo } from '../../../../test/updates.ts'

/** Editing and deleting published updates, by one request and by concurrent ones. */

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

describe('editing', () => {
  test('changes what is given, and tells when', async () => {
    const { guid } = await published({ title: 'T', content: 'C', changes: [{ a: 1 }] })
    const first = await edit(guid, { content: 'D', expectedUpdatedAt: null })
    expect(outcome(first)).toEqual([200, null])
    expect(first.body).toEqual({
      update: { guid, title: 'T', content: 'D', changes: [{ a: 1 }], createdAt: instant, updatedAt: instant },
      delivery: none,
    })
    const second = await edit(guid, {
      content: 'E',
      title: '',
      changes: [],
      expectedUpdatedAt: first.body.update.updatedAt,
    })
    expect(second.body.update).toMatchObject({ title: '', content: 'E', changes: [] })
    expect(second.body.update.updatedAt > first.body.update.updatedAt).toBe(true)
    expect(await listed(guid)).toEqual(second.body.update)
    expect((await eventsOf(guid)).slice(1)).toEqual([
      expect.objectContaining({ type: 'update.edited', before: { content: 'C' }, after: { content: 'D' } }),
      expect.objectContaining({
        type: 'update.edited',
        before: { title: 'T', content: 'D', changes: [{ a: 1 }] },
        after: { title: '', content: 'E', changes: [] },
      }),
    ])
  })

  test('of what was edited meanwhile is refused', async () => {
    const { guid } = await published()
    const at = (await edit(guid, { content: 'B', expectedUpdatedAt: null })).body.update.updatedAt
    for (const expectedUpdatedAt of [null, '1970-01-01T00:00:00Z', '2026-01-01T00:00:00Z']) {
      expect(outcome(await edit(guid, { content: 'C', expectedUpdatedAt }))).toEqual([409, 'update.stale'])
    }
    const zoned = new Date(at).toISOString().replace('Z', '+00:00')
    expect((await edit(guid, { content: 'C', expectedUpdatedAt: zoned })).status).toBe(200)
    expect((await listed(guid)).content).toBe('C')
  })

  test.each<[string, object, string]>([
    ['no content', { expectedUpdatedAt: null }, 'request.invalid'],
    ['an empty content', { content: '', expectedUpdatedAt: null }, 'request.invalid'],
    ['a content with nothing to show', { content: '<!-- -->', expectedUpdatedAt: null }, 'update.content_empty'],
    ['16,001 characters', { content: 'x'.repeat(16_001), expectedUpdatedAt: null }, 'request.invalid'],
    ['a title of 121 characters', { content: 'x', title: 'x'.repeat(121), expectedUpdatedAt: null }, 'request.invalid'],
    ['13 cards', { content: 'x', changes: Array(13).fill({}), expectedUpdatedAt: null }, 'request.invalid'],
    ['a bad card', { content: 'x', changes: [{ '<b>': 1 }], expectedUpdatedAt: null }, 'update.changes_invalid'],
    ['no expectedUpdatedAt', { content: 'x' }, 'request.invalid'],
    [
      'an expectedUpdatedAt without a zone',
      { content: 'x', expectedUpdatedAt: '2026-05-01T18:00:00' },
      'request.invalid',
    ],
  ])('with %s is refused', async (_what, body, code) => {
    const { guid } = await published({ content: 'C' })
    expect(outcome(await edit(guid, body))).toEqual([400, code])
    expect((await listed(guid)).content).toBe('C')
  })

  test('keeps cards from before that hold more than cards may, and everything else can be changed', async () => {
    const { guid } = await published({ content: 'C' })
    const changes = [{ a: Array(501).fill('x') }]
    await api.sql('update updates set changes = $2 where guid = $1', [guid, JSON.stringify(changes)])
    const first = await edit(guid, { content: 'D', expectedUpdatedAt: null })
    expect([outcome(first), first.body.update?.changes]).toEqual([[200, null], changes])
    const { updatedAt: expectedUpdatedAt } = first.body.update
    const refused = await edit(guid, { content: 'E', changes: [...changes, {}], expectedUpdatedAt })
    expect(outcome(refused)).toEqual([400, 'update.changes_invalid'])
    const sentBack = await edit(guid, { content: 'E', changes, expectedUpdatedAt })
    expect([outcome(sentBack), (await listed(guid)).changes]).toEqual([[200, null], changes])
  })

  test('is for updates of this tournament', async () => {
    const elsewhere = await makeTournament(api, organiser)
    const { guid } = await published()
    const body = { content: 'x', expectedUpdatedAt: null }
    for (const [unknown, of] of [
      [guid, elsewhere],
      [randomUUID(), tournament],
      ['finals', tournament],
    ] as const) {
      expect(outcome(await edit(unknown, body, organiser, of))).toEqual([404, 'update.unknown'])
    }
    expect((await edit(guid.toUpperCase(), body)).status).toBe(200)
  })
})

describe('deleting', () => {
  test('takes the update away, and what it said', async () => {
    const { guid } = await published({ title: 'T', content: 'Ushuaia', changes: [{ a: 'Ushuaia' }] })
    const reply = await remove(guid)
    expect([outcome(reply), reply.body]).toEqual([[200, null], none])
    expect(await listed(guid)).toBeUndefined()
    expect(await api.sql('select title, content, changes from updates where guid = $1', [guid])).toEqual([
      { title: '', content: '', changes: [] },
    ])
    expect((await eventsOf(guid)).at(-1)).toMatchObject({
      type: 'update.deleted',
      tournament: tournament.guid,
      actor: organiser.guid,
      before: null,
      after: null,
    })
  })

  test('takes what it said out of the log and the audit list as well, but not that it was said', async () => {
    const [secret, other] = ['Kuala Lumpur', 'Antananarivo']
    const kept = await published({ title: other, content: other, changes: [{ a: other }] })
    const { guid } = await published({ title: secret, content: 'First', changes: [{ a: secret }] })
    const { updatedAt } = (await edit(guid, { content: secret, expectedUpdatedAt: null })).body.update
    const edited = await edit(guid, { content: 'Last', title: `${secret}!`, expectedUpdatedAt: updatedAt })
    const logged = async (text: string) =>
      api.sql(`select from event_log where before::text like $1 or after::text like $1`, [`%${text}%`])
    expect([(await logged(secret)).length, (await logged(other)).length]).toEqual([3, 1])
    const deleted = await remove(guid, { expectedUpdatedAt: edited.body.update.updatedAt })
    expect(deleted.status).toBe(200)
    expect([(await logged(secret)).length, (await logged(other)).length]).toEqual([0, 1])
    const { text, body } = await api.get(`/tournaments/${tournament.guid}/audit?limit=100`, organiser)
    expect([text.includes(secret), text.includes(other)]).toEqual([false, true])
    const own = (of: string) =>
      body.entries
        .filter(({ subject }: { subject: string }) => subject === of)
        .map(({ type, before, after }: Record<string, unknown>) => [type, before, after])
    expect(own(guid)).toEqual([
      ['update.deleted', null, null],
      ['update.edited', {}, {}],
      ['update.edited', {}, {}],
      ['update.published', null, { sendToChat: false }],
    ])
    expect(own(kept.guid)).toHaveLength(1)
  })

  test('leaves nothing to edit, to delete or to send', async () => {
    const { guid } = await published()
    await remove(guid)
    const replies = await Promise.all([
      remove(guid),
      edit(guid, { content: 'x', expectedUpdatedAt: null }),
      api.post(`${pathOf(tournament)}/${guid}/chat`, organiser),
    ])
    for (const reply of replies) expect(outcome(reply)).toEqual([404, 'update.unknown'])
    expect(await eventsOf(guid)).toHaveLength(2)
  })

  test('of what was edited meanwhile is refused', async () => {
    const { guid } = await published()
    const at = (await edit(guid, { content: 'B', expectedUpdatedAt: null })).body.update.updatedAt
    expect(outcome(await remove(guid))).toEqual([409, 'update.stale'])
    expect(outcome(await remove(guid, {}))).toEqual([400, 'request.invalid'])
    expect((await remove(guid, { expectedUpdatedAt: at })).status).toBe(200)
  })

  test('is for updates of this tournament', async () => {
    const elsewhere = await makeTournament(api, organiser)
    const { guid } = await published({}, elsewhere)
    expect(outcome(await remove(guid))).toEqual([404, 'update.unknown'])
    expect((await list(elsewhere)).body.updates).toHaveLength(1)
  })

  test('goes with the tournament', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const { guid } = await published({}, draft)
    expect((await api.delete(`/tournaments/${draft.guid}`, organiser)).status).toBe(204)
    expect(await api.sql('select from updates where guid = $1', [guid])).toEqual([])
  })
})

test('an update that was not published to the chat has no delivery to retry', async () => {
  const { guid } = await published()
  const reply = await api.post(`${pathOf(tournament)}/${guid}/chat`, organiser)
  expect(outcome(reply)).toEqual([404, 'update.chat_not_requested'])
})

describe('at the same moment', () => {
  test('many publications of one GUID make one update, and are all answered alike', async () => {
    const body = { guid: randomUUID(), content: 'C' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => publish(body)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(await eventsOf(body.guid)).toHaveLength(1)
  })

  test('of publications that differ one wins, also over those in another tournament', async () => {
    const elsewhere = await makeTournament(api, organiser)
    const guid = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        publish({ guid, content: `${n}` }, organiser, n % 2 ? elsewhere : tournament),
      ),
    )
    const codes = replies.map((reply) => outcome(reply).join()).sort()
    expect(codes).toEqual(['201,', ...Array(11).fill('409,update.guid_reused')])
  })

  test('of edits one wins', async () => {
    const { guid } = await published()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => edit(guid, { content: `${n}`, expectedUpdatedAt: null })),
    )
    const won = replies.filter(({ status }) => status === 200)
    expect(replies.filter((reply) => outcome(reply).join() === '409,update.stale')).toHaveLength(9)
    expect(won.map(({ body }) => body.update)).toEqual([await listed(guid)])
  })

  test('an edit and a deletion do not both win', async () => {
    for (let round = 0; round < 5; round++) {
      const { guid } = await published()
      const [edited, deleted] = await Promise.all([edit(guid, { content: 'x', expectedUpdatedAt: null }), remove(guid)])
      expect([edited.status, deleted.status].filter((status) => status === 200)).toHaveLength(1)
      expect((await listed(guid)) === undefined).toBe(deleted.status === 200)
    }
  })

  test('of deletions one wins', async () => {
    const { guid } = await published()
    const replies = await Promise.all(Array.from({ length: 8 }, () => remove(guid)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
    expect((await eventsOf(guid)).filter(({ type }) => type === 'update.deleted')).toHaveLength(1)
  })
})
