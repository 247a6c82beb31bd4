import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { RealBrowser, RealVisitor } from '../test/chromium/browser.ts'
import { forgetVitals, slow, throttle, vitalsOf, watchVitals } from '../test/chromium/vitals.ts'
import { makeField, reportsOf } from './brackets.ts'
import { fillDesk, teams } from './desk.ts'
import { median, percentile } from './load.ts'
import { call } from './overlay-page.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments, type Player } from './world.ts'

/** What organisers do in Chromium: they scroll a long desk, drag seeds and tell scores. (website: Budgets) */

const passes = 4
const pixelsPerSecond = 4_000
/** At 60 frames a second a frame takes 16.7 ms; the clock of the browser is a little inexact. */
const frameMs = 16.7 + 1
const turns = 8

export async function organiserPages(browser: RealBrowser, service: Service): Promise<Row[]> {
  return [...(await scrolled(browser, service)), ...(await presses(browser, service))]
}

/** Somebody who runs the tournament, signed in. */
async function visitStaff(
  browser: RealBrowser,
  { url, runtime }: Service,
  tournament: string,
  organiser: Player,
): Promise<RealVisitor> {
  const name = `staff-${tournament.slice(0, 8)}`
  const visitor = await browser.visitor({ url }, { name })
  await visitor.context.addInitScript(() => localStorage.setItem('downbeat.signed-in', 'yes'))
  const found = await runtime.database.pool.query<{ guid: string }>(
    'select guid from users where $1 in (username, preferred_name)',
    [name],
  )
  const [user = ''] = found.rows.map(({ guid }) => guid)
  await call('POST', `${url}/api/tournaments/${tournament}/permissions/${user}/grant`, organiser, {
    role: 'role:admin',
  })
  return visitor
}

async function scrolled(browser: RealBrowser, service: Service): Promise<Row[]> {
  const organiser = await makePlayer(service.runtime)
  const [desk = ''] = await makeTournaments(service.runtime, organiser.guid, 1)
  await fillDesk(service.runtime.database.pool, desk, 'line')
  await using visitor = await visitStaff(browser, service, desk, organiser)
  const { page } = visitor
  await page.goto(`/manage/${desk}/registration`)
  await page.getByRole('row').nth(teams).waitFor()
  const texts = await page
    .getByRole('row')
    .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent ?? '')))
  const plain = await visitor.context.newPage()
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const lines = texts.map((cells) => `<tr height=36>${cells.map((text) => `<td>${escaped(text)}`).join('')}`)
  await plain.setContent(`<table>${lines.join('')}</table>`)
  const [ours, theirs]: number[][] = [[], []]
  for (let pass = 0; pass < passes; pass++) {
    for (const [at, frames] of [
      [page, ours],
      [plain, theirs],
    ] as const) {
      await at.bringToFront()
      await wait(500)
      frames?.push(...(await framesOf(at)))
    }
  }
  const work = await worked(page)
  if (ours === undefined || theirs === undefined) throw new Error('nothing was measured')
  const late = (frames: readonly number[]) => (100 * frames.filter((ms) => ms > frameMs).length) / frames.length
  const what = `website, desk of ${teams} teams while it is scrolled`
  const plainly = 'a plain table of the same words'
  const figures = (unit: (frames: readonly number[]) => string) =>
    `${unit(ours)} against ${unit(theirs)}, ${ours.length} frames`
  const middle = below(`${what}: half of the frames`, plainly, median(ours), frameMs, ' ms')
  const excess = below(`${what}: more frames of over 16.7 ms`, plainly, late(ours) - late(theirs), 2, ' %')
  return [
    {
      ...middle,
      result: `${median(ours).toFixed(1)} ms`,
      figures: figures(
        (frames) => `${median(frames).toFixed(1)} ms, 99 of 100 within ${percentile(frames, 0.99).toFixed(0)} ms`,
      ),
    },
    {
      ...excess,
      result: `${(late(ours) - late(theirs)).toFixed(1)} %`,
      figures: figures((frames) => `${late(frames).toFixed(1)} %`),
    },
    below(
      `${what}: processor time of the page for a frame, 99 of 100`,
      'what other programs take is not counted',
      percentile(work, 0.99),
      16.7,
      ' ms',
      `${work.length} frames, half within ${median(work).toFixed(1)} ms`,
    ),
  ]
}

