import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mediaServerKinds } from './kinds.ts'
import type { HookForm, HookQuestion, HookRequest, ServerKind, StreamProtocol, Verdict } from './types.ts'

/**
 * The requests of servers, made after their public sources; a comment names the sources of each kind, and when they
 * were read. The expectations are those of the contract (streaming: Adapters) and of the rules S1, S5, S6, S10, S14 and
 * S15.
 */

const alice = '0b8ff4d2-33b1-4f3c-9a3f-7c2f1a0d9e55'
const bob = '7d1a2b3c-4d5e-4f60-8a9b-0c1d2e3f4a5b'
const key = `sk-${'k'.repeat(43)}`
const allowed: Verdict = { allowed: true, userGuid: alice, lifetimeMs: 0 }
const refused: Verdict = { allowed: false, reason: 'The key is not valid.' }

function formOf(kind: ServerKind): HookForm {
  const { hooks } = mediaServerKinds[kind]
  if (hooks === null) throw new Error(`${kind} has no hooks`)
  return hooks
}

function request(body: string | object, more: Partial<HookRequest> = {}): HookRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { query: new URLSearchParams(), authorization: null, signature: null, body: Buffer.from(text), ...more }
}

const read = (kind: ServerKind, body: string | object) => formOf(kind).read(request(body))

function answer(kind: ServerKind, body: string | object, verdict: Verdict) {
  const asked = request(body)
  const question = formOf(kind).read(asked)
  if (question === null) throw new Error('this is not understood')
  return formOf(kind).answer(asked, question, verdict)
}

/** Bodies that no server sends: none may be read as a request. */
const strange = [
  '',
  'null',
  '[]',
  '{}',
  '"publish"',
  '{"action":',
  '\u0000',
  '<publish/>',
  'name=%',
  '&&&===',
  JSON.stringify({ action: ['publish'], path: {}, request: null, call: 'publish' }),
]

describe.each<ServerKind>(['mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp'])('%s', (kind) => {
  test.each(strange)('does not take %j for a question', (body) => {
    expect(read(kind, body)).toBeNull()
  })

  test('lets nobody through by a refusal, and says nothing of the question', () => {
    const { status, headers, body = '' } = formOf(kind).refusal(request({ key }), 'Not now.')
    const isRefusal = kind === 'ovenmediaengine' ? JSON.parse(body).allowed === false : status === 403
    expect([isRefusal, headers, body.includes(key)]).toEqual([true, undefined, false])
  })
})

