import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser, type RealBrowser } from '../test/chromium/browser.ts'
import { forgetVitals, heapMb, slow, throttle, vitalsOf, watchVitals } from '../test/chromium/vitals.ts'
import { makeField, reportsOf } from './brackets.ts'
import { median, percentile } from './load.ts'
import { call } from './overlay-page.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { matchDayPages } from './web-match-day.ts'
import { organiserPages } from './web-organiser.ts'
import { makePlayer, type Player } from './world.ts'

const teams = 64
const turns = 5
const eventsPerSecond = 20
const liveSeconds = 30
/** As many as a cup of two hours has in which something happens every five seconds. */
const eventsOfTwoHours = 1_440

const slowly = 'processor 4 × slower, 1.6 Mbit/s, 150 ms'

/** The website in Chromium with a real service: when pages are painted, what moves, and what live events cost. (website: Budgets) */
export async function websitePages(service: Service): Promise<Row[]> {
  const { url, runtime } = service
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 1, teams)
  const [bracket = ''] = field.brackets
  const reports = await reportsOf({ url, runtime }, field, bracket)
  await runtime.database.pool.query(
    `update tournaments set description = $2, summary = 'A cup of the measurement.', starts_at = now() where guid = $1`,
    [field.tournament, 'What it is about, in some words. '.repeat(40)],
  )
  const matches = reports.map(({ match }) => match)
  const api = `${url}/api/tournaments/${field.tournament}`
  const running = matches.slice(0, 8)
  for (const { guid } of running) await call('POST', `${api}/matches/${guid}/start`, organiser)
  const { id: division } = (await call('GET', `${api}/divisions`, organiser))[0]
  const place = `/t/${field.tournament}`
  const pages = {
    'first page': '/',
    tournament: place,
    [`bracket of ${teams}`]: `${place}/bracket/${division}/${bracket}`,
    match: `${place}/m/${division}/${running[0]?.number}`,
  }
  const browser = await openBrowser()
  const events = new Events(
    api,
    organiser,
    running.map(({ guid }) => guid),
  )
  try {
    return [
      ...(await paints(browser, url, pages)),
      ...(await shifts(browser, url, pages, events)),
      ...(await lasting(browser, url, pages[`bracket of ${teams}`] ?? '', events)),
      await presses(browser, url, pages),
      ...(await organiserPages(browser, service)),
      ...(await matchDayPages(browser, service)),
    ]
  } finally {
    await events.stop()
    await browser.close()
  }
}

/** Results of a map in running matches, told again and again with other scores: each is an event that pages follow. */
class Events {
  readonly #api: string
  readonly #organiser: Player
  /** What was sent for each match: the next report names the revision that the last one made. */
  readonly #sent: Map<string, Promise<number | undefined>>
  #timer: NodeJS.Timeout | undefined
  count = 0

  constructor(api: string, organiser: Player, matches: readonly string[]) {
    this.#api = api
    this.#organiser = organiser
    this.#sent = new Map(matches.map((match) => [match, Promise.resolve(undefined)]))
  }

  start(perSecond: number): void {
    this.count = 0
    const matches = [...this.#sent.keys()]
    this.#timer = setInterval(() => {
      const number = this.count++
      const match = matches[number % matches.length] ?? ''
      this.#sent.set(match, this.#report(match, number))
    }, 1_000 / perSecond)
  }

  async #report(match: string, number: number): Promise<number> {
    const revision = await this.#sent.get(match)
    const game = { sides: [{ score: 900_000 + number }, { score: 800_000 + number }], revision }
    return (await call('PUT', `${this.#api}/matches/${match}/games/1`, this.#organiser, game)).revision
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#sent.values())
  }
}

type Pages = Readonly<Record<string, string>>

const loaded = async (page: Page) => {
  await page.locator('main h1').first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

async function paints(browser: RealBrowser, url: string, pages: Pages): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, address] of Object.entries(pages)) {
    for (const isSlow of [true, false]) {
      const times: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        // Nothing is in the cache of a new visitor.
        await using visitor = await browser.visitor({ url }, { phone: isSlow })
        const { page } = visitor
        await watchVitals(page)
        if (isSlow) await throttle(page)
        await page.goto(address, { waitUntil: 'load' })
        await loaded(page)
        await wait(1_000)
        times.push((await vitalsOf(page)).lcp / 1_000)
      }
      const figures = `${turns} visits, ${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)} s`
      const row = below(
        `website, ${name}: largest paint`,
        isSlow ? slowly : '',
        median(times),
        isSlow ? 2.5 : 0.8,
        ' s',
      )
      rows.push({ ...row, result: `${median(times).toFixed(2)} s`, figures })
    }
  }
  return rows
}

