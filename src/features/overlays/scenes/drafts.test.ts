import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { documents, documentWith, elementOf, largeDocument } from '../../../../test/scene-documents.ts'
import { type MadeOverlay, makeOverlay, putScene, storedOf } from '../../../../test/scene-drafts.ts'

/** Reads and replaces the document of an overlay as a whole. (overlays: Operations; overlays: Details, 2) */

let api: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const make = (options: Parameters<typeof makeOverlay>[3] = {}) => makeOverlay(api, cup, organiser, options)
const read = (overlay: MadeOverlay, as = organiser) => api.get(`${overlay.path}/scene`, as)
const etagOf = async (overlay: MadeOverlay) => (await read(overlay)).headers.get('etag') as string
const titled = (text: string) => documentWith({ element01: elementOf({ props: { text } }) })

test('is kept as it was sent, whatever it is', async () => {
  const overlay = await make()
  const before = await storedOf(api, overlay)
  for (const [index, document] of fc.sample(documents, { numRuns: 20, seed: 7 }).entries()) {
    const put = await putScene(api, overlay, organiser, document)
    expect(outcome(put), put.text).toEqual([200, null])
    const got = await read(overlay)
    expect(got.body, `document ${index}`).toEqual(document)
    expect(got.headers.get('etag')).toBe(put.headers.get('etag'))
    expect(got.headers.get('cache-control')).toBe('private, no-store')
  }
  const after = await storedOf(api, overlay)
  expect(after.revision).toBeGreaterThan(before.revision + 15)
  expect(after.generation).toBe(before.generation)
  // Texts in other bodies are trimmed, but not here.
  await putScene(api, overlay, organiser, titled('  vs  '))
  expect((await read(overlay)).body.scenes.scene001.elements.element01.props.text).toBe('  vs  ')
})

test('is of its overlay alone, whoever else is edited and by whichever ids', async () => {
  const overlays = await Promise.all(Array.from({ length: 8 }, () => make()))
  for (let round = 0; round < 4; round++)
    await Promise.all(overlays.map((overlay, at) => putScene(api, overlay, organiser, titled(`${at} ${round}`))))
  // Simulates that all drafts were written with the same client IDs.
  const [first] = overlays
  await api.sql(
    `update overlay_drafts d set state = o.state from overlay_drafts o
     where o.overlay_guid = $1 and d.overlay_guid = any($2)`,
    [first?.guid, overlays.map(({ guid }) => guid)],
  )
  const copied = ['overlay_guid', 'generation', 'seq', 'kind', 'data', 'revision', 'user_guid', 'at']
  await api.sql('delete from overlay_updates where overlay_guid = any($1)', [overlays.slice(1).map(({ guid }) => guid)])
  for (const [at, { guid }] of overlays.entries())
    if (at > 0)
      await api.sql(
        `insert into overlay_updates (${copied.join(', ')})
         select $2, ${copied.slice(1).join(', ')} from overlay_updates where overlay_guid = $1 and seq <= $3`,
        [first?.guid, guid, at % 4],
      )
  const texts = await Promise.all(
    overlays.map(async (overlay) => (await read(overlay)).body.scenes.scene001.elements.element01?.props.text ?? null),
  )
  expect(texts).toEqual(['0 3', '0 0', '0 1', '0 2', null, '0 0', '0 1', '0 2'])
})

test('is replaced by whoever has seen what they replace', async () => {
  const overlay = await make()
  const first = await etagOf(overlay)
  const { revision } = await storedOf(api, overlay)
  expect(outcome(await putScene(api, overlay, organiser, titled('a'), null))).toEqual([
    428,
    'scene.precondition_missing',
  ])
  expect(outcome(await putScene(api, overlay, organiser, titled('a'), '"another"'))).toEqual([412, 'scene.stale'])
  // A weak tag is not accepted.
  expect(outcome(await putScene(api, overlay, organiser, titled('a'), `W/${first}`))).toEqual([412, 'scene.stale'])
  expect((await storedOf(api, overlay)).revision).toBe(revision)
  const put = await putScene(api, overlay, organiser, titled('a'), first)
  expect([put.status, put.body]).toEqual([200, { overlay: overlay.guid, revision: revision + 1 }])
  const stale = await putScene(api, overlay, organiser, titled('b'), first)
  expect([...outcome(stale), stale.body.revision]).toEqual([412, 'scene.stale', revision + 1])
  expect(stale.headers.get('etag')).toBe(put.headers.get('etag'))
  // The same document again changes nothing and keeps its tag. A list of tags is accepted if it contains the current
  // one.
  expect((await putScene(api, overlay, organiser, titled('a'), put.headers.get('etag'))).body.revision).toBe(
    revision + 1,
  )
  expect((await putScene(api, overlay, organiser, titled('b'), `"x", ${put.headers.get('etag')}`)).status).toBe(200)
  expect((await putScene(api, overlay, organiser, documentWith())).headers.get('etag')).toBe(first)
  expect(outcome(await api.get(`${overlay.path}/scene`, organiser, { 'if-none-match': first }))).toEqual([304, null])

  const seen = await etagOf(overlay)
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) => putScene(api, overlay, organiser, titled(`${index}`), seen)),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 412)).toHaveLength(9)
})