describe('MediaMTX', () => {
  // bluenviron/mediamtx internal/auth/manager.go @003b535f (authenticateHTTP), docs/2-features/06-authentication.md @0edc3dbe,
  // read on 2026-11-23. Fields that are unknown are empty; `id` is null outside of a connection.
  const asked = {
    ip: '203.0.113.7',
    user: '',
    password: '',
    token: '',
    action: 'publish',
    path: `live/${alice}`,
    protocol: 'rtmp',
    id: 'b5a7c9d1-0e2f-4a3b-8c4d-5e6f70819203',
    query: '',
  }
  const publish = {
    action: 'publish',
    key,
    claimed: alice,
    protocol: 'rtmp',
    address: '203.0.113.7',
    clientId: asked.id,
  }

  test.each<[string, object, HookQuestion | null]>([
    ['a token in the query', { query: `token=${key}` }, publish as HookQuestion],
    ['a password in the query', { query: `user=x&pass=${key}` }, publish as HookQuestion],
    ['a key in the query', { query: `key=${key}` }, publish as HookQuestion],
    ['a token before all others', { token: key, password: 'p', query: 'token=q' }, publish as HookQuestion],
    ['a password before the query', { user: 'u', password: key, query: 'token=q' }, publish as HookQuestion],
    ['a token of the query before its password', { query: `pass=p&key=k&token=${key}` }, publish as HookQuestion],
    ['the first of a repeated one', { query: `token=${key}&token=other` }, publish as HookQuestion],
    ['SRT', { protocol: 'srt', password: key }, { ...publish, protocol: 'srt' } as HookQuestion],
    ['WHIP', { protocol: 'webrtc', token: key }, { ...publish, protocol: 'whip' } as HookQuestion],
    ['RTSP', { protocol: 'rtsp', password: key }, { ...publish, protocol: 'rtsp' } as HookQuestion],
    ['a question outside of a connection', { token: key, id: null }, { ...publish, clientId: null } as HookQuestion],
    ['no credentials', {}, { action: 'bare' }],
    ['a query without credentials', { query: 'a=b' }, { action: 'bare' }],
    ['a user without a password', { user: 'alice' }, null],
    ['a path that is nobody’s', { token: key, path: 'live/alice' }, null],
    ['a path of two', { token: key, path: `live/${alice}/${bob}` }, null],
    ['another application', { token: key, path: `other/${alice}` }, null],
    ['a GUID that leads elsewhere', { token: key, path: `live/${alice.toUpperCase()}` }, null],
    ['a protocol that nobody publishes by', { token: key, protocol: 'hls' }, null],
    ['its own API', { action: 'api', path: '' }, null],
    ['its metrics', { action: 'metrics', path: '' }, null],
    ['its profiler', { action: 'pprof', path: '' }, null],
  ])('reads %s', (_what, changes, question) => {
    expect(read('mediamtx', { ...asked, ...changes })).toEqual(question)
  })

  test('reads who would watch, and by which token', () => {
    const watching = { ...asked, action: 'read', protocol: 'hls', id: null }
    expect(read('mediamtx', watching)).toEqual({ action: 'read', userGuid: alice, view: null })
    const withToken = { ...watching, action: 'playback', query: 'view=a.b-c&view=d' }
    expect(read('mediamtx', withToken)).toEqual({ action: 'read', userGuid: alice, view: 'a.b-c' })
    expect(read('mediamtx', { ...watching, path: 'all' })).toEqual({ action: 'read', userGuid: null, view: null })
  })

  test('is answered by the status alone, since it writes the rest into its log', () => {
    const withKey = { ...asked, token: key }
    expect(answer('mediamtx', withKey, allowed)).toEqual({ status: 200 })
    expect(answer('mediamtx', withKey, refused)).toEqual({ status: 403 })
    expect(answer('mediamtx', asked, refused)).toEqual({ status: 401 })
    expect(answer('mediamtx', asked, allowed)).toEqual({ status: 401 })
    expect(answer('mediamtx', { ...asked, action: 'read' }, refused)).toEqual({ status: 403 })
  })

  test('proves itself by the query or by the password of HTTP Basic', () => {
    const { proves } = formOf('mediamtx')
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const secrets = ['new', 'old:with colon']
    const cases: readonly (readonly [Partial<HookRequest>, boolean])[] = [
      [{ query: new URLSearchParams({ secret: 'new' }) }, true],
      [{ query: new URLSearchParams({ secret: 'old:with colon' }) }, true],
      [{ query: new URLSearchParams({ secret: 'New' }) }, false],
      [{ query: new URLSearchParams({ secret: '' }) }, false],
      [basic('anybody:new'), true],
      [basic('anybody:old:with colon'), true],
      [basic('new'), false],
      [basic('new:'), false],
      [{ authorization: 'Bearer new' }, false],
      [{ authorization: 'Basic !' }, false],
      [{}, false],
    ]
    for (const [given, isProof] of cases) expect(proves(request(asked, given), secrets)).toBe(isProof)
    expect(proves(request(asked, { query: new URLSearchParams({ secret: '' }) }), [])).toBe(false)
  })
})

