import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { makeApplication } from '../make.ts'
import { addressOf, type CompatClient, openCompat } from './compatible.ts'
import { openSocket } from './sockets.ts'

/** The compatibility door: access, rights of a connection, its end, and invalid packets. (RT12, RT27 to RT32) */

let api: Harness
let second: Harness
let made: MadeBracket
let overlays: string
let open: { readonly path: string; readonly asked: object }
/** These wait for half a minute while the other tests run. */
let idle: Raw
let living: Raw
const failures: unknown[] = []
beforeAll(async () => {
  api = await startHarness({ compatSocket: true })
  second = await api.sibling()
  api.app.log.error = (...args: unknown[]) => void failures.push(args)
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  overlays = `/tournaments/${made.cup.guid}/overlays`
  open = await makeOverlay('public')
  idle = await openRaw()
  living = await openRaw()
  living.say('40', ...request('getTournamentOverlay', open.asked))
  living.socket.on('message', (data) => {
    if (String(data) === '2') living.say('3')
  })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

async function makeOverlay(access = 'token') {
  const name = `Overlay ${Math.random()}`
  const { guid } = (await api.post(overlays, made.organiser, { name })).body
  const path = `${overlays}/${guid}`
  if (access !== 'token') await api.patch(path, made.organiser, { access })
  const token = async () => (await api.post(`${path}/tokens`, made.organiser, { label: 'Stage' })).body
  return { path, token, asked: { tournamentGuid: made.cup.guid, overlayGuid: guid } }
}

const spoken = '/socket.io/?EIO=4&transport=websocket'

interface Raw {
  readonly socket: WebSocket
  readonly texts: string[]
  readonly closed: Promise<number>
  say(...messages: readonly (string | Uint8Array)[]): void
}

/** Messages written by hand, which no client sends. */
async function openRaw(address = spoken, at = api): Promise<Raw> {
  const socket = new WebSocket(`${at.app.socketAddress}${address}`)
  const texts: string[] = []
  socket.on('message', (data, isBinary) => void texts.push(isBinary ? '' : String(data)))
  socket.on('unexpected-response', (_request, response) => {
    socket.emit('error', new Error(`refused with ${response.statusCode}`))
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  socket.on('error', () => {})
  return {
    socket,
    texts,
    closed,
    say(...messages) {
      for (const message of messages) socket.send(message)
    },
  }
}

const head = (event: unknown) => `451-["${event}",{"_placeholder":true,"num":0}]`
const request = (event: string, argument: unknown) => [head(event), encode(argument)] as const

async function openAs(token: string | null, at = api): Promise<CompatClient> {
  const client = await openCompat(at)
  if (token !== null) expect(await client.ask('authenticate', { token })).toEqual({ success: true })
  return client
}

describe('getting in', () => {
  test('is possible where that is set, and nowhere else', async () => {
    await using usual = await startHarness()
    expect(usual.app.config.compatSocket).toBe(false)
    await expect(openRaw(spoken, usual)).rejects.toThrow('404')
    await expect(openCompat(usual)).rejects.toThrow()
    expect((await fetch(`${addressOf(usual)}/socket.io/?EIO=4&transport=polling`)).status).toBe(426)
  })

  test.each([
    ['/socket.io/?EIO=3&transport=websocket', 400],
    ['/socket.io/?EIO=4&transport=polling', 400],
    ['/socket.io/?EIO=4&transport=websocket&sid=x', 400],
    ['/socket.io/', 400],
    ['/socket.io?EIO=4&transport=websocket', 404],
    ['/socket.io/x?EIO=4&transport=websocket', 404],
    ['/engine.io/?EIO=4&transport=websocket', 404],
  ])('by %s is refused with %i', async (address, status) => {
    await expect(openRaw(address)).rejects.toThrow(`${status}`)
  })

  test('is by WebSocket alone', async () => {
    expect((await fetch(`${addressOf(api)}/socket.io/?EIO=4&transport=polling`)).status).toBe(426)
    await expect(openCompat(api, { transports: ['polling'] })).rejects.toThrow('xhr poll error')
  })

  test('leads to one namespace', async () => {
    await expect(openCompat(api, { namespace: '/admin' })).rejects.toThrow('Invalid namespace')
    const raw = await openRaw()
    raw.say('40/admin,{"token":"x"}', '40/other', '40')
    await expect.poll(() => raw.texts).toHaveLength(4)
    expect(JSON.parse(raw.texts[0]?.slice(1) ?? '')).toEqual({
      sid: expect.any(String),
      upgrades: [],
      pingInterval: 25_000,
      pingTimeout: 35_000,
      maxPayload: 8_192,
    })
    expect(raw.texts.slice(1)).toEqual([
      '44/admin,{"message":"Invalid namespace"}',
      '44/other,{"message":"Invalid namespace"}',
      expect.stringMatching(/^40\{"sid":"[\w-]{36}"\}$/),
    ])
    // It has not joined another namespace, so it may send nothing there.
    raw.say('41/admin,')
    expect(await raw.closed).toBe(4200)
  })

  test('by a token in the address, or by a ticket that does not count, is not possible', async () => {
    for (const more of [`&token=${made.organiser.token}`, '&ticket=x']) {
      const raw = await openRaw(`${spoken}${more}`)
      expect(await raw.closed).toBe(4102)
    }
  })
})

describe('who somebody is', () => {
  test('is shown by an access token or a view token, with or without its scheme', async () => {
    const overlay = await makeOverlay()
    const other = await makeOverlay()
    const { token } = await overlay.token()
    for (const given of [made.organiser.token, `Bearer ${made.organiser.token}`, token, `bearer ${token}`]) {
      await using client = await openAs(given)
      expect((await client.ask('getTournamentOverlay', overlay.asked)).overlay).toMatchObject({ match: null })
      // A page sees only its own overlay, and no public one.
      const isPage = given.endsWith(token)
      for (const { asked } of [other, open]) {
        expect((await client.ask('getTournamentOverlay', asked)).overlay === null).toBe(isPage)
      }
      expect(await client.ask('authenticate', { token: given })).toEqual({ success: true })
      const another = await client.ask('authenticate', { token: (await api.user()).token })
      expect(another).toEqual({
        success: false,
        error: { code: 'connection.authenticated', message: expect.any(String) },
      })
    }
  })

  test('is shown by nothing else', async () => {
    const user = await api.user({ scopes: ['rest:read'] })
    const cases: [unknown, string][] = [
      [{ token: user.token }, 'token.scope_missing'],
      [{ token: 'nonsense' }, 'token.invalid'],
      [{ token: `ovt_${'A'.repeat(43)}` }, 'token.invalid'],
      [{ token: `ovt_${'A'.repeat(100)}` }, 'packet.invalid'],
      [{ token: 7 }, 'packet.invalid'],
      [{}, 'packet.invalid'],
      [null, 'packet.invalid'],
      [[made.organiser.token], 'packet.invalid'],
      ['nonsense', 'packet.invalid'],
    ]
    await using client = await openCompat(api)
    for (const [argument, code] of cases) {
      const answer = await client.ask('authenticate', argument)
      expect(answer).toEqual({ success: false, error: { code, message: expect.any(String) } })
    }
    // They are still accepted as anonymous.
    expect((await client.ask('getTournamentOverlay', open.asked)).overlay.guid).toBeDefined()
  })

  test('and that is counted and listed, with all other sockets', async () => {
    const user = await api.user()
    const clients = await Promise.all(Array.from({ length: 20 }, () => openAs(user.token)))
    const extra = await openCompat(api)
    extra.send('authenticate', { token: user.token })
    expect(await extra.ended).toMatchObject({ code: 4204, reason: 'io server disconnect' })
    await expect.poll(async () => (await api.get('/realtime/connections', user)).body.length).toBe(20)
    const [first] = clients as [CompatClient]
    await first.ask('getTournamentOverlay', open.asked)
    const listed = async () =>
      (await api.get('/realtime/connections', user)).body.find(
        ({ subscriptions }: { subscriptions: number }) => subscriptions === 1,
      )
    await expect.poll(listed).toMatchObject({ door: 'socket', address: expect.stringContaining('127.0.0.1') })
    const { guid } = await listed()
    expect(outcome(await second.delete(`/realtime/connections/${guid}`, user))[0]).toBe(204)
    expect(await first.ended).toMatchObject({ code: 4101, reason: 'io server disconnect' })
    for (const client of clients) await client[Symbol.asyncDispose]()
  })
})

describe('what is asked for', () => {
  test('and is not there is answered as what may not be seen', async () => {
    const hidden = await makeOverlay()
    await using client = await openCompat(api)
    const answer = await client.ask('getTournamentOverlay', hidden.asked)
    expect(answer).toEqual({ overlay: null, error: { code: 'topic.unknown', message: expect.any(String) } })
    const { tournamentGuid } = hidden.asked
    for (const asked of [
      { tournamentGuid, overlayGuid: 'no-guid' },
      { tournamentGuid, overlayGuid: '..' },
      { tournamentGuid, overlayGuid: '@token' },
      { tournamentGuid: '@me', overlayGuid: hidden.asked.overlayGuid },
      { tournamentGuid: 'a/b', overlayGuid: 'c?d#e%2f' },
      { tournamentGuid, overlayGuid: '' },
      { tournamentGuid, overlayGuid: 'x'.repeat(1_000) },
      { tournamentGuid, overlayGuid: 7 },
      { tournamentGuid },
      {},
      null,
      [tournamentGuid],
    ]) {
      expect(await client.ask('getTournamentOverlay', asked), JSON.stringify(asked)).toEqual(answer)
      await wait(210)
    }
  })

  test('may be asked for again, by any name of the tournament', async () => {
    await using client = await openCompat(api)
    const answer = await client.ask('getTournamentOverlay', open.asked)
    for (const tournamentGuid of [made.cup.guid, made.cup.guid.toUpperCase(), made.cup.id]) {
      expect(await client.ask('getTournamentOverlay', { ...open.asked, tournamentGuid })).toEqual(answer)
    }
    // All other members are ignored.
    expect(await client.ask('getTournamentOverlay', { ...open.asked, delayed: true, x: [{}] })).toEqual(answer)
  })

  test('is known to no other door', async () => {
    expect(outcome(await api.get(`${open.path}/compatible`, made.organiser))[0]).toBe(404)
    await using socket = await openSocket(api, { as: made.organiser })
    const subscribed = await socket.ask({ type: 'subscribe', topic: `${open.path}/compatible` })
    expect(subscribed).toMatchObject({ type: 'error', code: 'topic.unknown' })
    for (const description of ['/openapi.json', '/asyncapi.json', '/realtime/topics']) {
      expect((await api.get(description)).text).not.toMatch(/compatible|getTournamentOverlay/)
    }
  })

  test('of events that nobody knows is not answered, nor is what writes', async () => {
    const { token } = made.organiser
    await using client = await openAs(token)
    const { path } = open
    for (const event of ['subscribe', 'command', 'publish', 'update', 'toString', '__proto__', 'connect:']) {
      client.send(event, { type: 'command', name: 'overlays.control', topic: path, id: 1 })
    }
    client.socket.emit('authenticate', { token })
    client.socket.emit('getTournamentOverlay', 'no buffer')
    client.socket.emit('unknown', 1, [2], { three: true })
    expect(await client.next('getTournamentOverlay:response')).toMatchObject({ overlay: null })
    expect(await client.next('authentication:response')).toMatchObject({ success: false })
    expect((await client.ask('getTournamentOverlay', open.asked)).overlay.guid).toBeDefined()
    expect(client.told).toEqual([])
  })

  test('and changes faster than its client takes it is told as it is once that is taken', async () => {
    const shown = await makeOverlay('public')
    const matches = (await made.read()).matches.map(({ guid }: { guid: string }) => guid)
    const known = new Set(api.app.services.realtime.peers)
    await using client = await openCompat(api)
    await client.ask('getTournamentOverlay', shown.asked)
    const [peer] = [...api.app.services.realtime.peers].filter((each) => !known.has(each))
    const isFull = vi.spyOn(peer as unknown as { readonly isFull: boolean }, 'isFull', 'get').mockReturnValue(true)
    const { tally } = api.app.services.realtime
    const { behind } = tally
    const point = (matchGuid: string) => api.put(`${shown.path}/match`, made.organiser, { matchGuid })
    await point(matches[0])
    await expect.poll(() => tally.behind, { interval: 10 }).toBe(behind + 1)
    for (const matchGuid of [matches[1], matches[2], matches[1]]) await point(matchGuid)
    await wait(300)
    expect(client.told).toEqual([])
    isFull.mockRestore()
    expect((await client.next('tournamentOverlayUpdate:match')).overlay.match.guid).toBe(matches[1])
    await point(matches[2])
    expect((await client.next('tournamentOverlayUpdate:match')).overlay.match.guid).toBe(matches[2])
    expect(client.told).toEqual([])
  })

  test('at most twenty times without a token', async () => {
    const more = await Promise.all(Array.from({ length: 20 }, () => makeOverlay('public')))
    await using client = await openCompat(api)
    for (const { asked } of more) {
      expect((await client.ask('getTournamentOverlay', asked)).overlay.guid).toBeDefined()
      await wait(210)
    }
    expect(await client.ask('getTournamentOverlay', open.asked)).toMatchObject({
      overlay: null,
      error: { code: 'subscriptions.limit' },
    })
  })
})

describe('the end', () => {
  const ends: Readonly<Record<string, [code: number, end: () => Promise<[CompatClient, () => Promise<unknown>]>]>> = {
    'view token revoked': [
      4103,
      async () => {
        const overlay = await makeOverlay()
        const { guid, token } = await overlay.token()
        const client = await openAs(token)
        return [client, () => second.delete(`${overlay.path}/tokens/${guid}`, made.organiser)]
      },
    ],
    'view token expired': [
      4103,
      async () => {
        const overlay = await makeOverlay()
        const expiresAt = new Date(Date.now() + 4_000).toISOString()
        const made4 = await api.post(`${overlay.path}/tokens`, made.organiser, { label: 'Short', expiresAt })
        return [await openAs(made4.body.token), () => wait(Date.parse(expiresAt) - Date.now())]
      },
    ],
    'overlay deleted': [
      4103,
      async () => {
        const overlay = await makeOverlay()
        const client = await openAs((await overlay.token()).token)
        return [client, () => second.delete(overlay.path, made.organiser)]
      },
    ],
    'application revoked': [
      4101,
      async () => {
        const user = await api.user()
        const application = await makeApplication(api, user)
        const client = await openAs(await api.token(user, ['ws:read'], application))
        return [client, () => second.delete(`/users/@me/sessions/${application.clientId}`, user)]
      },
    ],
    'user banned': [
      4206,
      async () => {
        const user = await api.user()
        const owner = await api.user({ globalRoles: ['role:owner'] })
        const ban = { banned: true, banReason: 'cheated' }
        return [await openAs(user.token), () => second.patch(`/admin/users/${user.guid}`, owner, ban)]
      },
    ],
  }
  /** The rule says one second; a machine that runs other tests sometimes takes longer. */
  const withinMs = 5_000
  test.each(Object.keys(ends))('comes with the right: %s', async (name) => {
    const [code, begin] = ends[name] as (typeof ends)[string]
    const [client, lose] = await begin()
    await lose()
    const lostAt = performance.now()
    // With this reason its client does not reconnect by itself.
    expect(await client.ended).toEqual({ reason: 'io server disconnect', code })
    expect(performance.now() - lostAt).toBeLessThan(withinMs)
  })

  test('of a process is one that clients come back from, by themselves', async () => {
    const leaving = await api.sibling()
    const client = await openCompat(leaving, { reconnection: true, reconnectionDelay: 10, reconnectionDelayMax: 20 })
    await client.ask('getTournamentOverlay', open.asked)
    const attempts: unknown[] = []
    client.socket.io.on('reconnect_attempt', (count) => void attempts.push(count))
    await leaving[Symbol.asyncDispose]()
    expect(await client.ended).toMatchObject({ reason: 'transport close' })
    await expect.poll(() => attempts.length).toBeGreaterThan(0)
    await client[Symbol.asyncDispose]()
  })

  test('that a client wants is no fault', async () => {
    for (const goodbye of ['41', '1']) {
      const raw = await openRaw()
      raw.say('40', goodbye)
      expect(await raw.closed).toBe(1000)
    }
    const client = await openCompat(api)
    client.socket.disconnect()
    expect((await client.ended).reason).toBe('io client disconnect')
  })
})

test('limits by address hold for all sockets together', async () => {
  await using limited = await startHarness({ compatSocket: true, rateLimits: true })
  const opened: Raw[] = []
  let refused = ''
  for (let count = 0; refused === '' && count < 100; count++) {
    await openRaw(spoken, limited).then(
      (raw) => opened.push(raw),
      (error: Error) => {
        refused = error.message
      },
    )
  }
  expect([opened.length >= 60, refused]).toEqual([true, 'refused with 429'])
  for (const { socket } of opened) socket.terminate()
  await using small = await startHarness({ compatSocket: true, socketLimit: 1 })
  await using _first = await openCompat(small)
  await expect(openRaw(spoken, small)).rejects.toThrow('503')
})

describe('what no client sends', () => {
  const [authenticate, argument] = request('authenticate', { token: 'x' })
  test.each<[string, number, (string | Uint8Array)[]]>([
    ['no message', 4200, ['']],
    ['JSON', 4200, ['{"type":"ping"}']],
    ['a packet of ours', 4200, [`4${JSON.stringify({ type: 'ping' })}`]],
    ['a ping', 4200, ['2']],
    ['a probe', 4200, ['2probe']],
    ['an upgrade', 4200, ['5']],
    ['an opening', 4200, ['0{}']],
    ['bytes without an event', 4200, ['40', argument]],
    ['an event before it is connected', 4200, ['42["authenticate"]']],
    ['an event with bytes before it is connected', 4200, [authenticate, argument]],
    ['another connection', 4200, ['40', '40']],
    ['no JSON', 4200, ['40', '42["authenticate"']],
    ['an event without a name', 4200, ['40', '42[]']],
    ['an event whose name is none', 4200, ['40', '42[{"a":1}]']],
    ['what is no event', 4200, ['40', '42{"a":1}']],
    ['an acknowledgement', 4200, ['40', '430[]']],
    ['an acknowledgement with bytes', 4200, ['40', '461-0[]', argument]],
    ['a refusal', 4200, ['40', '44{}']],
    ['an event of no bytes', 4200, ['40', '450-["authenticate"]']],
    ['an event of many', 4200, ['40', '452-["authenticate",{"_placeholder":true,"num":0}]', argument, argument]],
    ['an event of very many', 4200, ['40', '4599999999-["authenticate",{"_placeholder":true,"num":0}]']],
    ['bytes in another place', 4200, ['40', '451-["authenticate",{"token":{"_placeholder":true,"num":0}}]', argument]],
    ['bytes in place of the name', 4200, ['40', '451-[{"_placeholder":true,"num":0}]', argument]],
    ['two events and their bytes', 4200, ['40', authenticate, authenticate, argument, argument]],
    ['an event in place of bytes', 4200, ['40', authenticate, '42["x"]']],
    ['an event of a namespace', 4200, ['40', '42/admin,["authenticate"]']],
    ['a namespace without end', 4200, [`40/${'x'.repeat(2_000)}`]],
    ['what is deep', 4200, ['40', `42["x",${'['.repeat(8_000)}`]],
    ['what is too large', 4202, ['40', `42["x","${'x'.repeat(8_200)}"]`]],
    ['bytes that are too many', 4202, ['40', authenticate, new Uint8Array(8_193)]],
    ['what is larger than anybody may send', 1009, [new Uint8Array(200_000)]],
    ['too much', 4205, ['40', ...Array.from({ length: 40 }, () => '42["x"]')]],
  ])('%s ends the connection with %i', async (_what, code, messages) => {
    const raw = await openRaw()
    raw.say(...messages)
    expect(await raw.closed).toBe(code)
  })

  test('bytes of any content are answered once each, and cost no more than they are', async () => {
    const user: Caller = await api.user()
    const claims = [
      [0xdd, 0xff, 0xff, 0xff, 0xff],
      [0xdd, 0x01, 0xff, 0xff, 0xff],
      [0xdf, 0x00, 0xff, 0xff, 0xff],
      [0xdb, 0x7f, 0xff, 0xff, 0xff],
      [0xc6, 0x7f, 0xff, 0xff, 0xff],
      [0x81, 0xa9, ...Buffer.from('__proto__'), 0x80],
      [0x81, 0xa5, ...Buffer.from('token'), 0xdd, 0x01, 0xff, 0xff, 0xff],
      Array.from({ length: 8_000 }, () => 0x91),
      Array.from({ length: 8_000 }, () => 0x81),
      [...encode({ token: 'x' }), 0xc0],
    ].map((bytes) => Uint8Array.from(bytes))
    const value = fc.anything({
      withNullPrototype: false,
      maxDepth: 3,
      key: fc.oneof(fc.string(), fc.constant('token')),
    })
    const packed = fc.oneof(fc.jsonValue(), value).map((each) => {
      try {
        return encode(each)
      } catch {
        return encode({ overlayGuid: 'x' })
      }
    })
    const flipped = fc
      .tuple(fc.constant(encode(open.asked)), fc.nat(100), fc.integer({ min: 1, max: 255 }))
      .map(([bytes, at, by]) => bytes.map((byte, index) => (index === at % bytes.length ? byte ^ by : byte)))
    const all = [
      ...claims,
      ...fc.sample(fc.oneof(fc.uint8Array({ maxLength: 200 }), packed, flipped), { numRuns: 400, seed: 14 }),
    ]
    const before = process.memoryUsage()
    for (let from = 0; from < all.length; from += 50) {
      const client = await openAs(user.token)
      const batch = all.slice(from, from + 50).map((bytes) => Buffer.from(bytes))
      let answers = 0
      client.socket.onAny(() => answers++)
      for (const [index, bytes] of batch.entries()) {
        client.socket.emit(index % 2 === 0 ? 'authenticate' : 'getTournamentOverlay', bytes)
      }
      await expect.poll(() => answers, { interval: 10 }).toBe(batch.length)
      expect(client.told.filter(({ body }) => body.error?.code === 'service.failed')).toEqual([])
      await client[Symbol.asyncDispose]()
    }
    expect(process.memoryUsage().heapUsed - before.heapUsed).toBeLessThan(100 * 1024 * 1024)
  })

  test('texts of any content end the connection, or are passed over', async () => {
    const part = fc.constantFrom(
      '4',
      '0',
      '1',
      '2',
      '5',
      '6',
      '40',
      '42',
      '451-',
      '-',
      '/',
      ',',
      '[',
      ']',
      '{',
      '}',
      '"x"',
    )
    const texts = fc.sample(fc.array(fc.oneof(part, fc.string({ maxLength: 8 })), { maxLength: 12 }), {
      numRuns: 200,
      seed: 5,
    })
    const codes = new Set<number>()
    await Promise.all(
      texts.map(async (parts) => {
        const raw = await openRaw()
        raw.say('40', parts.join(''))
        const end = await Promise.race([raw.closed, wait(2_000, 0)])
        codes.add(end)
        raw.socket.terminate()
      }),
    )
    expect([...codes].filter((code) => ![0, 1000, 4200].includes(code))).toEqual([])
  })
})

test('who asks for nothing is sent away after half a minute, and who follows is asked for a sign of life', async () => {
  expect(await idle.closed).toBe(4007)
  await expect.poll(() => living.texts.filter((text) => text === '2').length).toBeGreaterThan(0)
  expect(living.socket.readyState).toBe(WebSocket.OPEN)
  living.socket.terminate()
})

test('nothing of all that was a failure of the service', async () => {
  await expect.poll(() => [...api.app.services.realtime.peers].length).toBe(0)
  expect(failures).toEqual([])
  await using client = await openCompat(api)
  expect((await client.ask('getTournamentOverlay', open.asked)).overlay.guid).toBeDefined()
})
