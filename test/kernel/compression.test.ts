import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import type { QueryOperation } from '../../src/core/operation.ts'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { addressOf, makeWorld, type World } from '../world.ts'

/** Public responses are compressed for clients that accept it; other responses are not. (D11) */

let api: Harness
let made: MadeBracket
let world: World
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  world = await makeWorld(api, { registered: true })
})
afterAll(() => api[Symbol.asyncDispose]())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** The response as received, without decompression. */
async function ask(
  address: string,
  accepted: string | null,
  more: object = {},
  as: Caller | null = null,
): Promise<Raw> {
  const headers = {
    ...(accepted === null ? {} : { 'accept-encoding': accepted }),
    ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
    ...more,
  }
  const { statusCode, headers: told, body } = await request(`${api.url}${address}`, { headers })
  return { status: statusCode, headers: told, bytes: Buffer.from(await body.arrayBuffer()) }
}

function decoded({ headers, bytes }: Raw): string {
  const coding = headers['content-encoding']
  return String(coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes)
}

const large = () => [
  `/api/tournaments/${made.cup.guid}/matches`,
  '/api/realtime/topics',
  '/api/openapi.json',
  '/api/docs/realtime',
  '/api/docs/js/scalar.js',
]

describe('an answer that everybody may be told', () => {
  test.each(['br', 'gzip'])('comes in %s, with a tag of its own, as the same answer', async (coding) => {
    for (const address of large()) {
      const plain = await ask(address, null)
      expect([address, plain.status, plain.headers['content-encoding']]).toEqual([address, 200, undefined])
      // Newly made, then cached, then from the cache.
      for (let turn = 0; turn < 3; turn++) {
        const { status, headers, bytes } = await ask(address, coding)
        expect([address, status, headers['content-encoding']]).toEqual([address, 200, coding])
        expect(decoded({ status, headers, bytes })).toBe(String(plain.bytes))
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(headers['content-length']).toBe(String(bytes.length))
        expect(headers.etag).toBe(String(plain.headers.etag).replace(/"$/, `-${coding}"`))
        for (const name of ['vary', 'cache-control', 'content-type', 'content-security-policy']) {
          expect([name, headers[name]]).toEqual([name, plain.headers[name]])
        }
        expect(String(headers.vary)).toMatch(/(^|, )Accept-Encoding$/)
      }
    }
  })

  test('is known by any of its tags, and says which it would have sent', async () => {
    for (const address of large().slice(0, 3)) {
      const tags = await Promise.all(
        [null, 'br', 'gzip'].map(async (accepted) => String((await ask(address, accepted)).headers.etag)),
      )
      expect(new Set(tags).size).toBe(3)
      for (const [index, accepted] of [null, 'br', 'gzip'].entries()) {
        for (const tag of [...tags, ...tags.map((each) => `W/${each}`), '*']) {
          const { status, headers, bytes } = await ask(address, accepted, { 'if-none-match': tag })
          expect([status, bytes.length, headers.etag, headers['content-encoding'], headers['content-type']]).toEqual([
            ...[304, 0, tags[index], undefined, undefined],
          ])
          expect(String(headers.vary)).toContain('Accept-Encoding')
        }
        expect((await ask(address, accepted, { 'if-none-match': '"other-br"' })).status).toBe(200)
      }
    }
  })

  test('is told of by HEAD as by GET', async () => {
    for (const address of large()) {
      for (const accepted of ['identity', 'br', 'gzip;q=0.5']) {
        const get = await ask(address, accepted)
        const { headers } = await request(`${api.url}${address}`, {
          method: 'HEAD',
          headers: { 'accept-encoding': accepted },
        })
        for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'content-type']) {
          expect([address, name, headers[name]]).toEqual([address, name, get.headers[name]])
        }
      }
    }
  })

  test('comes as it is where it is small, unless that is not wanted', async () => {
    const address = `/api/users/${world.member.guid}/card`
    for (const [accepted, coding] of [
      ['br, gzip', undefined],
      ['br, gzip, identity;q=0', 'br'],
      ['*;q=0', undefined],
    ] as const) {
      for (let turn = 0; turn < 2; turn++) {
        const reply = await ask(address, accepted)
        expect([reply.status, reply.headers['content-encoding']]).toEqual([200, coding])
        expect(JSON.parse(decoded(reply)).guid).toBe(world.member.guid)
      }
    }
  })

  test('is compressed for who has a token, too, and for nobody else to keep', async () => {
    const player = await api.user()
    const [address = ''] = large()
    for (let turn = 0; turn < 2; turn++) {
      const { headers } = await ask(address, 'br', {}, player)
      expect([headers['content-encoding'], headers['cache-control']]).toEqual(['br', 'private, no-store'])
    }
  })

  test('changes in all its forms at once', async () => {
    const { guid } = made.cup
    const read = async (accepted: string | null) => {
      const reply = await ask(`/api/tournaments/${guid}`, accepted)
      return JSON.parse(decoded(reply)).description as string
    }
    for (const description of ['first '.repeat(300), 'second '.repeat(300), 'third '.repeat(300)]) {
      const reply = await api.call('PATCH', `/tournaments/${guid}`, { as: made.organiser, body: { description } })
      expect(reply.status, reply.text).toBe(200)
      const read3 = await Promise.all(['gzip', null, 'br', 'gzip', 'br'].map(read))
      expect(new Set(read3)).toEqual(new Set([description.trim()]))
    }
  })
})

describe('what may hold a secret is never compressed', () => {
  const reads = operations.filter(
    (operation): operation is QueryOperation =>
      operation.kind === 'query' && !['events.follow', 'scenes.readPackage'].includes(operation.name),
  )

  test('whoever asks, only what a stranger is told comes compressed', async () => {
    const compressed: string[] = []
    for (const operation of reads) {
      const named = addressOf(operation, world)
      const address = named.startsWith('//') ? named.slice(1) : `/api${named}`
      for (const as of [world.organiser, world.captain]) {
        const reply = await ask(address, 'br, gzip, identity;q=0', {}, as)
        if (reply.headers['content-encoding'] === undefined) continue
        compressed.push(operation.name)
        const [before, after] = [await ask(address, null), await ask(address, null)]
        if (String(before.bytes) === String(after.bytes))
          expect(decoded(reply), operation.name).toBe(String(after.bytes))
      }
    }
    expect(new Set(compressed).size).toBeGreaterThan(10)
  })

  test('the notes of staff, accounts, tokens and exports among it', async () => {
    const staff = `/api/tournaments/${made.cup.guid}`
    for (const address of [
      ...[`${staff}/matches`, `${staff}/audit`, `${staff}/permissions`, '/api/users/@me', '/api/users/@me/export'],
      ...['/api/oauth/applications', '/api/realtime/connections', '/api/notifications'],
    ]) {
      const { headers } = await ask(address, 'br, gzip, identity;q=0', {}, made.organiser)
      expect([address, headers['content-encoding']]).toEqual([address, undefined])
    }
  })

  test('what a change answers is not, however large', async () => {
    const { statusCode, headers } = await request(`${api.url}/api/tournaments`, {
      method: 'POST',
      headers: {
        'accept-encoding': 'br, identity;q=0',
        'content-type': 'application/json',
        authorization: `Bearer ${world.organiser.token}`,
      },
      body: JSON.stringify({
        name: 'Large Cup',
        id: `large-${randomUUID().slice(0, 8)}`,
        description: 'x '.repeat(2_000),
      }),
    }).then(async (reply) => {
      await reply.body.dump()
      return reply
    })
    expect([statusCode, headers['content-encoding']]).toEqual([201, undefined])
  })

  test('no record that may be compressed names a secret', () => {
    const isSecret = /secret|token|password|credential|streamkey/i
    const isText = (schema: unknown) => /"(type":"string|type":\["string)/.test(JSON.stringify(schema))
    const named = (schema: unknown): string[] => {
      if (typeof schema !== 'object' || schema === null) return []
      const { properties = {} } = schema as { properties?: Record<string, unknown> }
      const texts = Object.entries(properties).flatMap(([name, member]) => (isText(member) ? [name] : []))
      return [...texts, ...Object.values(schema).flatMap(named)]
    }
    const open = reads.filter(
      ({ scope, publicUnlessMe, audience, compressed }) =>
        (scope === 'public' || publicUnlessMe) && (compressed ?? audience !== undefined),
    )
    expect(open.length).toBeGreaterThan(30)
    const suspects = open.flatMap(({ name, reply }) =>
      named(Object.values(reply)).flatMap((member) => (isSecret.test(member) ? [`${name} ${member}`] : [])),
    )
    expect([...new Set(suspects)]).toEqual([])
  })
})

test('what is compressed already, what goes on, and what is refused, are as they were', async () => {
  const accepted = 'br, gzip, identity;q=0'
  const pool = `/api/tournaments/${world.tournament.guid}/pools`
  for (const address of [
    ...[`${pool}/${world.named.pool}/cover`, '/api/no/such/thing', `/api/users/none/card`, '/healthz', '/readyz'],
    `/api/events?topic=/notices&wait=0`,
  ]) {
    const { headers } = await ask(address, accepted)
    expect([address, headers['content-encoding']]).toEqual([address, undefined])
  }
})
