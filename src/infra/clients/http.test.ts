import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FakeServer, startFakeServer } from '../../../test/fakes/server.ts'
import { createHttpClient, type HttpClient, Unreachable } from './http.ts'

const maxBodyBytes = 1_000
const patient = 5_000
const impatient = 200

let fake: FakeServer
let http: HttpClient
let hasty: HttpClient

beforeEach(async () => {
  fake = await startFakeServer({
    answer: ({ method, path, query, body }) => ({ status: 200, body: { method, path, query: `${query}`, body } }),
    limited: () => ({ status: 429 }),
  })
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: patient, maxBodyBytes, connections: 2 })
  hasty = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: impatient, maxBodyBytes, connections: 1 })
})

afterEach(async () => {
  await http.close()
  await hasty.close()
  await fake.close()
})

async function faultOf(asked: Promise<unknown>): Promise<Unreachable> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Unreachable)
  return error as Unreachable
}

it('sends forms, JSON and headers, and names itself', async () => {
  const form = await http.request({ method: 'POST', url: `${fake.url}/form?a=1`, form: { code: 'a b&c', empty: '' } })
  expect(form.json()).toEqual({ method: 'POST', path: '/form', query: 'a=1', body: 'code=a+b%26c&empty=' })
  await http.request({
    method: 'PUT',
    url: `${fake.url}/json`,
    json: { a: [1, null] },
    headers: { authorization: 'x' },
  })
  const [first, second] = fake.requests
  expect(first?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(second?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Downbeat test',
    accept: 'application/json',
    authorization: 'x',
  })
  expect(second?.body).toBe('{"a":[1,null]}')
})

it('takes any status for an answer and follows no redirect', async () => {
  const headers = { location: `${fake.url}/elsewhere`, 'x-one': '1' }
  fake.misbehave(/moved/, { status: 302, headers, body: 'moved' })
  const answer = await http.request({ method: 'GET', url: `${fake.url}/moved` })
  expect(answer).toMatchObject({ status: 302, text: 'moved' })
  expect(answer.headers).toMatchObject({ location: `${fake.url}/elsewhere`, 'x-one': '1' })
  expect(fake.requests).toHaveLength(1)
})

it('gives up at the deadline: waiting for the head', async () => {
  fake.misbehave(/./, { slowMs: 2 * patient })
  const started = performance.now()
  const error = await faultOf(hasty.request({ method: 'GET', url: fake.url }))
  expect(error).toMatchObject({ reason: 'timeout', status: null, retryAfterMs: null })
  expect(performance.now() - started).toBeLessThan(patient)
})

it('gives up at the deadline: a body that never ends', async () => {
  await using endless = await listen((write) => {
    write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhalf')
  })
  expect((await faultOf(hasty.request({ method: 'GET', url: endless.url }))).reason).toBe('timeout')
})

it('gives up at the deadline: no connection is free', async () => {
  fake.misbehave(/./, { slowMs: 2 * patient })
  const [first, second] = ['first', 'second'].map((path) =>
    faultOf(hasty.request({ method: 'GET', url: `${fake.url}/${path}` })),
  )
  expect((await first)?.reason).toBe('timeout')
  // When the first gives its connection back, the second may still be sent before its own deadline.
  expect(fake.requests.map(({ path }) => path)).toEqual(['/first'])
  expect((await second)?.reason).toBe('timeout')
})

it('rejects with the reason of the caller’s own abort', async () => {
  fake.misbehave(/./, { slowMs: 2 * patient })
  const reason = new Error('no longer needed')
  const abort = new AbortController()
  const asked = http.request({ method: 'GET', url: fake.url, signal: abort.signal })
  setTimeout(() => abort.abort(reason), 20)
  await expect(asked).rejects.toBe(reason)
})

it('reads bodies up to the limit and no further', async () => {
  fake.misbehave(/fits/, { status: 200, body: 'x'.repeat(maxBodyBytes) })
  fake.misbehave(/bursts/, { status: 200, body: 'x'.repeat(maxBodyBytes + 1) })
  expect((await http.request({ method: 'GET', url: `${fake.url}/fits` })).text).toHaveLength(maxBodyBytes)
  expect((await faultOf(http.request({ method: 'GET', url: `${fake.url}/bursts` }))).reason).toBe('too_large')
})