describe('OvenMediaEngine', () => {
  // AirenSoft/OvenMediaEngine src/projects/modules/access_control/admission_webhooks/admission_webhooks.cpp @154b7713
  // (MakeMessageBody, ParseResponse), docs/access-control/admission-webhooks.md @202052b1, src/projects/providers/srt/
  // srt_provider.cpp @154b7713 (the address is that of the stream's identifier); read on 2026-11-23.
  const asked = (changes: object, client: object = {}) => ({
    client: { address: '203.0.113.7', port: 29_291, real_ip: '192.0.2.43', user_agent: 'OBS', ...client },
    request: {
      direction: 'incoming',
      protocol: 'rtmp',
      status: 'opening',
      url: `rtmp://media.example.org:1935/live/${key}`,
      time: '2026-11-23T05:00:00.000Z',
      ...changes,
    },
  })
  const publish = {
    action: 'publish',
    key,
    claimed: null,
    protocol: 'rtmp' as StreamProtocol,
    address: '203.0.113.7',
    clientId: '203.0.113.7:29291',
  } as const

  test.each<[string, object, HookQuestion | null]>([
    ['RTMP', {}, publish],
    ['RTMP with a query', { url: `rtmp://media.example.org/live/${key}?a=b/c` }, publish],
    ['SRT', { protocol: 'srt', url: `srt://media.example.org:9999/live/${key}` }, { ...publish, protocol: 'srt' }],
    [
      'WHIP, whose connection ends before the stream',
      { protocol: 'webrtc', url: `https://media.example.org:3334/live/${key}?direction=whip` },
      { ...publish, protocol: 'whip', clientId: 'webrtc' },
    ],
    ['names in capitals', { protocol: 'RTMP' }, publish],
    // The server uses the second segment as the stream; a key in the last one would be checked for another stream.
    ['an address with more segments', { url: `rtmp://media.example.org/live/${bob}/${key}` }, null],
    ['an address without a stream', { url: 'rtmp://media.example.org/live/' }, null],
    ['an address without an application', { url: `rtmp://media.example.org//${key}` }, null],
    ['what is no address', { url: key }, null],
    ['a protocol that needs no leave', { protocol: 'mpegts' }, null],
    ['another direction', { direction: 'sideways' }, null],
    ['another status', { status: 'resting' }, null],
    [
      'an end',
      { status: 'closing', new_url: `rtmp://media.example.org:1935/live/${alice}` },
      { action: 'done', key, userGuid: alice, clientId: '203.0.113.7:29291' },
    ],
    [
      'an end of what was refused',
      { status: 'closing' },
      { action: 'done', key, userGuid: null, clientId: publish.clientId },
    ],
    [
      'who would watch',
      {
        direction: 'outgoing',
        protocol: 'llhls',
        url: `https://media.example.org:3334/live/${alice}/llhls.m3u8?view=t`,
      },
      { action: 'read', userGuid: alice, view: 't' },
    ],
    [
      'who would watch by WebRTC',
      { direction: 'outgoing', protocol: 'webrtc', url: `wss://media.example.org:3334/live/${alice}` },
      { action: 'read', userGuid: alice, view: null },
    ],
    [
      'who would watch what is nobody’s',
      { direction: 'outgoing', protocol: 'webrtc', url: 'wss://media.example.org:3334/live/x' },
      { action: 'read', userGuid: null, view: null },
    ],
    [
      'who watches no more',
      { direction: 'outgoing', protocol: 'webrtc', status: 'closing', url: `wss://media.example.org/live/${alice}` },
      { action: 'other' },
    ],
  ])('reads %s', (_what, changes, question) => {
    expect(read('ovenmediaengine', asked(changes))).toEqual(question)
  })

  test('knows the connection by its address and port, as far as it tells them', () => {
    expect(read('ovenmediaengine', { ...asked({}), client: {} })).toEqual({ ...publish, address: null, clientId: null })
  })

  test.each([
    [`rtmp://media.example.org:1935/live/${key}`, `rtmp://media.example.org:1935/live/${alice}`],
    [`rtmp://media.example.org/live/${key}?pass=word`, `rtmp://media.example.org/live/${alice}`],
    [`srt://media.example.org:9999/live/${key}`, `srt://media.example.org:9999/live/${alice}`],
    [`https://media.example.org:3334/live/${key}?direction=whip`, `https://media.example.org:3334/live/${alice}`],
  ])('publishes %s under %s', (url, newUrl) => {
    const { status, body, contentType } = answer('ovenmediaengine', asked({ url }), { ...allowed, lifetimeMs: 90_000 })
    expect([status, contentType]).toEqual([200, 'application/json'])
    expect(JSON.parse(body ?? '')).toEqual({ allowed: true, new_url: newUrl, lifetime: 90_000 })
  })

  test('is answered with status 200 alone, and an end with an empty object', () => {
    const told = (changes: object, verdict: Verdict) => {
      const { status, body } = answer('ovenmediaengine', asked(changes), verdict)
      return [status, JSON.parse(body ?? '')]
    }
    expect(told({}, refused)).toEqual([200, { allowed: false, reason: 'The key is not valid.' }])
    expect(told({ status: 'closing' }, refused)).toEqual([200, {}])
    const outgoing = { direction: 'outgoing', url: `wss://media.example.org/live/${alice}` }
    expect(told(outgoing, allowed)).toEqual([200, { allowed: true }])
    expect(told(outgoing, refused)).toEqual([200, { allowed: false, reason: 'The key is not valid.' }])
    expect(told({ ...outgoing, status: 'closing' }, refused)).toEqual([200, {}])
  })

  test('proves itself by a signature of what it has sent, to the byte', () => {
    const { proves } = formOf('ovenmediaengine')
    const body = JSON.stringify(asked({}))
    const sign = (secret: string, text = body) => createHmac('sha1', secret).update(text).digest('base64url')
    const signed = (signature: string | null, text = body) => proves(request(text, { signature }), ['new', 'old'])
    expect([signed(sign('new')), signed(sign('old')), signed(`${sign('new')}=`)]).toEqual([true, true, true])
    expect([signed(sign('other')), signed(sign('new'), `${body} `), signed(''), signed(null)]).toEqual(
      Array(4).fill(false),
    )
    const inQuery = { query: new URLSearchParams({ secret: 'new' }) }
    expect(proves(request(body, inQuery), ['new'])).toBe(false)
  })
})

