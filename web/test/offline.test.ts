import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Harness, startHarness } from '../../test/harness.ts'
import { type Front, startFront } from './front.ts'
import { workerOf } from './site/worker.ts'

/** The website without a connection, and while the service is replaced. (W1, W8, W11, W17, W24, W25) */

let api: Harness
let front: Front
let browser: RealBrowser
let made: Awaited<ReturnType<typeof makeBracket>>
let bracketPath: string
beforeAll(async () => {
  front = await startFront()
  ;[api, browser] = await Promise.all([startHarness({ publicUrl: front.url }), openBrowser(), freshenPages()])
  front.target = api.url
  made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { bestOf: 3 } })
  bracketPath = `/t/${made.cup.id}/bracket/main/${made.bracket.guid}`
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await front?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const visit = (options = {}) => browser.visitor(front, options)
const bar = (page: Page) => page.getByRole('complementary', { name: 'Not connected' })

/** The page has been taken over by a worker, whose cache is whole. */
async function controlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator
    if (serviceWorker.controller === null)
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

const keptKinds = (page: Page) =>
  page.evaluate(async () => {
    const opened = indexedDB.open('downbeat', 1)
    await new Promise((resolve) => {
      opened.onsuccess = resolve
      opened.onupgradeneeded = () => opened.result.createObjectStore('pages', { keyPath: 'kind' })
    })
    const all = opened.result.transaction('pages').objectStore('pages').getAll()
    await new Promise((resolve) => {
      all.onsuccess = resolve
    })
    opened.result.close()
    return all.result.map(({ kind, reader }) => [kind, reader])
  })

async function openBracket(page: Page): Promise<void> {
  await page.goto(bracketPath)
  await page.locator('main ol a').first().waitFor()
  await controlled(page)
  await expect.poll(async () => (await keptKinds(page)).map(([kind]) => kind)).toContain('bracket')
}

const cachesOf = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return { names, addresses: requests.flat().map(({ url }) => new URL(url).pathname) }
  })

test('the worker is asked for anew each time and asks this service alone; a missing file is asked for again', async () => {
  const worker = await fetch(`${api.url}/worker.js`)
  const header = (name: string) => worker.headers.get(name)
  expect([worker.status, header('content-type'), header('cache-control'), header('content-security-policy')]).toEqual([
    ...[200, 'text/javascript; charset=utf-8', 'no-cache', "default-src 'none'; connect-src 'self'"],
  ])
  const text = await worker.text()
  expect(text).not.toMatch(/SHELL_TAG|SITE_FILES|\bimport\s*[("'{*.\w]|importScripts/)
  const again = await fetch(`${api.url}/worker.js`, { headers: { 'if-none-match': header('etag') ?? '' } })
  expect(again.status).toBe(304)
  const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name]) => name as string)
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((name) => /hls/.test(name))).toEqual([])
  for (const name of files) expect((await fetch(`${api.url}${name}`, { method: 'HEAD' })).status).toBe(200)
  const missing = await fetch(`${api.url}/assets/site-of-another-build.js`)
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
})

