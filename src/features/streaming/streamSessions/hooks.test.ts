import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import {
  type MadeStreamServer,
  makeAssignment,
  makeStreamKey,
  makeStreamServer,
  validate,
} from '../../../../test/streaming.ts'
import type { ServerKind } from '../../../infra/clients/media-servers/types.ts'

/**
 * The questions of each kind of media server, in its own form, and the exact bytes of the answers.
 * (streaming: Adapters; S7, S10, S14, S15) The parsers have tests of their own next to their code; here the questions
 * come over HTTP.
 */

const kinds = ['mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp'] as const
type Kind = (typeof kinds)[number]

let api: Harness
let cup: MadeTournament
let servers: Readonly<Record<Kind, MadeStreamServer>>
let generic: MadeStreamServer

async function makeServers(at: Harness): Promise<Readonly<Record<Kind, MadeStreamServer>>> {
  const made = await Promise.all(kinds.map(async (kind) => [kind, await makeStreamServer(at, { kind })] as const))
  return Object.fromEntries(made) as Record<Kind, MadeStreamServer>
}

beforeAll(async () => {
  api = await startHarness()
  cup = await makeTournament(api, await api.user(), { status: 'ongoing' })
  servers = await makeServers(api)
  generic = await makeStreamServer(api, { kind: 'generic' })
})
afterAll(() => api[Symbol.asyncDispose]())

interface Streamer {
  readonly user: Caller
  readonly key: string
}

async function streamer(at = api, tournament = cup): Promise<Streamer> {
  const user = await at.user()
  const [{ key }] = await Promise.all([makeStreamKey(at, user), makeAssignment(at, tournament, user)])
  return { user, key }
}

interface Asked {
  readonly server?: Pick<MadeStreamServer, 'guid'>
  /** Sent in the query. */
  readonly secret?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: Harness
}

/**
 * Sends the request and returns the answer as a server receives it. A body of bytes has only the content type that is
 * given.
 */
async function send(
  kind: Kind,
  body: string,
  { server = servers[kind], secret = null, headers = {}, at = api }: Asked,
) {
  const query = secret === null ? '' : `?secret=${encodeURIComponent(secret)}`
  const response = await fetch(`${at.url}/api/streaming/hooks/${server.guid}${query}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: Buffer.from(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, problem: response.headers.get('problem-code') }
}

const signatureOf = (secret: string, body: string) => createHmac('sha1', secret).update(body).digest('base64url')

/** The proof of the server's kind, with a secret that may be wrong. */
function prove(kind: Kind, body: string, secret: string): Pick<Asked, 'secret' | 'headers'> {
  if (kind === 'ovenmediaengine') return { headers: { 'x-ome-signature': signatureOf(secret, body) } }
  return { secret }
}

function ask(kind: Kind, body: string, more: Asked & { readonly type?: string } = {}) {
  const { type, at = api, ...rest } = more
  const { headers = {}, ...proof } = prove(kind, body, servers[kind].secret)
  return send(kind, body, {
    at,
    ...proof,
    ...rest,
    headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
  })
}

/** The question of a server about an encoder that was configured with these fields. */
function publishing(kind: Kind, key: string, guid: string, clientId = '17'): string {
  switch (kind) {
    case 'mediamtx':
      return JSON.stringify({
        user: '',
        password: '',
        token: '',
        ip: '203.0.113.7',
        action: 'publish',
        path: `live/${guid}`,
        protocol: 'rtmp',
        id: clientId,
        query: `token=${key}`,
      })
    case 'ovenmediaengine':
      return JSON.stringify({
        client: { address: '203.0.113.7', port: 50_000, real_ip: '203.0.113.7', user_agent: 'OBS' },
        request: {
          direction: 'incoming',
          protocol: 'rtmp',
          status: 'opening',
          time: '2026-11-23T05:00:00.000Z',
          url: `rtmp://media.example.org:1935/live/${key}`,
        },
      })
    case 'srs':
      return JSON.stringify({
        action: 'on_publish',
        client_id: clientId,
        ip: '203.0.113.7',
        vhost: '__defaultVhost__',
        app: 'live',
        stream: guid,
        param: `?key=${key}`,
        tcUrl: 'rtmp://media.example.org/live',
        server_id: 'vid-0xk989d',
      })
    case 'nginx-rtmp':
      return `app=live&flashver=FMLE/3.0&swfurl=&tcurl=rtmp://media.example.org/live&pageurl=&addr=203.0.113.7&clientid=${clientId}&call=publish&name=${key}&type=live`
  }
}

