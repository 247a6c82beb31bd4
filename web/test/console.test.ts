import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { throttle } from '../../test/chromium/vitals.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { faultsOfPages } from './site/checks.ts'
import { visitAs } from './site/readers.ts'
import { patient } from './site/seat.ts'

/** The console of match day, in a real browser. (W2, W8, W15, W20) */

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
/** The session with the stopped clock. */
let paused: FlowPlay
let host: Caller
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 16, maps: 7 })
  host = await roleHolder(api, made.cup, 'role:host')
  paused = await arrange()
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const change = async (number: number, body: object) => {
  const { status, text } = await api.patch(made.match(number), made.organiser, body)
  expect(status, text).toBe(200)
}

/** Eight matches: two by a flow, one of them paused; one without; one late; the others to come. */
async function arrange(): Promise<FlowPlay> {
  const flow = {
    name: 'Ban and pick',
    seats: 2,
    bestOf: 3,
    steps: [
      { action: 'ban', actor: 'higherSeed', seconds: 600 },
      { action: 'ban', actor: 'lowerSeed', seconds: 600 },
      { repeat: 'until_decided', steps: [{ action: 'pick', actor: 'higherSeed', seconds: 600 }, { action: 'play' }] },
    ],
    rules: {},
  }
  const saved = await api.post(`${made.path}/flows`, made.organiser, flow)
  expect(saved.status, saved.text).toBe(201)
  const guid = saved.body.guid
  const officials = [{ user: made.referee.guid, role: 'role:referee' }]
  for (const [number, minutes] of [
    [1, -40],
    [2, -30],
    [3, -20],
    [4, -12],
    [5, 10],
    [6, 20],
    [7, 120],
  ] as const)
    await change(number, { scheduledAt: inMinutes(minutes), ...(number < 5 && { officials }) })
  const [first, second] = [1, 2].map((number) => new FlowPlay(api, made, number)) as [FlowPlay, FlowPlay]
  for (const play of [first, second]) {
    const begun = await play.begin({ flowGuid: guid, poolGuid: made.pool.guid })
    expect(begun.status, begun.text).toBe(201)
  }
  expect((await api.post(`${made.match(3)}/start`, made.organiser)).status).toBe(200)
  expect((await second.call(made.referee, 'clock', { op: 'pause' })).status).toBe(200)
  const channels = [{ name: 'Main', url: 'https://video.example/main' }]
  expect((await api.put(`${made.path}/channels`, made.organiser, { channels, revision: 0 })).status).toBe(200)
  return second
}

const address = () => `/manage/${made.cup.id}/live`
async function open(user: Caller, width = 1440): Promise<RealVisitor> {
  const visitor = await visitAs(browser, api, user)
  await visitor.page.setViewportSize({ width, height: 900 })
  await visitor.page.goto(address())
  await visitor.page.getByRole('heading', { name: 'Live console' }).waitFor()
  return visitor
}

const problemsOf = ({ page }: RealVisitor) =>
  page
    .getByRole('table', { name: 'Problems, the oldest first' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent)))
const lineOf = ({ page }: RealVisitor, number: number) =>
  page.locator('li', { has: page.getByRole('button', { name: `Match ${number}`, exact: true }) })
const groupOf = ({ page }: RealVisitor, name: string) =>
  page
    .getByRole('region', { name, exact: true })
    .getByRole('button', { name: /^Match \d+$/ })
    .allTextContents()

test('problems come first, and go for everybody once they are mended', async () => {
  await using own = await open(made.organiser)
  await using other = await open(host)
  const sides = (number: number) => lineOf(own, number).locator('bdi').first().textContent()
  await expect
    .poll(() => problemsOf(own), patient)
    .toEqual([
      ['4', 'Late to start', expect.stringContaining((await sides(4)) ?? '')],
      ['2', 'Clock stopped', expect.stringMatching(/^The turn of .+, (10:00|9:\d\d) left$/)],
      ['5', 'No referee', expect.stringContaining((await sides(5)) ?? '')],
      ['6', 'No referee', expect.any(String)],
    ])
  expect(await other.page.getByRole('button', { name: 'Go on' }).count()).toBe(0)
  await own.page.getByRole('button', { name: 'Go on' }).click()
  for (const visitor of [own, other])
    await expect
      .poll(async () => (await problemsOf(visitor)).map(([number]) => number), patient)
      .toEqual(['4', '5', '6'])
  // Who only looks opens a match, and finds nothing else to press.
  await lineOf(other, 4).getByRole('button').click()
  await expect.poll(() => lineOf(other, 4).getByRole('link').allTextContents(), patient).toEqual(['Open O'])
  expect(await lineOf(other, 4).getByRole('button').count()).toBe(1)
  expect(await paused.read()).toMatchObject({ status: 'running' })
})

