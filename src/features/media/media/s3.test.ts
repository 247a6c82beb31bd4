import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeS3, startFakeS3 } from '../../../../test/fakes/s3.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, run } from '../../../../test/kernel/service.ts'
import { makeTournament } from '../../../../test/make.ts'
import { digestOf, picture, upload } from '../../../../test/media.ts'
import { noise } from '../../../../test/media-files.ts'
import { readConfig } from '../../../config.ts'
import { FileStorage } from '../../../infra/storage/files.ts'
import { objectName, variantName } from '../../../infra/storage/storage.ts'
import { sweep } from './commands/sweeping.ts'

/** Media in a bucket, from the upload to the sweep, against a test double of S3 on this machine. (M15, M21) */

const folder = mkdtempSync(path.join(tmpdir(), 'left-'))
let double: FakeS3
/** The configuration, as an operator sets it. */
let bucketEnv: Env
let api: Harness
let ada: Caller
// biome-ignore lint/suspicious/noExplicitAny: an answer; each test reads the members that it checks.
let small: any
// biome-ignore lint/suspicious/noExplicitAny: the same.
let large: any
beforeAll(async () => {
  double = await startFakeS3()
  const { accessKeyId, secretAccessKey } = double.credentials
  bucketEnv = {
    MEDIA_S3_ENDPOINT: double.endpoint,
    MEDIA_S3_BUCKET: double.bucket,
    MEDIA_S3_ACCESS_KEY_ID: accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  api = await startWith(bucketEnv)
  ada = await api.user()
  const cup = await makeTournament(api, ada)
  small = (await upload(api, ada, await picture({ width: 300, height: 300 }))).body
  const grain = await noise(900, 600).png().toBuffer()
  large = (await upload(api, ada, grain, { kind: 'update_image', tournament: cup.id })).body
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await double[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function startWith(env: Env): Promise<Harness> {
  const { port, publicUrl, media } = readConfig({ PORT: String(await freePort()), ...env })
  return startHarness({ port, publicUrl, media })
}

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())
const keptIn = (digest: string) => api.app.services.storage.head(objectName(digest))

test('what was uploaded is in the bucket, and comes whole and in parts', async () => {
  expect(large.bytes).toBeGreaterThan(300_000)
  for (const medium of [small, large]) {
    expect(await keptIn(medium.digest)).toEqual({ bytes: medium.bytes })
    const reply = await fetch(medium.url)
    const whole = await bytesOf(reply)
    expect([reply.status, whole.length, digestOf(whole)]).toEqual([200, medium.bytes, medium.digest])
    const last = medium.bytes - 1
    for (const [asked, from, to] of [
      ['bytes=4-11', 4, 11],
      ['bytes=-5', last - 4, last],
      [`bytes=${last}-`, last, last],
      ['bytes=1-99999999', 1, last],
    ] as const) {
      const part = await fetch(medium.url, { headers: { range: asked } })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${medium.bytes}`])
      expect((await bytesOf(part)).equals(whole.subarray(from, to + 1)), asked).toBe(true)
    }
    expect((await fetch(medium.url, { headers: { range: `bytes=${medium.bytes}-` } })).status).toBe(416)
    const head = await fetch(medium.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(medium.bytes)])
  }
  // The service's own folder contains none of the objects.
  const files = new FileStorage(path.join(api.app.config.dataDir, 'media'))
  for (const { digest } of [small, large]) expect(await files.head(objectName(digest))).toBeNull()
})

test('smaller files are made once, and kept in the bucket', async () => {
  for (const [medium, name, width] of [
    [small, '128.png', 128],
    [large, '512.jpeg', 512],
  ] as const) {
    const reply = await fetch(medium.url.replace('full.webp', name))
    const made = await bytesOf(reply)
    expect([reply.status, (await sharp(made).metadata()).width]).toEqual([200, width])
    expect(await api.app.services.storage.head(variantName(medium.digest, name))).toEqual({ bytes: made.length })
  }
})

test('a deletion ends delivery at once and empties the bucket of what nobody names, which the sweep does too', async () => {
  const medium = (await upload(api, ada, await picture({ width: 200, height: 200 }))).body
  const variant = medium.url.replace('full.webp', '64.png')
  expect([(await fetch(medium.url)).status, (await fetch(variant)).status]).toEqual([200, 200])
  expect((await api.delete(`/media/${medium.guid}`, ada)).status).toBe(204)
  expect([(await fetch(medium.url)).status, (await fetch(variant)).status]).toEqual([404, 404])
  const { database, services, config } = api.app
  const parts = { database, storage: services.storage, incoming: path.join(config.dataDir, 'media', 'nowhere') }
  await expect.poll(() => keptIn(medium.digest), { timeout: 20_000 }).toBeNull()
  expect(await services.storage.head(variantName(medium.digest, '64.png'))).toBeNull()
  // The remains of a process that died.
  const left = randomBytes(100)
  const file = path.join(folder, 'left')
  await writeFile(file, left)
  await services.storage.put(objectName(digestOf(left)), file, { bytes: 100, digest: digestOf(left), headers: {} })
  // Otherwise the sweep would also delete the unused uploads.
  await api.sql(`update media set unused_since = now() + interval '10 days' where guid in ($1, $2)`, [
    small.guid,
    large.guid,
  ])
  expect(await sweep({ ...parts, now: new Date() })).toMatchObject({ objects: 0 })
  await sweep({ ...parts, now: new Date(Date.now() + 2 * 86_400_000) })
  expect(await keptIn(digestOf(left))).toBeNull()
  expect(await keptIn(small.digest)).toEqual({ bytes: small.bytes })
})

test('all is moved between files and bucket, again where it was ended, and checked to the byte', async () => {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const own = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn' }
  const media = async (env: Env, ...args: string[]) => {
    const { code, stdout } = await run(['media', ...args], { ...own, ...env })
    return [code, stdout]
  }
  const says = (text: string) => expect.stringContaining(text)
  expect(await media(bucketEnv, 'check', '--deep')).toEqual([0, says('2 objects are named by records')])
  expect(await media({}, 'check')).toEqual([1, says('2 differences')])
  expect(await media(bucketEnv, 'move', '--back')).toEqual([0, says('2 objects copied, 0 were there already')])
  expect(await media(bucketEnv, 'move', '--back')).toEqual([0, says('0 objects copied, 2 were there already')])
  expect(await media({}, 'check', '--deep')).toEqual([0, says('0 differences')])

  const { storage } = api.app.services
  const facts = { bytes: large.bytes, digest: '', headers: {} }
  const file = path.join(folder, 'damaged')
  const damage = randomBytes(large.bytes)
  await writeFile(file, damage)
  await storage.delete(objectName(small.digest))
  await storage.delete(objectName(large.digest))
  await storage.put(objectName(large.digest), file, { ...facts, digest: digestOf(damage) })
  await rm(file, { force: true })
  const [code, found] = await media(bucketEnv, 'check', '--deep')
  expect([code, found]).toEqual([1, says('2 differences')])
  expect(found).toContain(`object ${small.digest} is missing`)
  expect(found).toContain(`object ${large.digest} holds something else`)
  expect(await media(bucketEnv, 'move')).toEqual([0, says('2 objects copied, 0 were there already')])
  expect(await media(bucketEnv, 'move')).toEqual([0, says('0 objects copied, 2 were there already')])
  expect(await media(bucketEnv, 'check', '--deep')).toEqual([0, says('0 differences')])
  expect(await headersAt(`${double.endpoint}/${double.bucket}/${objectName(small.digest)}`)).toEqual(
    keptWith('image/webp', `${small.digest.slice(0, 32)}.webp`),
  )
})

/** The headers of media that a bucket stores. */
async function headersAt(address: string) {
  const { headers } = await fetch(address)
  return ['content-type', 'cache-control', 'content-disposition'].map((name) => headers.get(name))
}

const keptWith = (type: string, name: string) => [
  ...[type, 'public, max-age=31536000, immutable', `inline; filename="${name}"`],
]

test('where everybody reads the bucket, addresses lead there', async () => {
  const storageUrl = `${double.endpoint}/${double.bucket}`
  await using open = await startWith({ ...bucketEnv, MEDIA_S3_PUBLIC_URL: storageUrl })
  const bea = await open.user()
  const medium = (await upload(open, bea, await picture({ width: 200, height: 200 }))).body
  expect(medium.url).toBe(`${open.url}/media/${medium.guid}/full.webp`)
  const variant = medium.url.replace('full.webp', '64.png')
  for (const [address, name, type] of [
    [medium.url, objectName(medium.digest), 'image/webp'],
    [variant, variantName(medium.digest, '64.png'), 'image/png'],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const reply = await fetch(address, { method, redirect: 'manual' })
      expect([reply.status, reply.headers.get('location')]).toEqual([302, `${storageUrl}/${name}`])
      // The redirect must not be cached, because it ends with the medium, and pages of other origins may follow it.
      expect(reply.headers.get('cache-control')).toContain('no-store')
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
    // Records may share an object, so the object must not have the name of a record.
    const kept = digestOf(await bytesOf(await fetch(address))).slice(0, 32)
    const extension = type.slice('image/'.length)
    expect(await headersAt(`${storageUrl}/${name}`)).toEqual(keptWith(type, `${kept}.${extension}`))
  }
  expect(digestOf(await bytesOf(await fetch(medium.url)))).toBe(medium.digest)
  await open.delete(`/media/${medium.guid}`, bea)
  const gone = await fetch(medium.url, { redirect: 'manual' })
  expect([gone.status, gone.headers.get('location')]).toEqual([404, null])
  const statusOf = (name: string) => fetch(`${storageUrl}/${name}`).then(({ status }) => status)
  await expect.poll(() => statusOf(objectName(medium.digest)), { timeout: 20_000 }).toBe(404)
  expect(await statusOf(variantName(medium.digest, '64.png'))).toBe(404)

  // Closing an account deletes its objects immediately, and not in the next sweep. An object that another user shares
  // stays.
  const [own, shared] = [await picture({ width: 200, height: 200 }), await picture({ width: 200, height: 200 })]
  const [left, kept] = [(await upload(open, bea, own)).body, (await upload(open, bea, shared)).body]
  await upload(open, await open.user(), shared)
  expect([await statusOf(objectName(left.digest)), await statusOf(objectName(kept.digest))]).toEqual([200, 200])
  expect((await open.delete('/users/@me', bea)).status).toBe(204)
  await expect.poll(() => statusOf(objectName(left.digest)), { timeout: 20_000 }).toBe(404)
  const waiting = () => open.sql(`select from graphile_worker.jobs where task_identifier = 'media.drop'`)
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
  expect(await statusOf(objectName(kept.digest))).toBe(200)
})

test('the doctor tells which headers are left for whatever stands in front of the bucket', async () => {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const kept = `${double.endpoint}/${double.bucket}`
  const all = {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
  }
  const front = createServer(async ({ url, method = 'GET' }, response) => {
    const { status } = await fetch(`${kept}${url}`, { method })
    response.writeHead(status, all).end()
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  const { port } = front.address() as AddressInfo
  const reported = async (storageUrl: string) => {
    const { stdout } = await run(['doctor'], {
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'silent',
      ...bucketEnv,
      MEDIA_S3_PUBLIC_URL: storageUrl,
      BEATSAVER_API_URL: double.endpoint,
      SCORESABER_API_URL: double.endpoint,
      BEATLEADER_API_URL: double.endpoint,
    })
    return stdout.split('\n').find((line) => line.includes('media bucket'))
  }
  const [bare, whole, wrong] = await Promise.all([
    ...[reported(kept), reported(`http://127.0.0.1:${port}`), reported(`${double.endpoint}/nowhere`)],
  ]).finally(() => front.close())
  expect(bare).toMatch(/^warn .*x-content-type-options, cross-origin-resource-policy, timing-allow-origin/)
  expect(bare).not.toContain('cache-control')
  expect(whole).toBe('ok    media bucket: sends all headers that media have')
  expect(wrong).toMatch(/^warn .*answers 404/)
})