/** The question of a server about a viewer. */
function watched(kind: Kind, guid: string, view: string): string {
  switch (kind) {
    case 'mediamtx':
      return JSON.stringify({ action: 'read', path: `live/${guid}`, protocol: 'hls', query: `view=${view}` })
    case 'ovenmediaengine':
      return JSON.stringify({
        client: { address: '198.51.100.9', port: 1 },
        request: {
          direction: 'outgoing',
          protocol: 'llhls',
          status: 'opening',
          url: `https://media.example.org:3334/live/${guid}/llhls.m3u8?view=${view}`,
        },
      })
    case 'srs':
      return JSON.stringify({ action: 'on_play', client_id: 'a', app: 'live', stream: guid, param: `?view=${view}` })
    case 'nginx-rtmp':
      return `app=live&call=play&name=${guid}&addr=198.51.100.9&clientid=1&view=${view}`
  }
}

/** The status and body with which each kind of server is told to refuse. */
const refusals: Readonly<Record<Kind, readonly [number, string]>> = {
  mediamtx: [403, ''],
  ovenmediaengine: [200, '{"allowed":false,"reason":"The question is not understood."}'],
  srs: [403, '{"code":403}'],
  'nginx-rtmp': [403, ''],
}

const liveOf = ({ user }: Streamer) =>
  api.sql<{ server_guid: string }>(
    'select server_guid from stream_sessions where user_guid = $1 and ended_at is null',
    [user.guid],
  )