/** Milliseconds from frame to frame while a page is scrolled to its end and back, as a finger does it. */
async function framesOf(page: Page): Promise<number[]> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight')
  const cdp = await page.context().newCDPSession(page)
  await page.evaluate(noting)
  for (const yDistance of [-height, height])
    await cdp.send('Input.synthesizeScrollGesture', { x: 600, y: 500, yDistance, speed: pixelsPerSecond })
  const frames = await page.evaluate<number[]>('endFrames()')
  await cdp.detach()
  if (frames.length < height / pixelsPerSecond) throw new Error('the page was not scrolled')
  return frames
}

interface Traced {
  readonly name: string
  /** Microseconds of processor time. */
  readonly tdur?: number
}

/** Milliseconds of processor time that the thread of the page takes for each frame while it is scrolled. */
async function worked(page: Page): Promise<number[]> {
  const cdp = await page.context().newCDPSession(page)
  const traced: Traced[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => traced.push(...(value as unknown as Traced[])))
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await page.bringToFront()
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'cc' })
  await framesOf(page)
  await cdp.send('Tracing.end')
  await complete
  return traced.flatMap(({ name, tdur }) => (name === 'ProxyMain::BeginMainFrame' && tdur ? [tdur / 1_000] : []))
}

const noting = `{
  const frames = []
  let [isOver, before] = [false]
  const next = (at) => {
    if (before !== undefined) frames.push(at - before)
    before = at
    if (!isOver) requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  globalThis.endFrames = () => {
    isOver = true
    return frames
  }
}`

/** Drags seeds of 32 teams, and tells the scores of maps and takes them back, on a slow processor. */
async function presses(browser: RealBrowser, service: Service): Promise<Row[]> {
  const { url, runtime } = service
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 2, 32)
  const [seeded = '', played = ''] = field.brackets
  const [report] = await reportsOf({ url, runtime }, field, played)
  const api = `${url}/api/tournaments/${field.tournament}`
  await call('POST', `${api}/matches/${report?.match.guid}/start`, organiser)
  await using visitor = await visitStaff(browser, service, field.tournament, organiser)
  const { page } = visitor
  await watchVitals(page)
  await throttle(page, { ...slow, bytesPerSecond: -1, latencyMs: 0 })
  await page.goto(`/manage/${field.tournament}/brackets/${seeded}/seeding`)
  const rows = page.locator('tr[draggable="true"]')
  await rows.nth(31).waitFor()
  await wait(1_000)
  await forgetVitals(page)
  const order = () => rows.allTextContents()
  for (let turn = 0; turn < turns; turn++) {
    const before = (await order()).join()
    await rows
      .nth(turn + 2)
      .locator('[data-handle]')
      .dragTo(rows.nth(turn), { targetPosition: { x: 60, y: 3 } })
    while ((await order()).join() === before) await wait(20)
    await wait(200)
  }
  const drags = (await vitalsOf(page)).interactions
  await page.goto(`/manage/${field.tournament}/live/${report?.match.guid}`)
  const save = page.getByRole('button', { name: /^Save game/ })
  await save.waitFor()
  await wait(1_000)
  await forgetVitals(page)
  for (let turn = 0; turn < turns; turn++) {
    for (const at of [0, 1])
      await page
        .getByRole('spinbutton')
        .nth(at)
        .pressSequentially(`${9 - at}00000`, { delay: 60 })
    await save.click()
    const take = page.getByRole('button', { name: /^Take/ })
    await take.click()
    await take.waitFor({ state: 'detached' })
    await wait(200)
  }
  const scores = (await vitalsOf(page)).interactions
  return [answered('a seed is dragged', drags), answered('scores of a map are told and taken back', scores)]
}

function answered(what: string, times: readonly number[]): Row {
  const figures = `${times.length} of at least 16 ms, half within ${median(times).toFixed(0)} ms`
  const work = `website, ${what}: from a press to the paint after it, 98 of 100`
  return below(work, 'processor 4 × slower', percentile(times, 0.98), 200, ' ms', figures)
}
