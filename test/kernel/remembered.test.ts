import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, type Reply, startHarness } from '../harness.ts'
import { makeTeam, makeTournament } from '../make.ts'
import { withoutTables } from '../tables.ts'
import { makeWorld, type World } from '../world.ts'
import { exchange, requestText } from './raw.ts'

/** The addresses under which responses are cached: parameters that the operation does not know are ignored. */

let api: Harness
let world: World
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api)
  const organiser = await api.user()
  for (let number = 0; number < 4; number++) {
    const cup = await makeTournament(api, organiser)
    for (let team = 0; team < 2; team++) await makeTeam(api, cup, await api.user())
  }
})
afterAll(() => api[Symbol.asyncDispose]())

const figure = async (service: Harness, name: string) => {
  const { text } = await service.call('GET', '//metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

/** Reads until the response is cached: a response that is made while the service reads earlier events is not cached. */
async function prime(service: Harness, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  for (let turn = 0; turn < 2; turn++) await service.get(path, null, headers)
  return service.get(path, null, headers)
}

describe('a remembered answer', () => {
  test('is given to whoever asks for the same, whatever else they say and however they spell it', async () => {
    const guid = world.member.guid
    const card = `/users/${guid}/card`
    const { text, headers } = await prime(api, card)
    const etag = headers.get('etag')
    const spelt = guid.replaceAll('-', '%2D').replace(/[0-9a-f]/, (digit) => `%${digit.charCodeAt(0).toString(16)}`)
    const before = await figure(api, 'http_remembered_bytes')
    await withoutTables(api, 'users, sessions', async () => {
      for (const address of [
        card,
        `${card}?x=1`,
        `${card}?x=2&x=3`,
        `${card}?`,
        `${card}?&&=`,
        `${card}?__proto__=1&constructor=2`,
        `${card}?limit=1&before=x`,
        `${card}?${'x'.repeat(5_000)}=1`,
        `${card}?%zz=%ff`,
        `${card}#fragment`,
        `/users/${spelt}/card`,
      ]) {
        const get = await exchange(api.url, requestText(`GET /api${address}`))
        expect([address, get?.status, get?.text]).toEqual([address, 200, text])
        const head = await exchange(api.url, requestText(`HEAD /api${address}`), 'HEAD')
        expect([address, head?.status, head?.text, head?.headers.get('etag')]).toEqual([address, 200, '', etag])
        expect(head?.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
        const fresh = await exchange(api.url, requestText(`GET /api${address}`, [`If-None-Match: ${etag}`]))
        expect([address, fresh?.status, fresh?.text]).toEqual([address, 304, ''])
      }
    })
    expect(await figure(api, 'http_remembered_bytes')).toBe(before)
  })

  test('is given behind a proxy as well', async () => {
    await using behind = await startHarness({ trustedProxies: ['127.0.0.1'] })
    const user = await behind.user()
    const card = `/users/${user.guid}/card`
    const { text } = await prime(behind, card, { 'x-forwarded-for': '203.0.113.1' })
    await withoutTables(behind, 'users', async () => {
      const reply = await behind.get(card, null, { 'x-forwarded-for': '203.0.113.2' })
      expect([reply.status, reply.text]).toEqual([200, text])
    })
  })

  test('with a query is given for the same members, in any order and spelling', async () => {
    const { text } = await prime(api, '/tournaments?limit=2&status=approved,ongoing')
    await withoutTables(api, 'tournaments, listings', async () => {
      for (const query of [
        'limit=2&status=approved,ongoing',
        'status=approved%2Congoing&limit=2',
        'x=1&status=%61pproved,ongoing&y&limit=%32',
        'st%61tus=approved,ongoing&limit=2',
      ]) {
        const reply = await api.get(`/tournaments?${query}`)
        expect([query, reply.status, reply.text]).toEqual([query, 200, text])
      }
    })
  })

  const paths: [string, (string | null)[]][] = [
    ['/tournaments', ['limit', 'status', 'q', 'before']],
    [`/tournaments/CUP`, ['include']],
    [`/tournaments/CUP/teams`, ['limit', 'status', 'q']],
    [`/tournaments/CUP/matches`, ['limit', 'division', 'status']],
    [`/tournaments/CUP/matches/1`, ['division']],
    [`/users/USER/card`, ['limit']],
  ]
  test.each(paths)('of %s is never given to whoever asks for something else', async (path, names) => {
    const address = path.replace('CUP', world.tournament.guid).replace('USER', world.member.guid)
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...names) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('x', 'Limit', ' limit', 'limit ', 'limit[]', 'limit%00', '', '__proto__', '?limit'),
      },
    )
    const value = fc.constantFrom(
      '1',
      '2',
      '02',
      '1 ',
      '',
      'a',
      'approved',
      'approved,ongoing',
      'teams',
      'teams,matches',
      'limit=2',
      '1&limit=2',
      '%31',
      '+1',
      '1;limit=2',
      '1#limit=2',
    )
    const coding = fc.constantFrom(
      (text: string) => text,
      (text: string) => encodeURIComponent(text),
      (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      (text: string) => encodeURIComponent(text).replaceAll('%20', '+'),
    )
    const member = fc
      .tuple(name, value, coding, coding)
      .map(([name, value, one, other]) => `${one(name ?? '')}=${other(value)}`)
    const query = fc.array(member, { maxLength: 4 }).map((members) => members.join('&').replaceAll(' ', '%20'))
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const ask = (headers: readonly string[] = []) =>
          exchange(api.url, requestText(`GET /api${address}?${asked}`, headers))
        // Responses for callers with a token are not cached here, and an invalid token changes nothing in this
        // operation.
        const made = await ask(['Authorization: Bearer x'])
        for (let time = 0; time < 2; time++) {
          const reply = await ask()
          expect([reply?.status, reply?.text]).toEqual([made?.status, made?.text])
        }
      }),
      { numRuns: 60 },
    )
  })
})