describe.each(kinds)('%s', (kind) => {
  test.each([
    undefined,
    'application-json',
    'text',
    ';;=',
    'multipart/form-data; boundary=',
    '"',
    'application/json; charset=\\',
  ])('asks with the content type %j, which nobody looks at', async (type) => {
    const one = await streamer()
    const answer = await ask(kind, publishing(kind, one.key, one.user.guid), type === undefined ? {} : { type })
    expect([answer.status, answer.problem]).toEqual([kind === 'nginx-rtmp' ? 302 : 200, null])
    expect(await liveOf(one)).toEqual([{ server_guid: servers[kind].guid }])
  })

  test('is refused in its own form whatever it asks that is no question', async () => {
    const [status, text] = refusals[kind]
    const { key, user } = await streamer()
    const whole = publishing(kind, key, user.guid)
    const strange = [
      '',
      '{}',
      '[]',
      'null',
      '\u0000\ufffd',
      'name=&call=',
      whole.slice(0, whole.length / 2).replace('call=publish', 'call=pub'),
      whole.replaceAll(/publish|opening/g, 'conquer'),
      whole.replaceAll(/action|direction|call/g, 'verb'),
      // Without the key, or with another user's path.
      kind === 'mediamtx' ? whole.replace(user.guid, 'everybody') : whole.replace(key, ''),
    ]
    for (const body of strange) {
      const answer = await ask(kind, body)
      expect([answer.status, answer.text], body).toEqual([status, text])
      expect(answer.headers.get('location')).toBeNull()
    }
    expect(await liveOf({ key, user })).toEqual([])
  })

  test('is refused whatever no connection, address or token is like', async () => {
    const [status, text] = refusals[kind]
    const { key, user } = await streamer()
    const whole = publishing(kind, key, user.guid)
    const write = (body: string, strange: string) =>
      kind === 'nginx-rtmp'
        ? body.replace('%', encodeURIComponent(strange))
        : body.replace('%', () => JSON.stringify(strange).slice(1, -1))
    const connection = kind === 'ovenmediaengine' ? [] : [publishing(kind, key, user.guid, '%')]
    const address = whole.replace('203.0.113.7', '%')
    const watching = watched(kind, user.guid, '%')
    const asked = [
      ...connection.flatMap((body) => ['a\0b', 'a\nb', 'x'.repeat(201)].map((strange) => write(body, strange))),
      ...['203.0.113.7\0', 'x'.repeat(65)].map((strange) => write(address, strange)),
      watching.replace('%', 'x'.repeat(2_001)),
    ]
    for (const body of asked) {
      const answer = await ask(kind, body)
      expect([answer.status, answer.text], body.slice(0, 400)).toEqual([status, text])
    }
    expect(await liveOf({ key, user })).toEqual([])
    await ask(kind, whole)
    expect((await ask(kind, watching.replace('%', 'x'.repeat(2_000)))).status).toBe(200)
  })

  test('takes 16 KiB, and not a byte more', async () => {
    const one = await streamer()
    const body = publishing(kind, one.key, one.user.guid)
    const filled = (bytes: number) =>
      kind === 'nginx-rtmp'
        ? `${body}&filler=${'x'.repeat(bytes - body.length - 8)}`
        : `${body}${' '.repeat(bytes - body.length)}`
    const large = await ask(kind, filled(16 * 1024 + 1))
    expect([large.status, large.problem]).toEqual([413, 'request.too_large'])
    expect(await liveOf(one)).toEqual([])
    expect((await ask(kind, filled(16 * 1024))).problem).toBeNull()
    expect(await liveOf(one)).toHaveLength(1)
  })

  test('must prove itself, as itself', async () => {
    const one = await streamer()
    const body = publishing(kind, one.key, one.user.guid)
    const wrong = [
      prove(kind, body, 'wrong'),
      prove(kind, body, servers[kind === 'srs' ? 'mediamtx' : 'srs'].secret),
      // A valid signature of another body.
      ...(kind === 'ovenmediaengine' ? [prove(kind, `${body} `, servers[kind].secret)] : []),
      // The proof in the form of another kind.
      kind === 'ovenmediaengine'
        ? { secret: servers[kind].secret }
        : { headers: { 'x-ome-signature': signatureOf(servers[kind].secret, body) } },
      { headers: { authorization: `Bearer ${servers[kind].secret}` } },
      {},
    ]
    for (const proof of wrong) {
      const answer = await send(kind, body, proof)
      expect([answer.status, answer.problem]).toEqual([401, 'stream_server.secret_wrong'])
      expect(answer.text).not.toContain(one.key)
    }
    const elsewhere = await makeStreamServer(api, { kind, networks: ['198.51.100.0/24'] })
    const answer = await send(kind, body, { server: elsewhere, ...prove(kind, body, elsewhere.secret) })
    expect([answer.status, answer.problem]).toEqual([401, 'stream_server.secret_wrong'])
    expect(await liveOf(one)).toEqual([])
    // The previous secret is valid during its grace period, the new one immediately.
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const turned = await makeStreamServer(api, { kind })
    const { secret } = (await api.post(`/admin/streamServers/${turned.guid}/secret`, owner, { graceSeconds: 60 })).body
    for (const good of [turned.secret, secret]) {
      const taken = await send(kind, body, { server: turned, ...prove(kind, body, good) })
      expect(taken.problem).toBeNull()
    }
  })

  test('is not known under another address', async () => {
    const { key, user } = await streamer()
    const body = publishing(kind, key, user.guid)
    for (const guid of [randomUUID(), 'mediamtx', generic.guid, user.guid]) {
      for (const { secret } of [servers[kind], generic]) {
        const answer = await send(kind, body, { server: { guid }, ...prove(kind, body, secret) })
        expect([answer.status, answer.problem], guid).toEqual([404, 'stream_server.unknown'])
      }
    }
  })

  test('hears of no key', async () => {
    const one = await streamer()
    const stranger = await streamer()
    const wrong = `sk-${'w'.repeat(43)}`
    const asked = [
      publishing(kind, one.key, one.user.guid),
      publishing(kind, one.key, one.user.guid, '18'),
      publishing(kind, one.key, stranger.user.guid, '19'),
      publishing(kind, wrong, one.user.guid),
      publishing(kind, one.key, one.user.guid).replace('rtmp', 'gopher'),
    ]
    for (const body of asked) {
      for (const proof of [prove(kind, body, servers[kind].secret), prove(kind, body, 'wrong'), {}]) {
        const answer = await send(kind, body, proof)
        const whole = JSON.stringify([...answer.headers]) + answer.text
        for (const secret of [one.key, wrong, servers[kind].secret]) expect(whole).not.toContain(secret)
      }
    }
  })
})

