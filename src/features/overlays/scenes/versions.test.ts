import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { documentWith, elementOf } from '../../../../test/scene-documents.ts'
import { type MadeOverlay, makeOverlay, putScene, storedOf } from '../../../../test/scene-drafts.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'

/**
 * The published document, and the versions that are kept.
 * (overlays: Operations; OV8; overlays: What proves it, 5 and 6)
 */

let api: Harness
let second: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const make = (options: Parameters<typeof makeOverlay>[3] = {}) => makeOverlay(api, cup, organiser, options)
const titled = (text: string) => documentWith({ element01: elementOf({ props: { text } }) })
const showing = (...media: readonly { guid: string }[]) =>
  documentWith(
    Object.fromEntries(
      media.map(({ guid }, index) => [`element0${index}`, elementOf({ type: 'image', props: { media: guid } })]),
    ),
  )
const textOf = (document: SceneDocument) => document.scenes.scene001?.elements.element01?.props?.text ?? null

const published = (overlay: MadeOverlay, as: Caller | null = organiser) => api.get(`${overlay.path}/published`, as)
const versions = async ({ path }: MadeOverlay): Promise<Reply['body'][]> =>
  (await api.get(`${path}/versions?limit=100`, organiser)).body.versions
const heads = async (overlay: MadeOverlay) =>
  (await versions(overlay)).map(({ number, kind, name, current }) => [number, kind, name, ...(current ? ['now'] : [])])

async function edit(overlay: MadeOverlay, document: SceneDocument): Promise<number> {
  const reply = await putScene(api, overlay, organiser, document)
  expect(outcome(reply), reply.text).toEqual([200, null])
  return reply.body.revision
}

async function publish(overlay: MadeOverlay, body: object = {}, as = organiser): Promise<Reply> {
  const { revision } = await storedOf(api, overlay)
  return api.post(`${overlay.path}/publish`, as, { revision, ...body })
}

const keep = (overlay: MadeOverlay, name: string, as = organiser) => api.post(`${overlay.path}/versions`, as, { name })
const restore = (overlay: MadeOverlay, number: number | string, body?: object, as = organiser) =>
  api.post(`${overlay.path}/versions/${number}/restore`, as, body)

/** Inserts versions of a kind directly into the database, with the draft's document. */
async function addVersions(overlay: MadeOverlay, kind: string, count: number): Promise<void> {
  await api.sql(
    `insert into overlay_versions (overlay_guid, number, kind, name, bytes, digest, document)
     select d.overlay_guid, d.next_version + n - 1, $2, case when $2 = 'named' then 'Name' end, 100, sha256(n::text::bytea), $3
     from overlay_drafts d, generate_series(1, $4) n where d.overlay_guid = $1`,
    [overlay.guid, kind, JSON.stringify(documentWith()), count],
  )
  await api.sql('update overlay_drafts set next_version = next_version + $2 where overlay_guid = $1', [
    ...[overlay.guid, count],
  ])
}

test('pages show what was published, at the revision that was named', async () => {
  const overlay = await make()
  expect(outcome(await published(overlay))).toEqual([404, 'overlay.not_published'])
  const revision = await edit(overlay, titled('one'))
  const stale = await publish(overlay, { revision: revision - 1 })
  expect([...outcome(stale), stale.body.revision]).toEqual([409, 'overlay.stale', revision])
  const first = await publish(overlay, { name: ' Group stage ' })
  expect(outcome(first), first.text).toEqual([200, null])
  expect(first.body).toMatchObject({ number: 1, kind: 'published', name: 'Group stage', current: true })
  expect(first.body.by.guid).toBe(organiser.guid)
  expect((await published(overlay)).body).toEqual({ version: 1, document: titled('one') })
  // Later edits are not shown, and an equal document is not published again.
  expect((await publish(overlay)).body).toEqual(first.body)
  await edit(overlay, titled('two'))
  expect((await published(overlay)).body).toEqual({ version: 1, document: titled('one') })
  expect((await publish(overlay)).body).toMatchObject({ number: 2, name: null, current: true })
  expect((await publish(overlay, { name: 'Finals' })).body).toMatchObject({ number: 3, name: 'Finals' })
  expect(await heads(overlay)).toEqual([
    [3, 'published', 'Finals', 'now'],
    [2, 'published', null],
    [1, 'published', 'Group stage'],
  ])
  expect((await published(overlay)).body).toEqual({ version: 3, document: titled('two') })
  const events = await api.sql<{ type: string; after: unknown }>(
    `select type, after from event_log where subject = $1 and type not in ('overlay.edited', 'overlay.control_changed') order by seq`,
    [overlay.guid],
  )
  expect(events).toEqual([
    { type: 'overlay.published', after: { version: 1, name: 'Group stage' } },
    { type: 'overlay.published', after: { version: 2, name: null } },
    { type: 'overlay.published', after: { version: 3, name: 'Finals' } },
  ])
})