test('the website can be installed', async () => {
  const reply = await fetch(`${api.url}/manifest.webmanifest`)
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
    ...[200, 'application/manifest+json', 'no-cache'],
  ])
  const manifest = (await reply.json()) as {
    readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose: string }[]
    readonly shortcuts: readonly { readonly name: string; readonly url: string }[]
    readonly start_url: string
  }
  expect(manifest).toMatchObject({ name: 'Downbeat', display: 'standalone', scope: '/' })
  expect(manifest.icons.map(({ purpose }) => purpose).toSorted()).toEqual(['any', 'any', 'maskable'])
  for (const { src, sizes } of manifest.icons) {
    const icon = await fetch(`${api.url}${src}`)
    expect(icon.headers.get('content-type')).toBe('image/png')
    const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
  for (const path of [manifest.start_url, ...manifest.shortcuts.map(({ url }) => url)])
    expect((await fetch(`${api.url}${path}`, { headers: { accept: 'text/html' } })).status).toBe(200)
  await using visitor = await visit()
  await visitor.page.goto('/')
  const session = await visitor.context.newCDPSession(visitor.page)
  const { errors, data } = await session.send('Page.getAppManifest')
  expect([errors, JSON.parse(data ?? '').name]).toEqual([[], 'Downbeat'])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // Test browsers have no profile to install to.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

describe('without a connection', () => {
  test('the last bracket opens as it was, a page that was never opened says so, and both return by themselves', async () => {
    await using visitor = await visit()
    const { page, context } = visitor
    await openBracket(page)
    const shown = await page.locator('main ol').allTextContents()
    const { addresses } = await cachesOf(page)
    expect(addresses.filter((path) => !path.startsWith('/assets/'))).toEqual(['/offline'])

    await context.setOffline(true)
    await page.reload()
    await page.locator('main ol a').first().waitFor()
    expect(await page.locator('main ol').allTextContents()).toEqual(shown)
    await expect.poll(() => bar(page).textContent()).toMatch(/Not connected since \d\d:\d\d; shown as of \d\d:\d\d/)
    // One region announces, as on every page. (W16)
    await expect
      .poll(() => page.getByRole('status').allTextContents())
      .toEqual([expect.stringMatching(/^Not connected/)])
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-old'))).toBe(true)

    await page.goto(`/t/${made.cup.id}/m/main/1`)
    await expect.poll(() => page.locator('main h1').allTextContents()).toEqual(['Not connected'])
    await page.getByRole('main').getByRole('link', { name: made.bracket.name }).click()
    await page.locator('main ol a').first().waitFor()

    await page.goto(`/t/${made.cup.id}/m/main/1`)
    await expect.poll(() => page.locator('main h1').textContent()).toBe('Not connected')
    await page.evaluate(() => Object.assign(globalThis, { untouched: true }))
    await context.setOffline(false)
    await expect.poll(() => page.locator('main h1').textContent()).toContain(' against ')
    await expect.poll(() => bar(page).count()).toBe(0)
    expect(await page.evaluate(() => Object.hasOwn(globalThis, 'untouched'))).toBe(true)
  })

  test('a page that is open keeps what it shows, marks it, and goes on', async () => {
    await using visitor = await visit()
    const { page, context } = visitor
    await openBracket(page)
    await context.setOffline(true)
    await expect.poll(() => bar(page).textContent()).toContain('shown as of')
    expect(await page.locator('main ol a').count()).toBeGreaterThan(2)
    await page.getByRole('link', { name: 'Kept for reading' }).click()
    await page.getByRole('heading', { name: 'Without a connection' }).waitFor()
    await page.goBack()
    await context.setOffline(false)
    await expect.poll(() => bar(page).count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-old'))).toBe(false)
  })

  test('while no process answers, the shell comes in place of the words of the proxy', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await openBracket(page)
    front.isDown = true
    try {
      await page.reload()
      await page.locator('main ol a').first().waitFor()
      const foreign = await page.goto('/api/docs/')
      expect(foreign?.status()).toBe(502)
      await page.goto('/about')
      await expect.poll(() => page.locator('main h1').textContent()).toBe('About Downbeat')
    } finally {
      front.isDown = false
    }
  })

  test('a page that is cut is asked for once more; cut again, the shell comes in its place and reads it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await openBracket(page)
    front.cuts = 1
    await page.goto('/about')
    await expect.poll(() => page.locator('main h1').textContent()).toBe('About Downbeat')
    front.cuts = 2
    await page.goto(`/t/${made.cup.id}/m/main/1`)
    await expect.poll(() => page.locator('main h1').textContent()).toContain(' against ')
    expect(front.cuts).toBe(0)
  })

  test('what is kept for a reader is shown to nobody else, and goes when they sign out', async () => {
    await using visitor = await visit({ name: 'keeper' })
    const { page, context } = visitor
    await page.goto('/tournaments?q=cup&signed-in#top')
    await page.getByRole('button', { name: 'keeper, your menu' }).waitFor()
    expect(page.url()).toMatch(/\/tournaments\?q=cup#top$/)
    await openBracket(page)
    const [[kind, reader]] = (await keptKinds(page)) as [[string, string]]
    expect([kind, reader]).toEqual(['bracket', await page.evaluate(() => localStorage.getItem('downbeat.signed-in'))])

    await page.goto('/me')
    await expect.poll(async () => (await keptKinds(page)).map(([of]) => of)).toEqual(['agenda', 'bracket'])

    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: 'keeper, your menu' }).waitFor()
    await expect.poll(() => page.locator('main').textContent()).toContain('No match of yours')
    await page.goto(bracketPath)
    await page.locator('main ol a').first().waitFor()
    await page.evaluate(() => localStorage.setItem('downbeat.signed-in', 'somebody-else'))
    await page.reload()
    await expect.poll(() => page.locator('main h1').textContent()).toBe('Not connected')
    await page.evaluate((guid) => localStorage.setItem('downbeat.signed-in', guid), reader)
    await context.setOffline(false)

    await openBracket(page)
    await page.getByRole('button', { name: 'keeper, your menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await expect.poll(async () => (await keptKinds(page)).filter(([, of]) => of !== null)).toEqual([])
  })
})

describe('a new build', () => {
  test('takes over; an open page of the build before goes on with its own files; older files go', async () => {
    await using visitor = await visit()
    const { page, context } = visitor
    await openBracket(page)
    const taken = async (build: string) => {
      front.builds = [build]
      await page.evaluate(async () => {
        const changed = new Promise((resolve) =>
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
        )
        await (await navigator.serviceWorker.ready).update()
        await changed
      })
    }
    try {
      await taken('b')
      await page.evaluate(() => Object.assign(globalThis, { untouched: true }))
      await page.getByRole('link', { name: 'Teams', exact: true }).click()
      await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor()
      expect(await page.evaluate(() => Object.hasOwn(globalThis, 'untouched'))).toBe(true)

      await taken('c')
      const builds = async () => (await cachesOf(page)).names.map((name) => name.slice(-1)).toSorted()
      await expect.poll(builds).toEqual(['b', 'c'])
      const other = await context.newPage()
      await context.setOffline(true)
      await other.goto(bracketPath)
      await other.locator('main ol a').first().waitFor()
    } finally {
      front.builds = ['']
    }
  })

  test('is not kept in part while processes of both answer', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await openBracket(page)
    const before = await cachesOf(page)
    front.builds = ['b', '']
    try {
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        while (registration.installing === null) await registration.update().catch(() => {})
        const { installing } = registration
        while (installing.state !== 'redundant')
          await new Promise((resolve) => installing.addEventListener('statechange', resolve, { once: true }))
      })
      expect(await cachesOf(page)).toEqual(before)
    } finally {
      front.builds = ['']
    }
  })

  test('is loaded by a page that misses a file, once', async () => {
    await using visitor = await browser.visitor(front)
    const { page } = visitor
    await blockWorker(visitor.context)
    await page.goto(`/t/${made.cup.id}`)
    await page.locator('main h1').waitFor()
    front.builds = ['b']
    try {
      const reloaded = page.waitForEvent('load')
      await page.getByRole('link', { name: 'Teams', exact: true }).click()
      await reloaded
      await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor()
    } finally {
      front.builds = ['']
    }
  })
})