describe('MediaMTX', () => {
  test('is answered by statuses without a body', async () => {
    const [one, other] = await Promise.all([streamer(), streamer()])
    const body = publishing('mediamtx', one.key, one.user.guid)
    const told = async (asked: string, how: Asked = {}) => {
      const { status, text, headers } = await ask('mediamtx', asked, how)
      return [status, text, headers.get('location')]
    }
    expect(await told(body)).toEqual([200, '', null])
    expect(await told(publishing('mediamtx', one.key, other.user.guid))).toEqual([403, '', null])
    expect(await told(publishing('mediamtx', 'sk-wrong', one.user.guid))).toEqual([403, '', null])
    const read = (guid: string) => JSON.stringify({ action: 'read', path: `live/${guid}`, protocol: 'hls', query: '' })
    expect(await told(read(one.user.guid))).toEqual([200, '', null])
    expect(await told(read(other.user.guid))).toEqual([403, '', null])
    expect(await told(read(one.key))).toEqual([403, '', null])
  })

  test('may send its secret as a password, and the key in any of its places', async () => {
    const one = await streamer()
    const basic = `Basic ${Buffer.from(`mediamtx:${servers.mediamtx.secret}`).toString('base64')}`
    const { key, user } = one
    const asked = { action: 'publish', path: `live/${user.guid}`, protocol: 'rtmp', ip: '203.0.113.7', id: null }
    for (const place of [
      { token: key },
      { user: 'user', password: key },
      { query: `token=${key}` },
      { query: `pass=${key}` },
      { query: `key=${key}` },
    ]) {
      const answer = await send('mediamtx', JSON.stringify({ ...asked, ...place }), {
        headers: { authorization: basic },
      })
      expect([answer.status, Object.keys(place)]).toEqual([200, Object.keys(place)])
    }
  })
})

test('OvenMediaEngine is given the address to publish under, which has neither key nor query', async () => {
  const one = await streamer()
  const body = publishing('ovenmediaengine', one.key, one.user.guid).replace(one.key, `${one.key}?foo=${one.key}`)
  const answer = await ask('ovenmediaengine', body)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/json'),
  ])
  const told = JSON.parse(answer.text)
  // The server has no control address, so it is told the lifetime of the stream.
  expect(told).toEqual({
    allowed: true,
    lifetime: expect.any(Number),
    new_url: `rtmp://media.example.org:1935/live/${one.user.guid}`,
  })
  expect(told.lifetime / 60_000).toBeCloseTo(80, 0)
  const closing = body.replace('opening', 'closing')
  expect(await ask('ovenmediaengine', closing)).toMatchObject({ status: 200, text: '{}' })
  expect(await liveOf(one)).toEqual([])
  // The session has ended, so the report is about nothing.
  expect(await ask('ovenmediaengine', closing)).toMatchObject({ status: 200, text: '{}' })
  const wrong = await ask('ovenmediaengine', publishing('ovenmediaengine', 'sk-wrong', one.user.guid))
  expect([wrong.status, wrong.text]).toEqual([200, '{"allowed":false,"reason":"The key is not valid."}'])
  const watched = (name: string) => ({
    client: { address: '198.51.100.9', port: 1 },
    request: {
      direction: 'outgoing',
      protocol: 'llhls',
      status: 'opening',
      time: '2026-11-23T05:00:00.000Z',
      url: `https://media.example.org:3334/live/${name}/llhls.m3u8`,
    },
  })
  const other = await streamer()
  await ask('ovenmediaengine', publishing('ovenmediaengine', other.key, other.user.guid))
  expect(await ask('ovenmediaengine', JSON.stringify(watched(other.user.guid)))).toMatchObject({
    status: 200,
    text: '{"allowed":true}',
  })
  expect(JSON.parse((await ask('ovenmediaengine', JSON.stringify(watched(other.key)))).text).allowed).toBe(false)
})

