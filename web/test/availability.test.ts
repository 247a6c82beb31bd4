import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { type MadeSheet, makeMatches, makeSheet, respond, respondFor } from '../../test/availability.ts'
import { openBrowser, type RealBrowser, type RealVisitor, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament } from '../../test/make.ts'
import { type Front, startFront } from './front.ts'
import { visitAs } from './site/readers.ts'

/** Availability in a real browser: painted in the reader's zone, against others, and without the service. (W10, W13) */

let api: Harness
let front: Front
let browser: RealBrowser
let organiser: Caller
let caster: Caller
let cup: MadeTournament
beforeAll(async () => {
  front = await startFront()
  ;[api, browser] = await Promise.all([startHarness({ publicUrl: front.url }), openBrowser(), freshenPages()])
  front.target = api.url
  ;[organiser, caster] = await Promise.all([api.user(), api.user({ name: 'caster' })])
  cup = await makeTournament(api, organiser)
  await grantRole(api, cup, caster, 'role:caster')
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await front?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

type Window = readonly [from: string, to: string]

const asked = (windows: readonly Window[], changes: object = {}) =>
  makeSheet(api, cup, organiser, {
    timezone: 'Europe/Berlin',
    roles: ['role:caster'],
    windows: windows.map(([startsAt, endsAt]) => ({ startsAt, endsAt })),
    ...changes,
  })

async function open(sheet: MadeSheet, user: Caller, options: VisitorOptions = {}): Promise<RealVisitor> {
  const visitor = await visitAs(browser, front, user, options)
  await visitor.page.goto(`/t/${cup.id}/availability/${sheet.guid}`)
  await visitor.page.getByRole('grid').waitFor()
  return visitor
}

const timesOf = async (page: Page) =>
  (await page.getByRole('rowheader').allTextContents()).map((text) => text.trim().replace(/\s+/, ' '))

/** The cell of a day, by its place, at a time as its row says it. */
async function cell(page: Page, day: number, time: string) {
  const found = page.locator(`[data-cell="${day} ${(await timesOf(page)).indexOf(time)}"]`)
  await found.waitFor()
  return found
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save answers' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
}

interface Stored {
  readonly status: string
  readonly startsAt: string
  readonly otherReason: string | null
}

async function stored(sheet: MadeSheet, as = caster): Promise<readonly string[]> {
  const { body } = await api.get(sheet.address, as)
  const all = [...body.responses, ...body.teamResponses] as readonly Stored[]
  return all.map(({ status, startsAt, otherReason }) =>
    [startsAt.slice(0, 16), status, ...(otherReason ? [otherReason] : [])].join(' '),
  )
}

describe('over a change of clocks', () => {
  test('by the mouse, in New York, on the night that has an hour twice', async () => {
    const sheet = await asked([
      ['2027-11-06T04:00:00.000Z', '2027-11-06T08:00:00.000Z'],
      ['2027-11-07T04:00:00.000Z', '2027-11-07T09:00:00.000Z'],
    ])
    await using visitor = await open(sheet, caster, { zone: 'America/New_York' })
    const { page } = visitor
    const times = await timesOf(page)
    expect([times.length, times.slice(4, 13)]).toEqual([
      20,
      ['01:00', '01:15', '01:30', '01:45', '01:00 again', '01:15 again', '01:30 again', '01:45 again', '02:00'],
    ])
    await page.getByText('clocks back').waitFor()
    await page.getByText('New York, UTC−4, then UTC−5').waitFor()
    // From half past one to a quarter past one an hour and three quarters later; too far at first.
    await (await cell(page, 1, '01:30')).hover()
    await page.mouse.down()
    await (await cell(page, 1, '02:30')).hover()
    await (await cell(page, 1, '01:15 again')).hover()
    await page.mouse.up()
    await save(page)
    const painted = ['05:30', '05:45', '06:00', '06:15'].map((time) => `2027-11-07T${time} available`)
    expect(await stored(sheet)).toEqual(painted)
    // The other zone shows the same instants.
    await page.getByRole('button', { name: 'Berlin, UTC+1' }).click()
    expect(await (await cell(page, 1, '06:30')).textContent()).toContain('Available')
    await page.getByRole('button', { name: 'New York' }).click()
    // A day without the second hour fills both.
    await page.getByRole('button', { name: 'Whole day Sat' }).click()
    await page.getByRole('button', { name: 'Copy Sat' }).click()
    await page.getByRole('button', { name: 'Paste Sun' }).click()
    await save(page)
    expect(await stored(sheet)).toHaveLength(36)
  })

  test('by touch, on Lord Howe Island, where half an hour comes twice', async () => {
    const sheet = await asked([['2027-04-03T13:00:00.000Z', '2027-04-03T16:30:00.000Z']])
    await using visitor = await open(sheet, caster, { zone: 'Australia/Lord_Howe', phone: true })
    const { page } = visitor
    expect((await timesOf(page)).slice(5, 11)).toEqual([
      ...['01:15', '01:30', '01:45', '01:30 again', '01:45 again', '02:00'],
    ])
    await page.getByRole('radio', { name: 'Maybe' }).tap()
    for (const time of ['01:30', '01:30 again', '02:00']) await (await cell(page, 0, time)).tap()
    // A second tap takes it away.
    await (await cell(page, 0, '02:00')).tap()
    await page.getByRole('button', { name: 'Save answers' }).tap()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await stored(sheet)).toEqual(['2027-04-03T14:30 maybe', '2027-04-03T15:00 maybe'])
  })

  test.each([
    {
      zone: 'America/New_York',
      windows: [
        ['2027-03-13T05:00:00.000Z', '2027-03-13T09:00:00.000Z'],
        ['2027-03-14T05:00:00.000Z', '2027-03-14T08:00:00.000Z'],
      ] as const,
      missing: 4,
      painted: ['2027-03-14T06:45 available', '2027-03-14T07:00 available'],
    },
    {
      zone: 'Australia/Lord_Howe',
      windows: [
        ['2027-10-01T13:30:00.000Z', '2027-10-01T17:30:00.000Z'],
        ['2027-10-02T13:30:00.000Z', '2027-10-02T17:00:00.000Z'],
      ] as const,
      missing: 2,
      painted: ['2027-10-02T15:15 available', '2027-10-02T15:30 available'],
    },
  ])('by keys alone, in $zone, on the night that has a hole', async ({ zone, windows, missing, painted }) => {
    const sheet = await asked(windows)
    await using visitor = await open(sheet, caster, { zone })
    const { page } = visitor
    expect(await timesOf(page)).toHaveLength(16)
    await page.getByText('clocks forward').waitFor()
    expect(await page.getByText('no such time on this day').count()).toBe(missing)
    // Into the grid, to the last time before the hole on the second day, and over the hole.
    await page.getByRole('region', { name: 'Answers by day and time' }).focus()
    const isInGrid = () => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))
    while (!(await isInGrid())) await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    for (let steps = 0; steps < 7; steps++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    while (!(await page.evaluate(() => document.activeElement?.textContent === 'Save answers')))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await stored(sheet)).toEqual(painted)
  })
})

