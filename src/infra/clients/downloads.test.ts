import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../core/network.ts'
import { createDownloadClient, type DownloadClient, type DownloadClientOptions } from './downloads.ts'
import { Unreachable } from './http.ts'
import { machineNames } from './internet.ts'

let answer: RequestListener
let url: string
const server = createServer((request, response) => answer(request, response))
const clients: DownloadClient[] = []
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function client(options: Partial<DownloadClientOptions> = {}): DownloadClient {
  const made = createDownloadClient({
    userAgent: 'Downbeat (test)',
    allowHttp: true,
    timeoutMs: 2_000,
    maxBodyBytes: 1_000,
    connections: 2,
    isAllowed: () => true,
    resolve: machineNames,
    ...options,
  })
  clients.push(made)
  return made
}

const failure = async (call: Promise<string>) => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Unreachable)
  return (error as Unreachable).reason
}

describe('a download', () => {
  test('is the whole text, asked for by who we are', async () => {
    let agent: string | undefined
    answer = (request, response) => {
      agent = request.headers['user-agent']
      response.end(`${request.method} ${request.url} ä`)
    }
    expect(await client().get(`${url}/board?key=1#part`)).toBe('GET /board?key=1 ä')
    expect(agent).toBe('Downbeat (test)')
  })

  test.each<[string, number]>([
    ['failing', 404],
    ['failing', 500],
    ['failing', 204],
    ['failing', 301],
    ['limited', 429],
  ])('fails as %s by status %i, and follows nothing', async (reason, status) => {
    let calls = 0
    answer = (_, response) => {
      calls++
      response.writeHead(status, { location: '/elsewhere' }).end()
    }
    expect([await failure(client().get(url)), calls]).toEqual([reason, 1])
  })

  test('is bounded in size and time, headers and body alike', async () => {
    answer = (_, response) => response.end('x'.repeat(1_001))
    expect(await failure(client().get(url))).toBe('too_large')
    answer = (_, response) => {
      response.writeHead(200).write('[')
    }
    expect(await failure(client({ timeoutMs: 200 }).get(url))).toBe('timeout')
    answer = () => {}
    expect(await failure(client({ timeoutMs: 200 }).get(url))).toBe('timeout')
  })

  test('never reaches where it may not, by whatever name', async () => {
    let calls = 0
    answer = (_, response) => {
      calls++
      response.end()
    }
    const { port } = new URL(url)
    const guarded = client({ isAllowed: isPublicAddress })
    for (const address of [
      url,
      `http://localhost:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
      `http://2130706433:${port}`,
    ]) {
      expect(await failure(guarded.get(address))).toBe('out_of_reach')
    }
    const rebinding = client({ isAllowed: isPublicAddress, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await failure(rebinding.get(`http://board.example:${port}`))).toBe('out_of_reach')
    expect(await failure(client({ allowHttp: false }).get(url))).toBe('out_of_reach')
    expect(await failure(client().get('ftp://board.example/x'))).toBe('out_of_reach')
    expect(calls).toBe(0)
  })

  test('tells of a failure no more than the host', async () => {
    answer = (_, response) => response.writeHead(500).end('secret body')
    const error = await client()
      .get(`${url}/path?key=s3cret`)
      .catch((reason: Error) => reason)
    expect(String(error)).toMatch(/^Unreachable: 127\.0\.0\.1:\d+: the answer is an error \(500\)$/)
  })
})