test('by keys alone: a match is started, staffed and put on air; another is moved, a third ends without play', async () => {
  await using visitor = await open(made.organiser)
  const { page } = visitor
  const dialog = page.getByRole('dialog')
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const isClosed = () => expect.poll(() => dialog.count(), patient).toBe(0)
  await expect.poll(() => groupOf(visitor, 'Ready'), patient).toHaveLength(4)

  await press('j', 'j')
  await expect.poll(() => page.locator(':focus').textContent(), patient).toBe('Match 5')
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Start', exact: true }).isEnabled(), patient).toBe(true)
  await press('s')
  await expect.poll(() => groupOf(visitor, 'Running'), patient).toContain('Match 5')

  await press('a')
  const referee = dialog.getByRole('group', { name: 'Referees' }).getByRole('checkbox')
  await referee.focus()
  await press('Space', 'Enter')
  await isClosed()
  await expect.poll(async () => (await problemsOf(visitor)).map(([number]) => number), patient).toEqual(['4', '6'])

  await press('l')
  expect(await dialog.getByRole('checkbox', { name: 'It is on air from now' }).isChecked()).toBe(true)
  await dialog.getByRole('radio', { name: 'Main' }).focus()
  await press('Enter')
  await isClosed()
  await expect.poll(() => page.getByRole('region', { name: 'Main' }).textContent(), patient).toMatch(/On air.*5/)
  await expect.poll(() => lineOf(visitor, 5).textContent(), patient).toContain('Main')

  await lineOf(visitor, 6).getByRole('button').focus()
  await press('Enter', 't')
  const later = dialog.getByRole('button', { name: '30 min later' })
  const before = (await api.get(made.match(6), null)).body.scheduledAt
  await later.focus()
  await press('Enter', 'Tab', 'Enter')
  await isClosed()
  const { scheduledAt } = (await api.get(made.match(6), null)).body
  expect(Date.parse(scheduledAt) - Date.parse(before)).toBe(30 * 60_000)
  await expect.poll(async () => (await problemsOf(visitor)).map(([number]) => number), patient).toEqual(['4'])

  await lineOf(visitor, 4).getByRole('button').focus()
  await press('Enter', 'w')
  const [, absent] = await lineOf(visitor, 4).locator('bdi').allTextContents()
  await dialog.getByRole('radio', { name: `${absent} is absent` }).focus()
  await press('Space', 'Enter')
  await dialog.getByText('wins without play').waitFor()
  expect((await api.get(made.match(4), null)).body.status).toBe('ready')
  await dialog.getByRole('button', { name: 'End without play' }).focus()
  await press('Enter')
  await isClosed()
  await expect.poll(() => lineOf(visitor, 4).count(), patient).toBe(0)
  expect((await api.get(made.match(4), null)).body).toMatchObject({ status: 'completed', outcome: 'walkover' })
  await page.getByText('No problems').waitFor()

  // Where nothing is planned, flow and pool are chosen.
  await lineOf(visitor, 7).getByRole('button').focus()
  await press('Enter', 'f')
  const [flow, pool] = ['Flow', 'Map pool'].map((name) => dialog.getByRole('combobox', { name }))
  await flow?.selectOption('Ban and pick')
  await pool?.selectOption('Finals')
  await dialog.getByRole('button', { name: 'Start' }).focus()
  await press('Enter')
  await isClosed()
  await expect.poll(() => groupOf(visitor, 'Running'), patient).toContain('Match 7')
  const { body } = await api.get(`${made.match(7)}/flow`, made.referee)
  expect([body.status, body.flow.name, body.pool.name]).toEqual(['running', 'Ban and pick', 'Finals'])
})

test('it has no faults, and shows what is chosen by the address', async () => {
  await using visitor = await visitAs(browser, api, made.organiser)
  expect(await faultsOfPages(visitor.page, [address()])).toEqual([])
  await visitor.page.goto(`${address()}?official=me`)
  await visitor.page.getByText('No match is shown by this choice.').waitFor()
})

test('what is pressed: in 0.4 s by a processor 4 × slower', async () => {
  await using visitor = await open(made.organiser)
  const { page } = visitor
  await expect.poll(() => page.locator('[data-match]').count(), patient).toBeGreaterThan(5)
  await throttle(page, { cpu: 4, bytesPerSecond: -1, latencyMs: 0 })
  const times: number[] = []
  for (const at of [0, 1, 2, 3, 4])
    times.push(
      // From the press to the end of the frame that shows it.
      await page
        .locator('[data-match]')
        .nth(at)
        .evaluate((pressed: HTMLElement) => {
          const began = performance.now()
          pressed.click()
          return new Promise<number>((done) => {
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
          })
        }),
    )
  expect(await page.locator('[data-match]').nth(4).getAttribute('aria-expanded')).toBe('true')
  expect(times.toSorted((one, other) => one - other)[2]).toBeLessThanOrEqual(400)
})

test('with a second division, a match is named by its division too', async () => {
  await using visitor = await open(made.organiser)
  const match = visitor.page.locator('[data-match]').first()
  await expect.poll(() => match.textContent(), patient).toMatch(/^Match \d+$/)
  const division = { name: 'Mallets', id: 'mallets' }
  expect((await api.post(`${made.path}/divisions`, made.organiser, division)).status).toBe(201)
  await expect.poll(() => match.textContent(), patient).toMatch(/^Match main \d+$/)
})
