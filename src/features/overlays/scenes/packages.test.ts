import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { picture, upload } from '../../../../test/media.ts'
import { videoIn, woff2 } from '../../../../test/media-files.ts'
import { documentWith, elementOf } from '../../../../test/scene-documents.ts'
import { assetsOf, withAssets } from '../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { createDraft } from '../sceneDocuments/commands/drafts.ts'
import { readDraft } from '../sceneDocuments/queries.ts'

/** Packages of overlays: export and import, and hostile packages. (overlays: 10.6) */

let api: Harness
let organiser: Caller
let cup: MadeTournament
let other: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  ;[cup, other] = await Promise.all([makeTournament(api, organiser), makeTournament(api, organiser)])
})
afterAll(() => api[Symbol.asyncDispose]())

async function makeOverlay(tournament = cup, document: SceneDocument = documentWith()) {
  const [row] = await api.sql<{ guid: string }>(
    'insert into overlays (tournament_guid, name) values ($1, $2) returning guid',
    [tournament.guid, randomUUID().slice(0, 12)],
  )
  const guid = row?.guid as string
  const { database } = api.app
  await database.transaction((tx) => createDraft(tx, guid, document, { by: organiser.guid, now: new Date() }))
  return { guid, path: `/tournaments/${tournament.id}/overlays/${guid}/package` }
}
type MadeOverlay = Awaited<ReturnType<typeof makeOverlay>>

const draftOf = async ({ guid }: MadeOverlay) => (await readDraft(api.app.database.db, guid))?.document
const types = { overlay_image: 'image/png', overlay_video: 'video/webm', overlay_font: 'font/woff2' }

const assetOf = (media: string, kind: keyof typeof types, file: Uint8Array, over: object = {}) => ({
  media,
  name: kind,
  kind,
  type: types[kind],
  data: Buffer.from(file).toString('base64'),
  ...over,
})
const packageOf = (document: unknown, assets: readonly object[] = [], over: object = {}) => ({
  format: 'downbeat-overlay',
  version: 1,
  document,
  assets,
  ...over,
})