test('SRS is answered a code, and its reports are acknowledged whatever is thought of them', async () => {
  const one = await streamer()
  const body = publishing('srs', one.key, one.user.guid)
  const answered = async (asked: string) => {
    const { status, text, headers } = await ask('srs', asked, { type: 'application-json' })
    expect(headers.get('content-type')).toContain('application/json')
    return [status, text]
  }
  const [yes, no] = [
    [200, '{"code":0}'],
    [403, '{"code":403}'],
  ]
  expect(await answered(body)).toEqual(yes)
  // This kind would refuse a second publisher itself, and the service cannot end the first connection.
  expect(await answered(body.replace('"17"', '"18"'))).toEqual(no)
  const about = (action: string, more: object = {}) =>
    JSON.stringify({ ...JSON.parse(body), action, param: '', ...more })
  expect(await answered(about('on_play'))).toEqual(yes)
  expect(await answered(about('on_play', { stream: one.key }))).toEqual(no)
  expect(await answered(about('on_stop'))).toEqual(yes)
  // The report about the refused connection does not end the other one.
  expect(await answered(body.replace('"17"', '"18"').replace('on_publish', 'on_unpublish'))).toEqual(yes)
  expect(await liveOf(one)).toHaveLength(1)
  expect(await answered(body.replace('on_publish', 'on_unpublish'))).toEqual(yes)
  expect(await liveOf(one)).toEqual([])
  expect(await answered(body.replace('"live"', '"backstage"'))).toEqual(no)
})

test('nginx-rtmp is told by a redirection under which name to publish, never by a 2xx', async () => {
  const [one, other] = await Promise.all([streamer(), streamer()])
  const body = publishing('nginx-rtmp', one.key, one.user.guid)
  const answered = async (asked: string) => {
    const { status, text, headers } = await ask('nginx-rtmp', asked)
    expect(text).toBe('')
    return [status, headers.get('location')]
  }
  const call = (name: string, more: object = {}) =>
    new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(body)), call: name, ...more }).toString()
  expect(await answered(call('update_publish'))).toEqual([403, null])
  expect(await answered(body)).toEqual([302, one.user.guid])
  expect(await answered(body.replace('clientid=17', 'clientid=18'))).toEqual([403, null])
  expect(await answered(call('update_publish'))).toEqual([200, null])
  expect(await answered(call('play', { name: one.user.guid }))).toEqual([200, null])
  expect(await answered(call('play', { name: one.key }))).toEqual([403, null])
  expect(await answered(call('play_done', { name: one.user.guid }))).toEqual([200, null])
  // If a field occurs twice, the first one counts: the encoder can add further ones.
  const forged = [
    `${publishing('nginx-rtmp', 'sk-wrong', other.user.guid)}&name=${other.key}&call=publish`,
    `${call('publish', { name: '' })}&name=${other.key}`,
    `${call('play', { name: other.user.guid })}&call=publish&name=${other.key}`,
    `${publishing('nginx-rtmp', 'sk-wrong', other.user.guid)}&secret=${servers['nginx-rtmp'].secret}&key=${other.key}`,
  ]
  for (const asked of forged) expect(await answered(asked), asked).toEqual([403, null])
  expect(await liveOf(other)).toEqual([])
  // A report about another connection with the same key, which was refused.
  expect(await answered(call('publish_done', { clientid: '18' }))).toEqual([200, null])
  expect(await liveOf(one)).toHaveLength(1)
  expect(await answered(call('publish_done'))).toEqual([200, null])
  expect(await liveOf(one)).toEqual([])
})