describe('SRS', () => {
  // ossrs/srs trunk/3rdparty/srs-docs/doc/http-callback.md @bd6c0816 (Protocol), trunk/src/app/srs_app_http_hooks.cpp @01c46bdb;
  // the numbers for identifiers are those of the latter, before version 4. Read on 2026-11-23.
  const asked = {
    server_id: 'vid-0xk989d',
    service_id: '382k0v2i',
    action: 'on_publish',
    client_id: '341w361a',
    ip: '203.0.113.7',
    vhost: '__defaultVhost__',
    app: 'live',
    tcUrl: 'rtmp://media.example.org/live',
    stream: alice,
    param: `?key=${key}`,
    stream_url: `/live/${alice}`,
    stream_id: 'vid-124q9y3',
  }
  const publish = {
    action: 'publish',
    key,
    claimed: alice,
    protocol: 'rtmp' as StreamProtocol,
    address: '203.0.113.7',
    clientId: '341w361a',
  } as const

  test.each<[string, object, HookQuestion | null]>([
    ['RTMP', {}, publish],
    ['an older version', { client_id: 1_985, tcUrl: undefined }, { ...publish, clientId: '1985' }],
    ['more in the query', { param: `?vhost=__defaultVhost__&key=${key}&key=other` }, publish],
    ['SRT', { tcUrl: 'srt://media.example.org/live' }, { ...publish, protocol: 'srt' }],
    ['WHIP', { tcUrl: 'webrtc://media.example.org/live' }, { ...publish, protocol: 'whip' }],
    ['no key', { param: '' }, null],
    ['a name that is nobody’s', { stream: 'livestream' }, null],
    ['another application, which it would publish into', { app: 'other' }, null],
    ['an end', { action: 'on_unpublish' }, { action: 'done', key, userGuid: alice, clientId: '341w361a' }],
    ['who would watch', { action: 'on_play', param: '?view=t' }, { action: 'read', userGuid: alice, view: 't' }],
    [
      'who would watch elsewhere',
      { action: 'on_play', app: 'x', param: '' },
      { action: 'read', userGuid: null, view: null },
    ],
    ['who watches no more', { action: 'on_stop' }, { action: 'other' }],
    ['a connection', { action: 'on_connect' }, { action: 'other' }],
    ['a recording', { action: 'on_dvr', file: './a.flv' }, { action: 'other' }],
    ['what it will say in time to come', { action: 'on_forward' }, null],
  ])('reads %s', (_what, changes, question) => {
    expect(read('srs', { ...asked, ...changes })).toEqual(question)
  })

  test('is let through by code 0 with status 200 alone', () => {
    const yes = { status: 200, body: '{"code":0}', contentType: 'application/json' }
    const no = { status: 403, body: '{"code":403}', contentType: 'application/json' }
    expect([answer('srs', asked, allowed), answer('srs', asked, refused)]).toEqual([yes, no])
    const watching = { ...asked, action: 'on_play' }
    expect([answer('srs', watching, allowed), answer('srs', watching, refused)]).toEqual([yes, no])
    expect(answer('srs', { ...asked, action: 'on_unpublish' }, refused)).toEqual(yes)
    expect(answer('srs', { ...asked, action: 'on_stop' }, refused)).toEqual(yes)
  })
})

