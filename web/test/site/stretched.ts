import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { marks } from '../../stretched-words.ts'
import { isSettled } from './checks.ts'

/** The website in words of 140 % length, from right to left, under the heads and the policy of the service. (W14) */

export interface StretchedSite extends AsyncDisposable {
  /** Has a page load this website instead of the served one. */
  show(page: Page): Promise<void>
}

export async function buildStretched(): Promise<StretchedSite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'downbeat-stretched-'))
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  await build({
    configFile: path.join(import.meta.dirname, '../../vite.site.config.ts'),
    mode: 'stretched',
    build: { outDir: folder, minify: false },
  }).finally(() => {
    process.env.NODE_ENV = NODE_ENV
  })
  const shell = await readFile(path.join(folder, 'site/index.html'), 'utf8')
  return {
    async show(page) {
      // The service worker would answer with the website that it knows.
      await page.addInitScript({ content: 'delete Navigator.prototype.serviceWorker' })
      await page.route('**/assets/**', (route) =>
        route.fulfill({ path: path.join(folder, new URL(route.request().url()).pathname) }),
      )
      await page.route(
        (url) => !/^\/(assets|api|media)\//.test(url.pathname),
        async (route) => {
          if (route.request().resourceType() !== 'document') return route.fallback()
          const response = await route.fetch()
          const served = await response.text()
          const data = /<script type="application\/json" id="first">.*?<\/script>/s.exec(served)?.[0] ?? ''
          const socket = /data-socket="([^"]*)"/.exec(served)?.[1] ?? ''
          const body = shell
            .replace('<html lang="en">', '<html lang="en" dir="rtl">')
            .replace('SOCKET_URL', () => socket)
            .replace('<!--head-->', () => data)
          return route.fulfill({ response, body })
        },
      )
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What is wrong with pages in such words, narrow and wide. */
export async function faultsOfStretched(page: Page, site: StretchedSite, addresses: readonly string[]) {
  await site.show(page)
  const said: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) said.push(response.text().catch(() => ''))
  })
  const faults: string[] = []
  for (const address of addresses) {
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(address)
    await isSettled(page)
    said.push(page.evaluate(() => document.getElementById('first')?.textContent ?? ''))
    const data = async () => (await Promise.all(said)).join('\n').replace(/<[^>]+>/g, ' ')
    const found = await faultsOfWords(page, data)
    await page.setViewportSize({ width: 1440, height: 900 })
    found.push(...(await faultsOfWords(page, data)).filter((fault) => !found.includes(fault)))
    faults.push(...found.map((fault) => `${address}: ${fault}`))
  }
  return faults
}

/** Words that the browser brings, not the file: of dates, of times that are near, and of zones. */
const ofDates =
  /^((mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?|(second|minute|hour|day|week|month|year)s?|in|ago|this|now|today|yesterday|tomorrow|at|am|pm|utc|gmt|(jan|febr)(uary)?|feb|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|(sept?|octo?|nov|dec)(em|o)?(ber)?)$/

/**
 * What is wrong with a page in such words: words that are not from the file, and words that have no room. `data` gives
 * everything that the API has said, whose words are not translated.
 */
async function faultsOfWords(page: Page, data: () => Promise<string>): Promise<string[]> {
  const { texts, clipped, wider } = await page.evaluate(measure, marks[0])
  const said = (await data()).toLowerCase()
  const literal = texts.flatMap((text) => {
    const own = text.replace(new RegExp(`${marks[0]}[^${marks[1]}]*${marks[1]}`, 'g'), ' ')
    const words = [...own.toLowerCase().matchAll(/[\p{L}\p{M}]{3,}/gu)].map(([word]) => word)
    return words.some((word) => !said.includes(word) && !ofDates.test(word)) ? [`literal: ${text}`] : []
  })
  return [...wider, ...new Set([...literal, ...clipped])]
}

function measure(mark: string) {
  const texts: string[] = []
  const clipped: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (element.closest('script, style, svg, textarea, code, pre') !== null) continue
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      const value = element.getAttribute(name)
      if (value !== null) texts.push(value)
    }
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue)
    const text = own.join('').trim()
    if (text === '') continue
    texts.push(text)
    if (!text.includes(mark) || element.closest('.unseen') !== null) continue
    let box: HTMLElement = element
    while (getComputedStyle(box).display === 'inline' && box.parentElement !== null) box = box.parentElement
    if (/auto|scroll/.test(getComputedStyle(box).overflowX) || box.clientWidth <= 1) continue
    const [across, down] = [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]
    if (across > 1 || down > 3) clipped.push(`${across} × ${down} px are cut from: ${text}`)
  }
  const wide = document.documentElement.scrollWidth - innerWidth
  const outside = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    const isHidden = element.closest('.wide-content, .unseen') !== null
    return width > 0 && !isHidden && (left < -1 || right > innerWidth + 1)
  })
  const wider = wide > 0 ? [`${wide} px wider than ${innerWidth}: ${outside.at(-1)?.outerHTML.slice(0, 200)}`] : []
  return { texts, clipped, wider }
}
