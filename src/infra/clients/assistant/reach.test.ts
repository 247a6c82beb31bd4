import { createServer as createPlainServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import {
  addressOf,
  assistant,
  cert,
  clientOf,
  endAll,
  fingerprint,
  listen,
  opened,
  refused,
  secret,
  whenDone,
} from '../../../../test/bare-assistant.ts'
import { until } from '../../../../test/waiting.ts'
import { isPublicAddress } from '../../../core/network.ts'

/** Which addresses and certificates are allowed. (AS1; D34) */

afterEach(endAll)

describe('where it may lead', () => {
  const guarded = { isAllowed: isPublicAddress, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'localhost',
    'assistant.test',
    'public.test/x?',
    'user@public.test',
    'public.test#',
    '..\\',
    '',
  ])('not to %j', async (host) => {
    const server = await assistant()
    for (const tls of [false, true]) {
      const error = await refused(addressOf(server.port, { host, tls }), clientOf(guarded))
      expect(error.reason).toBe('out_of_reach')
      expect(error.message.replace(error.host, '')).not.toMatch(/\d\.\d/)
    }
    expect(server.requests).toEqual([])
  })

  test('not to a name of which one address is private, nor to one without any; these look the same', async () => {
    const mixed = async () => ['93.184.215.14', '10.0.0.5'].map((address) => ({ address, family: 4 }))
    const none = async () => []
    const failing = async () => Promise.reject(new Error('10.0.0.53 did not answer'))
    const words = await Promise.all(
      [mixed, none, failing].map(async (resolve) => {
        const { message, reason } = await refused(addressOf(8676), clientOf({ ...guarded, resolve }))
        return { message, reason }
      }),
    )
    expect(words[0]).toMatchObject({ reason: 'out_of_reach', message: expect.stringContaining('assistant.test:8676') })
    expect(new Set(words.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  test('the address that was checked is the one that is connected to: the name is asked for once', async () => {
    const server = await assistant()
    let asked = 0
    const resolve = async () => [{ address: ++asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    await opened(addressOf(server.port), clientOf({ resolve }))
    expect(asked).toBe(1)
    expect(server.requests).toHaveLength(1)
  })

  test('without TLS only where that is allowed', async () => {
    const server = await assistant()
    expect(await refused(addressOf(server.port), clientOf({ allowPlain: false }))).toMatchObject({
      reason: 'out_of_reach',
    })
    expect(server.requests).toEqual([])
  })

  test('redirects are not followed', async () => {
    const target = await assistant()
    const from = createPlainServer()
    from.on('upgrade', (_request, socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ws://assistant.test:${target.port}/\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(await refused(addressOf(await listen(from)))).toMatchObject({ reason: 'failing', status: 302 })
    expect(target.requests).toEqual([])
  })

  test('what is no assistant, nobody, and nobody who answers', async () => {
    const page = createPlainServer((_request, response) => response.writeHead(404).end(secret))
    const words = createTcpServer((socket) => socket.end('220 mail.internal ESMTP\r\n'))
    const silent = createTcpServer(() => {})
    const closed = createPlainServer()
    const closedPort = await listen(closed)
    closed.close()
    const quick = clientOf({ timeoutMs: 150 })
    const ports = { page: await listen(page), words: await listen(words), silent: await listen(silent) }
    const [notFound, mail, nobody, hanging, hangingTls] = await Promise.all([
      refused(addressOf(ports.page)),
      refused(addressOf(ports.words)),
      refused(addressOf(closedPort)),
      refused(addressOf(ports.silent), quick),
      refused(addressOf(ports.silent, { tls: true }), quick),
    ])
    expect(notFound).toMatchObject({ reason: 'failing', status: 404 })
    expect(nobody).toMatchObject({ reason: 'refused' })
    expect([hanging.reason, hangingTls.reason]).toEqual(['timeout', 'timeout'])
    for (const { message } of [notFound, mail, nobody, hanging, hangingTls]) {
      expect(message).not.toMatch(/127\.0|mail\.internal/)
      expect(message).toMatch(/^assistant\.test:\d+: /)
    }
  })
})

describe('certificates', () => {
  const colons = (fingerprint.toUpperCase().match(/../g) ?? []).join(':')

  test.each([fingerprint, colons])('the one that the link names is accepted: %s', async (certificate) => {
    const server = await assistant(() => {}, { withTls: true })
    const { connection } = await opened(addressOf(server.port, { tls: true, certificate, host: 'other.test' }))
    connection.send({ type: 'heartbeat' })
    await until(() => server.received.length === 1)
  })

  test.each([
    ['another one than the link names', fingerprint.replace('4', '5')],
    ['the beginning of it', fingerprint.slice(0, 32)],
    ['no fingerprint', ''],
    ['a self-signed one, where it is to be public', 'public'],
  ])('%s is refused before anything is sent', async (_name, certificate) => {
    const server = await assistant(() => {}, { withTls: true })
    expect(await refused(addressOf(server.port, { tls: true, certificate }))).toMatchObject({ reason: 'refused' })
    expect(server.requests).toEqual([])
  })

  test('public ones are verified by authority and name', async () => {
    const usual = getCACertificates('default')
    whenDone(() => setDefaultCACertificates(usual))
    setDefaultCACertificates([...usual, cert])
    const server = await assistant(() => {}, { withTls: true })
    const { ends } = await opened(addressOf(server.port, { tls: true }))
    expect(ends).toEqual([])
    expect(await refused(addressOf(server.port, { tls: true, host: 'other.test' }))).toMatchObject({
      reason: 'refused',
    })
    expect(server.requests).toHaveLength(1)
  })
})
