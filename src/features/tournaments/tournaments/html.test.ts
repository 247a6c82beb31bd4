import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, remembered } from '../../../../test/make.ts'
import { openStream } from '../../../../test/realtime/streams.ts'
import { publish } from '../../../../test/updates.ts'

/** Texts of tournaments and updates as HTML: `include=html`. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const description = 'Three maps **each**, at <t:1798761600:F>. <script>alert(1)</script>[x](javascript:alert(1))'
const descriptionHtml =
  '<p>Three maps <strong>each</strong>, at <time datetime="2027-01-01T00:00:00.000Z">2027-01-01 00:00 UTC</time>. x</p>\n'

async function made(texts: object = { description }): Promise<MadeTournament> {
  const tournament = await makeTournament(api, organiser)
  const reply = await api.patch(`/tournaments/${tournament.guid}`, organiser, texts)
  expect(outcome(reply)).toEqual([200, null])
  return tournament
}

describe('a tournament', () => {
  test('has the HTML of its texts where it is asked for, and null for texts that it does not have', async () => {
    const { id } = await made({ description, rules: '1. One\n2. Two' })
    const plain = await api.get(`/tournaments/${id}`)
    const { html, timeline, ...record } = (await api.get(`/tournaments/${id}?include=timeline,html`)).body
    expect(record).toEqual(plain.body)
    expect(timeline).toEqual([])
    expect(html).toEqual({
      description: descriptionHtml,
      rules: '<ol>\n<li>One</li>\n<li>Two</li>\n</ol>\n',
      prizes: null,
    })
  })

  test('is remembered apart from the one without, and is never older than a change (D12)', async () => {
    await using sibling = await api.sibling()
    const { id } = await made()
    const path = `/tournaments/${id}?include=html`
    for (const text of ['One', 'Two', 'One']) {
      await api.patch(`/tournaments/${id}`, organiser, { description: text })
      for (const service of [api, sibling]) {
        const [first, again] = [await service.get(path), await remembered(service, path)]
        expect([first.body.html.description, again.text]).toEqual([`<p>${text}</p>\n`, first.text])
        expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
        expect((await remembered(service, `/tournaments/${id}`)).body.html).toBeUndefined()
      }
    }
  })

  test('can be followed with it', async () => {
    const { guid } = await made()
    const topic = `/tournaments/${guid}?include=timeline%2Chtml`
    await using stream = await openStream(api, [topic])
    await stream.copies.until((held) => held.all.has(topic), 'the tournament')
    expect(stream.copies.of(topic).body).toEqual((await api.get(topic)).body)
    await api.patch(`/tournaments/${guid}`, organiser, { prizes: '*Fame*' })
    const prizes = () => (stream.copies.of(topic).body as { html: { prizes: string | null } }).html.prizes
    await stream.copies.until(() => prizes() !== null, 'the prizes')
    const reply = await api.get(topic)
    expect(stream.copies.of(topic).body).toEqual(reply.body)
    expect([prizes(), stream.copies.of(topic).etag]).toEqual(['<p><em>Fame</em></p>\n', reply.headers.get('etag')])
  })

  test('that is hidden stays unknown, and an unknown part is refused', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const outsider = await api.user()
    for (const caller of [null, outsider]) {
      expect(outcome(await api.get(`/tournaments/${draft.guid}?include=html`, caller))).toEqual([
        404,
        'tournament.unknown',
      ])
    }
    expect((await api.get(`/tournaments/${draft.guid}?include=html`, organiser)).body.html).toEqual({
      description: null,
      rules: null,
      prizes: null,
    })
    expect(outcome(await api.get(`/tournaments/${draft.guid}?include=htm`, organiser))).toEqual([
      400,
      'include.invalid',
    ])
  })
})

describe('updates', () => {
  test('have the HTML of their contents, for everybody and for those who may post', async () => {
    const tournament = await makeTournament(api, organiser)
    const path = `/tournaments/${tournament.guid}/updates`
    for (const content of ['To **Sunday**.', 'a < b <b>c</b>'])
      await publish(api, { tournament, organiser }, { content })
    for (const caller of [null, organiser]) {
      const plain = (await api.get(path, caller)).body
      const { updates, ...rest } = (await api.get(`${path}?include=html`, caller)).body
      const contents = updates.map(({ html }: { html: object }) => html)
      expect(contents).toEqual([
        { content: '<p>a &lt; b c</p>\n' },
        { content: '<p>To <strong>Sunday</strong>.</p>\n' },
      ])
      const without = updates.map(({ html: _, ...update }: { html: object }) => update)
      expect({ updates: without, ...rest }).toEqual(plain)
    }
    expect(outcome(await api.get(`${path}?include=texts`))).toEqual([400, 'include.invalid'])
    expect((await api.get(`${path}?include=`)).body).toEqual((await api.get(path)).body)
  })

  test('can be followed with it, and a page of the longest ends early', async () => {
    const tournament = await makeTournament(api, organiser)
    const topic = `/tournaments/${tournament.guid}/updates?include=html`
    await using stream = await openStream(api, [topic])
    await stream.copies.until((held) => held.all.has(topic), 'the updates')
    await publish(api, { tournament, organiser }, { content: '*One*' })
    const held = () => (stream.copies.of(topic).body as { updates: object[] }).updates
    await stream.copies.until(() => held().length === 1, 'the update')
    expect(stream.copies.of(topic).body).toEqual((await api.get(topic)).body)
    await api.sql(
      `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
       select gen_random_uuid(), $1, $2, '', repeat('[](mailto:) ', 1333), '[]', '' from generate_series(1, 49)`,
      [tournament.guid, organiser.guid],
    )
    let before = ''
    const sizes: number[] = []
    for (let seen = 0; seen < 50; seen += sizes.at(-1) ?? 50) {
      const { text, body } = await api.get(`${topic}&limit=50${before}`)
      expect(text.length).toBeLessThan(2_500_000)
      sizes.push(body.updates.length)
      before = `&before=${body.nextCursor}`
    }
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(50)
  })
})