test('who follows is told of what is published within a second, on any process, and of no edit', async () => {
  const overlay = await make({ access: 'public' })
  await edit(overlay, titled('one'))
  await publish(overlay)
  const topic = `/tournaments/${cup.guid}/overlays/${overlay.guid}/published`
  await using page = await openSocket(second)
  const subscribed = await page.ask({ type: 'subscribe', topic })
  expect(subscribed.body).toEqual({ version: 1, document: titled('one') })
  for (const text of ['two', 'three', 'four']) await edit(overlay, titled(text))
  await publish(overlay)
  const before = Date.now()
  const shown = () =>
    page.copies.of(subscribed.topic as string).body as unknown as { version: number; document: SceneDocument }
  await page.copies.until(() => shown().version === 2, 'the second version')
  expect(Date.now() - before).toBeLessThan(1_000)
  expect(shown().document).toEqual(titled('four'))
  const told = JSON.stringify(page.copies.packets)
  expect([told.includes('two'), told.includes('three')]).toEqual([false, false])
})

test('publishing and editing at once: a version is the document of the revision that was named', async () => {
  const overlay = await make()
  const texts = new Map<number, string>([[0, '']])
  const asked = new Map<number, number>()
  const edits = async (api: Harness, who: string) => {
    for (let index = 0; index < 12; index++) {
      const text = `${who} ${index}`
      const reply = await putScene(api, overlay, organiser, titled(text))
      texts.set(reply.body.revision, text)
    }
  }
  const publishes = async (api: Harness) => {
    const seen = new Set<string>()
    for (let index = 0; index < 24; index++) {
      const revision = Math.max(...texts.keys())
      const reply = await api.post(`${overlay.path}/publish`, organiser, { revision, name: `${revision}` })
      seen.add(outcome(reply).join(' '))
      if (reply.status === 200) asked.set(reply.body.number, revision)
      else expect(reply.body.revision).toBeGreaterThan(revision)
    }
    return seen
  }
  const [, , seen] = await Promise.all([edits(api, 'here'), edits(second, 'there'), publishes(api), publishes(second)])
  for (const each of seen) expect(['200 ', '409 overlay.stale']).toContain(each)
  expect((await publish(overlay, { name: 'last' })).status).toBe(200)
  expect(asked.size).toBeGreaterThan(0)
  for (const [number, revision] of asked) {
    const { body } = await api.get(`${overlay.path}/versions/${number}`, organiser)
    expect([body.version.name, textOf(body.document) ?? '']).toEqual([`${revision}`, texts.get(revision)])
  }
  const numbers = (await versions(overlay)).map(({ number }) => number)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => numbers.length - index))
})

