import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import { openStream } from '../../../../test/realtime/streams.ts'
import { timely } from '../../../../test/waiting.ts'

/**
 * View tokens: what they show at each door, that they show nothing else, and that they end everywhere immediately.
 * (OV16, RT18)
 */

let api: Harness
let second: Harness
let organiser: Caller
/** A draft tournament, which strangers may not know of. */
let cup: MadeTournament
let open: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  organiser = await api.user()
  cup = await makeTournament(api, organiser, { status: 'draft' })
  open = await makeTournament(api, organiser)
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const codeOf = (reply: Reply) => outcome(reply).join(' ')
const with_ = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

interface Made {
  readonly guid: string
  readonly path: string
}

interface Token {
  readonly guid: string
  readonly token: string
  readonly url: string
}

let made = 0

async function makeOverlay(of = cup): Promise<Made> {
  const { body } = await api.post(`/tournaments/${of.guid}/overlays`, organiser, { name: `Overlay ${++made}` })
  return { guid: body.guid, path: `/tournaments/${of.guid}/overlays/${body.guid}` }
}

async function makeToken({ path }: Made, body: object = {}): Promise<Token> {
  const reply = await api.post(`${path}/tokens`, organiser, { label: 'Stage', ...body })
  expect(codeOf(reply), reply.text).toBe('201 ')
  return reply.body
}

async function openAs(token: string, at: Harness = api): Promise<Socket> {
  const socket = await openSocket(at)
  expect(await socket.ask({ type: 'authenticate', viewToken: token })).toMatchObject({ type: 'authenticated' })
  return socket
}

/** A text with the form of a token that is none. */
const wrong = `ovt_${'A'.repeat(43)}`

