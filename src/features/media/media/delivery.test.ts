import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { exchange, requestText } from '../../../../test/kernel/raw.ts'
import { makeTournament } from '../../../../test/make.ts'
import { digestOf, picture, upload } from '../../../../test/media.ts'
import { objectName, variantName } from '../../../infra/storage/storage.ts'

/** Media, as everybody with the address receives them. (M18 to M23) */

let api: Harness
let ada: Caller
// biome-ignore lint/suspicious/noExplicitAny: an answer; each test reads the members that it checks.
let avatar: any
// biome-ignore lint/suspicious/noExplicitAny: the same.
let banner: any
beforeAll(async () => {
  api = await startHarness()
  ada = await api.user()
  const cup = await makeTournament(api, ada)
  avatar = (await upload(api, ada, await picture({ width: 300, height: 300 }))).body
  const wide = await sharp({
    create: { width: 1600, height: 500, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
  })
    .png()
    .toBuffer()
  banner = (await upload(api, ada, wide, { kind: 'tournament_banner', tournament: cup.id })).body
})
afterAll(() => api[Symbol.asyncDispose]())

const at = (medium: { guid: string }, name: string) => `${api.url}/media/${medium.guid}/${name}`
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())

test('the whole comes with every header that keeps it harmless and remembered', async () => {
  const reply = await fetch(avatar.url)
  const body = await bytesOf(reply)
  expect([reply.status, body.length, digestOf(body)]).toEqual([200, avatar.bytes, avatar.digest])
  const wanted = {
    'content-type': 'image/webp',
    'content-length': String(avatar.bytes),
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${avatar.digest}-full.webp"`,
    'accept-ranges': 'bytes',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
    'content-disposition': `inline; filename="${avatar.guid}.webp"`,
  }
  for (const [name, value] of Object.entries(wanted)) expect(reply.headers.get(name), name).toBe(value)
  expect(reply.headers.get('set-cookie')).toBeNull()
  const head = await fetch(avatar.url, { method: 'HEAD' })
  for (const [name, value] of Object.entries(wanted)) expect(head.headers.get(name), name).toBe(value)
  expect((await bytesOf(head)).length).toBe(0)
})

test('what its asker has already is not sent again', async () => {
  const etag = (await fetch(avatar.url)).headers.get('etag') ?? ''
  const reply = await fetch(avatar.url, { headers: { 'if-none-match': etag } })
  expect([reply.status, (await bytesOf(reply)).length, reply.headers.get('etag')]).toEqual([304, 0, etag])
})

