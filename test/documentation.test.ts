import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBrowser, type RealBrowser, type RealVisitor, type VisitorOptions } from './chromium/browser.ts'
import { provisionMs } from './chromium/provide.ts'
import { type Harness, startHarness } from './harness.ts'

/** The page of the reference in a real browser, and its guide, followed from start to end. */

let browser: RealBrowser
let api: Harness
beforeAll(async () => {
  browser = await openBrowser()
  api = await startHarness()
}, provisionMs)
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await browser.close()
})

/**
 * The time limit in milliseconds: the script of the reference is long, and a machine that runs tests may be ten times
 * slower than an idle one.
 */
const patience = 100_000
vi.setConfig({ testTimeout: 3 * patience })

/** A visitor of the reference, with the errors in their console and the requests to the service. */
interface Reader extends RealVisitor {
  readonly complaints: readonly string[]
  readonly sent: readonly { readonly call: string; readonly authorization: string | undefined }[]
}

/** @param path of the only operation to draw, because drawing all of them takes seconds */
async function reader(options: VisitorOptions & { readonly path?: string } = {}): Promise<Reader> {
  const visitor = await browser.visitor(api, options)
  const { path } = options
  if (path !== undefined) {
    await visitor.context.route('**/api/openapi.json', async (route) => {
      const response = await route.fetch()
      const whole = await response.json()
      await route.fulfill({ response, json: { ...whole, paths: { [path]: whole.paths[path] } } })
    })
  }
  const complaints: string[] = []
  const sent: Reader['sent'][number][] = []
  visitor.page.on('pageerror', ({ message }) => complaints.push(message))
  visitor.page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  visitor.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    sent.push({ call: `${request.method()} ${pathname}${search}`, authorization: request.headers().authorization })
  })
  visitor.context.setDefaultTimeout(patience)
  await visitor.page.goto('/api/docs')
  await visitor.page.getByRole('heading', { name: 'Register a team' }).first().waitFor()
  return { ...visitor, complaints, sent }
}

const expectStanding = (visitor: RealVisitor, words: string) =>
  expect.poll(() => visitor.page.locator('#standing').textContent(), { timeout: patience }).toBe(words)

describe.each([
  ['on a desktop', {}],
  ['on a phone', { phone: true }],
])('the page %s', (_where, options) => {
  test('brings everything itself, and shows nothing of the makers of its library', async () => {
    await using visitor = await reader(options)
    const { page, sent } = visitor
    expect([new URL(page.url()).pathname, await page.title()]).toEqual(['/api/docs/', 'Downbeat API'])
    // It also requests no token before the visitor wants one.
    expect(sent.map(({ call }) => call)).toEqual([
      'GET /api/docs',
      'GET /api/docs/',
      'GET /api/docs/js/scalar.js',
      'GET /api/docs/js/page.js',
      'GET /api/openapi.json',
    ])
    for (const words of [/scalar/i, /ask ai/i, /\bMCP\b/, /developer tools/i, /deploy/i, /share/i]) {
      expect(await page.getByText(words).filter({ visible: true }).count(), String(words)).toBe(0)
    }
    const links = await page.locator('a[href^="http"]').filter({ visible: true }).all()
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(targets.filter((target) => target?.startsWith(api.url) === false)).toEqual([])
    expect([visitor.outside, visitor.complaints]).toEqual([[], []])
  })
})

test('whoever signs in has a token in place after it, with which operations are tried, and which is not kept', async () => {
  await using visitor = await reader({ path: '/notices' })
  const { page, context, sent } = visitor
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Name').fill('Newcomer')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectStanding(visitor, 'You try operations as Newcomer.')
  expect(new URL(page.url())).toMatchObject({ pathname: '/api/docs/', search: '' })

  // The page does not react to another address before its library is loaded.
  const attempt = page.getByRole('button', { name: /Test Request.*notices/i }).first()
  const isThere = async () => {
    await page.evaluate("location.hash = ''; location.hash = '#tag/notices/GET/notices'")
    return attempt.isVisible()
  }
  await expect.poll(isThere, { timeout: patience, interval: 3_000 }).toBe(true)
  await attempt.click()
  await page.getByRole('button', { name: 'Send get request' }).click()
  const authorization = expect.stringMatching(/^Bearer eyJ/)
  await expect
    .poll(() => sent.at(-1), { timeout: patience })
    .toEqual({
      call: 'GET /api/notices?include=html',
      authorization,
    })

  const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])')
  const cookies = (await context.cookies()).map(({ name, httpOnly }) => [name, httpOnly])
  expect([String(kept).includes('eyJ'), cookies]).toEqual([false, [['downbeat_session', true]]])
  expect(visitor.outside).toEqual([])
})

test('the guide leads from nothing to a registered team, in commands that work as they are copied', async () => {
  // A visitor who is already signed in needs one click.
  await using visitor = await reader({ path: '/notices', user: await api.user({ globalRoles: ['role:owner'] }) })
  const { page, context } = visitor
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Copy token' }).click()
  await expectStanding(visitor, 'The token is copied. Whoever has it can act as you until you sign out.')
  const token = await page.evaluate<string>('navigator.clipboard.readText()')

  const { description } = (await api.get('/openapi.json')).body.info
  const commands = [...description.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('')
  // Fails when a command is refused.
  const strict = 'curl() { command curl --silent --show-error --fail-with-body --write-out "\\n" "$@"; }'
  const script = `${strict}\n${commands.replace('paste it here', token)}`
  const { stdout } = await promisify(execFile)('bash', ['-euc', script])
  const answers = stdout.trim().split('\n')
  expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
    { id: 'spring-cup', status: 'draft' },
    { request: { status: 'pending' } },
    { request: { status: 'approved' } },
    { tournaments: [{ id: 'spring-cup', status: 'approved' }] },
    { newTeam: { id: 'the-quavers', status: 'unregistered' } },
    { newTeam: { id: 'the-quavers', status: 'registered' } },
  ])

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectStanding(visitor, 'You are signed out, and the token is no longer good.')
  expect((await api.call('GET', '/users/@me', { token })).status).toBe(401)
  expect(await page.getByRole('button', { name: 'Copy token' }).count()).toBe(0)
  expect([visitor.outside, visitor.complaints]).toEqual([[], []])
})

test('the guide of the repository is that of the description, on this machine', async () => {
  const guide = readFileSync(path.join(import.meta.dirname, '../src/guide.md'), 'utf8')
  const { description } = (await api.get('/openapi.json')).body.info
  expect(guide).toContain('SERVICE=http://127.0.0.1:3001\n')
  expect(description).toBe(guide.replaceAll('http://127.0.0.1:3001', api.url))
})