describe('by a finger', () => {
  const windows: readonly Window[] = [0, 1, 2, 3].map((day) => [
    `2027-05-0${day + 1}T17:00:00.000Z`,
    `2027-05-0${day + 1}T23:00:00.000Z`,
  ])
  const times = (from: string, to: string, day = 1): readonly string[] => {
    const at = (text: string) => Date.parse(`2027-05-0${day}T${text}:00.000Z`)
    return Array.from({ length: (at(to) - at(from)) / 900_000 }, (_, each) =>
      new Date(at(from) + each * 900_000).toISOString().slice(0, 16),
    )
  }
  const available = (from: string, to: string, day?: number) => times(from, to, day).map((time) => `${time} available`)

  test('the handle of a tapped time paints over others; back again takes them away; the page does not move', async () => {
    const sheet = await asked(windows)
    await using visitor = await open(sheet, caster, { zone: 'UTC', phone: true })
    const { page } = visitor
    const finger = await fingerOn(page)
    expect(await page.locator('[class*=handle]').count()).toBe(0)
    await (await cell(page, 0, '17:30')).tap()
    const handle = page.locator('[class*=handle]')
    await handle.waitFor()
    const at = () => page.evaluate(() => scrollY)
    const before = await at()
    await finger.down(await middleOf(handle))
    await finger.to(await middleOf(await cell(page, 1, '19:00')))
    await expect.poll(() => statusOf(page, 1, '18:45')).toContain('Available')
    await finger.to(await middleOf(await cell(page, 1, '18:15')))
    await expect.poll(() => statusOf(page, 1, '18:45')).toContain('no answer')
    await finger.up()
    expect(await at()).toBe(before)
    // Taken hold of again, it goes on from where it was.
    await finger.down(await middleOf(handle))
    await finger.to(await middleOf(await cell(page, 0, '18:15')))
    await expect.poll(() => statusOf(page, 1, '18:00')).toContain('no answer')
    await finger.up()
    await save(page)
    expect(await stored(sheet)).toEqual(available('17:30', '18:30'))
  })

  test('the handle at the edge scrolls the grid, to the last time', async () => {
    const sheet = await asked(windows)
    await using visitor = await open(sheet, caster, { zone: 'UTC', phone: true })
    const { page } = visitor
    const finger = await fingerOn(page)
    await (await cell(page, 0, '17:00')).evaluate((found) => found.scrollIntoView({ block: 'center' }))
    await (await cell(page, 0, '17:00')).tap()
    const grid = page.getByRole('region', { name: 'Answers by day and time' })
    const { x, y, width, height } = (await grid.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await finger.down(await middleOf(page.locator('[class*=handle]')))
    await finger.to([x + width / 3, Math.min(y + height, 740) - 4])
    await expect.poll(() => statusOf(page, 0, '22:45'), { timeout: 20_000 }).toContain('Available')
    await finger.up()
    await save(page)
    expect(await stored(sheet)).toEqual(expect.arrayContaining([...available('17:00', '23:00')]))
  })

  test('drawn over the times themselves it scrolls, and paints nothing', async () => {
    const sheet = await asked(windows)
    await using visitor = await open(sheet, caster, { zone: 'UTC', phone: true })
    const { page } = visitor
    const finger = await fingerOn(page)
    const low = await cell(page, 0, '18:30')
    await low.scrollIntoViewIfNeeded()
    const scrolled = () =>
      page.evaluate(() => scrollY + (document.querySelector('[role=grid]')?.parentElement?.scrollTop ?? 0))
    const before = await scrolled()
    const [x, y] = await middleOf(low)
    await finger.down([x, y])
    await finger.to([x, y - 120])
    await finger.up()
    await expect.poll(scrolled).toBeGreaterThan(before + 50)
    expect(await page.getByRole('gridcell').filter({ hasText: 'Available' }).count()).toBe(0)
  })
})

type Point = readonly [x: number, y: number]

async function middleOf(place: Locator): Promise<Point> {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return [x + width / 2, y + height / 2]
}

const statusOf = async (page: Page, day: number, time: string) => (await cell(page, day, time)).textContent()

/** A finger as the browser gets it from the screen, with all that it makes of it. */
async function fingerOn(page: Page) {
  const session = await page.context().newCDPSession(page)
  let at: Point = [0, 0]
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) })
  return {
    async down(point: Point) {
      at = point
      await send('touchStart', [at])
    },
    /** In steps, as fingers do. */
    async to([x, y]: Point) {
      const [fromX, fromY] = at
      for (const part of [0.1, 0.25, 0.5, 0.75, 1])
        await send('touchMove', [[fromX + (x - fromX) * part, fromY + (y - fromY) * part]])
      at = [x, y]
    },
    up: () => send('touchEnd', []),
  }
}