test('what is published shows media of its tournament alone, which are used for as long as they are kept', async () => {
  const overlay = await make()
  const [own, font, other, theirs] = [
    await makeMedia(api, 'overlay_image', { tournament: cup }),
    await makeMedia(api, 'overlay_font', { tournament: cup }),
    await makeMedia(api, 'tournament_image', { tournament: cup }),
    await makeMedia(api, 'overlay_image', { tournament: await makeTournament(api, organiser) }),
  ]
  const gone = crypto.randomUUID()
  await edit(overlay, showing(own, other, theirs, { guid: gone }))
  const refused = await publish(overlay)
  expect(outcome(refused)).toEqual([409, 'scene.asset_missing'])
  expect(refused.body.missing).toEqual([other.guid, theirs.guid, gone].sort())
  expect(await versions(overlay)).toEqual([])
  await edit(overlay, { ...showing(own), fonts: { title: { family: 'Title', media: font.guid } } })
  expect((await publish(overlay)).status).toBe(200)
  const everywhere = { uses: ['overlay.draft', 'overlay.published', 'overlay.versions'], state: 'used' }
  expect([await usesOf(api, own), await usesOf(api, font)]).toEqual([everywhere, everywhere])
  await edit(overlay, titled('nothing'))
  expect((await usesOf(api, own)).uses).toEqual(['overlay.published', 'overlay.versions'])
  await publish(overlay)
  expect((await usesOf(api, own)).uses).toEqual(['overlay.versions'])
  // The medium is free when the last version that shows it is deleted.
  await addVersions(overlay, 'published', 98)
  await edit(overlay, titled('more'))
  await publish(overlay)
  expect((await versions(overlay)).at(-1)?.number).toBe(2)
  expect(await usesOf(api, own)).toEqual({ uses: [], state: 'unused' })
})

test('what a version shows stays until no version shows it: nobody changes a version', async () => {
  const overlay = await make()
  const own = await makeMedia(api, 'overlay_image', { tournament: cup })
  await edit(overlay, showing(own))
  await keep(overlay, 'kept')
  const refused = await api.delete(`/media/${own.guid}?detach=true`, organiser)
  expect(outcome(refused)).toEqual([409, 'media.in_use'])
  const mayDetach = refused.body.usages.map((usage: Reply['body']) => [usage.field, usage.mayDetach])
  expect(mayDetach.toSorted()).toEqual([
    ['draft', true],
    ['versions', false],
  ])
  expect((await publish(overlay)).status).toBe(200)
  expect(outcome(await api.delete(`/media/${own.guid}?detach=true`, organiser))).toEqual([409, 'media.in_use'])
  // Detaching changes nothing if a single usage may not be ended.
  expect((await api.get(`${overlay.path}/scene`, organiser)).body).toEqual(showing(own))
  expect((await restore(overlay, 1, { publish: true })).status).toBe(200)
})

test('what is taken down is in no use any more, goes from the draft, and its place in versions stays', async () => {
  const overlay = await make()
  const own = await makeMedia(api, 'overlay_image', { tournament: cup })
  await edit(overlay, showing(own))
  await publish(overlay)
  const owner = await api.user({ globalRoles: ['role:owner'] })
  expect(outcome(await api.delete(`/media/${own.guid}?detach=true`, organiser))).toEqual([409, 'media.in_use'])
  const taken = await api.post(`/admin/media/${own.guid}/takedown`, owner, { reason: 'It was asked for.' })
  expect(taken.status, taken.text).toBeLessThan(300)
  expect((await published(overlay)).body.document).toEqual(showing(own))
  const bare = documentWith({ element00: elementOf({ type: 'image', props: {} }) })
  expect((await api.get(`${overlay.path}/scene`, organiser)).body).toEqual(bare)
  expect((await publish(overlay)).status).toBe(200)
  expect((await published(overlay)).body.document).toEqual(bare)
  // Versions do not change. A version with a missing medium cannot be published again.
  expect((await api.get(`${overlay.path}/versions/1`, organiser)).body.document).toEqual(showing(own))
  expect(outcome(await restore(overlay, 1, { publish: true }))).toEqual([409, 'scene.asset_missing'])
  expect((await restore(overlay, 1)).status).toBe(200)
  expect(outcome(await publish(overlay, { name: 'again' }))).toEqual([409, 'scene.asset_missing'])
  expect((await keep(overlay, 'with')).status).toBe(201)
})