it('reads chunked bodies up to the limit and no further', async () => {
  await using chunked = await listen((write) => {
    write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${`1f4\r\n${'x'.repeat(500)}\r\n`.repeat(3)}0\r\n\r\n`)
  })
  expect((await faultOf(http.request({ method: 'GET', url: chunked.url }))).reason).toBe('too_large')
})

it('tells a connection that breaks in the middle of the body', async () => {
  fake.misbehave(/./, 'reset')
  expect((await faultOf(http.request({ method: 'GET', url: fake.url }))).reason).toBe('reset')
})

it('tells a connection that breaks before any answer', async () => {
  await using mute = await listen((_write, destroy) => destroy())
  expect((await faultOf(http.request({ method: 'GET', url: mute.url }))).reason).toBe('reset')
})

it('tells that nobody listens', async () => {
  const { url } = fake
  await fake.close()
  const error = await faultOf(http.request({ method: 'GET', url }))
  expect(error.reason).toBe('refused')
  expect(error.message).toBe(`${new URL(url).host}: no connection could be made (ECONNREFUSED)`)
})

it('tells that encryption could not be agreed on', async () => {
  const url = fake.url.replace('http:', 'https:')
  expect((await faultOf(http.request({ method: 'GET', url }))).reason).toBe('refused')
})

it('tells a name without an address', async () => {
  const error = await faultOf(http.request({ method: 'GET', url: 'http://nowhere.invalid/' }))
  expect(error).toMatchObject({ reason: 'dns', host: 'nowhere.invalid' })
})

it('tells what is not HTTP, and not JSON', async () => {
  await using babble = await listen((write) => write('SSH-2.0-OpenSSH_9.9\r\n'))
  expect((await faultOf(http.request({ method: 'GET', url: babble.url }))).reason).toBe('invalid_answer')
  fake.misbehave(/./, 'malformed')
  const answer = await http.request({ method: 'GET', url: fake.url })
  expect(() => answer.json()).toThrow(Unreachable)
})

it('keeps credentials out of its errors', async () => {
  const secret = 'hunter2'
  const request = {
    method: 'POST',
    url: `${fake.url.replace('//', `//user:${secret}@`)}/${secret}?token=${secret}`,
    headers: { authorization: `Bearer ${secret}` },
    form: { client_secret: secret },
  } as const
  const shown = (error: Error) =>
    `${error.message} ${error.stack} ${error.cause} ${JSON.stringify(Object.entries(error))}`
  const tooLarge = { status: 200, body: secret.repeat(maxBodyBytes) }
  for (const how of ['reset', { slowMs: 2 * patient }, tooLarge] as const) {
    using _rule = { [Symbol.dispose]: fake.misbehave(/./, how) }
    expect(shown(await faultOf(hasty.request(request)))).not.toContain(secret)
  }
  fake.misbehave(/./, { status: 200, body: `{"access_token":"${secret}` })
  const parsed = http.request(request).then((answer) => answer.json())
  expect(shown(await faultOf(parsed))).not.toContain(secret)
})

it('does not take the caller’s mistakes for another service’s', async () => {
  const headers = { authorization: 'two\nlines' }
  await expect(http.request({ method: 'GET', url: fake.url, headers })).rejects.not.toBeInstanceOf(Unreachable)
  await expect(http.request({ method: 'GET', url: 'not an address' })).rejects.toBeInstanceOf(TypeError)
})

it('lets requests under way finish before it closes', async () => {
  fake.misbehave(/./, { slowMs: 100 })
  const asked = http.request({ method: 'GET', url: fake.url })
  await http.close()
  expect((await asked).status).toBe(200)
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: patient, maxBodyBytes, connections: 2 })
})

/** A server that answers with raw text below HTTP. */
async function listen(
  answer: (write: (text: string) => void, destroy: () => void) => void,
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      answer(
        (text) => socket.write(text),
        () => socket.destroy(),
      ),
    )
    stop.signal.addEventListener('abort', () => socket.destroy())
  })
  const stop = new AbortController()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      stop.abort()
      server.close()
    },
  }
}
