import type { Page } from 'playwright-core'
import { until } from '../../../test/waiting.ts'
import { isSettled } from './checks.ts'

/** Pages whose reads are slow, or fail. */

/** Opens the page while the service keeps its reads waiting; the result lets them go on. */
export async function openHeld(page: Page, address: string): Promise<() => void> {
  const held: (() => void)[] = []
  let isOpen = false
  await page.route('**/api/**', async (route) => {
    if (!isOpen) await new Promise<void>((go) => held.push(go))
    await route.continue().catch(() => {})
  })
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  return () => {
    isOpen = true
    for (const go of held) go()
  }
}

interface Shift {
  readonly value: number
  readonly startTime: number
  readonly sources: readonly { readonly node: Node | null }[]
}

/** More than this is felt. */
const maxShift = 0.02

/** What moves on the page while its answers come, if it is felt, once it has shown blocks in their place. (W18) */
export async function movedBy(page: Page, address: string): Promise<readonly string[]> {
  const letGo = await openHeld(page, address)
  await until(async () => (await page.locator('main :is(h1, [aria-busy="true"])').count()) > 0)
  await page.evaluate(() => document.fonts.ready)
  const since = await page.evaluate(() => performance.now())
  letGo()
  await isSettled(page)
  await page.waitForLoadState('networkidle')
  await page.unroute('**/api/**')
  return page.evaluate(
    ({ from, most }) =>
      new Promise<string[]>((tell) => {
        const seen: string[] = []
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const { value, startTime, sources } of list.getEntries() as unknown as Shift[]) {
            if (startTime <= from) continue
            sum += value
            seen.push(`${value.toFixed(4)}: ${sources.map(({ node }) => node?.textContent?.slice(0, 30)).join(' | ')}`)
          }
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        // Two frames: what is buffered has been told by then.
        requestAnimationFrame(() => requestAnimationFrame(() => tell(sum > most ? seen : [])))
      }),
    { from: since, most: maxShift },
  )
}

/** Makes each read of the page fail with this status. */
export async function failAll(
  page: Page,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'Too much to do.' }),
      headers: { 'request-id': 'r-1', ...headers },
    }),
  )
}