describe('a view token', () => {
  test('is made, listed without what is presented, and revoked', async () => {
    const overlay = await makeOverlay()
    const tokens = `${overlay.path}/tokens`
    const expiresAt = '2099-05-03T00:00:00.000Z'
    const token = await makeToken(overlay, { label: ' Caster’s\nmachine ', expiresAt, preview: true })
    expect(token.token).toMatch(/^ovt_[A-Za-z0-9_-]{43}$/)
    const { token: secret, url, ...shown } = token
    expect(url).toBe(`${api.url}/overlay/live#${secret}`)
    expect(shown).toEqual({
      guid: token.guid,
      label: 'Caster’s machine',
      lastFour: secret.slice(-4),
      preview: true,
      expiresAt,
      createdBy: expect.objectContaining({ guid: organiser.guid }),
      lastUsedAt: null,
      createdAt: expect.any(String),
    })
    expect((await api.get(tokens, organiser)).body).toEqual([shown])
    const refusals: [object, string][] = [
      [{}, '400 request.invalid'],
      [{ label: 'x'.repeat(41) }, '400 request.invalid'],
      [{ label: 'Late', expiresAt: '2020-05-03T00:00:00.000Z' }, '400 request.invalid'],
      [{ label: 'Never', expiresAt: 'never' }, '400 request.invalid'],
    ]
    for (const [body, code] of refusals) expect(codeOf(await api.post(tokens, organiser, body))).toBe(code)

    expect(codeOf(await api.delete(`${tokens}/${token.guid.toUpperCase()}`, organiser))).toBe('204 ')
    for (const gone of [token.guid, 'x', overlay.guid]) {
      expect(codeOf(await api.delete(`${tokens}/${gone}`, organiser))).toBe('404 token.unknown')
    }
    const emitted = await api.sql('select type, before, after from event_log where subject = $1 order by seq', [
      overlay.guid,
    ])
    const event = { token: token.guid, label: 'Caster’s machine', preview: true, expiresAt }
    expect(emitted.slice(1)).toEqual([
      { type: 'overlay.token_created', before: null, after: event },
      { type: 'overlay.token_revoked', before: event, after: null },
    ])
    const log = await api.sql(`select row_to_json(l)::text as text from event_log l`)
    expect(JSON.stringify(log)).not.toContain(secret.slice(4))
  })

  test('is one of twenty at most, however many are made at once', async () => {
    const overlay = await makeOverlay()
    const make = () => api.post(`${overlay.path}/tokens`, organiser, { label: 'One of many' })
    const replies = await Promise.all(Array.from({ length: 25 }, make))
    expect(replies.map(codeOf).toSorted()).toEqual([...Array(20).fill('201 '), ...Array(5).fill('409 token.too_many')])
    await api.sql(`update overlay_tokens set expires_at = now() - interval '1 hour' where guid = $1`, [
      replies.find(({ status }) => status === 201)?.body.guid,
    ])
    expect(codeOf(await make())).toBe('201 ')
    expect((await api.get(`${overlay.path}/tokens`, organiser)).body).toHaveLength(20)
  })

  test('shows its overlay over HTTP, and counts nowhere else', async () => {
    const [overlay, other, shared] = [await makeOverlay(), await makeOverlay(), await makeOverlay(open)]
    await api.patch(shared.path, organiser, { access: 'public' })
    const { token } = await makeToken(overlay)
    const get = (path: string, as = token) => api.get(path, null, with_(as).headers)
    const read = await get(overlay.path)
    expect(read.body).toMatchObject({ guid: overlay.guid, published: null })
    expect(['editors', 'draft', 'dirty'].filter((member) => member in read.body)).toEqual([])
    const found = await get('/overlays/@token')
    expect(found.body).toMatchObject({ guid: overlay.guid, tournament: { guid: cup.guid, id: cup.id } })
    expect((await get(`/overlays/${overlay.guid}`)).text).toBe(found.text)

    const hidden = [other.path, shared.path, `/overlays/${other.guid}`, `/overlays/${shared.guid}`]
    for (const path of hidden) expect([path, (await get(path)).status]).toEqual([path, 404])
    for (const invalid of [wrong, `${token}x`, token.slice(0, -1), `${token.slice(0, -4)}AAAA`, 'ovt_']) {
      expect(codeOf(await get('/overlays/@token', invalid))).toBe('404 overlay.unknown')
      expect((await get(overlay.path, invalid)).status).toBe(404)
      expect((await get(shared.path, invalid)).status).toBe(200)
    }
    // Operations that accept no view token answer as for an invalid token.
    for (const path of ['/tournaments', `/tournaments/${cup.guid}`, `/tournaments/${open.guid}`, '/users/@me']) {
      const [one, another] = [await get(path), await get(path, wrong)]
      expect([path, codeOf(one), one.text]).toEqual([path, codeOf(another), another.text])
    }
    for (const path of [`/tournaments/${cup.guid}/overlays`, `${overlay.path}/tokens`]) {
      expect(codeOf(await get(path))).toBe('401 token.invalid')
    }
    for (const [method, path, body] of [
      ['PATCH', overlay.path, { name: 'Mine' }],
      ['DELETE', overlay.path, undefined],
      ['POST', `${overlay.path}/tokens`, { label: 'Another' }],
      ['POST', '/realtime/tickets', undefined],
    ] as const) {
      const reply = await api.call(method, path, { ...with_(token), ...(body && { body }) })
      expect([path, codeOf(reply)]).toEqual([path, '401 token.invalid'])
    }
  })

  test('shows its overlay over a socket, and nothing else', async () => {
    const [overlay, shared] = [await makeOverlay(), await makeOverlay(open)]
    await api.patch(shared.path, organiser, { access: 'public' })
    const { token } = await makeToken(overlay, { expiresAt: '2099-05-03T00:00:00.000Z' })
    await using socket = await openSocket(api)
    const refused = [{ token }, { token: `Bearer ${token}` }, { viewToken: 'x' }, { viewToken: wrong }]
    for (const credential of refused) {
      expect(await socket.ask({ type: 'authenticate', ...credential })).toMatchObject({ code: 'token.invalid' })
    }
    for (const credential of [{ viewToken: organiser.token }, { token: 'x', viewToken: token }, {}]) {
      expect(await socket.ask({ type: 'authenticate', ...credential })).toMatchObject({ code: 'packet.invalid' })
    }
    const anonymous = `/tournaments/${open.guid}`
    expect(await socket.ask({ type: 'subscribe', topic: anonymous })).toMatchObject({ type: 'snapshot' })
    expect(await socket.ask({ type: 'authenticate', viewToken: token })).toMatchObject({
      type: 'authenticated',
      user: null,
      scopes: [],
      expiresAt: '2099-05-03T00:00:00.000Z',
      overlay: { guid: overlay.guid, tournament: { guid: cup.guid, id: cup.id } },
      limits: { subscriptions: 20, packetBytes: 8_192, packetsPerSecond: 5, publishPerSecond: 0 },
    })
    await socket.copies.until(({ all }) => all.get(anonymous)?.ended === 'gone', 'the end of what it saw before')
    const { body } = await api.get(overlay.path, null, with_(token).headers)
    expect(await socket.ask({ type: 'subscribe', topic: overlay.path })).toMatchObject({ type: 'snapshot', body })

    const subscribe = async (topic: string) => {
      const { id: _, ...answer } = await socket.ask({ type: 'subscribe', topic })
      return JSON.stringify(answer)
    }
    const unknown = await subscribe('/nothing')
    await using later = await openAs(token, second)
    for (const topic of [anonymous, shared.path, '/tournaments', `/tournaments/${cup.guid}`]) {
      const { id: _, ...answer } = await later.ask({ type: 'subscribe', topic })
      expect([topic, JSON.stringify(answer)]).toEqual([topic, unknown])
    }
    const command = { type: 'command', name: 'notifications.read', body: {} }
    expect(await socket.ask(command)).toMatchObject({ type: 'error', status: 401, code: 'token.invalid' })
    expect(await socket.ask({ type: 'authenticate', token: organiser.token })).toMatchObject({
      code: 'connection.authenticated',
    })
    expect(await socket.ask({ type: 'authenticate', viewToken: token })).toMatchObject({ type: 'authenticated' })

    await api.patch(overlay.path, organiser, { name: 'Told to pages' })
    await socket.copies.until(({ all }) => JSON.stringify(all.get(overlay.path)?.body).includes('Told to pages'), 'it')
  })

  test('shows what its page needs, late too, and nothing of how it is made', async () => {
    const overlay = await makeOverlay()
    const published = await api.post(`${overlay.path}/publish`, organiser, { revision: 0 })
    expect(codeOf(published), published.text).toBe('200 ')
    const { token } = await makeToken(overlay)
    const shown = ['', '/control', '/data', '/state', '/published'].map((part) => overlay.path + part)
    const hidden = ['/scene', '/versions', '/versions/1', '/tokens', '/package'].map((part) => overlay.path + part)
    await using socket = await openAs(token)
    for (const path of shown) {
      const read = await api.get(path, null, with_(token).headers)
      expect([path, codeOf(read)]).toEqual([path, '200 '])
      expect([path, (await api.get(path, null, with_(wrong).headers)).status]).toEqual([path, 404])
      expect([path, await socket.ask({ type: 'subscribe', topic: path })]).toMatchObject([path, { type: 'snapshot' }])
    }
    const late = await api.get(`${overlay.path}/data?delayed=true`, null, with_(token).headers)
    expect(codeOf(late)).toBe('200 ')
    expect((await api.get(`${overlay.path}/data?delayed=true`)).status).toBe(404)
    await using another = await openAs(token, second)
    const ask = (topic: string, more: object = {}) => another.ask({ type: 'subscribe', topic, ...more })
    expect(await ask(`${overlay.path}/data`, { delayed: true })).toMatchObject({ type: 'snapshot' })
    for (const path of hidden) {
      expect([path, codeOf(await api.get(path, null, with_(token).headers))]).toEqual([path, '401 token.invalid'])
      expect([path, await ask(path)]).toMatchObject([path, { code: 'topic.unknown' }])
    }
    for (const [method, part] of [
      ['PATCH', 'control'],
      ['PUT', 'match'],
      ['PUT', 'scene'],
      ['POST', 'publish'],
    ] as const) {
      const reply = await api.call(method, `${overlay.path}/${part}`, { ...with_(token), body: {} })
      expect([part, codeOf(reply)]).toEqual([part, '401 token.invalid'])
    }
  })

  test('opens sockets and streams by the header, too', async () => {
    const overlay = await makeOverlay()
    const { token } = await makeToken(overlay)
    await using socket = await openSocket(api, with_(token))
    expect(await socket.ask({ type: 'subscribe', topic: overlay.path })).toMatchObject({ type: 'snapshot' })
    await using stream = await openStream(api, [overlay.path], with_(token))
    await stream.copies.until(({ all }) => all.has(overlay.path), 'the overlay')
    await expect(openStream(api, [overlay.path])).rejects.toThrow('404 topic.unknown')
    await expect(openStream(api, [overlay.path, '/tournaments'], with_(token))).rejects.toThrow('404 topic.unknown')
    await expect(openSocket(api, with_(wrong))).rejects.toThrow('401')
  })

  test('opens twenty sockets at once, and no more', async () => {
    const { token } = await makeToken(await makeOverlay())
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openAs(token)))
    await using more = await openSocket(api)
    more.send({ type: 'authenticate', viewToken: token })
    expect((await more.closed).code).toBe(4204)
    await Promise.all(sockets.map((socket) => socket.close()))
  })

  test('is noted to be used, to the hour', async () => {
    const overlay = await makeOverlay()
    const token = await makeToken(overlay)
    await api.get(overlay.path, null, with_(token.token).headers)
    const lastUse = async () => (await api.get(`${overlay.path}/tokens`, organiser)).body[0].lastUsedAt
    await expect.poll(lastUse, { timeout: 10_000 }).toMatch(/:00:00\.000Z$/)
    expect(Math.abs(Date.now() - Date.parse(await lastUse()))).toBeLessThan(2 * 3_600_000)
  })
})