async function shifts(browser: RealBrowser, url: string, pages: Pages, events: Events): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, address] of Object.entries(pages)) {
    await using visitor = await browser.visitor({ url }, { phone: true })
    const { page } = visitor
    await watchVitals(page)
    await throttle(page, { ...slow, cpu: 1 })
    events.start(2)
    await page.goto(address)
    await loaded(page)
    await wait(liveSeconds * 1_000)
    await events.stop()
    const { cls, shifted } = await vitalsOf(page)
    if (cls > 0.02) console.log(`${name}: shifts of\n${shifted.join('\n')}`)
    const row = below(`website, ${name}: layout shift`, `${liveSeconds} s with 2 events a second`, cls, 0.02, '')
    rows.push({ ...row, result: cls.toFixed(3), figures: `${events.count} events` })
  }
  return rows
}

/** A page that stays open: what its tasks take, and what it keeps. */
async function lasting(browser: RealBrowser, url: string, address: string, events: Events): Promise<Row[]> {
  await using visitor = await browser.visitor({ url })
  const { page } = visitor
  await watchVitals(page)
  const cdp = await throttle(page, { ...slow, bytesPerSecond: -1, latencyMs: 0 })
  await cdp.send('Performance.enable')
  await page.goto(address)
  await loaded(page)
  await wait(3_000)
  await forgetVitals(page)
  events.start(eventsPerSecond)
  await wait(5_000)
  const { longTasks: atFirst } = await vitalsOf(page)
  const before = await heapMb(cdp)
  // The collections of garbage that the measurement asks for are no work of the page.
  await forgetVitals(page)
  while (events.count < eventsOfTwoHours) await wait(250)
  await events.stop()
  const longTasks = [...atFirst, ...(await vitalsOf(page)).longTasks]
  await wait(2_000)
  const growth = (await heapMb(cdp)) - before
  const work = `website, bracket of ${teams}, ${eventsPerSecond} events a second`
  const longest = Math.max(0, ...longTasks)
  const figures = `${events.count} events; ${longTasks.length} tasks of more than 50 ms`
  return [
    below(`${work}: longest task`, 'processor 4 × slower', longest, 50, ' ms', figures),
    below(`${work}: growth of the heap`, `${events.count} events`, growth, 10, ' MB', `from ${before.toFixed(1)} MB`),
  ]
}

/** A reader who opens menus, filters, looks for a team, changes views and goes from page to page. */
async function presses(browser: RealBrowser, url: string, pages: Pages): Promise<Row> {
  await using visitor = await browser.visitor({ url })
  const { page } = visitor
  await watchVitals(page)
  await throttle(page, { ...slow, bytesPerSecond: -1, latencyMs: 0 })
  const times: number[] = []
  const press = async (name: string) => {
    await page.getByRole('button', { name }).first().click()
    await wait(200)
  }
  for (let turn = 0; turn < turns; turn++) {
    await page.goto(pages[`bracket of ${teams}`] ?? '')
    await loaded(page)
    await wait(500)
    await press('How pages look')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.getByRole('radio', { name: 'Light' }).check()
    await page.keyboard.press('Escape')
    await press('Hide scores')
    await press('Show scores')
    for (const view of ['List', 'Tree']) {
      await page.getByRole('link', { name: view, exact: true }).first().click()
      await wait(300)
    }
    for (let key = 0; key < 3; key++) await page.keyboard.press('Tab')
    times.push(...(await vitalsOf(page)).interactions)
    await page.goto(`${pages.tournament}/teams`)
    await loaded(page)
    await page.locator('main input').first().pressSequentially('team', { delay: 60 })
    await wait(500)
    times.push(...(await vitalsOf(page)).interactions)
  }
  const slowest = percentile(times, 0.98)
  const figures = `${times.length} of at least 16 ms, half within ${median(times).toFixed(0)} ms`
  return below(
    'website: from a press to the paint after it, 98 of 100',
    'processor 4 × slower',
    slowest,
    200,
    ' ms',
    figures,
  )
}
