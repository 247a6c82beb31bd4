import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from './bracket-play.ts'
import { openBrowser, type RealBrowser } from './chromium/browser.ts'
import { faultsOf } from './chromium/faults.ts'
import { provisionMs } from './chromium/provide.ts'
import { startFakeWebsite } from './fakes/website.ts'
import { freePort, type Harness, startHarness } from './harness.ts'

/** The real-time reference in a real browser, and its examples, executed unchanged. */

let browser: RealBrowser
let api: Harness
let made: MadeBracket
beforeAll(async () => {
  const socketPort = await freePort()
  browser = await openBrowser()
  api = await startHarness({ socketPort, socketUrl: `ws://127.0.0.1:${socketPort}` })
  made = await makeBracket(api, { teams: 4, format: 'single_elimination', tournament: { id: 'spring-cup' } })
}, provisionMs)
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await browser.close()
})

const address = '/api/docs/realtime'

describe.each([
  ['on a desktop', {}],
  ['on a desktop in the dark', { dark: true }],
  ['on a phone', { phone: true }],
  ['on a phone in the dark', { phone: true, dark: true }],
  ['without scripts', { phone: true, javaScript: false }],
])('%s', (_where, options) => {
  test('the page is one answer, readable, and nothing is missing or refused', async () => {
    await using visitor = await browser.visitor(api, options)
    const { page } = visitor
    const complaints: string[] = []
    const asked: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(address)
    expect(await faultsOf(page)).toEqual([])
    expect([complaints, asked, visitor.outside]).toEqual([[], [address], []])
    await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click()
    expect(await page.getByRole('heading', { name: 'Errors' }).isVisible()).toBe(true)
  })
})

test('its links lead somewhere', async () => {
  const { text } = await api.get('/docs/realtime')
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const links = new Set([...text.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link))
  const { paths, tags } = (await api.get('/openapi.json')).body
  for (const link of links) {
    const [, tag, method, path] = /^\/api\/docs\/#tag\/(\w+)\/([A-Z]+)(\/.*)$/.exec(link) ?? []
    if (link.startsWith('#')) expect(ids).toContain(link.slice(1))
    else if (path === undefined) {
      expect((await fetch(new URL(link, api.url))).status, link).toBe(200)
    } else {
      expect(paths[path], link).toHaveProperty((method as string).toLowerCase())
      expect(tags.map(({ name }: { readonly name: string }) => name)).toContain(tag)
    }
  }
})

test('it has a policy of its own, and is not sent twice', async () => {
  const reply = await api.get('/docs/realtime')
  const policy = reply.headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='; img-src data:; form-action 'none'; frame-/)
  expect(reply.text).not.toContain('<script')
  const again = await api.get('/docs/realtime', null, { 'if-none-match': reply.headers.get('etag') as string })
  expect([again.status, again.text]).toEqual([304, ''])
  expect(reply.text.length).toBeLessThan(150_000)
})

/** The examples under a heading, copied from the page. */
async function examples(heading: string): Promise<string[]> {
  await using visitor = await browser.visitor(api)
  await visitor.page.goto(address)
  return await visitor.page.locator(`h3#${heading} ~ pre`).allTextContents()
}

/** The first line of a command that does not end by itself. */
async function firstLine(command: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn('bash', ['-c', `exec ${command}`], { env: { ...process.env, ...env } })
  for await (const line of createInterface(child.stdout)) {
    child.kill()
    return JSON.parse(line)
  }
}

test('the commands for a shell', async () => {
  const [stream = '', , poll = ''] = await examples('connect-curl')
  const { type, body, since } = await firstLine(stream)
  expect([type, body]).toEqual(['snapshot', (await api.get('/tournaments/spring-cup/matches')).body])
  const followed = () => api.app.services.realtime.feed.size
  await expect.poll(followed).toBe(0)
  const answered = promisify(execFile)('bash', ['-c', poll.replace('p9Zq…', since)])
  await expect.poll(followed).toBe(1)
  await made.win(1, 'team-1')
  const packets = (await answered).stdout.trim().split('\n')
  expect(packets.map((packet) => JSON.parse(packet))).toMatchObject([
    { type: 'resumed', position: since },
    { type: 'event', after: since },
  ])
  const guide = (await api.get('/openapi.json')).body.info.description
  const [, follow] = /^## Follow it live\n[\s\S]*?^```bash\n(.*?)\n```$/m.exec(guide) ?? []
  const line = await firstLine(follow ?? '', { SERVICE: api.url })
  expect(line).toMatchObject({ type: 'snapshot', topic: '/tournaments/spring-cup' })
})

test('the scripts for a page, wherever it is from', async () => {
  await using website = await startFakeWebsite({ '/': '<title>Overlay</title>' })
  await using visitor = await browser.visitor(website)
  await visitor.page.goto('/')
  const [events = ''] = await examples('connect-browser')
  const [socket = ''] = await examples('connect-socket')
  await visitor.page.evaluate(`globalThis.applyPatch = (held, patch) => ({ newDocument: { held, patch } })
${events.replace('let held', 'globalThis.held = undefined')}`)
  await visitor.page.evaluate(`globalThis.got = []
${socket.replace('console.log(JSON.parse(data))', 'got.push(JSON.parse(data).type)')}`)
  const { body } = await api.get('/tournaments/spring-cup/matches')
  await expect.poll(() => visitor.page.evaluate('held')).toEqual(body)
  await expect.poll(() => visitor.page.evaluate('got')).toEqual(['hello', 'snapshot'])
  await made.win(2, 'team-2')
  await expect.poll(() => visitor.page.evaluate('held.patch?.length > 0')).toBe(true)
  await expect.poll(() => visitor.page.evaluate('got')).toEqual(['hello', 'snapshot', 'event'])
})
