import { describe, expect, test } from 'vitest'
import type { ServerKind } from '../../../infra/clients/media-servers/types.ts'
import { controlFault, type IngestProtocol, ingestFault, playFault } from './rules/addresses.ts'
import { asksFromItsPlace, defaultNetworks, readNetworks } from './rules/networks.ts'
import {
  checkNobodyIsLive,
  checkRoom,
  checkSomethingGiven,
  defaults,
  readServer,
  type ServerInput,
  type ServerSettings,
} from './rules/servers.ts'

const refusal = (message: string) =>
  expect.objectContaining({ code: 'stream_server.invalid', message: expect.stringContaining(message) })

describe('addresses that encoders send to (streaming: Records)', () => {
  test.each<[ServerKind, IngestProtocol, string]>([
    ['mediamtx', 'rtmp', 'rtmp://live.example.org/live'],
    ['mediamtx', 'rtmps', 'rtmps://live.example.org:1936/live'],
    ['mediamtx', 'srt', 'srt://live.example.org:8890'],
    ['mediamtx', 'whip', 'https://live.example.org/live'],
    ['srs', 'whip', 'http://10.0.0.5:1985/rtc/v1/whip'],
    ['ovenmediaengine', 'srt', 'srt://live.example.org:9999?streamid=default/live'],
    ['nginx-rtmp', 'rtmp', 'rtmp://127.0.0.1:1935/live'],
    ['generic', 'rtmp', 'rtmp://[2001:db8::5]/live'],
  ])('%s takes %s at %s', (kind, protocol, url) => {
    expect(ingestFault(kind, protocol, url)).toBeNull()
  })

  test.each<[ServerKind, IngestProtocol, string, string]>([
    ['mediamtx', 'rtmp', 'rtmps://live.example.org/live', 'must start with rtmp://'],
    ['mediamtx', 'rtmps', 'rtmp://live.example.org/live', 'must start with rtmps://'],
    ['mediamtx', 'srt', 'udp://live.example.org:8890', 'must start with srt://'],
    ['mediamtx', 'whip', 'whip://live.example.org/live', 'must start with https:// or http://'],
    ['mediamtx', 'rtmp', 'live.example.org/live', 'must be an absolute address'],
    ['mediamtx', 'rtmp', 'rtmp://ada:secret@live.example.org/live', 'must not hold a user name or password'],
    ['mediamtx', 'rtmp', 'rtmp:///live', 'must name a host'],
    ['mediamtx', 'rtmp', 'rtmp://live.example.org/live?key=sk-1', 'must not hold a query'],
    ['mediamtx', 'srt', 'srt://live.example.org:8890?streamid=x', 'must not hold a query'],
    ['mediamtx', 'rtmp', 'rtmp://live.example.org/live#', 'must not hold a fragment'],
    ['nginx-rtmp', 'srt', 'srt://live.example.org:8890', 'must have the protocol rtmp or rtmps'],
    ['nginx-rtmp', 'whip', 'https://live.example.org/live', 'must have the protocol rtmp or rtmps'],
  ])('%s does not take %s at %s', (kind, protocol, url, reason) => {
    expect(ingestFault(kind, protocol, url)).toContain(reason)
  })
})

describe('templates of addresses that viewers watch at (streaming: Records)', () => {
  test.each([
    'https://live.example.org/{path}/index.m3u8',
    'http://127.0.0.1:8080/hls/{path}.m3u8',
    'https://live.example.org/watch?stream={path}',
  ])('%s is one', (template) => {
    expect(playFault(template)).toBeNull()
  })

  test.each([
    'https://live.example.org/index.m3u8',
    'https://{path}.example.org/index.m3u8',
    'https://{path}/index.m3u8',
    'rtmp://live.example.org/{path}',
    'javascript:alert("{path}")',
    '/hls/{path}',
    'https://ada:secret@live.example.org/{path}',
    'https://live.example.org/#{path}',
  ])('%s is none', (template) => {
    expect(playFault(template)).toMatch(/^must /)
    expect(playFault(template)).not.toContain('secret')
  })
})