test('a draft of a tournament that is deleted takes what its overlays use with it', async () => {
  const tournament = await makeTournament(api, organiser, { status: 'draft' })
  const overlay = await makeOverlay(api, tournament, organiser)
  const own = await makeMedia(api, 'overlay_image', { tournament })
  await edit(overlay, showing(own))
  expect((await publish(overlay)).status).toBe(200)
  expect((await api.delete(`/tournaments/${tournament.id}`, organiser)).status).toBe(204)
  expect(await usesOf(api, own)).toEqual({ uses: [], state: 'unused' })
  expect(await api.sql('select from overlay_versions where overlay_guid = $1', [overlay.guid])).toEqual([])
})

test('a hundred versions are named or published, and twenty kept by the service', async () => {
  const overlay = await make()
  await addVersions(overlay, 'named', 99)
  expect((await keep(overlay, 'the last')).body).toMatchObject({ number: 100, kind: 'named', current: false })
  expect(outcome(await keep(overlay, 'too many'))).toEqual([409, 'version.too_many'])
  expect(outcome(await publish(overlay))).toEqual([409, 'version.too_many'])
  await addVersions(overlay, 'automatic', 20)
  await api.sql('delete from overlay_versions where overlay_guid = $1 and number < 3', [overlay.guid])
  // Numbers are never used again. The published version that is deleted is not the current one.
  expect((await publish(overlay)).body.number).toBe(121)
  expect((await publish(overlay, { name: 'second' })).body.number).toBe(122)
  expect((await publish(overlay, { name: 'third' })).body.number).toBe(123)
  expect((await heads(overlay)).slice(0, 3)).toEqual([
    [123, 'published', 'third', 'now'],
    [122, 'published', 'second'],
    [120, 'automatic', null],
  ])
  expect(outcome(await keep(overlay, 'too many'))).toEqual([409, 'version.too_many'])
  const pages = []
  for (let before = ''; ; ) {
    const { body } = await api.get(`${overlay.path}/versions?limit=50${before}`, organiser)
    pages.push(body.versions.length)
    if (body.nextCursor === null) break
    before = `&before=${body.nextCursor}`
  }
  expect(pages).toEqual([50, 50, 20])
})

test('a draft becomes what a version was, and what it was before is kept', async () => {
  const overlay = await make()
  await edit(overlay, titled('one'))
  expect((await keep(overlay, 'First')).body).toMatchObject({ number: 1, name: 'First' })
  const revision = await edit(overlay, titled('two'))
  const restored = await restore(overlay, 1)
  expect([restored.status, restored.body]).toEqual([200, { revision: revision + 1, published: null }])
  expect((await api.get(`${overlay.path}/scene`, organiser)).body).toEqual(titled('one'))
  expect(await heads(overlay)).toEqual([
    [2, 'automatic', null],
    [1, 'named', 'First'],
  ])
  const { body } = await api.get(`${overlay.path}/versions/2`, organiser)
  expect([body.document, body.version.by]).toEqual([titled('two'), null])
  // A second restore changes nothing.
  expect((await restore(overlay, 1)).body).toEqual({ revision: revision + 1, published: null })
  expect(outcome(await published(overlay))).toEqual([404, 'overlay.not_published'])
  const shown = await restore(overlay, 2, { publish: true })
  expect(shown.body).toMatchObject({ revision: revision + 2, published: { kind: 'published', current: true } })
  expect((await published(overlay)).body.document).toEqual(titled('two'))
  for (const number of ['99', '0', '01', 'x', '1e1', '99999999999999999999']) {
    expect(outcome(await restore(overlay, number))).toEqual([404, 'version.unknown'])
    expect(outcome(await api.get(`${overlay.path}/versions/${number}`, organiser))).toEqual([404, 'version.unknown'])
  }
  const types = await api.sql<{ type: string }>(
    `select type from event_log where subject = $1 and type not in ('overlay.edited', 'overlay.control_changed') order by seq`,
    [overlay.guid],
  )
  expect(types.map(({ type }) => type)).toEqual([
    ...['overlay.version_kept', 'overlay.restored', 'overlay.restored', 'overlay.published'],
  ])
})

