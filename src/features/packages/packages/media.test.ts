import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { digestOf, formOf, picture, upload } from '../../../../test/media.ts'
import { signedBy, takePackage, unpacked } from '../../../../test/package-imports.ts'
import { contentOf, fileOf, rowsIn, textsOf } from '../../../../test/packages.ts'

/** Media of a package are what the service itself writes, or are written anew. (P6) */

let first: Harness
let next: Harness
let owner: Caller
let cup: MadeTournament
let original: Buffer
let banner: Buffer
let asked = 0
const listener = createServer((_request, reply) => {
  asked++
  reply.end()
})
beforeAll(async () => {
  ;[first, next] = await Promise.all([startHarness(), startHarness()])
  owner = await next.user({ globalRoles: ['role:owner'] })
  const organiser = await first.user()
  cup = await makeTournament(first, organiser)
  banner = await picture({ width: 1200, height: 400 })
  const sent = await upload(first, organiser, banner, { kind: 'tournament_banner', tournament: cup.guid })
  expect(outcome(sent)).toEqual([201, null])
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  await first.sql('update tournaments set image_url = $2 where guid = $1', [
    ...[cup.guid, `http://127.0.0.1:${port}/picture.png`],
  ])
  original = await takePackage(first, cup.guid, organiser)
})
afterAll(async () => {
  listener.close()
  await Promise.all([first, next].map((each) => each[Symbol.asyncDispose]()))
})

/** The package with another file in the place of its only medium. */
async function withFile(content: Buffer, by: Harness = next): Promise<Buffer> {
  const sha256 = digestOf(content)
  const { files, about } = await unpacked(original, {
    media: (rows) => rows.map((row) => ({ ...row, digest: sha256, bytes: content.byteLength })),
  })
  const others = files.filter(({ path }) => !path.startsWith('media/'))
  const key = await by.app.services.keys.packages.current(new Date())
  return signedBy(key, { files: [...others, fileOf(`media/${sha256}.webp`, content)], about })
}

const bring = (file: Uint8Array, parts: Readonly<Record<string, string>>) =>
  next.call('POST', '/tournaments/import', { as: owner, ...formOf(file, parts) })

/** The file of the only medium of a package. */
async function mediumIn(bytes: Uint8Array): Promise<Buffer> {
  const [, content] = (await contentOf(bytes)).find(([at]) => at.startsWith('media/')) ?? []
  return Buffer.from(content ?? '')
}

/** What the service now has in the place of the medium. */
async function broughtAs(guid: string): Promise<Buffer> {
  const taken = await takePackage(next, guid, owner)
  const content = await mediumIn(taken)
  expect(rowsIn(await textsOf(taken), 'media')).toMatchObject([
    { digest: digestOf(content), bytes: content.byteLength, type: 'image/webp', width: 1200, height: 400 },
  ])
  return content
}

const mark = 'Zq7secret'
const plain = () => sharp(banner).webp({ lossless: true, effort: 0 }).toBuffer()
const described = () =>
  sharp(banner)
    .withExif({ IFD0: { Copyright: mark } })
    .webp({ lossless: true, effort: 0 })
    .toBuffer()

test('a picture of a trusted package stays byte for byte, unless it holds more than the picture', async () => {
  const own = await plain()
  expect(own.equals(await mediumIn(original))).toBe(false)
  const kept = await bring(await withFile(own), { mode: 'copy', id: 'kept' })
  expect([outcome(kept), kept.body.changed]).toEqual([[201, null], []])
  expect((await broughtAs(kept.body.tournament.guid)).equals(own)).toBe(true)

  const whole = await described()
  expect(whole.includes(mark)).toBe(true)
  const cleaned = await bring(await withFile(whole), { mode: 'copy', id: 'cleaned' })
  const path = `media/${digestOf(whole)}.webp`
  expect([outcome(cleaned), cleaned.body.changed]).toEqual([[201, null], [{ path, why: 'encoded anew' }]])
  expect((await broughtAs(cleaned.body.tournament.guid)).includes(mark)).toBe(false)
})

test('a picture of a signer whom nobody knows is written anew in a copy, and stays where it is trusted by word', async () => {
  const own = await plain()
  const foreign = await withFile(own, first)
  const copied = await bring(foreign, { mode: 'copy', id: 'foreign' })
  const path = `media/${digestOf(own)}.webp`
  expect([outcome(copied), copied.body.changed]).toEqual([[201, null], [{ path, why: 'encoded anew' }]])
  expect((await broughtAs(copied.body.tournament.guid)).equals(own)).toBe(false)

  // What does not fit is refused before it is kept.
  await next.sql('insert into media_quotas (guid, used_bytes, used_files) values ($1, $2, 1)', [cup.guid, 2 ** 40])
  const restore = () => bring(foreign, { mode: 'restore', trust: 'true' })
  expect(outcome(await restore())).toEqual([409, 'media.quota_exceeded'])
  await next.sql('delete from media_quotas where guid = $1', [cup.guid])
  const restored = await restore()
  expect([outcome(restored), restored.body.changed]).toEqual([[201, null], []])
  expect((await broughtAs(cup.guid)).equals(own)).toBe(true)
  const quota = await next.sql(
    'select used_bytes::int as bytes, used_files as files from media_quotas where guid = $1',
    [cup.guid],
  )
  expect(quota).toEqual([{ bytes: own.byteLength, files: 1 }])
})

test('a file that is no picture is refused with its row; no address is asked because a package names it', async () => {
  const { status, body } = await bring(await withFile(Buffer.from('a picture, honestly')), { mode: 'copy', id: 'none' })
  expect([status, body]).toMatchObject([400, { path: 'data/media.ndjson', line: 1, member: 'digest' }])
  expect(asked).toBe(0)
})
