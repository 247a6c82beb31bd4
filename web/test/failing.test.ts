import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makePlatform, makeTournament } from '../../test/make.ts'
import { visitAs } from './site/readers.ts'

/** Pages whose reads fail, are tried again, and come back: what was said stays in sight, and the focus where it was. (W17) */

let api: Harness
let browser: RealBrowser
let owner: Caller
/** The address of a page of each kind, and the reads that fail there. */
let pages: readonly { readonly address: string; readonly reads: RegExp }[]
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  owner = await api.user({ globalRoles: ['role:owner'] })
  const cup = await makeTournament(api, owner)
  const { guid } = (await api.post(`/tournaments/${cup.guid}/overlays`, owner, { name: 'Main stage' })).body
  const { contextId } = await makePlatform(api)
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
  await api?.[Symbol.asyncDispose]()
})

type Failure = 500 | 503 | 'cut'

/** What becomes of the reads of a page. */
interface Reads {
  state: Failure | 'held' | 'answered'
  /** Lets those that are held go on, as `state` says then. */
  release(): void
}

let answers = 0

async function readsOf(page: Page, reads: RegExp, first: Failure): Promise<Reads> {
  const held: (() => void)[] = []
  const made: Reads = {
    state: first,
    release() {
      for (const go of held.splice(0)) go()
    },
  }
  await page.route(reads, async (route: Route) => {
    if (made.state === 'held') await new Promise<void>((go) => held.push(go))
    const { state } = made
    if (state === 'cut') return route.abort('connectionrefused')
    if (typeof state !== 'number') return route.continue()
    const headers = { 'request-id': `r-${++answers}` }
    return route.fulfill({ status: state, headers, json: { error: 'Too much to do.' } })
  })
  // What a topic brings would mend what failed.
  await page.routeWebSocket(/./, () => {})
  return made
}

/** Notes from now on when the page has no button to try again, or shows blocks, and each time that its alert is said. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement
    const seen = { gone: 0, said: 0 }
    new MutationObserver((changes) => {
      const names = [...main.querySelectorAll('button')].map(({ textContent }) => textContent)
      if (!names.includes('Try again') || main.querySelector('[aria-busy="true"]') !== null) seen.gone++
      const isSaid = changes.some(({ type, target, addedNodes }) => {
        const place = target instanceof Element ? target : target.parentElement
        return (type === 'characterData' || addedNodes.length > 0) && place?.closest('[role="alert"]') != null
      })
      if (isSaid) seen.said++
    }).observe(main, { childList: true, characterData: true, subtree: true })
    Object.assign(globalThis, { seen })
  })
const seenBy = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seen: { gone: number; said: number } }).seen)

/** Opens a page that fails, tries again by keys in vain, and then with success. */
async function walk(page: Page, { address, reads }: (typeof pages)[number], failure: Failure): Promise<void> {
  const made = await readsOf(page, reads, failure)
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
  const failures: readonly Failure[] = [500, 503, 'cut']
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