const blockWorker = (context: BrowserContext) =>
  context.addInitScript(() => Object.defineProperty(navigator, 'serviceWorker', { value: undefined }))

test('a message is shown, and leads to what it is about', async () => {
  await using visitor = await visit()
  const { page, context } = visitor
  await context.grantPermissions(['notifications'], { origin: front.url })
  await page.goto('/')
  await controlled(page)
  const worker = await workerOf(context, page)
  const subject = { tournamentGuid: made.cup.guid, matchGuid: made.bracket.matches[0].guid }
  const told = { kind: 'match_called', title: 'Your match is called', body: 'One – Other', tag: 'a b', data: subject }
  await worker.push(front.url, told)
  const address = `/t/${made.cup.guid}/m/main/${made.bracket.matches[0].guid}`
  await expect.poll(worker.shown).toEqual([[told.title, told.body, address]])
  expect(await worker.click()).toBe(`${front.url}${address}`)
  expect(await worker.shown()).toEqual([])
  await page.goto(address)
  await expect.poll(() => page.locator('main h1').textContent()).toContain(' against ')
})

test('a tab that is hidden for five minutes has no socket, and has one again when it returns', async () => {
  await using visitor = await visit()
  const { page } = visitor
  const open = new Set<unknown>()
  page.on('websocket', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await page.clock.install()
  await page.goto(bracketPath)
  await page.locator('main ol a').first().waitFor()
  await expect.poll(() => open.size).toBe(1)
  const hide = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await hide(true)
  // The client takes a minute without a packet for a broken connection, and opens another one. The time is skipped, not
  // run: no attempt could connect in time that passes faster than the network.
  await page.clock.fastForward(240_000)
  await expect.poll(() => open.size).toBe(1)
  await page.clock.fastForward(61_000)
  await expect.poll(() => open.size).toBe(0)
  await page.clock.fastForward(120_000)
  expect(open.size).toBe(0)
  await made.win(1, 'team-1')
  await hide(false)
  await expect.poll(() => open.size).toBe(1)
  await expect.poll(() => page.locator('main ol a').first().textContent()).toContain('Finished')
  expect(await bar(page).count()).toBe(0)
})

test('every fault of a page has words and one heading of its own', async () => {
  await using visitor = await visit()
  const { page } = visitor
  await blockWorker(visitor.context)
  let status = 404
  await page.route('**/api/tournaments/*/matches/99?*', (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'In the words of the service.' }),
      headers: { 'request-id': 'r-7', 'retry-after': '60' },
    }),
  )
  const titles: string[] = []
  for (status of [404, 403, 429, 500]) {
    await page.goto(`/t/${made.cup.id}/m/main/99`)
    await page.locator('main h1').waitFor()
    const all = await page.locator('h1').allTextContents()
    expect(all).toHaveLength(1)
    titles.push(...all)
    if (status === 429) expect(await page.getByRole('button', { name: /Try again in \d\d s/ }).isDisabled()).toBe(true)
    if (status === 500) expect(await page.locator('main').textContent()).toMatch(/In the words.*r-7/)
  }
  expect(new Set(titles).size).toBe(4)
  expect(titles).not.toContain('Not connected')
})
