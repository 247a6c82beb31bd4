import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { documentWith, elementOf, idOf } from '../../../../test/scene-documents.ts'
import { type MadeOverlay, makeOverlay, putScene, storedOf } from '../../../../test/scene-drafts.ts'
import { canonicalJson } from '../../../core/canonical-json.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { openDraft } from '../sceneDocuments/commands/replacing.ts'
import { digestOfText } from '../sceneDocuments/rules/digest.ts'
import { StoredDraft } from '../sceneDocuments/rules/judging.ts'
import { appendUpdates, lockDraft } from '../sceneDocuments/store/updates.ts'
import { scenesJobs } from './jobs.ts'

/** Scheduled work on drafts: automatic versions, and compaction of stored updates. (overlays: Co-editing) */

let api: Harness
let second: Harness
let organiser: Caller
let cup: Awaited<ReturnType<typeof makeTournament>>
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

const titled = (text: string) => documentWith({ element01: elementOf({ props: { text } }) })
const make = (document: SceneDocument = titled('made')) => makeOverlay(api, cup, organiser, { document })
const edit = async (overlay: MadeOverlay, document: SceneDocument) =>
  expect((await putScene(api, overlay, organiser, document)).status).toBe(200)
const read = async (overlay: MadeOverlay) => (await api.get(`${overlay.path}/scene`, organiser)).body
const versions = async (overlay: MadeOverlay) =>
  (await api.get(`${overlay.path}/versions`, organiser)).body.versions as { number: number; kind: string }[]
const age = (overlay: MadeOverlay, columns: string) =>
  api.sql(`update overlay_drafts set ${columns} where overlay_guid = $1`, [overlay.guid])
const soon = { interval: 50 }

/** Edits like an editor with a socket: one row for each edit. */
async function editBySocket(overlay: MadeOverlay, texts: readonly string[]): Promise<void> {
  await api.app.database.transaction(async (tx) => {
    const draft = await lockDraft(tx, overlay.guid)
    if (draft === undefined) throw new Error('there is no such draft')
    const stored = await openDraft(tx, draft)
    const updates = texts.map((text, index) => stored.changeInto(titled(text), 5_000 + index) as Uint8Array)
    const text = canonicalJson(stored.document)
    await appendUpdates(
      tx,
      draft,
      updates.map((data) => ({ kind: 'edit', data, connection: null, userGuid: organiser.guid })),
      {
        digest: digestOfText(text),
        jsonBytes: text.length,
        canvas: stored.document.canvas,
        by: organiser.guid,
        now: new Date(),
        isNoted: false,
      },
    )
  })
}

test('what was edited is kept ten minutes after the first edit that no version holds, once', async () => {
  const [edited, recent, same] = [await make(), await make(), await make()]
  await edit(edited, titled('edited'))
  await edit(recent, titled('recent'))
  await api.post(`${same.path}/versions`, organiser, { name: 'Kept' })
  await edit(same, titled('other'))
  await edit(same, titled('made'))
  await age(recent, `edited_since = now() - interval '9 minutes'`)
  await Promise.all([edited, same].map((overlay) => age(overlay, `edited_since = now() - interval '10 minutes'`)))
  await expect.poll(async () => (await storedOf(api, edited)).editedSince, soon).toBeNull()
  await expect.poll(async () => (await storedOf(api, same)).editedSince, soon).toBeNull()
  expect(await versions(edited)).toMatchObject([{ number: 1, kind: 'automatic', name: null, by: null, current: false }])
  expect((await api.get(`${edited.path}/versions/1`, organiser)).body.document).toEqual(titled('edited'))
  expect(await versions(same)).toMatchObject([{ number: 1, kind: 'named' }])
  expect(await versions(recent)).toEqual([])
  expect((await storedOf(api, recent)).editedSince).not.toBeNull()

  // The oldest automatic version is deleted. A version that a user saves makes an automatic one unnecessary.
  for (let index = 0; index < 3; index++) {
    await edit(edited, titled(`edited ${index}`))
    await age(edited, `edited_since = now() - interval '10 minutes', next_version = next_version + 20`)
    await expect.poll(async () => (await storedOf(api, edited)).editedSince, soon).toBeNull()
  }
  expect((await versions(edited)).map(({ number }) => number)).toEqual([64, 43, 22, 1])
  await edit(recent, titled('more'))
  await api.post(`${recent.path}/versions`, organiser, { name: 'By hand' })
  expect((await storedOf(api, recent)).editedSince).toBeNull()
})

test('twenty automatic versions stay', async () => {
  const overlay = await make()
  await api.sql(
    `insert into overlay_versions (overlay_guid, number, kind, bytes, digest, document)
     select $1, n, 'automatic', 100, sha256(n::text::bytea), $2 from generate_series(1, 20) n`,
    [overlay.guid, JSON.stringify(titled('old'))],
  )
  await edit(overlay, titled('new'))
  await age(overlay, `edited_since = now() - interval '1 day', next_version = 21`)
  await expect.poll(async () => (await versions(overlay))[0]?.number, soon).toBe(21)
  expect((await versions(overlay)).map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => 21 - n))
})

