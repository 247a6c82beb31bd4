import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type RealBrowser } from '../../../test/chromium/browser.ts'
import { provisionMs } from '../../../test/chromium/provide.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { freshenPages } from '../web/built.ts'
import { overlayPolicy } from './page-policy.ts'

/** The overlay page as the service delivers it. (OV16, OV17, W6) */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

test('pages of the website may frame the preview, and nobody the page on air', async () => {
  const policies = await Promise.all(
    ['/overlay/live', '/overlay/preview', '/overlay/control/x', '/coordinate/x/y', '/tournaments'].map(async (path) => {
      const { headers } = await fetch(`${api.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      const of = (name: string) => new RegExp(`${name} ([^;]+)`).exec(policy)?.[1]
      return [path, of('frame-ancestors'), headers.get('x-frame-options'), of('frame-src')]
    }),
  )
  const player = 'https://player.twitch.tv'
  expect(policies).toEqual([
    ['/overlay/live', "'none'", 'DENY', player],
    ['/overlay/preview', "'self'", 'SAMEORIGIN', player],
    ['/overlay/control/x', "'none'", 'DENY', "'self'"],
    ['/coordinate/x/y', "'none'", 'DENY', "'self'"],
    ['/tournaments', "'none'", 'DENY', "'none'"],
  ])
})

test('it reaches this service, its media and its media servers alone', () => {
  const policy = overlayPolicy({
    socketUrl: 'wss://socket.example/x',
    mediaUrl: 'https://media.example',
    play: ['https://play.example'],
    frames: ['https://frames.example'],
  })
  expect(policy.split('; ').toSorted()).toEqual([
    ...["base-uri 'none'", "connect-src 'self' wss://socket.example https://media.example https://play.example"],
    ...["default-src 'none'", "font-src 'self' https://media.example", "form-action 'none'", "frame-ancestors 'none'"],
    ...['frame-src https://frames.example', "img-src 'self' blob: https://media.example"],
    ...['media-src blob: https://media.example https://play.example', "require-trusted-types-for 'script'"],
    ...["script-src 'self'", "style-src 'self'", "trusted-types 'none'"],
  ])
  expect(policy).not.toContain('unsafe')
})

test('the page is asked for anew each time, its files never, and each comes compressed to who takes that', async () => {
  const reply = await fetch(`${api.url}/overlay/live`)
  const page = await reply.text()
  const header = (name: string) => reply.headers.get(name)
  expect([reply.status, header('content-type'), header('cache-control'), header('referrer-policy')]).toEqual([
    ...[200, 'text/html; charset=utf-8', 'no-cache', 'no-referrer'],
  ])
  expect([header('x-content-type-options'), header('set-cookie')]).toEqual(['nosniff', null])
  expect(page).not.toMatch(/SOCKET_URL|MEDIA_URL|<style|javascript:/)
  const again = await fetch(`${api.url}/overlay/live`, { headers: { 'if-none-match': header('etag') ?? '' } })
  expect(again.status).toBe(304)
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const file = await fetch(`${api.url}${script}`, { headers: { 'accept-encoding': accepted } })
    const { headers } = file
    expect([file.status, headers.get('content-encoding'), headers.get('vary'), headers.get('content-type')]).toEqual([
      ...[200, encoding, 'Accept-Encoding', 'text/javascript; charset=utf-8'],
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await file.text()).toContain('viewToken')
  }
})

test.each([
  '/assets/',
  '/assets/nothing.js',
  '/assets/..%2fbuilt.json',
  '/assets/%2e%2e/built.json',
  '/assets/constructor',
])('there are no other files: %s', async (address) => {
  expect((await fetch(`${api.url}${address}`)).status).toBe(404)
})

test('in a browser it is transparent without a token, and says why it takes no access token', async () => {
  await using visitor = await browser.visitor(api)
  const { page, context, outside } = visitor
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  const asked: string[] = []
  context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const text = () => page.evaluate('document.body.innerText')
  await page.goto('/overlay/live')
  expect([await text(), asked.filter((path) => path.startsWith('/api'))]).toEqual(['', []])
  await page.goto('about:blank')
  await page.goto('/overlay/live#eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl')
  await expect.poll(text).toContain('holds an access token')
  await page.goto('about:blank')
  await page.goto(`/overlay/live#ovt_${'a'.repeat(43)}`)
  await expect.poll(() => asked).toContain('/api/overlays/@token')
  await page.waitForTimeout(500)
  expect(await text()).toBe('')
  expect(asked.filter((path) => path === '/api/overlays/@token')).toHaveLength(1)
  expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, ''])
  expect(complaints.filter((words) => !words.includes('404'))).toEqual([])
  expect(outside).toEqual([])
})
