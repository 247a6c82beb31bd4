import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { operationOf, pageOperations } from '../page-operations.ts'

/** What can be wrong with a page of the website, whichever it is. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** What a page complained of: errors, refused content, requests that failed. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    // The fixtures' pictures are addresses without files.
    if (message.location().url.includes('/media/')) return
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  // A topic that is refused leaves a page that looks live and is not.
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (/^\{"type":"error".*"code":"topic\.invalid"/.test(String(payload))) complaints.push(String(payload))
    }),
  )
  return complaints
}

/** Throws where a page is not whole in time. */
export async function isSettled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ timeout: 20_000 })
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 20_000 })
}

/** What is wrong with a page as it is: content beyond its width, and what axe finds, in light and in dark. */
export async function faultsOf(page: Page): Promise<string[]> {
  const wider = await widerOf(page)
  await page.evaluate(axe)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  await page.emulateMedia({ colorScheme: 'light' })
  const found = await violationsOf(page, { type: 'tag', values: tags })
  await page.emulateMedia({ colorScheme: 'dark' })
  // Only colours change.
  const inDark = await violationsOf(page, { type: 'rule', values: ['color-contrast'] })
  return [...(wider === 0 ? [] : [`${wider} px too wide`]), ...found, ...inDark.map((fault) => `in dark: ${fault}`)]
}

/** What is wrong with pages on a phone and on a wide screen, each as it was opened. */
export async function faultsOfPages(page: Page, addresses: readonly string[]): Promise<string[]> {
  const complaints = complaintsOf(page)
  const faults: string[] = []
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const address of addresses) {
      complaints.length = 0
      await page.goto(address)
      await isSettled(page)
      const found = [...(await faultsOf(page)), ...complaints]
      faults.push(...found.map((fault) => `${address} at ${width}: ${fault}`))
    }
  }
  return faults
}

export const widerOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

function violationsOf(page: Page, runOnly: object): Promise<string[]> {
  return page.evaluate(async (only) => {
    const { axe: checker } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await checker.run({ runOnly: only })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }, runOnly)
}

/** Which operations a page asked for: by requests, by the answers that came with it, and by its links. */
export function askedBy(page: Page): { take(): Promise<ReadonlySet<string>> } {
  let requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname.slice('/api'.length)}`)
  })
  return {
    async take() {
      const inPage = await page.evaluate(() => [
        ...Object.keys(JSON.parse(document.getElementById('first')?.textContent ?? '{}')),
        ...[...document.querySelectorAll('a[href^="/api/"]')].map((link) => link.getAttribute('href')?.slice(4) ?? ''),
      ])
      const calls = [...requests, ...inPage.map((address) => `GET ${address}`)]
      requests = []
      const names = calls.map((call) => {
        const [method = '', address = ''] = call.split(' ')
        return address === '/docs/' ? '' : (operationOf(method, address) ?? call)
      })
      return new Set(names.filter((name) => name !== ''))
    },
  }
}

/** Waits until a press does something: a control is held while a request is on its way, or while nothing is changed. */
export async function released(page: Page, control: Locator): Promise<void> {
  await control.and(page.locator(':not([aria-disabled="true"])')).waitFor()
}

/** Goes to a control by the Tab key alone. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await released(page, control)
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    if (await control.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('it was never reached')
}

/** Whether a page is for everybody; the others are for readers who are signed in, or without a connection. */
export const isPublic = (path: string): boolean =>
  !/^\/(me|offline|users|admin|manage|new|claim|overlay|coordinate|review|platforms)\b|^\/t\/:tournament\/(team|availability)\b/.test(
    path,
  )

/** The page of docs/generated/pages.md that an address is of. */
export function pathOf(address: string): string | undefined {
  const asked = (address.split('?')[0] ?? '').split('/')
  const fits = pageOperations.filter(({ path }) => {
    const own = path.split('/')
    return own.length === asked.length && own.every((part, at) => part.startsWith(':') || part === asked[at])
  })
  return fits.toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]?.path
}