test('a week is copied to the other weeks by its days', async () => {
  // Saturdays and Sundays of three weeks, without the second Saturday.
  const days = ['01', '02', '09', '15', '16'].map(
    (day) => [`2027-05-${day}T18:00:00.000Z`, `2027-05-${day}T19:00:00.000Z`] as const,
  )
  const sheet = await asked(days)
  await using visitor = await open(sheet, caster, { zone: 'UTC' })
  const { page } = visitor
  await (await cell(page, 3, '18:00')).click()
  await (await cell(page, 4, '18:45')).click()
  await page.getByLabel('Copy the week from').selectOption({ label: 'Sat 15 May' })
  await page.getByRole('button', { name: 'To all weeks' }).click()
  await save(page)
  expect(await stored(sheet)).toEqual(
    ['01T18:00', '02T18:45', '09T18:45', '15T18:00', '16T18:45'].map((at) => `2027-05-${at} available`),
  )
})

const evening: readonly Window[] = [['2027-05-01T18:00:00.000Z', '2027-05-01T20:00:00.000Z']]
const says = (status: string, from: string, to: string) => ({
  status,
  startsAt: `2027-05-01T${from}:00.000Z`,
  endsAt: `2027-05-01T${to}:00.000Z`,
})

test('reasons are given with answers, are shown, and stay with others that change', async () => {
  const sheet = await asked(evening)
  await using visitor = await open(sheet, caster, { zone: 'UTC' })
  const { page } = visitor
  await page.getByRole('radio', { name: 'Not available' }).check()
  await page.getByLabel('Reason, if you like').fill('an exam')
  await (await cell(page, 0, '18:00')).click()
  await save(page)
  await page.reload()
  await page.getByRole('listitem').filter({ hasText: 'Sat 1 May 18:00 – 18:15' }).getByText('an exam').waitFor()
  await (await cell(page, 0, '19:00')).click()
  await save(page)
  expect(await stored(sheet)).toEqual(['2027-05-01T18:00 unavailable an exam', '2027-05-01T19:00 available'])
  await page.getByRole('button', { name: 'Remove the reason' }).click()
  await save(page)
  expect((await stored(sheet))[0]).toBe('2027-05-01T18:00 unavailable')
})