/** Opens one subscription through each door, on both processes. `ended` resolves with the closing codes. */
async function followers(overlay: Made, token: string) {
  const sockets = await Promise.all([openAs(token), openAs(token, second), openSocket(second, with_(token))])
  for (const socket of sockets) await socket.ask({ type: 'subscribe', topic: overlay.path })
  const stream = await openStream(second, [overlay.path], { ...with_(token), form: 'sse' })
  await stream.copies.until(({ all }) => all.has(overlay.path), 'the overlay')
  const closing = async () => {
    await stream.ended
    return Number(/"type":"closing","code":(\d+)/.exec(stream.text())?.[1])
  }
  const ended = Promise.all([...sockets.map(async ({ closed }) => (await closed).code), closing()])
  return { ended, sockets }
}

const all4103 = [4103, 4103, 4103, 4103]

describe('what was opened with a view token ends with it, everywhere within a second', () => {
  interface Opened {
    readonly ended: Promise<number[]>
    end(): Promise<Reply>
  }
  const expectEnd = async (open: () => Promise<Opened>) => {
    const attempt = async () => {
      const { ended, end } = await open()
      expect((await end()).status).toBe(204)
      const at = performance.now()
      expect(await ended).toEqual(all4103)
      return performance.now() - at
    }
    expect(await timely(1_000, attempt)).toBeLessThan(1_000)
  }

  test('when it is revoked', async () => {
    const overlay = await makeOverlay()
    const other = await makeToken(overlay)
    await using stays = await openAs(other.token)
    const revoked: string[] = []
    await expectEnd(async () => {
      const { guid, token } = await makeToken(overlay)
      revoked.push(token)
      const { ended } = await followers(overlay, token)
      return { ended, end: () => api.delete(`${overlay.path}/tokens/${guid}`, organiser) }
    })
    for (const at of [api, second]) {
      for (const token of revoked) expect((await at.get(overlay.path, null, with_(token).headers)).status).toBe(404)
    }
    expect(await stays.ask({ type: 'subscribe', topic: overlay.path })).toMatchObject({ type: 'snapshot' })
  })

  test('when its overlay is deleted', async () => {
    await expectEnd(async () => {
      const overlay = await makeOverlay()
      const { token } = await makeToken(overlay)
      const { ended } = await followers(overlay, token)
      return { ended, end: () => api.delete(overlay.path, organiser) }
    })
  })

  test('when its tournament is deleted', async () => {
    await expectEnd(async () => {
      const draft = await makeTournament(api, organiser, { status: 'draft' })
      const overlay = await makeOverlay(draft)
      const { token } = await makeToken(overlay)
      const { ended } = await followers(overlay, token)
      return { ended, end: () => api.delete(`/tournaments/${draft.guid}`, organiser) }
    })
  })

  test('when it expires', async () => {
    const overlay = await makeOverlay()
    const expiresAt = new Date(Date.now() + 3_000)
    const { token } = await makeToken(overlay, { expiresAt: expiresAt.toISOString() })
    const { ended } = await followers(overlay, token)
    expect(await ended).toEqual(all4103)
    // Expired connections are closed once a second.
    expect(Date.now() - expiresAt.getTime()).toBeLessThan(2_500)
    expect((await api.get(overlay.path, null, with_(token).headers)).status).toBe(404)
  })
})

test('guesses count as those of signing in do, at every door', async () => {
  const limits = { allowances: { 'sign-in': { calls: 3, seconds: 600 } } }
  await using limited = await startHarness({ rateLimits: true }, limits)
  const guess = () => limited.get('/overlays/@token', null, with_(wrong).headers)
  for (const _ of [1, 2]) expect(codeOf(await guess())).toBe('404 overlay.unknown')
  await using socket = await openSocket(limited)
  expect(await socket.ask({ type: 'authenticate', viewToken: wrong })).toMatchObject({ code: 'token.invalid' })
  expect(await socket.ask({ type: 'authenticate', viewToken: wrong })).toMatchObject({
    status: 429,
    code: 'request.limited',
    retryAfterMs: expect.any(Number),
  })
  expect(codeOf(await guess())).toBe('429 request.limited')
  await expect(openSocket(limited, with_(wrong))).rejects.toThrow('429')
})