test('processes whose users edit a draft are told when it is replaced or restored, and by the commit', async () => {
  const overlay = await make()
  const listener = await api.app.database.pool.connect()
  const told: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => told.push(payload))
  await listener.query('listen downbeat_scenes')
  try {
    await edit(overlay, titled('one'))
    await expect.poll(() => told, { interval: 20 }).toEqual([overlay.guid])
    await keep(overlay, 'One')
    await edit(overlay, titled('two'))
    await restore(overlay, 1)
    await expect.poll(() => told, { interval: 20 }).toEqual(Array(3).fill(overlay.guid))
    const rows = await api.sql<{ kind: string; connection: null; user: string; revision: number }>(
      'select kind, connection, user_guid as "user", revision from overlay_updates where overlay_guid = $1 order by seq',
      [overlay.guid],
    )
    const by = { kind: 'replace', connection: null, user: organiser.guid }
    expect(rows).toEqual([1, 2, 3].map((revision) => ({ ...by, revision })))
  } finally {
    await listener.query('unlisten downbeat_scenes')
    listener.removeAllListeners('notification')
    listener.release()
  }
})

test('editors keep and restore, publishers publish, staff read, and pages read what is published', async () => {
  const editor = await api.user()
  const overlay = await make({ editors: [editor] })
  await edit(overlay, titled('one'))
  const [staff, referee, stranger] = await Promise.all([
    roleHolder(api, cup, 'role:staff'),
    roleHolder(api, cup, 'role:referee'),
    api.user(),
  ])
  const tried = async (as: Caller) => [
    outcome(await keep(overlay, 'Kept', as)),
    outcome(await api.get(`${overlay.path}/versions`, as)),
    outcome(await api.get(`${overlay.path}/versions/1`, as)),
    outcome(await restore(overlay, 1, {}, as)),
    outcome(await restore(overlay, 1, { publish: true }, as)),
    outcome(await publish(overlay, {}, as)),
    outcome(await published(overlay, as)),
  ]
  const [done, made, missing, unknown] = [
    [200, null],
    [201, null],
    [403, 'role.missing'],
    [404, 'overlay.unknown'],
  ]
  expect(await tried(staff)).toEqual([made, done, done, done, done, done, done])
  expect(await tried(editor)).toEqual([made, done, done, done, missing, missing, done])
  expect(await tried(referee)).toEqual([missing, done, done, missing, missing, missing, done])
  expect(await tried(stranger)).toEqual(Array(7).fill(unknown))
  expect(outcome(await published(overlay, null))).toEqual(unknown)
  await api.sql(`update overlays set access = 'public' where guid = $1`, [overlay.guid])
  expect(outcome(await published(overlay, null))).toEqual([200, null])
  expect(outcome(await api.get(`${overlay.path}/versions`, stranger))).toEqual(missing)
})

test('publishing a document without the shown scene shows the first one', async () => {
  const overlay = await make()
  const second = { ...documentWith().scenes.scene001, name: 'Second', order: 'A' } as SceneDocument['scenes'][string]
  await publish(overlay)
  const sceneOf = async () =>
    (await api.sql('select scene, revision from overlay_controls where overlay_guid = $1', [overlay.guid]))[0]
  const { scene001: first } = documentWith().scenes
  await edit(overlay, { ...documentWith(), scenes: { scene001: first as never, scene002: second } })
  await publish(overlay)
  expect(await sceneOf()).toEqual({ scene: 'scene001', revision: 1 })
  await edit(overlay, { ...documentWith(), scenes: { scene003: first as never, scene002: second } })
  await publish(overlay)
  expect(await sceneOf()).toEqual({ scene: 'scene002', revision: 2 })
})