test('a part is sent where one is asked for', async () => {
  const whole = await bytesOf(await fetch(avatar.url))
  const ask = (headers: Record<string, string>) => fetch(avatar.url, { headers })
  const part = await ask({ range: 'bytes=4-11' })
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    ...[206, `bytes 4-11/${whole.length}`, '8'],
  ])
  expect(await bytesOf(part)).toEqual(whole.subarray(4, 12))
  expect(await bytesOf(await ask({ range: 'bytes=-5' }))).toEqual(whole.subarray(-5))
  const several = await ask({ range: 'bytes=0-1,4-5' })
  expect([several.status, (await bytesOf(several)).length]).toEqual([200, whole.length])
  const beyond = await ask({ range: `bytes=${whole.length}-` })
  expect([beyond.status, beyond.headers.get('content-range'), beyond.headers.get('cache-control')]).toEqual([
    ...[416, `bytes */${whole.length}`, 'no-store'],
  ])
  const etag = part.headers.get('etag') ?? ''
  expect((await ask({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
  expect((await ask({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
})

test('smaller files are made when somebody asks, once, and kept', async () => {
  const { decoder, storage } = api.app.services
  const variant = decoder.variant.bind(decoder)
  let made = 0
  decoder.variant = (...asked) => {
    made++
    return variant(...asked)
  }
  try {
    const replies = await Promise.all(Array.from({ length: 8 }, () => fetch(at(avatar, '128.png'))))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const [first] = await Promise.all(replies.map(bytesOf))
    expect(await sharp(first).metadata()).toMatchObject({ format: 'png', width: 128, height: 128 })
    expect(replies[0]?.headers.get('content-type')).toBe('image/png')
    expect(made).toBe(1)
    expect(await storage.head(variantName(avatar.digest, '128.png'))).toEqual({ bytes: first?.length })
    // The requested width is greater than the original's.
    const wide = await bytesOf(await fetch(at(avatar, '512.webp')))
    expect(await sharp(wide).metadata()).toMatchObject({ format: 'webp', width: 300 })
    const card = await bytesOf(await fetch(at(banner, 'card.jpeg')))
    expect(await sharp(card).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    const { data } = await sharp(await bytesOf(await fetch(at(banner, '512.jpeg'))))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeGreaterThan(250)
    // Cached variants may be deleted at any time.
    await storage.delete(variantName(banner.digest, '512.jpeg'))
    await storage.delete(variantName(avatar.digest, '128.png'))
    expect((await fetch(at(avatar, '128.png'))).status).toBe(200)
  } finally {
    decoder.variant = variant
  }
})

test.each(['%zz/full.webp', 'remote/%zz', '%', '%C3%28/64.webp', '%zz?x=%zz'])(
  'an address that cannot be read leads to nothing: %s',
  async (address) => {
    const reply = await exchange(api.url, requestText(`GET /media/${address}`))
    expect([reply?.status, reply?.headers.get('problem-code')]).toEqual([404, 'media.unknown'])
    expect(reply?.headers.get('cache-control')).toContain('no-store')
  },
)

test.each(['full.png', 'full.mp4', '100.webp', '64.gif', '064.webp', 'card.jpeg', 'full.webp.exe', '..', '64'])(
  'there is nothing called %s',
  async (name) => {
    const reply = await exchange(api.url, requestText(`GET /media/${avatar.guid}/${name}`))
    expect(reply?.status).toBe(404)
    expect(reply?.headers.get('cache-control')).toContain('no-store')
  },
)

test('of a medium that goes while a smaller file is made there is nothing, and nothing stays', async () => {
  const { decoder, storage } = api.app.services
  const variant = decoder.variant.bind(decoder)
  const gone = (await upload(api, ada, await picture({ width: 300, height: 300 }))).body
  const remove = async () => {
    expect((await api.delete(`/media/${gone.guid}`, ada)).status).toBe(204)
    await expect.poll(() => storage.head(objectName(gone.digest)), { interval: 20 }).toBeNull()
  }
  decoder.variant = async (...asked) => {
    const made = await variant(...asked)
    await remove()
    return made
  }
  try {
    expect((await fetch(at(gone, '128.webp'))).status).toBe(404)
  } finally {
    decoder.variant = variant
  }
  expect(await storage.head(variantName(gone.digest, '128.webp'))).toBeNull()
  // The object is deleted before it is read.
  const other = (await upload(api, ada, await picture({ width: 300, height: 300 }))).body
  const get = storage.get.bind(storage)
  storage.get = async (...asked) => {
    storage.get = get
    expect((await api.delete(`/media/${other.guid}`, ada)).status).toBe(204)
    await expect.poll(() => storage.head(objectName(other.digest)), { interval: 20 }).toBeNull()
    return get(...asked)
  }
  expect((await fetch(at(other, '128.webp'))).status).toBe(404)
})

test('where too many wait to be made, one is told to come again', async () => {
  const { decoder } = api.app.services
  const variant = decoder.variant.bind(decoder)
  const { Problem } = await import('../../../core/problem.ts')
  decoder.variant = async () => {
    throw new Problem('unavailable', 'service.busy', 'Busy.', { headers: { 'retry-after': '1' } })
  }
  try {
    const reply = await fetch(at(banner, '1024.webp'))
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('cache-control')]).toEqual([
      ...[503, '1', 'private, no-store'],
    ])
  } finally {
    decoder.variant = variant
  }
  expect((await fetch(at(banner, '1024.webp'))).status).toBe(200)
})

test('delivery has a budget of its own, what must be made first a smaller one; pages elsewhere may show it', async () => {
  const allowances = { media: { calls: 6, seconds: 600 }, variant: { calls: 1, seconds: 600 } }
  await using limited = await startHarness({ rateLimits: true }, { allowances })
  const bea = await limited.user()
  const { guid } = (await upload(limited, bea, await picture({ width: 300, height: 300 }))).body
  const ask = async (name: string) => {
    const reply = await fetch(`${limited.url}/media/${guid}/${name}`, {
      headers: { referer: 'https://elsewhere.example' },
    })
    return [reply.status, reply.headers.get('problem-code'), reply.headers.has('retry-after')]
  }
  const [sent, refused] = [
    [200, null, false],
    [429, 'request.limited', true],
  ]
  // An existing variant is not made again.
  const names = ['64.webp', '64.webp', '128.webp', 'full.webp', '64.webp', 'full.webp', 'full.webp']
  const answers: unknown[] = []
  for (const name of names) answers.push(await ask(name))
  expect(answers).toEqual([sent, sent, refused, sent, sent, sent, refused])
  expect((await limited.get(`/users/${bea.guid}/card`)).status).toBe(200)
})

test('a deletion ends delivery at once, on every process', async () => {
  await using sibling = await api.sibling()
  const medium = (await upload(api, ada, await picture())).body
  const other = medium.url.replace(api.url, sibling.url)
  const both = async () => [(await fetch(medium.url)).status, (await fetch(other)).status]
  expect(await both()).toEqual([200, 200])
  await api.delete(`/media/${medium.guid}`, ada)
  expect(await both()).toEqual([404, 404])
})

test('another origin has media and nothing else, and the site sends there', async () => {
  await using site = await startHarness({ media: { ...api.app.config.media, url: 'http://media.example.org' } })
  const bea = await site.user()
  const medium = (await upload(site, bea, await picture())).body
  expect(medium.url).toMatch(/^http:\/\/media\.example\.org\/media\//)
  const path = new URL(medium.url).pathname
  const moved = await fetch(`${site.url}${path}`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([308, medium.url])
  const ask = async (target: string) =>
    (await exchange(site.url, `GET ${target} HTTP/1.1\r\nHost: media.example.org\r\nConnection: close\r\n\r\n`))?.status
  expect(await ask(path)).toBe(200)
  await site.get(`/users/${bea.guid}/card`)
  expect([
    await ask('/'),
    await ask('/api/docs/'),
    await ask(`/api/users/${bea.guid}/card`),
    await ask('/healthz'),
  ]).toEqual([...[404, 404, 404, 404]])
})