describe('nginx-rtmp', () => {
  // arut/nginx-rtmp-module ngx_rtmp_netcall_module.c @a8094dfe (http_format_session), ngx_rtmp_notify_module.c @00e53dbf, read on
  // 2026-11-23; and as libnginx-mod-rtmp 1.2.2 of Debian 12 has sent them to test/streaming/nginx.test.ts on that day.
  const session =
    'app=live&flashver=FMLE/3.0%20(compatible%3B%20Lavf59.27&swfurl=&tcurl=rtmp://media.example.org/live&pageurl=&addr=203.0.113.7&clientid=4'
  const publish = {
    action: 'publish',
    key,
    claimed: null,
    protocol: 'rtmp',
    address: '203.0.113.7',
    clientId: '4',
  } as const

  test.each<[string, string, HookQuestion | null]>([
    ['a publisher', `${session}&call=publish&name=${key}&type=live`, publish],
    [
      'the first of what an encoder repeats',
      `${session}&call=publish&name=${key}&type=live&call=play&name=${alice}&addr=1.1.1.1&clientid=9&app=`,
      publish,
    ],
    ['a publisher without a name', `${session}&call=publish&name=&type=live`, null],
    [
      'who would watch',
      `${session}&call=play&name=${alice}&start=4294966296&duration=0&reset=0&view=t&view=u`,
      { action: 'read', userGuid: alice, view: 't' },
    ],
    ['who would watch by a key', `${session}&call=play&name=${key}`, { action: 'read', userGuid: null, view: null }],
    [
      'itself, which pushes a stream on',
      `app=&flashver=ngx-local-relay&swfurl=&tcurl=&pageurl=&addr=127.0.0.1:1936/hls&clientid=6&call=play&name=${alice}&start=0`,
      { action: 'other' },
    ],
    [
      'somebody who calls himself so',
      `app=live&flashver=ngx-local-relay&addr=203.0.113.7&clientid=6&call=play&name=${alice}&app=`,
      { action: 'read', userGuid: alice, view: null },
    ],
    ['an end', `${session}&call=publish_done&name=${key}`, { action: 'done', key, userGuid: null, clientId: '4' }],
    [
      'an end under the public name',
      `${session}&call=publish_done&name=${alice}`,
      { action: 'done', key: null, userGuid: alice, clientId: '4' },
    ],
    [
      'an update',
      `${session}&call=update_publish&time=31&timestamp=30990&name=${key}`,
      { action: 'update', key, userGuid: null, clientId: '4' },
    ],
    ['an update of a viewer', `${session}&call=update_play&time=3&name=${alice}`, { action: 'other' }],
    ['who watches no more', `${session}&call=play_done&name=${alice}`, { action: 'other' }],
    ['a connection', `${session}&epoch=1&call=connect`, { action: 'other' }],
    ['what it will say in time to come', `${session}&call=pull&name=${key}`, null],
  ])('reads %s', (_what, body, question) => {
    expect(read('nginx-rtmp', body)).toEqual(question)
  })

  test('lets a publisher in under another name, never with a 2xx', () => {
    const asked = `${session}&call=publish&name=${key}&type=live`
    expect(answer('nginx-rtmp', asked, allowed)).toEqual({ status: 302, headers: { location: alice } })
    expect(answer('nginx-rtmp', asked, refused)).toEqual({ status: 403 })
  })

  test('is answered 200 or 403 about viewers and updates, and 200 about whatever has ended', () => {
    const statuses = (call: string) =>
      [allowed, refused].map((verdict) => answer('nginx-rtmp', `${session}&call=${call}&name=${alice}`, verdict).status)
    expect(statuses('play')).toEqual([200, 403])
    expect(statuses('update_publish')).toEqual([200, 403])
    expect(statuses('publish_done')).toEqual([200, 200])
    expect(statuses('play_done')).toEqual([200, 200])
  })
})

