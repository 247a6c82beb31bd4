import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, remembered, roleHolder } from '../../../../test/make.ts'
import { type PublishBody, publish as publishTo } from '../../../../test/updates.ts'

/** What the public sees of updates, and what users who may post see in addition. */

let api: Harness
let organiser: Caller
let tournament: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

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
const list = (of: MadeTournament, query = '', as: Caller | null = null) => api.get(`${pathOf(of)}${query}`, as)

const none = { status: 'none', parts: [], attempts: 0, lastError: null, updatedAt: null }

describe('the list', () => {
  test('has the newest first, a page at a time, and skips or repeats none', async () => {
    const busy = await makeTournament(api, organiser)
    const guids: string[] = []
    for (let number = 0; number < 7; number++) guids.push((await published({ content: `${number}` }, busy)).guid)
    // Several updates with the same creation time.
    await api.sql(`update updates set created_at = '2026-05-01T18:00:00Z' where guid = any($1)`, [guids.slice(0, 3)])
    const seen: string[] = []
    for (let before = ''; ; ) {
      const { body } = await list(busy, `?limit=2${before}`)
      seen.push(...body.updates.map(({ guid }: { guid: string }) => guid))
      if (body.nextCursor === null) break
      before = `&before=${body.nextCursor}`
      // An update that is published between two pages is newer than all of these and does not move them.
      if (seen.length === 2) await published({}, busy)
    }
    expect(seen).toEqual([...guids.slice(3).toReversed(), ...guids.slice(0, 3).sort().toReversed()])
  })

  test('has 25 on a page unless told otherwise, and at most 50', async () => {
    const busy = await makeTournament(api, organiser)
    await api.sql(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
       select gen_random_uuid(), $1, $2, '', 'x', '[]', '' from generate_series(1, 60)`,
      [busy.guid, organiser.guid],
    )
    const lengths = await Promise.all(
      ['', '?limit=1', '?limit=50'].map(async (query) => (await list(busy, query)).body.updates.length),
    )
    expect(lengths).toEqual([25, 1, 50])
    for (const query of ['?limit=0', '?limit=51', '?limit=x', '?limit=1.5']) {
      expect(outcome(await list(busy, query))).toEqual([400, 'request.invalid'])
    }
  })

  test('takes no cursor but its own', async () => {
    const foreign = Buffer.from('["teams","2026-05-01T18:00:00.000Z","x"]').toString('base64url')
    for (const cursor of ['x', foreign, Buffer.from('["updates",1]').toString('base64url')]) {
      expect(outcome(await list(tournament, `?before=${cursor}`))).toEqual([400, 'cursor.invalid'])
    }
  })

  test('tells those who may post, and nobody else, of the chat', async () => {
    const { guid } = await published()
    const [staff, caster, somebody] = await Promise.all([
      roleHolder(api, tournament, 'role:staff'),
      roleHolder(api, tournament, 'role:caster'),
      api.user(),
    ])
    for (const viewer of [organiser, staff]) {
      const { body } = await list(tournament, '', viewer)
      expect(body).toMatchObject({ canPost: true, chatAvailable: false })
      expect(body.updates.find((update: { guid: string }) => update.guid === guid).delivery).toEqual(none)
    }
    for (const viewer of [null, somebody, caster]) {
      const { body } = await list(tournament, '', viewer)
      expect(Object.keys(body).sort()).toEqual(['nextCursor', 'updates'])
      expect(Object.keys(body.updates[0]).sort()).toEqual(
        ['changes', 'content', 'createdAt', 'guid', 'title', 'updatedAt'].sort(),
      )
    }
  })

  test('says whether there is a chat to post to', async () => {
    const here = await makeTournament(api, organiser)
    const webhook = (url: string | null) =>
      api.sql('update tournaments set chat_webhook_url = $1 where guid = $2', [url, here.guid])
    const available = async () => (await list(here, '', organiser)).body.chatAvailable
    expect(await available()).toBe(false)
    await webhook(`${api.app.config.chat.apiUrl}/webhooks/1/secret-token`)
    expect(await available()).toBe(true)
    expect((await list(here, '', organiser)).text).not.toContain('secret-token')
    await webhook('https://elsewhere.example/api/webhooks/1/secret-token')
    expect(await available()).toBe(false)
  })

  test('that is remembered is never older than what was done', async () => {
    const here = await makeTournament(api, organiser)
    const contents = async () => (await list(here)).body.updates.map(({ content }: { content: string }) => content)
    await remembered(api, pathOf(here))
    const { guid } = await published({ content: 'A' }, here)
    expect(await contents()).toEqual(['A'])
    await remembered(api, pathOf(here))
    const { body } = await edit(guid, { content: 'B', expectedUpdatedAt: null }, organiser, here)
    expect(await contents()).toEqual(['B'])
    await remembered(api, pathOf(here))
    await api.delete(`${pathOf(here)}/${guid}`, organiser, { expectedUpdatedAt: body.update.updatedAt })
    expect(await contents()).toEqual([])
  })

  test('is one reading of an index, however many there are', async () => {
    const crowded = await makeTournament(api, organiser)
    await api.sql(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash, created_at)
       select gen_random_uuid(), $1, $2, '', 'x', '[]', '', now() - n * interval '1 second' from generate_series(1, 20000) n`,
      [crowded.guid, organiser.guid],
    )
    await api.sql('analyze updates')
    // Uses the generic plan, as the service does, instead of a plan for these values.
    const client = await api.app.database.pool.connect()
    await client.query(
      `prepare page (uuid, timestamptz, uuid) as select guid from updates
       where tournament_guid = $1 and deleted_at is null and (created_at, guid) < ($2, $3)
       order by created_at desc, guid desc limit 26`,
    )
    const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    const plan = await client.query(`explain (format json) execute page ('${crowded.guid}', 'infinity', '${last}')`)
    client.release()
    const text = JSON.stringify(plan.rows)
    expect(text).toContain('updates_order')
    expect(text).not.toMatch(/Seq Scan|"Sort"/)
    expect((await list(crowded, '?limit=50')).body.updates).toHaveLength(50)
  })
})
