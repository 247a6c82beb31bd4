import type { Locator, Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { type MadePlatform, type MadeTournament, makePlatform, makeTournament } from '../../test/make.ts'
import { type Cut, type Cutter, startCutter } from './site/cutter.ts'
import { visitAs } from './site/readers.ts'

/** What fails, is tried again, and succeeds, reads and writes: what was said stays in sight, the focus where it was. (W17) */

let api: Harness
let browser: RealBrowser
let cutter: Cutter
let owner: Caller
let cup: MadeTournament
let platform: MadePlatform
/** The address of a page of each kind, and the reads that fail there. */
let pages: readonly { readonly address: string; readonly reads: RegExp }[]
beforeAll(async () => {
  ;[api, browser, cutter] = await Promise.all([startHarness(), openBrowser(), startCutter(), freshenPages()])
  owner = await api.user({ globalRoles: ['role:owner'] })
  cup = await makeTournament(api, owner, { status: 'approved' })
  const { guid } = (await api.post(`/tournaments/${cup.guid}/overlays`, owner, { name: 'Main stage' })).body
  platform = await makePlatform(api)
  const { contextId } = platform
  const member = { userIdentifier: owner.guid, role: 'admin' }
  expect((await api.post(`/tournament-platforms/${contextId}/members`, owner, member)).status).toBe(200)
  pages = [
    { address: '/calendar', reads: /\/api\/calendar\?/ },
    { address: '/me/notifications', reads: /\/api\/users\/(@|%40)me\/notifications/ },
    { address: `/manage/${cup.id}/overlays`, reads: /\/api\/.*\/overlays(\?|$)/ },
    { address: '/admin/users', reads: /\/api\/users\/%40me(\?|$)/ },
    { address: `/review/${contextId}`, reads: /\/api\/.*\/requests(\?|$)/ },
    { address: `/overlay/control/${guid}`, reads: /\/api\/overlays\// },
  ]
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await cutter?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

type Failure = 500 | 503 | 'away' | Cut
const failures: readonly Failure[] = [500, 503, 'away', 'torn', 'short']

/** What becomes of the requests of a page. */
interface Requests {
  state: Failure | 'held' | 'answered'
  /** Lets those that are held go on, as `state` says then. */
  release(): void
}

let answers = 0

async function requestsOf(page: Page, to: RegExp, first: Failure, isMeant = (_: Request) => true): Promise<Requests> {
  const held: (() => void)[] = []
  const made: Requests = {
    state: first,
    release() {
      for (const go of held.splice(0)) go()
    },
  }
  await page.route(to, async (route: Route) => {
    if (!isMeant(route.request())) return route.fallback()
    if (made.state === 'held') await new Promise<void>((go) => held.push(go))
    const { state } = made
    if (state === 'away') return route.abort('connectionrefused')
    if (state === 'torn' || state === 'short') return cutter.answer(route, state)
    if (typeof state !== 'number') return route.fallback()
    const headers = { 'request-id': `r-${++answers}` }
    return route.fulfill({ status: state, headers, json: { error: 'Too much to do.' } })
  })
  // What a topic brings would mend what failed.
  await page.routeWebSocket(/./, () => {})
  return made
}

/** Notes from now on when the page does not say what failed, or shows blocks, and each time that its alert is said. */
const watch = (page: Page, by: 'button' | 'alert' = 'button') =>
  page.evaluate((sign) => {
    const main = document.querySelector('main') as HTMLElement
    const seen = { gone: 0, said: 0 }
    new MutationObserver((changes) => {
      const names = [...main.querySelectorAll('button')].map(({ textContent }) => textContent)
      const isThere =
        sign === 'button' ? names.includes('Try again') : document.querySelector('[role="alert"]') !== null
      if (!isThere || main.querySelector('[aria-busy="true"]') !== null) seen.gone++
      const isSaid = changes.some(({ type, target, addedNodes }) => {
        const place = target instanceof Element ? target : target.parentElement
        return (type === 'characterData' || addedNodes.length > 0) && place?.closest('[role="alert"]') != null
      })
      if (isSaid) seen.said++
    }).observe(main, { childList: true, characterData: true, subtree: true })
    Object.assign(globalThis, { seen })
  }, by)
const seenBy = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seen: { gone: number; said: number } }).seen)

/** Opens a page that fails, tries again by keys in vain, and then with success. */
async function walk(page: Page, { address, reads }: (typeof pages)[number], failure: Failure): Promise<void> {
  const made = await requestsOf(page, reads, failure)
  await page.goto(address)
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await again.waitFor()
  expect(await page.locator('main h1').count()).toBe(1)
  const isAlert = (await page.getByRole('alert').count()) > 0
  await watch(page)
  const isFocused = () => again.evaluate((button) => button === document.activeElement)
  const isTrying = () => again.getAttribute('aria-disabled')

  await again.focus()
  made.state = 'held'
  await page.keyboard.press('Enter')
  await expect.poll(isTrying).toBe('true')
  // Another press meanwhile asks for nothing.
  await page.keyboard.press('Enter')
  expect([await isFocused(), await seenBy(page)]).toEqual([true, { gone: 0, said: 0 }])
  made.state = failure
  made.release()
  await expect.poll(isTrying).toBe('false')
  expect([await isFocused(), await seenBy(page)]).toEqual([true, { gone: 0, said: isAlert ? 1 : 0 }])

  made.state = 'answered'
  await page.keyboard.press('Enter')
  await again.waitFor({ state: 'detached' })
  // The heading of what came has the focus, not the start of the document.
  const focused = () => page.evaluate(() => document.activeElement?.closest('main')?.id)
  await expect.poll(focused).toBe('main')
  await expect.poll(() => page.locator('main h1').count()).toBe(1)
}

test('what failed stays in sight while it is tried again, is said once, and gives its focus to what comes', async () => {
  await using visitor = await visitAs(browser, api, owner)
  await Promise.all(
    pages.map(async (each, at) => {
      const page = await visitor.context.newPage()
      const failure = failures[at % failures.length] ?? 500
      await walk(page, each, failure).catch((error: Error) => {
        throw new Error(`${each.address} (${failure}): ${error.message}`)
      })
    }),
  )
})

/** A list whose next page is asked for, by the reader or by the page itself. */
async function walkList(page: Page, address: string, hasButton: boolean, failure: Failure): Promise<void> {
  let asked = 0
  const isNext = (request: Request) => /[?&]before=next/.test(request.url())
  const path = /\/api\/(calendar|admin\/users)\?/
  await page.route(path, async (route) => {
    const url = route
      .request()
      .url()
      .replace(/&before=next/, '')
    const response = await route.fetch({ url })
    const nextCursor = isNext(route.request()) ? null : 'next'
    return route.fulfill({ response, json: { ...(await response.json()), nextCursor } })
  })
  // Pages that find the service again ask again by themselves.
  await page.route('**/manifest.webmanifest', (route) => route.abort())
  const next = await requestsOf(page, path, failure, (request) => isNext(request) && ++asked > 0)
  await page.goto(address)
  const main = page.getByRole('main')
  if (hasButton) await main.getByRole('button', { name: 'Show more' }).press('Enter')
  const again = main.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  if (hasButton) expect(await again.evaluate((button) => button === document.activeElement)).toBe(true)
  // A page that failed is not asked for without end.
  expect(asked).toBeLessThanOrEqual(3)
  await watch(page)
  const before = asked
  next.state = 'held'
  await again.press('Enter')
  await expect.poll(() => asked).toBe(before + 1)
  await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true')
  expect(await seenBy(page)).toEqual({ gone: 0, said: 0 })
  next.state = failure
  next.release()
  await expect.poll(() => again.getAttribute('aria-disabled')).toBe('false')
  expect(await seenBy(page)).toEqual({ gone: 0, said: 1 })
  expect(await again.evaluate((button) => button === document.activeElement)).toBe(true)
  next.state = 'answered'
  await page.keyboard.press('Enter')
  await again.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main')
  // With the connection, the page reads once more.
  await page.unrouteAll({ behavior: 'wait' })
}

test('the rest of a list that fails is said in its place, and is asked for again by the reader alone', async () => {
  await using visitor = await visitAs(browser, api, owner)
  await Promise.all(
    (
      [
        ['/admin/users', true, 'torn'],
        ['/calendar', false, 503],
        ['/calendar', false, 'short'],
      ] as const
    ).map(async ([address, hasButton, failure]) => {
      const page = await visitor.context.newPage()
      await walkList(page, address, hasButton, failure).catch((error: Error) => {
        throw new Error(`${address} (${failure}): ${error.message}`)
      })
    }),
  )
})

interface Writing {
  readonly address: string
  readonly to: RegExp
  /** Types what is sent; resolves to the field. */
  readonly type?: (page: Page) => Promise<Locator>
  readonly press: (page: Page) => Locator
  readonly again?: (page: Page) => Locator
}

/** Sends what fails, sends it again in vain, and then with success. */
async function walkWrite(page: Page, of: Writing, failure: Failure): Promise<void> {
  let asked = 0
  const sent = await requestsOf(page, of.to, failure, (request) => request.method() !== 'GET' && ++asked > 0)
  await page.goto(of.address)
  const field = await of.type?.(page)
  const typed = await field?.inputValue()
  await of.press(page).press('Enter')
  const alert = page.getByRole('alert').first()
  await alert.waitFor()
  const again = (of.again ?? of.press)(page)
  await expect.poll(() => again.isEnabled()).toBe(true)
  await watch(page, 'alert')
  sent.state = 'held'
  await again.press('Enter')
  await expect.poll(() => asked).toBe(2)
  await expect.poll(() => again.isEnabled()).toBe(false)
  expect(await field?.inputValue()).toBe(typed)
  sent.state = failure
  sent.release()
  await expect.poll(() => again.isEnabled()).toBe(true)
  expect((await seenBy(page)).gone).toBe(0)
  expect([await alert.isVisible(), await field?.inputValue(), asked]).toEqual([true, typed, 2])
  sent.state = 'answered'
  await again.press('Enter')
  await alert.waitFor({ state: 'detached' })
  expect(asked).toBe(3)
}

test('a write that failed says so until it has succeeded, also while it is sent again, and keeps what was typed', async () => {
  const wish = { scope: 'selected', platformGuids: [platform.guid] }
  expect((await api.put(`/tournaments/${cup.guid}/visibility`, owner, wish)).status).toBe(200)
  const requestsAt = `/tournament-platforms/${platform.contextId}/requests`
  const [{ guid }] = (await api.get(requestsAt, owner)).body.requests
  const writings: readonly Writing[] = [
    {
      address: '/me/profile',
      to: /\/api\/updateUserSettings/,
      type: async (page) => {
        const field = page.getByRole('textbox', { name: 'Pronouns' })
        await field.fill('they/them')
        return field
      },
      press: (page) => page.getByRole('main').getByRole('button', { name: 'Save', exact: true }),
    },
    {
      address: `/manage/${cup.id}/overlays`,
      to: /\/api\/tournaments\/[^/]+\/overlays$/,
      type: async (page) => {
        await page.getByRole('button', { name: 'Make an overlay' }).click()
        await page.getByRole('dialog').getByText('Duel', { exact: true }).first().click()
        const field = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
        await field.fill('Side stage')
        return field
      },
      press: (page) => page.getByRole('dialog').getByRole('button', { name: 'Make it' }),
    },
    {
      address: '/me/sessions',
      to: /\/api\/users\/(@|%40)me\/sessions\//,
      press: (page) =>
        page
          .getByRole('main')
          .getByRole('button', { name: /^End Chrome/ })
          .first(),
      again: (page) => page.getByRole('main').getByRole('button', { name: 'Try again' }),
    },
    {
      address: `/review/${platform.contextId}?request=${guid}`,
      to: /\/review$/,
      type: async (page) => {
        const field = page.getByRole('complementary').getByLabel('Reason')
        await field.fill('Well made.')
        return field
      },
      press: (page) => page.getByRole('complementary').getByRole('button', { name: 'Approve' }),
    },
  ]
  // A session that can be ended.
  await (await visitAs(browser, api, owner)).close()
  await using visitor = await visitAs(browser, api, owner)
  await Promise.all(
    writings.map(async (each, at) => {
      const page = await visitor.context.newPage()
      const failure = failures[(at + 1) % failures.length] ?? 500
      await walkWrite(page, each, failure).catch((error: Error) => {
        throw new Error(`${each.address} (${failure}): ${error.message}`)
      })
    }),
  )
})