test('matches are answered with reasons too', async () => {
  const [matchGuid = ''] = await makeMatches(api, cup, [{}])
  const sheet = await asked([], { mode: 'matches', matchGuids: [matchGuid], windows: undefined })
  await using visitor = await visitAs(browser, front, caster)
  const { page } = visitor
  await page.goto(`/t/${cup.id}/availability/${sheet.guid}`)
  await page.getByLabel('Answer for match 1').selectOption('Maybe')
  await page.getByLabel('Reason for match 1').fill('late train')
  await save(page)
  const { body } = await api.get(sheet.address, caster)
  expect(body.responses).toMatchObject([{ matchGuid, status: 'maybe', otherReason: 'late train' }])
})

describe('two answer for one team', () => {
  test('what they say of other times is both there; of the same times each can be chosen', async () => {
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain, { status: 'registered' })
    const sheet = await asked(evening, { audience: 'teams', roles: undefined, slotMinutes: 30 })
    await using visitor = await open(sheet, captain, { zone: 'UTC' })
    const { page } = visitor
    await page.getByRole('heading', { name: `When ${team.name} can` }).waitFor()
    await page.getByRole('radio', { name: 'Maybe' }).check()
    for (const time of ['18:00', '18:30', '19:30']) await (await cell(page, 0, time)).click()
    const others = [says('unavailable', '18:00', '18:30'), says('available', '18:30', '19:30')]
    expect((await respondFor(api, sheet, team, captain, others)).status).toBe(200)
    const notice = page.getByRole('status').filter({ hasText: 'Answered otherwise meanwhile: by you elsewhere' })
    await notice.waitFor()
    // What the reader has not touched is followed; nothing is sent before they have chosen.
    expect(await (await cell(page, 0, '19:00')).textContent()).toContain('Available')
    await page.getByRole('button', { name: 'Save answers' }).click()
    await page.getByRole('button', { name: 'Take theirs Sat 1 May 18:00 – 18:30' }).click()
    await page.getByRole('button', { name: 'Keep mine Sat 1 May 18:30 – 19:00' }).click()
    await expect.poll(() => notice.count()).toBe(0)
    await save(page)
    expect(await stored(sheet, captain)).toEqual(
      ['18:00 unavailable', '18:30 maybe', '19:00 available', '19:30 maybe'].map((said) => `2027-05-01T${said}`),
    )
  })
})