test('two who publish at once where the server refuses a second itself: one is let in, the other refused', async () => {
  for (const kind of ['srs', 'nginx-rtmp'] as const) {
    const many = await Promise.all(Array.from({ length: 10 }, () => streamer()))
    const rounds = await Promise.all(
      many.map(async ({ key, user }) => {
        const answers = await Promise.all(['1', '2'].map((id) => ask(kind, publishing(kind, key, user.guid, id))))
        return answers.map(({ status }) => status).toSorted()
      }),
    )
    expect(new Set(rounds.map(String))).toEqual(new Set([kind === 'srs' ? '200,403' : '302,403']))
    for (const one of many) expect(await liveOf(one)).toHaveLength(1)
  }
})

test('wrong secrets and wrong keys count for whoever sends them, and what has no credentials for nobody', async () => {
  await using limited = await startHarness(
    { rateLimits: true },
    { allowances: { 'sign-in': { calls: 3, seconds: 600 } } },
  )
  const tournament = await makeTournament(limited, await limited.user(), { status: 'ongoing' })
  const there = await makeServers(limited)
  const { key, user } = await streamer(limited, tournament)
  const kind = 'mediamtx'
  const server = there[kind]
  const body = publishing(kind, key, user.guid)
  const at = { at: limited, server }
  const statuses = async (times: number, make: () => ReturnType<typeof send>) => {
    const all: number[] = []
    for (let n = 0; n < times; n += 1) all.push((await make()).status)
    return all
  }
  // A question without a key, which MediaMTX asks first, and a request without a secret are answered 401; neither
  // counts as a guess.
  const bare = JSON.stringify({ ...JSON.parse(body), query: '' })
  expect(await statuses(8, () => send(kind, bare, { ...at, secret: server.secret }))).toEqual(Array(8).fill(401))
  expect(await statuses(8, () => send(kind, body, at))).toEqual(Array(8).fill(401))
  // Wrong keys are refused as usual even beyond the budget: the publisher is at fault, not the server.
  const wrong = publishing(kind, 'sk-wrong', user.guid)
  expect(await statuses(8, () => send(kind, wrong, { ...at, secret: server.secret }))).toEqual(Array(8).fill(403))
  expect(await statuses(5, () => send(kind, body, { ...at, secret: 'wrong' }))).toEqual([401, 401, 401, 429, 429])
  expect(await statuses(2, () => send(kind, body, { ...at, server: { guid: randomUUID() }, secret: 'x' }))).toEqual([
    429, 429,
  ])
  expect(await statuses(3, () => send(kind, body, { ...at, secret: server.secret }))).toEqual([200, 200, 200])
  expect((await validate(limited, server, { action: 'read', path: `live/${user.guid}` })).status).toBe(200)
})

test('nobody is let in through a server that is not in use, in the form of any kind', async () => {
  const { key, user } = await streamer()
  for (const kind of kinds satisfies readonly ServerKind[]) {
    const server = await makeStreamServer(api, { kind, enabled: false })
    const body = publishing(kind, key, user.guid)
    const answer = await send(kind, body, { server, ...prove(kind, body, server.secret) })
    expect(answer.status).toBe(kind === 'ovenmediaengine' ? 200 : 403)
    if (kind === 'ovenmediaengine') expect(JSON.parse(answer.text).allowed).toBe(false)
  }
})