test.each<[string, string | null]>([
  ['http://127.0.0.1:9997', null],
  ['https://10.0.0.5/api/', null],
  ['http://media.internal:8081', null],
  ['ftp://10.0.0.5', 'must start with https:// or http://'],
  ['http://ada:secret@10.0.0.5', 'must not hold a user name or password'],
  ['http://10.0.0.5/?token=1', 'must not hold a query'],
  ['10.0.0.5:9997', 'must be an absolute address'],
])('a control address %s: %s (Part 3.5)', (address, fault) => {
  if (fault === null) expect(controlFault(address)).toBeNull()
  else expect(controlFault(address)).toContain(fault)
})

describe('networks (streaming: Records; streaming: Adapters)', () => {
  test.each([
    [['203.0.113.0/24'], ['203.0.113.0/24']],
    [['203.0.113.77/24', '203.0.113.0/24'], ['203.0.113.0/24']],
    [['203.0.113.77/32'], ['203.0.113.77/32']],
    [['2001:DB8::5/32'], ['2001:db8::/32']],
    [['0.0.0.0/0'], ['0.0.0.0/0']],
    [[], []],
  ])('%j is read as %j', (given, networks) => {
    const read = readNetworks('mediamtx', given)
    // Compares normalised addresses, as the library may write IPv6 in another form.
    const plain = (text: string) => new URL(`http://[${text.replace(/\/.*/, '')}]`).hostname + text.replace(/.*\//, '/')
    expect(read.ok && read.networks.map((text) => (text.includes(':') ? plain(text) : text))).toEqual(
      networks.map((text) => (text.includes(':') ? plain(text) : text)),
    )
  })

  test.each([
    '203.0.113.5',
    '203.0.113.0/33',
    '203.0.113/24',
    '0x7f.0.0.1/8',
    '010.0.0.0/8',
    'example.org/24',
    '::/129',
    '',
  ])('%j is none', (text) => {
    expect(readNetworks('mediamtx', [text])).toMatchObject({ ok: false })
  })

  test.each(['127.0.0.1/32', '10.1.0.0/16', '192.168.0.0/16', '::1/128', 'fd00::/8'])(
    'nginx-rtmp may ask from %s',
    (text) => {
      expect(readNetworks('nginx-rtmp', [text])).toMatchObject({ ok: true })
    },
  )

  test.each(['203.0.113.0/24', '0.0.0.0/0', '10.0.0.0/7', '172.16.0.0/11', '2001:db8::/32', '::/0'])(
    'nginx-rtmp may not ask from %s, for it sends its secret in plain http',
    (text) => {
      expect(readNetworks('nginx-rtmp', [text])).toMatchObject({ ok: false })
    },
  )

  test('nginx-rtmp asks from some place, and from all closed networks unless told otherwise', () => {
    expect(readNetworks('nginx-rtmp', [])).toMatchObject({ ok: false })
    expect(readNetworks('nginx-rtmp', defaultNetworks('nginx-rtmp'))).toMatchObject({ ok: true })
    expect(defaultNetworks('srs')).toEqual([])
  })

  test.each<[string[], string, boolean]>([
    [[], '203.0.113.5', true],
    [[], 'nonsense', true],
    [['203.0.113.0/24'], '203.0.113.5', true],
    [['203.0.113.0/24'], '::ffff:203.0.113.5', true],
    [['203.0.113.0/24'], '203.0.114.5', false],
    [['203.0.113.0/24'], '2001:db8::5', false],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db8::5', true],
    [['203.0.113.0/24'], 'nonsense', false],
  ])('a server of %j may ask from %s: %s', (networks, address, may) => {
    expect(asksFromItsPlace({ networks }, address)).toBe(may)
  })
})

describe('a server', () => {
  const whole: ServerSettings = {
    ...defaults('mediamtx'),
    name: 'Stockholm',
    play: { whep: 'https://a.example/{path}/whep', llhls: null, hls: 'https://a.example/{path}.m3u8' },
    control: { url: 'http://10.0.0.5:9997', user: 'ada', password: undefined, vhost: null, app: null },
  }
  const read = (input: ServerInput, kind: ServerKind = 'mediamtx') => readServer(kind, input, whole)

  test('keeps what is not given', () => {
    expect(read({})).toEqual(whole)
    expect(read({ name: ' Oslo \n 2 ' })).toEqual({ ...whole, name: 'Oslo 2' })
    expect(read({ play: { whep: null } }).play).toEqual({ ...whole.play, whep: null })
    expect(read({ control: null }).control).toBeNull()
  })

  test('keeps the password of its control address as long as that leads to the same host', () => {
    const url = 'http://10.0.0.5:9997'
    expect(read({ control: { url: `${url}/api/` } }).control).toEqual({
      url: `${url}/api`,
      user: null,
      password: undefined,
      vhost: null,
      app: null,
    })
    expect(read({ control: { url, user: 'eve', password: 'new', vhost: 'default', app: 'live' } }).control).toEqual({
      url,
      user: 'eve',
      password: 'new',
      vhost: 'default',
      app: 'live',
    })
    expect(read({ control: { url, password: null } }).control?.password).toBeNull()
    for (const elsewhere of ['http://10.0.0.6:9997', 'http://10.0.0.5:9998', 'https://10.0.0.5:9997']) {
      expect(() => read({ control: { url: elsewhere } })).toThrow(refusal('"control.password" must be given again'))
      expect(read({ control: { url: elsewhere, password: null } }).control?.password).toBeNull()
    }
    expect(readServer('mediamtx', { control: { url } }, { ...whole, control: null }).control?.password).toBeNull()
  })

  test.each<[ServerInput, string]>([
    [{ name: ' ' }, '"name" must not be empty'],
    [{ ingest: [{ protocol: 'rtmp', url: 'http://a.example/live' }] }, '"ingest[0]" must start with rtmp://'],
    [
      {
        ingest: [
          { protocol: 'rtmp', url: 'rtmp://a.example/live' },
          { protocol: 'rtmp', url: 'rtmp://a.example/live' },
        ],
      },
      '"ingest[1]" must not be named twice',
    ],
    [{ play: { hls: 'https://a.example/' } }, '"play.hls" must hold {path}'],
    [{ control: { url: 'gopher://a' } }, '"control.url" must start with'],
    [
      { control: { url: 'http://10.0.0.5:9997', password: 'configured' } },
      '"control.password" must not be "configured"',
    ],
    [{ networks: ['here'] }, '"networks" must hold networks in CIDR notation'],
  ])('%j is refused: %s', (input, message) => {
    expect(() => read(input)).toThrow(refusal(message))
  })

  test('of no particular kind has no control address', () => {
    expect(() => read({ control: { url: 'http://10.0.0.5' } }, 'generic')).toThrow(refusal('"control" must be null'))
    expect(read({ control: null }, 'generic').control).toBeNull()
  })

  test('is changed by something, is one of a hundred, and stays while somebody is live', () => {
    expect(() => checkSomethingGiven({})).toThrow(expect.objectContaining({ code: 'stream_server.nothing_given' }))
    expect(() => checkSomethingGiven({ control: null })).not.toThrow()
    expect(() => checkRoom(99)).not.toThrow()
    expect(() => checkRoom(100)).toThrow(expect.objectContaining({ code: 'stream_server.limit_reached' }))
    expect(() => checkNobodyIsLive(false)).not.toThrow()
    expect(() => checkNobodyIsLive(true)).toThrow(expect.objectContaining({ code: 'stream_server.live' }))
  })
})