test('what another device answers in the moment between reading and saving is not lost', async () => {
  const sheet = await asked(evening)
  await using visitor = await open(sheet, caster, { zone: 'UTC' })
  const { page } = visitor
  await (await cell(page, 0, '18:00')).click()
  let others = [
    [says('maybe', '19:00', '19:15')],
    [says('unavailable', '18:00', '18:15'), says('maybe', '19:00', '19:15')],
  ]
  await page.route('**/responses', async (route) => {
    const [next, ...later] = others
    others = later
    if (next !== undefined) expect((await respond(api, sheet, caster, next)).status).toBe(200)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save answers' }).click()
  await page.getByText('Answered otherwise meanwhile:').waitFor()
  expect(await stored(sheet)).toEqual(['2027-05-01T18:00 unavailable', '2027-05-01T19:00 maybe'])
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await save(page)
  expect(await stored(sheet)).toEqual(['2027-05-01T18:00 available', '2027-05-01T19:00 maybe'])
})

describe('while the service is away', () => {
  const withoutService = async (work: () => Promise<void>) => {
    front.isDown = true
    try {
      await work()
    } finally {
      front.isDown = false
    }
  }
  const isAway = (page: Page) => page.getByText('Not sent yet: the service does not answer.').waitFor()

  test('answers wait, also through a reload, are sent when it is back, and the reader is told', async () => {
    const sheet = await asked(evening)
    await using visitor = await open(sheet, caster, { zone: 'UTC' })
    const { page } = visitor
    page.on('dialog', (dialog) => void dialog.accept())
    await page.evaluate(() => navigator.serviceWorker.ready)
    await (await cell(page, 0, '18:00')).click()
    await withoutService(async () => {
      await page.getByRole('button', { name: 'Save answers' }).click()
      await isAway(page)
      await (await cell(page, 0, '18:15')).click()
      expect(await stored(sheet)).toEqual([])
      await page.reload()
      await page.locator('main h1').waitFor()
    })
    await page.getByText('The service was back: what waited here was sent.').waitFor()
    expect(await stored(sheet)).toEqual(['2027-05-01T18:00 available', '2027-05-01T18:15 available'])
  })

  test('nothing is sent over what was answered elsewhere meanwhile', async () => {
    const sheet = await asked(evening)
    await using visitor = await open(sheet, caster, { zone: 'UTC' })
    const { page } = visitor
    await (await cell(page, 0, '18:00')).click()
    await withoutService(async () => {
      await page.getByRole('button', { name: 'Save answers' }).click()
      await isAway(page)
      expect((await respond(api, sheet, caster, [says('unavailable', '18:00', '18:30')])).status).toBe(200)
    })
    await page.getByText('Answered otherwise meanwhile:').waitFor()
    await expect.poll(() => page.getByText('Not sent yet').count()).toBe(0)
    expect((await stored(sheet))[0]).toBe('2027-05-01T18:00 unavailable')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await save(page)
    expect(await stored(sheet)).toEqual(['2027-05-01T18:00 available', '2027-05-01T18:15 unavailable'])
  })

  test('what comes after the sheet has closed is refused in words, and not taken for sent', async () => {
    const sheet = await asked(evening, { closesAt: '2099-01-01T00:00:00.000Z' })
    await using visitor = await open(sheet, caster, { zone: 'UTC' })
    const { page } = visitor
    await (await cell(page, 0, '18:00')).click()
    await api.sql('update availability_sheets set closes_at = now() where guid = $1', [sheet.guid])
    await page.getByRole('button', { name: 'Save answers' }).click()
    await page.getByText('The sheet has closed. What you changed was not sent.').waitFor()
    expect(await (await cell(page, 0, '18:00')).textContent()).toContain('Available')
    await page.getByRole('button', { name: 'Show what was sent' }).click()
    expect(await (await cell(page, 0, '18:00')).textContent()).toContain('no answer')
    expect(await page.getByRole('button', { name: 'Save answers' }).count()).toBe(0)
  })
})
