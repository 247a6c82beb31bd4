import { describe, expect, test } from 'vitest'
import { type HttpAnswer, type HttpClient, Unreachable } from '../http.ts'
import { createMediaServersClient } from './media-servers.ts'
import type { ControlAddress, ServedStream, ServerKind } from './types.ts'

/** The answers of control interfaces; a comment names the source of each kind's format, and when it was read. */

const alice = '0b8ff4d2-33b1-4f3c-9a3f-7c2f1a0d9e55'
const control: ControlAddress = { url: 'http://control', user: null, password: null, vhost: null, app: null }

interface Asked {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

/** Answers by `METHOD path`, with a text or as JSON; every other request is 404. */
function serverWith(answers: Readonly<Record<string, unknown>>) {
  const asked: Asked[] = []
  const http: HttpClient = {
    async request({ method, url, headers }) {
      const path = url.slice(control.url.length)
      asked.push({ method, path, authorization: headers?.authorization })
      const answer = answers[`${method} ${path}`]
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return answerOf(answer === undefined ? 404 : 200, text ?? '')
    },
    close: async () => {},
  }
  return { asked, client: createMediaServersClient(http) }
}

function answerOf(status: number, text: string): HttpAnswer {
  const json = () => {
    try {
      return JSON.parse(text)
    } catch {
      throw new Unreachable('invalid_answer', 'control')
    }
  }
  return { host: 'control', status, headers: {}, text, json }
}

const list = (kind: ServerKind, answers: Readonly<Record<string, unknown>>, address: Partial<ControlAddress> = {}) =>
  serverWith(answers).client.list(kind, { ...control, ...address })

async function cut(kind: ServerKind, answers: Readonly<Record<string, unknown>>, clientId: string | null = 'c 1') {
  const { asked, client } = serverWith(answers)
  const wanted = { userGuid: alice, path: `live/${alice}`, clientId, protocol: 'rtmp' } as const
  return { isCut: await client.cut(kind, control, wanted), asked: asked.map(({ method, path }) => `${method} ${path}`) }
}

const unknown: ServedStream = {
  userGuid: alice,
  path: `live/${alice}`,
  clientId: null,
  protocol: null,
  width: null,
  height: null,
  fps: null,
  videoKbps: null,
  audioKbps: null,
  readers: null,
}

describe('nginx-rtmp', () => {
  // Answered by nginx 1.22.1 with libnginx-mod-rtmp 1.2.2 of Debian 12, with the published configuration, on
  // 2026-11-23; the rates are changed. ngx_rtmp_stat_module.c of arut/nginx-rtmp-module writes it.
  const stat = (stream: string, more = '') => `<?xml version="1.0" encoding="utf-8" ?>
<rtmp>
<nginx_version>1.22.1</nginx_version>
<nginx_rtmp_version>1.1.4</nginx_rtmp_version>
<bw_in>912345</bw_in>
<server>
<application>
<name>live</name>
<live>
${stream}
<nclients>2</nclients>
</live>
</application>
</server>
<server>
<application>
<name>hls</name>
<live>
<stream><name>${alice}</name><publishing/><active/></stream>
</live>
</application>
</server>
${more}</rtmp>
`
  const stream = `<stream>
<name>${alice}</name>
<time>7728</time><bw_in>2600123</bw_in>
<bw_audio>128345</bw_audio>
<bw_video>2471778</bw_video>
<client><id>6</id><address>127.0.0.1:1936/hls</address><time>7728</time><flashver>ngx-local-relay</flashver><dropped>0</dropped><active/></client>
<client><id>9</id><address>198.51.100.9</address><time>70</time><flashver>LNX 9,0,124,2</flashver><dropped>0</dropped><active/></client>
<client><id>4</id><address>203.0.113.7</address><time>7918</time><flashver>FMLE/3.0 (compatible; Lavf59.27</flashver><publishing/><active/></client>
<meta><video><width>1280</width><height>720</height><frame_rate>30</frame_rate><codec>H264</codec></video><audio><codec>AAC</codec></audio></meta>
<nclients>3</nclients>
<publishing/>
<active/>
</stream>`
  const full = {
    userGuid: alice,
    path: `live/${alice}`,
    clientId: '4',
    protocol: 'rtmp',
    width: 1280,
    height: 720,
    fps: 30,
    videoKbps: 2_472,
    audioKbps: 128,
    readers: 1,
  }
  const listed = (text: string, address?: Partial<ControlAddress>) => list('nginx-rtmp', { 'GET /stat': text }, address)

  test('tells what is live in the application', async () => {
    expect(await listed(stat(stream))).toEqual([full])
    const two = await listed(stat(stream + stream.replace(alice, 'x')))
    expect(two.map(({ userGuid, path }) => [userGuid, path])).toEqual([
      [alice, `live/${alice}`],
      [null, 'live/x'],
    ])
    expect(await listed(stat(stream), { app: 'hls' })).toEqual([
      { ...unknown, path: `hls/${alice}`, protocol: 'rtmp', readers: 0 },
    ])
  })

  test.each<[string, string]>([
    ['nothing at all', '<rtmp>\n<pid>1</pid></rtmp>'],
    ['a server without applications', '<rtmp><server>\n</server></rtmp>'],
    [
      'an application without streams',
      '<rtmp><server><application><name>live</name><live>\n</live></application></server></rtmp>',
    ],
    ['viewers who wait for a publisher', stat(`<stream><name>${alice}</name><client><id>3</id></client></stream>`)],
  ])('has no streams where there is %s', async (_what, text) => {
    expect(await listed(text)).toEqual([])
  })

  test.each<[string, string]>([
    ['no XML', 'It works!'],
    ['a page', '<!DOCTYPE html><html></html>'],
    ['entities', `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(100)}">]><rtmp>&b;&b;</rtmp>`],
    ['a stream without a name', stat('<stream><publishing/></stream>')],
    ['elements without end', `${'<rtmp>'.repeat(5_000)}`],
    ['text where elements belong', '<rtmp><server><application>live</application></server></rtmp>'],
    ['nothing', ''],
    ['half of it', stat(stream).slice(0, -60)],
  ])('is not understood where there is %s', async (_what, text) => {
    await expect(listed(text)).rejects.toMatchObject({ name: 'Unreachable', reason: 'invalid_answer' })
  })

  test('does not resolve entities, and takes numbers that are none for unknown', async () => {
    const odd = stream
      .replace('FMLE/3.0 (compatible; Lavf59.27', '&amp;&lt;publishing/&gt;&#0;&unknown;')
      .replace('<width>1280', '<width>wide')
      .replace('<frame_rate>30', '<frame_rate>0')
      .replace('<bw_video>2471778', '<bw_video>-5')
    expect(await listed(stat(odd))).toEqual([{ ...full, width: null, fps: null, videoKbps: null }])
  })

  test('is told whom to cut, and says how many it has cut', async () => {
    const named = `GET /control/drop/publisher?app=live&name=${alice}`
    expect(await cut('nginx-rtmp', { [named]: '1' }, null)).toEqual({ isCut: true, asked: [named] })
    expect((await cut('nginx-rtmp', { [named]: '0\n' }, null)).isCut).toBe(false)
    expect((await cut('nginx-rtmp', { [`${named}&clientid=c+1`]: '1' })).isCut).toBe(true)
    await expect(cut('nginx-rtmp', { [named]: '<html></html>' }, null)).rejects.toMatchObject({
      reason: 'invalid_answer',
    })
    // The configuration lacks the location of the control interface.
    await expect(cut('nginx-rtmp', {}, null)).rejects.toMatchObject({ reason: 'failing', status: 404 })
  })
})

describe('MediaMTX', () => {
  // bluenviron/mediamtx internal/defs/api_path.go @01fead40, and api.go @02035e66 for what older versions say; internal/api/
  // paginate.go @2790de1f. Read on 2026-11-23.
  const first = 'GET /v3/paths/list?itemsPerPage=1000&page=0'
  const path = (changes: object) => ({
    name: `live/${alice}`,
    confName: 'all_others',
    ready: true,
    readyTime: '2026-11-23T05:00:00Z',
    source: { type: 'rtmpConn', id: 'c1' },
    tracks: ['H264'],
    readers: [],
    bytesReceived: 1,
    ...changes,
  })
  const older = { ...unknown, clientId: 'c1', protocol: 'rtmp', readers: 0 }

  test.each<[string, object, object | null]>([
    ['an older version', {}, older],
    [
      'a newer version',
      {
        online: true,
        tracks2: [
          { codec: 'Opus', codecProps: null },
          { codec: 'AV1', codecProps: { width: 1920, height: 1080 } },
        ],
      },
      { ...older, width: 1920, height: 1080 },
    ],
    ['RTMPS', { source: { type: 'rtmpsConn', id: 'c1' } }, { ...older, protocol: 'rtmps' }],
    ['WebRTC', { source: { type: 'webRTCSession', id: 'c1' } }, { ...older, protocol: 'whip' }],
    [
      'a source of its owners',
      { source: { type: 'rtspSource', id: '' } },
      { ...older, clientId: null, protocol: null },
    ],
    ['another path', { name: 'all' }, { ...older, userGuid: null, path: 'all' }],
    ['a path without a publisher', { source: null, ready: false }, null],
    ['a path that shows something else meanwhile', { online: false }, null],
  ])('tells of %s', async (_what, changes, expected) => {
    const answers = { [first]: { itemCount: 1, pageCount: 1, items: [path(changes)] } }
    expect(await list('mediamtx', answers)).toEqual(expected === null ? [] : [expected])
  })

  test('is asked for further pages', async () => {
    const full = { items: Array.from({ length: 1_000 }, () => path({ name: 'x' })) }
    const streams = await list('mediamtx', {
      [first]: full,
      [first.replace('page=0', 'page=1')]: { items: [path({})] },
    })
    expect(streams).toHaveLength(1_001)
  })

  test('kicks from the list of the protocol, and finds the connection of a path', async () => {
    const kicks = ['POST /v3/rtmpconns/kick/c%201', 'POST /v3/rtmpsconns/kick/c%201'] as const
    expect(await cut('mediamtx', { [kicks[0]]: { status: 'ok' } })).toEqual({ isCut: true, asked: [kicks[0]] })
    expect(await cut('mediamtx', { [kicks[1]]: { status: 'ok' } })).toEqual({ isCut: true, asked: kicks })
    expect(await cut('mediamtx', {})).toEqual({ isCut: false, asked: kicks })
    const found = `GET /v3/paths/get/live/${alice}`
    const kick = 'POST /v3/srtconns/kick/c2'
    const answers = { [found]: path({ source: { type: 'srtConn', id: 'c2' } }), [kick]: {} }
    expect(await cut('mediamtx', answers, null)).toEqual({ isCut: true, asked: [found, kick] })
    expect(await cut('mediamtx', {}, null)).toEqual({ isCut: false, asked: [found] })
  })
})

describe('OvenMediaEngine', () => {
  // AirenSoft/OvenMediaEngine docs/rest-api/README.md @07cda53a, docs/rest-api/v1/virtualhost/application/stream/README.md
  // @08c3003e, docs/rest-api/v1/statistics/current.md @6081c75d; read on 2026-11-23.
  const streams = '/vhosts/default/apps/live/streams'
  const ok = (response: unknown) => ({ statusCode: 200, message: 'OK', response })
  const input = {
    createdTime: '2026-11-23T05:00:00.000+09:00',
    sourceType: 'Srt',
    tracks: [
      {
        id: 0,
        type: 'Video',
        video: { bitrate: '2500000', bypass: false, codec: 'H264', framerate: 29.97, height: 720, width: 1280 },
      },
      { id: 1, type: 'Audio', audio: { bitrate: '128000', codec: 'AAC', samplerate: 48_000 } },
    ],
  }
  const answers = {
    [`GET /v1${streams}`]: ok([alice, alice, 'gone']),
    [`GET /v1${streams}/${alice}`]: ok({ name: alice, input, outputs: [] }),
    [`GET /v1/stats/current${streams}/${alice}`]: ok({ totalConnections: 7 }),
  }

  test('tells of each stream that is still there', async () => {
    const health = { width: 1280, height: 720, fps: 29.97, videoKbps: 2_500, audioKbps: 128, readers: 7 }
    expect(await list('ovenmediaengine', answers)).toEqual([{ ...unknown, ...health, protocol: 'srt' }])
    const without = { ...answers, [`GET /v1/stats/current${streams}/${alice}`]: undefined }
    expect(await list('ovenmediaengine', without)).toMatchObject([{ readers: null }])
    const bare = { ...answers, [`GET /v1${streams}/${alice}`]: ok({ name: alice, input: { sourceType: 'Ovt' } }) }
    expect(await list('ovenmediaengine', bare)).toEqual([{ ...unknown, readers: 7 }])
    // The protocol and id are the same as in its hooks.
    const whip = { ...answers, [`GET /v1${streams}/${alice}`]: ok({ name: alice, input: { sourceType: 'WebRTC' } }) }
    expect(await list('ovenmediaengine', whip)).toMatchObject([{ protocol: 'whip', clientId: 'webrtc' }])
  })

  test('deletes a stream by its name', async () => {
    const named = `DELETE /v1${streams}/${alice}`
    expect(await cut('ovenmediaengine', { [named]: ok(undefined) })).toEqual({ isCut: true, asked: [named] })
    expect((await cut('ovenmediaengine', {})).isCut).toBe(false)
  })

  test('is asked about its own virtual host and application, by its token', async () => {
    const { asked, client } = serverWith({ 'GET /v1/vhosts/the%20cup/apps/a%2Fb/streams': ok([]) })
    await client.list('ovenmediaengine', { ...control, vhost: 'the cup', app: 'a/b', password: 'token' })
    await client.list('ovenmediaengine', { ...control, user: 'me', password: 'x' }).catch(() => {})
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Basic dG9rZW4=', 'Basic bWU6eA=='])
  })
})

describe('SRS', () => {
  // ossrs/srs trunk/src/app/srs_app_statistic.cpp @7ac932cf (SrsStatisticStream::dumps), trunk/3rdparty/srs-docs/doc/http-api.md
  // @d9a2dfb6, and srs_kernel_error.hpp for code 2049; identifiers are numbers before version 4. Read on 2026-11-23.
  const first = 'GET /api/v1/streams?start=0&count=1000'
  const stream = (changes: object) => ({
    id: 'vid-1',
    name: alice,
    vhost: 'vid-2',
    app: 'live',
    tcUrl: 'rtmp://m/live',
    live_ms: 1,
    clients: 4,
    kbps: { recv_30s: 2_600, send_30s: 1 },
    publish: { active: true, cid: 'c1' },
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
    audio: null,
    ...changes,
  })
  const streamsOf = (...streams: object[]) => ({ code: 0, server: 'vid-3', streams })
  const full = {
    ...unknown,
    clientId: 'c1',
    protocol: 'rtmp',
    width: 1280,
    height: 720,
    videoKbps: 2_600,
    readers: 3,
  }

  test.each<[string, object, object | null]>([
    ['a stream', {}, full],
    ['WebRTC', { tcUrl: 'webrtc://m/live' }, { ...full, protocol: 'whip' }],
    [
      'an older version',
      { tcUrl: undefined, publish: { active: true, cid: 112 } },
      { ...full, protocol: null, clientId: '112' },
    ],
    ['sound alone', { video: null, kbps: { recv_30s: 0 } }, { ...full, width: null, height: null, videoKbps: null }],
    ['a stream that nobody publishes any more', { publish: { active: false } }, null],
    ['another application', { app: 'other' }, null],
  ])('tells of %s', async (_what, changes, expected) => {
    const streams = await list('srs', { [first]: streamsOf(stream(changes)) })
    expect(streams).toEqual(expected === null ? [] : [expected])
  })

  test('says in the body what went wrong', async () => {
    await expect(list('srs', { [first]: { code: 100, streams: [] } })).rejects.toMatchObject({
      reason: 'invalid_answer',
    })
    const named = 'DELETE /api/v1/clients/c%201'
    expect(await cut('srs', { [named]: { code: 0 } })).toEqual({ isCut: true, asked: [named] })
    expect((await cut('srs', { [named]: { code: 2_049 } })).isCut).toBe(false)
    expect((await cut('srs', {})).isCut).toBe(false)
    await expect(cut('srs', { [named]: { code: 1_061 } })).rejects.toMatchObject({ reason: 'failing' })
  })

  test('is asked who publishes where we do not know', async () => {
    const named = 'DELETE /api/v1/clients/c1'
    const answers = { [first]: streamsOf(stream({ name: 'x' }), stream({})), [named]: { code: 0 } }
    expect(await cut('srs', answers, null)).toEqual({ isCut: true, asked: [first, named] })
    expect(await cut('srs', { [first]: streamsOf() }, null)).toEqual({ isCut: false, asked: [first] })
  })
})

test('a server of its makers’ own has no control interface', async () => {
  await expect(list('generic', {})).rejects.toThrow('no control interface')
})