const scenesNamed = (name: string) => ({
  ...documentWith(),
  scenes: { scene001: { name, order: 'V', elements: {} } },
})
const named = (name: string) => documentWith({ element01: elementOf({ name }) })

describe('names of scenes and elements', () => {
  test.each(['\u3164', '  ', '\u2800 \u180E', 'Two\nlines', 'Two\u2028lines'])(
    'are seen, and stand on one line: %j is refused',
    async (name) => {
      const overlay = await make()
      const [scene, element] = [
        await putScene(api, overlay, organiser, scenesNamed(name)),
        await putScene(api, overlay, organiser, named(name)),
      ]
      for (const [reply, pointer] of [
        [scene, '/scenes/scene001/name'],
        [element, '/scenes/scene001/elements/element01/name'],
      ] as const) {
        expect(outcome(reply)).toEqual([400, 'scene.invalid'])
        expect(reply.body.faults).toEqual([{ pointer, words: expect.stringMatching(/^must /) }])
      }
      expect((await read(overlay)).body).toEqual(documentWith())
    },
  )

  test('stay as they are sent, and elements need none', async () => {
    const overlay = await make()
    for (const name of ['', ' Title  of it '])
      expect(outcome(await putScene(api, overlay, organiser, named(name)))).toEqual([200, null])
    expect((await read(overlay)).body).toEqual(named(' Title  of it '))
  })

  test('from before are read, kept, published and restored as they are', async () => {
    const document = {
      ...named('\u3164'),
      scenes: { scene001: { ...named('\u3164').scenes.scene001, name: 'Two\nlines' } },
    }
    const overlay = await make({ document: document as never })
    expect((await read(overlay)).body).toEqual(document)
    const { revision } = await storedOf(api, overlay)
    const published = await api.post(`${overlay.path}/publish`, organiser, { revision })
    expect(outcome(published)).toEqual([200, null])
    const { number } = published.body
    expect((await api.get(`${overlay.path}/versions/${number}`, organiser)).body.document).toEqual(document)
    expect(outcome(await putScene(api, overlay, organiser, titled('a')))).toEqual([200, null])
    const restored = await api.post(`${overlay.path}/versions/${number}/restore`, organiser, {})
    expect([outcome(restored), (await read(overlay)).body]).toEqual([[200, null], document])
  })
})

describe('what is no document', () => {
  const wrong: readonly (readonly [string, unknown, string, string?])[] = [
    ['a list', [], 'request.invalid'],
    ['nothing', {}, 'scene.version', '/schemaVersion'],
    ['a later version', { ...documentWith(), schemaVersion: 2 }, 'scene.version', '/schemaVersion'],
    ['a stranger', { ...documentWith(), script: 'x' }, 'scene.invalid', '/script'],
    ['no scene', { ...documentWith(), scenes: {} }, 'scene.invalid', '/scenes'],
    [
      'a part of an element',
      documentWith({ element01: elementOf({ props: { text: 'x', html: '<b>' } }) }),
      'scene.invalid',
      '/scenes/scene001/elements/element01/props/html',
    ],
    [
      'a parent that is not there',
      documentWith({ element01: elementOf({ parent: 'element99' }) }),
      'scene.invalid',
      '/scenes/scene001/elements/element01/parent',
    ],
    [
      'a path of nothing',
      documentWith({ element01: elementOf({ bindings: { a: { property: 'text', path: 'sides.0.team.nmae' } } }) }),
      'scene.invalid',
      '/scenes/scene001/elements/element01/bindings/a/path',
    ],
    [
      'a formatter that is none',
      documentWith({
        element01: elementOf({
          bindings: { a: { property: 'text', path: 'time', format: [{ name: 'date' }, { name: 'shout' }] } },
        }),
      }),
      'scene.invalid',
      '/scenes/scene001/elements/element01/bindings/a/format/1/name',
    ],
    ['a text that turns what follows', titled('\u202eevil'), 'request.invalid'],
    ['a prototype', JSON.parse('{"__proto__":{"schemaVersion":1}}'), 'request.invalid'],
    ['levels without end', { ...documentWith(), variables: nested(100) }, 'request.invalid'],
    ['what is too large', largeDocument(2_000, 1_048_576 + 10_000), 'scene.invalid', ''],
  ]
  let overlay: MadeOverlay
  beforeAll(async () => {
    overlay = await make()
  })
  test.each(wrong)('such as %s, changes nothing', async (_what, document, code, pointer) => {
    const before = await read(overlay)
    const reply = await putScene(api, overlay, organiser, document)
    expect(outcome(reply), reply.text.slice(0, 500)).toEqual([400, code])
    if (pointer !== undefined) expect(reply.body.faults[0].pointer).toBe(pointer)
    expect((await read(overlay)).text).toBe(before.text)
  })
})