test('updates become one state at 200 rows, at 256 KiB, or after five idle minutes', async () => {
  const [many, large, idle, few] = [await make(), await make(), await make(), await make()]
  const own = await makeMedia(api, 'overlay_image', { tournament: cup })
  await editBySocket(
    many,
    Array.from({ length: 200 }, (_, index) => `text ${index}`),
  )
  await edit(
    large,
    documentWith(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, at) => [idOf(at), elementOf({ props: { text: 'x'.repeat(1_500) } })]),
      ),
    ),
  )
  await edit(few, titled('few'))
  await edit(idle, documentWith({ element01: elementOf({ type: 'image', props: { media: own.guid } }) }))
  // Simulates a medium that was added by an edit over a socket, which is not searched for media.
  await api.sql('delete from media_usages where media_guid = $1', [own.guid])
  await age(idle, `updated_at = now() - interval '5 minutes'`)
  const documents = await Promise.all([many, large, idle].map(read))
  for (const overlay of [many, large, idle]) {
    await expect.poll(async () => (await storedOf(api, overlay)).pendingCount, soon).toBe(0)
    const { seq, stateSeq, pendingBytes, rows } = await storedOf(api, overlay)
    expect([stateSeq, pendingBytes, rows]).toEqual([seq, 0, 0])
  }
  expect(await Promise.all([many, large, idle].map(read))).toEqual(documents)
  expect(await usesOf(api, own)).toMatchObject({ uses: ['overlay.draft'] })
  expect(await storedOf(api, few)).toMatchObject({ pendingCount: 1, rows: 1, stateSeq: '0' })
  // Editors continue after the compaction with the document that they have.
  await editBySocket(many, ['later'])
  expect((await read(many)).scenes.scene001.elements.element01.props.text).toBe('later')
})

test('a draft that is read while it is put together is whole', async () => {
  const overlay = await make()
  const texts = new Set(['made'])
  let isOver = false
  const reading = async (from: Harness) => {
    let last = 0
    while (!isOver) {
      const { body } = await from.get(`${overlay.path}/scene`, organiser)
      const { text } = body.scenes.scene001.elements.element01.props
      expect(texts.has(text)).toBe(true)
      const at = text === 'made' ? 0 : Number(text)
      expect(at).toBeGreaterThanOrEqual(last)
      last = at
    }
  }
  const writing = async () => {
    for (let index = 1; index <= 60; index += 2) {
      texts.add(`${index}`).add(`${index + 1}`)
      await editBySocket(overlay, [`${index}`, `${index + 1}`])
      if (index % 6 === 1) await age(overlay, `pending_count = 200`)
    }
    isOver = true
  }
  await Promise.all([reading(api), reading(second), writing()])
  expect((await read(overlay)).scenes.scene001.elements.element01.props.text).toBe('60')
})

test('what consists mostly of what was deleted is made anew, once nobody was there for ten minutes', async () => {
  const [overlay, watched, small] = [await make(), await make(), await make()]
  for (const each of [overlay, watched]) {
    const [row] = await api.sql<{ state: Buffer }>('select state from overlay_drafts where overlay_guid = $1', [
      each.guid,
    ])
    const stored = new StoredDraft([row?.state as Buffer])
    // Yjs does not merge items of different clients.
    for (let index = 0; index < 300; index++) stored.changeInto(titled(`text ${index}`), 10_000 + index * 7)
    stored.changeInto(titled('made'), 9_999)
    await age(each, `updated_at = now() - interval '1 hour'`)
    await api.sql('update overlay_drafts set state = $2 where overlay_guid = $1', [
      ...[each.guid, Buffer.from(stored.compact())],
    ])
  }
  await age(watched, `present_at = now() - interval '9 minutes'`)
  await age(small, `updated_at = now() - interval '1 hour'`)
  await api.sql(
    `insert into overlay_client_leases (overlay_guid, generation, client, user_guid, expires_at)
     values ($1, 1, 4711, $2, now() + interval '1 day')`,
    [overlay.guid, organiser.guid],
  )
  const before = await storedOf(api, overlay)
  const [job] = scenesJobs
  const { database, services, clients } = api.app
  await job?.run({}, { database, services, clients, now: () => new Date() } as never)
  const after = await storedOf(api, overlay)
  expect(after).toMatchObject({ generation: 2, revision: before.revision })
  expect(after.stateBytes).toBeLessThan(before.stateBytes / 4)
  expect(await read(overlay)).toEqual(titled('made'))
  expect(await api.sql('select from overlay_client_leases where overlay_guid = $1', [overlay.guid])).toEqual([])
  expect((await storedOf(api, watched)).generation).toBe(1)
  expect((await storedOf(api, small)).generation).toBe(1)
  await edit(overlay, titled('goes on'))
  expect(await read(overlay)).toEqual(titled('goes on'))
})
