import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../harness.ts'
import { outcome } from './refusal.ts'

/** The pages of the documentation: made once, and then sent unchanged. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const pages = ['/docs/', '/docs/js/scalar.js']

test('the pages bring everything that they show, under a policy of their own', async () => {
  const page = await api.get('/docs/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('js/scalar.js')
  const script = await api.get('/docs/js/scalar.js')
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'application/javascript; charset=utf-8'])
  expect(script.text.length).toBeGreaterThan(1_000_000)
  for (const { headers } of [page, script]) {
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect(outcome(await api.get('/docs/js/other.js'))).toEqual([404, 'route.unknown'])
  expect((await api.get('/docs')).headers.get('location')).toBe('/api/docs/')
})

test('a page is sent without being made, copied or looked through again', async () => {
  const tags = await Promise.all(pages.map(async (page) => (await api.get(page)).headers.get('etag') ?? ''))
  const before = process.cpuUsage()
  const ask = async (method: string, page: string, headers: Record<string, string>, status: number) => {
    const reply = await api.call(method, page, { headers })
    expect([reply.status, reply.text]).toEqual([status, ''])
    expect(tags).toContain(reply.headers.get('etag'))
  }
  for (let round = 0; round < 50; round++) {
    await Promise.all(
      pages.flatMap((page, index) => [
        ask('HEAD', `${page}?x=${round}`, {}, 200),
        ask('GET', `${page}?y=${round}`, { 'if-none-match': tags[index] ?? '' }, 304),
      ]),
    )
  }
  const { user, system } = process.cpuUsage(before)
  // Copying and hashing a script took 70 ms each: 7 s for all of these.
  expect((user + system) / 1000).toBeLessThan(2_000)
})

test('a page counts as many reads', async () => {
  const allowance = { calls: 50, seconds: 86_400 }
  const allowances = { read: allowance, write: allowance, 'sign-in': allowance, upload: allowance }
  await using limited = await startHarness({ rateLimits: true }, { allowances })
  const left = async (path: string) => (await limited.call('HEAD', path)).headers.get('x-ratelimit-remaining')
  expect([await left('/tournaments'), await left('/docs/'), await left('/docs/js/scalar.js')]).toEqual([
    '49',
    '29',
    '9',
  ])
  expect(outcome(await limited.call('HEAD', '/docs/js/scalar.js'))).toEqual([429, 'request.limited'])
  expect(await left('/tournaments')).toBe('8')
})