function nested(levels: number): object {
  let made: object = {}
  for (let level = 0; level < levels; level++) made = { a: made }
  return made
}

test('may have a mebibyte, however it is written', async () => {
  const overlay = await make()
  const document = largeDocument(2_000, 1_040_000)
  const reply = await api.call('PUT', `${overlay.path}/scene`, {
    as: organiser,
    headers: { 'if-match': '*', 'content-type': 'application/json' },
    raw: JSON.stringify(document, null, 1),
  })
  expect(outcome(reply), reply.text.slice(0, 500)).toEqual([200, null])
  expect((await read(overlay)).body).toEqual(document)
  const tooMuch = `{"padding":"${'x'.repeat(2 * 1024 * 1024)}"}`
  const refused = await api.call('PUT', `${overlay.path}/scene`, {
    as: organiser,
    headers: { 'if-match': '*', 'content-type': 'application/json' },
    raw: tooMuch,
  })
  expect(outcome(refused)).toEqual([413, 'request.too_large'])
})

test('is read by staff and editors, changed by editors, and is not there for others', async () => {
  const editor = await api.user()
  const [hidden, open] = [await make({ editors: [editor] }), await make({ access: 'public', editors: [editor] })]
  const [referee, caster, stranger] = await Promise.all([
    roleHolder(api, cup, 'role:referee'),
    roleHolder(api, cup, 'role:hcaster'),
    api.user(),
  ])
  const unknown = [404, 'overlay.unknown']
  const missing = [403, 'role.missing']
  const done = [200, null]
  const tried = async (as: Caller) => {
    const replies = []
    for (const overlay of [hidden, open]) {
      replies.push(outcome(await read(overlay, as)), outcome(await putScene(api, overlay, as, titled('x'))))
    }
    return replies
  }
  expect(await tried(referee)).toEqual([done, missing, done, missing])
  expect(await tried(caster)).toEqual([done, done, done, done])
  expect(await tried(editor)).toEqual([done, done, done, done])
  expect(await tried(stranger)).toEqual([unknown, unknown, missing, missing])
  const other = await makeTournament(api, organiser)
  expect(outcome(await api.get(`/tournaments/${other.id}/overlays/${open.guid}/scene`, organiser))).toEqual(unknown)
  await api.sql('delete from overlays where guid = $1', [open.guid])
  expect(outcome(await read(open))).toEqual(unknown)
})

test('uses media of overlays of its tournament, as far as they are there, and takes all others', async () => {
  const overlay = await make()
  const [own, theirs, banner] = [
    await makeMedia(api, 'overlay_image', { tournament: cup }),
    await makeMedia(api, 'overlay_image', { tournament: await makeTournament(api, organiser) }),
    await makeMedia(api, 'tournament_image', { tournament: cup }),
  ]
  const showing = (...media: readonly string[]) =>
    documentWith(
      Object.fromEntries(
        media.map((guid, index) => [`element0${index}`, elementOf({ type: 'image', props: { media: guid } })]),
      ),
    )
  const all = showing(own.guid.toUpperCase(), theirs.guid, banner.guid, crypto.randomUUID())
  expect((await putScene(api, overlay, organiser, all)).status).toBe(200)
  expect(await usesOf(api, own)).toEqual({ uses: ['overlay.draft'], state: 'used' })
  expect(await usesOf(api, theirs)).toEqual({ uses: [], state: 'fresh' })
  expect(await usesOf(api, banner)).toEqual({ uses: [], state: 'fresh' })
  const usages = await api.get(`/media/${own.guid}/usages`, organiser)
  expect(usages.body.usages ?? usages.body).toMatchObject([
    { subject: 'overlay', guid: overlay.guid, field: 'draft', mayDetach: true },
  ])
  await putScene(api, overlay, organiser, showing(theirs.guid))
  expect(await usesOf(api, own)).toEqual({ uses: [], state: 'unused' })
})