/** Sends the package, and repeats it if the service answers that it is busy. */
async function send(overlay: MadeOverlay, body: unknown, { as = organiser, query = '?rightsConfirmed=true' } = {}) {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  for (;;) {
    const reply = await api.call('POST', overlay.path + query, { as, raw, headers })
    if (reply.status !== 503) return reply
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const mediaOf = (tournament: MadeTournament) =>
  api.sql<{ guid: string; kind: string; name: string; has_rights_confirmed: boolean }>(
    'select guid, kind, name, has_rights_confirmed from media where tournament_guid = $1 order by kind, name',
    [tournament.guid],
  )

const [image, video, font, fallback] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
const showing: SceneDocument = {
  ...documentWith({
    picture01: elementOf({ type: 'image', props: { media: image } }),
    video0001: elementOf({ type: 'video', props: { media: video } }),
    stream001: elementOf({ type: 'stream', props: { side: 1, fallback } }),
    title0001: elementOf({ props: { text: '  as it   was sent ', font: 'Given' } }),
  }),
  fonts: { given: { family: 'Given', media: font } },
}

async function wholePackage() {
  return packageOf(showing, [
    assetOf(image, 'overlay_image', await picture(), { name: 'Logo' }),
    assetOf(fallback, 'overlay_image', await picture({ format: 'jpeg' }), { type: 'image/jpeg' }),
    assetOf(video, 'overlay_video', await videoIn('webm')),
    assetOf(font, 'overlay_font', woff2()),
  ])
}

test('there and back it is the same, and elsewhere the same with media of its own', async () => {
  const [first, second, elsewhere] = await Promise.all([makeOverlay(), makeOverlay(), makeOverlay(other)])
  const given = await wholePackage()
  const reply = await send(first, given)
  expect(outcome(reply)).toEqual([200, null])
  expect(reply.body.revision).toBe(1)
  const names = (taken: Reply) =>
    new Map<string, string>(taken.body.media.map((each: { given: string; guid: string }) => [each.given, each.guid]))
  const made = names(reply)
  expect([...made.keys()].sort()).toEqual([image, video, font, fallback].sort())
  expect(await draftOf(first)).toEqual(withAssets(showing, made))
  const kept = await mediaOf(cup)
  expect(kept.map(({ kind, name, has_rights_confirmed: rights }) => [kind, name, rights])).toEqual([
    ['overlay_font', 'overlay_font', true],
    ['overlay_image', 'Logo', true],
    ['overlay_image', 'overlay_image', true],
    ['overlay_video', 'overlay_video', true],
  ])

  const used = await api.sql<{ media: string; field: string }>(
    'select media_guid as media, field from media_usages where subject_guid = $1',
    [first.guid],
  )
  expect(new Set(used.map(({ media, field }) => `${field} ${media}`))).toEqual(
    new Set(kept.map(({ guid }) => `draft ${guid}`)),
  )

  const file = await api.get(first.path, organiser)
  expect(outcome(file)).toEqual([200, null])
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="overlay-${first.guid}.json"`)
  expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(file.headers.get('cache-control')).toBe('no-store')
  const packed = JSON.parse(file.text)
  expect(packed).toMatchObject({ format: 'downbeat-overlay', version: 1, document: withAssets(showing, made) })
  for (const { media, data } of packed.assets as { media: string; data: string }[]) {
    const { url } = (await api.get(`/media/${media}`, organiser)).body
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64')).toBe(data)
  }

  // The package adds no media, neither to its own overlay nor to another one of the tournament.
  expect((await send(first, packed, { query: '' })).body.revision).toBe(1)
  const again = await send(second, file.text, { query: '' })
  expect(outcome(again)).toEqual([200, null])
  expect(await draftOf(second)).toEqual(await draftOf(first))
  expect(await mediaOf(cup)).toEqual(kept)
  // The same uploads give the same media.
  expect(names(await send(second, given))).toEqual(made)
  expect(await mediaOf(cup)).toEqual(kept)

  const moved = await send(elsewhere, packed)
  expect(outcome(moved)).toEqual([200, null])
  const there = await mediaOf(other)
  expect(there).toHaveLength(4)
  expect(await draftOf(elsewhere)).toEqual(withAssets(packed.document, names(moved)))
  expect(new Set(names(moved).values())).toEqual(new Set(there.map(({ guid }) => guid)))
})

test('videos and fonts that are new need their rights confirmed', async () => {
  const overlay = await makeOverlay()
  const document = { ...documentWith(), fonts: { given: { family: 'Given', media: font } } }
  const given = packageOf(document, [assetOf(font, 'overlay_font', woff2({ tables: { glyx: Buffer.alloc(9) } }))])
  expect(outcome(await send(overlay, given, { query: '' }))).toEqual([400, 'media.field_missing'])
  expect(outcome(await send(overlay, given))).toEqual([200, null])
})

test('each asset that is refused is named, and then nothing is taken', async () => {
  const overlay = await makeOverlay()
  const before = await mediaOf(cup)
  const good = await picture()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const files: readonly [name: string, kind: keyof typeof types, file: Uint8Array][] = [
    ['a drawing', 'overlay_image', svg],
    ['a page', 'overlay_image', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a font that is a picture', 'overlay_font', good],
    ['a picture that is a font', 'overlay_image', woff2()],
    ['a film that is a picture', 'overlay_video', good],
    ['half a picture', 'overlay_image', good.subarray(0, good.length / 2)],
    ['good', 'overlay_image', good],
  ]
  const assets = files.map(([name, kind, file]) => assetOf(randomUUID(), kind, file, { name }))
  const elements = Object.fromEntries(
    assets.map(({ media }, index) => [`element0${index}`, elementOf({ type: 'image', props: { media } })]),
  )
  const refused = await send(overlay, packageOf(documentWith(elements), assets))
  expect(outcome(refused)).toEqual([400, 'package.invalid'])
  expect(refused.body.faults.map(({ name }: { name: string }) => name)).toEqual(
    files.map(([name]) => name).filter((name) => name !== 'good'),
  )
  expect(refused.body.faults[0]).toMatchObject({ pointer: '/assets/0/data' })

  const one = (over: object) => {
    const asset = { ...assetOf(image, 'overlay_image', good, { name: 'Logo' }), ...over }
    return send(
      overlay,
      packageOf(documentWith({ e0000001: elementOf({ type: 'image', props: { media: image } }) }), [asset]),
    )
  }
  for (const over of [
    { type: 'image/svg+xml' },
    { name: '<img src=x onerror=alert(1)>' },
    { kind: 'avatar' },
    { data: 'no base64' },
    { data: Buffer.alloc(17 * 1024 * 1024, 1).toString('base64') },
  ]) {
    const reply = await one(over)
    expect(outcome(reply)).toEqual([400, 'package.invalid'])
    expect(reply.body.faults[0].name).toBe('name' in over ? image : 'Logo')
  }
  expect(await mediaOf(cup)).toEqual(before)
  expect(await draftOf(overlay)).toEqual(documentWith())
  const incoming = path.join(api.app.config.dataDir, 'media', 'incoming')
  await expect.poll(() => readdir(incoming)).toEqual([])
})

test('media of others are neither shown by naming them nor handed out', async () => {
  const stranger = await api.user()
  const theirs = await makeTournament(api, stranger)
  const sent = await upload(api, stranger, await picture(), { kind: 'overlay_image', tournament: theirs.id })
  const foreign = sent.body.guid as string
  const document = documentWith({ e0000001: elementOf({ type: 'image', props: { media: foreign } }) })
  const overlay = await makeOverlay()
  const refused = await send(overlay, packageOf(document))
  expect(outcome(refused)).toEqual([400, 'package.invalid'])
  expect(refused.body.faults).toEqual([expect.objectContaining({ name: foreign })])

  // A draft may name missing media; a package with them would give out media of others.
  const naming = await makeOverlay(cup, document)
  const reply = await api.get(naming.path, organiser)
  expect(outcome(reply)).toEqual([409, 'scene.asset_missing'])
  expect(reply.body.missing).toEqual([foreign])
  expect(reply.text).not.toContain(theirs.guid)
})

test('bodies that are no packages are refused without harm', async () => {
  const overlay = await makeOverlay()
  const deep = '['.repeat(5_000_000)
  const wide = `[${'{},'.repeat(5_000_000)}{}]`
  const open = packageOf(documentWith())
  const cases: readonly (readonly [string | Uint8Array, number, string])[] = [
    ['', 400, 'request.malformed'],
    ['{', 400, 'request.malformed'],
    ['[]', 400, 'package.invalid'],
    [deep, 400, 'request.malformed'],
    [wide, 400, 'request.malformed'],
    [Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]), 400, 'request.malformed'],
    ['{"__proto__":{"format":"downbeat-overlay"}}', 400, 'package.invalid'],
    [JSON.stringify({ ...open, script: 'alert(1)' }), 400, 'package.invalid'],
    [JSON.stringify(packageOf({ ...documentWith(), schemaVersion: 2 })), 400, 'scene.version'],
    [JSON.stringify(packageOf({ ...documentWith(), canvas: {} })), 400, 'scene.invalid'],
    [Buffer.alloc(32 * 1024 * 1024 + 1, 0x20), 413, 'request.too_large'],
  ]
  for (const [body, status, code] of cases) expect(outcome(await send(overlay, body))).toEqual([status, code])
  const typed = await api.call('POST', overlay.path, {
    as: organiser,
    raw: '<a/>',
    headers: { 'content-type': 'text/xml' },
  })
  expect(outcome(typed)).toEqual([415, 'request.unsupported_type'])
  expect(await draftOf(overlay)).toEqual(documentWith())
  // A body of the maximum size, which consists mostly of spaces.
  const full = JSON.stringify(packageOf(documentWith()))
  expect(outcome(await send(overlay, full.padEnd(32 * 1024 * 1024)))).toEqual([200, null])
})

test('where there is no room nothing is left behind', async () => {
  const [small, overlay] = [await makeTournament(api, organiser), {} as MadeOverlay]
  Object.assign(overlay, await makeOverlay(small))
  await api.sql('insert into media_quotas (guid, used_files) values ($1, 1999)', [small.guid])
  const [one, two] = [randomUUID(), randomUUID()]
  const document = documentWith({
    e0000001: elementOf({ type: 'image', props: { media: one } }),
    e0000002: elementOf({ type: 'image', props: { media: two } }),
  })
  const files = await Promise.all([picture(), picture()])
  const given = packageOf(document, [assetOf(one, 'overlay_image', files[0]), assetOf(two, 'overlay_image', files[1])])
  expect(outcome(await send(overlay, given))).toEqual([409, 'media.quota_exceeded'])
  expect(await mediaOf(small)).toEqual([])
  expect(await draftOf(overlay)).toEqual(documentWith())
})

test('an overlay is made from a package, of which texts stay as they are', async () => {
  const place = await makeTournament(api, organiser)
  const path = `/tournaments/${place.id}/overlays`
  const given = await wholePackage()
  const whole = { name: ' From  a package ', rightsConfirmed: true, package: given }
  const refused: readonly (readonly [body: object, outcome: [number, string]])[] = [
    [{ ...whole, template: 'duel' }, [400, 'overlay.two_beginnings']],
    [{ ...whole, name: '' }, [400, 'request.invalid']],
    [{ ...whole, name: 1 }, [400, 'request.invalid']],
    [{ package: given }, [400, 'request.invalid']],
    [{ ...whole, rightsConfirmed: false }, [400, 'media.field_missing']],
    [{ ...whole, package: { ...given, assets: [] } }, [400, 'package.invalid']],
    [{ ...whole, package: null }, [400, 'package.invalid']],
    [[], [400, 'request.malformed']],
  ]
  for (const [body, expected] of refused) expect(outcome(await api.post(path, organiser, body))).toEqual(expected)
  expect(await mediaOf(place)).toEqual([])

  const made = await api.post(path, organiser, whole)
  expect(outcome(made)).toEqual([201, null])
  expect(made.body.name).toBe('From a package')
  const kept = await mediaOf(place)
  expect(kept).toHaveLength(4)
  const draft = await draftOf({ guid: made.body.guid, path: '' })
  expect(draft?.scenes.scene001?.elements.title0001?.props).toEqual({ text: '  as it   was sent ', font: 'Given' })
  expect(assetsOf(draft as SceneDocument)).toEqual(kept.map(({ guid }) => guid).sort())
  const used = await api.sql('select distinct media_guid from media_usages where subject_guid = $1', [made.body.guid])
  expect(used).toHaveLength(4)
  // A refused name leaves no media behind. Without a package, an overlay is created as before.
  const again = {
    ...whole,
    package: packageOf(documentWith({ picture01: elementOf({ type: 'image', props: { media: image } }) }), [
      assetOf(image, 'overlay_image', await picture()),
    ]),
  }
  expect(outcome(await api.post(path, organiser, again))).toEqual([409, 'overlay.name_taken'])
  expect(await mediaOf(place)).toEqual(kept)
  expect(outcome(await api.post(path, organiser, { name: 'Plain' }))).toEqual([201, null])
})

test('packages are for the editors of the overlay', async () => {
  const overlay = await makeOverlay()
  const [hcaster, caster, named, outsider] = await Promise.all([
    roleHolder(api, cup, 'role:hcaster'),
    roleHolder(api, cup, 'role:caster'),
    api.user(),
    api.user(),
  ])
  await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [overlay.guid, named.guid])
  const given = packageOf(documentWith())
  const asked = async (as: Caller) => [
    outcome(await api.get(overlay.path, as)),
    outcome(await send(overlay, given, { as })),
  ]
  expect(await asked(hcaster)).toEqual([
    [200, null],
    [200, null],
  ])
  expect(await asked(named)).toEqual([
    [200, null],
    [200, null],
  ])
  expect(await asked(caster)).toEqual([
    [403, 'role.missing'],
    [403, 'role.missing'],
  ])
  expect(await asked(outsider)).toEqual([
    [404, 'overlay.unknown'],
    [404, 'overlay.unknown'],
  ])
  await api.sql(`update overlays set access = 'public' where guid = $1`, [overlay.guid])
  expect(await asked(outsider)).toEqual([
    [403, 'role.missing'],
    [403, 'role.missing'],
  ])
})