describe('an encoder is given', () => {
  const fields = (kind: ServerKind, protocol: StreamProtocol, url: string, given: string | null = key) => {
    const { serverField, keyField } = mediaServerKinds[kind].encoderFields({ protocol, url }, alice, given)
    return [serverField, keyField]
  }
  const rtmp = 'rtmp://media.example.org/live'

  test.each<[ServerKind, StreamProtocol, string, string, string | null]>([
    ['mediamtx', 'rtmp', `${rtmp}/`, rtmp, `${alice}?token=${key}`],
    ['mediamtx', 'whip', 'https://m.example.org:8889/live', `https://m.example.org:8889/live/${alice}/whip`, key],
    [
      'mediamtx',
      'srt',
      'srt://m.example.org:8890',
      `srt://m.example.org:8890?streamid=publish:live/${alice}:user:${key}&pkt_size=1316`,
      '',
    ],
    ['mediamtx', 'rtsp', 'rtsp://m.example.org:8554/live', `rtsp://m.example.org:8554/live/${alice}?token=${key}`, ''],
    ['ovenmediaengine', 'rtmp', rtmp, rtmp, key],
    ['ovenmediaengine', 'srt', 'srt://m.example.org:9999', `srt://m.example.org:9999?streamid=default/live/${key}`, ''],
    [
      'ovenmediaengine',
      'srt',
      'srt://m.example.org:9999?streamid=cup/live',
      `srt://m.example.org:9999?streamid=cup/live/${key}`,
      '',
    ],
    ['ovenmediaengine', 'whip', 'https://m.example.org/live', `https://m.example.org/live/${key}?direction=whip`, ''],
    ['srs', 'rtmp', rtmp, rtmp, `${alice}?key=${key}`],
    [
      'srs',
      'srt',
      'srt://m.example.org:10080',
      `srt://m.example.org:10080?streamid=#!::r=live/${alice},key=${key},m=publish`,
      '',
    ],
    [
      'srs',
      'whip',
      'https://m.example.org/rtc/v1/whip/',
      `https://m.example.org/rtc/v1/whip/?app=live&stream=${alice}&key=${key}`,
      '',
    ],
    ['nginx-rtmp', 'rtmp', rtmp, rtmp, key],
    ['generic', 'rtmp', rtmp, rtmp, key],
  ])('for %s by %s', (kind, protocol, url, serverField, keyField) => {
    expect(fields(kind, protocol, url)).toEqual([serverField, keyField])
    // A hidden key appears in no field.
    const hidden = fields(kind, protocol, url, null)
    expect([JSON.stringify(hidden).includes(key), hidden[1]]).toEqual([false, null])
  })

  test('an RTMP address and a key that every encoder has room for', () => {
    for (const kind of ['mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp'] as const) {
      const [serverField = '', keyField] = fields(kind, 'rtmp', rtmp)
      expect(`${serverField}/${keyField}`.length).toBeLessThan(1_024)
    }
    expect(fields('nginx-rtmp', 'rtmp', rtmp)[1]?.length).toBeLessThan(256)
    const [srt = ''] = fields('mediamtx', 'srt', 'srt://m.example.org:8890')
    expect(new URL(srt ?? '').searchParams.get('streamid')?.length).toBeLessThan(512)
  })
})
