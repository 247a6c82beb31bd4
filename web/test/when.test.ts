import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeSheet, respondFor } from '../../test/availability.ts'
import { type MadeBracket, makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { answersIn, commonSpans, wordOf } from '../site/manage/schedule/answers.ts'
import { faultsOf, isSettled, tabTo } from './site/checks.ts'
import { openHeld } from './site/held.ts'
import { visitAs } from './site/readers.ts'

/** Times of matches and availability, as those who plan them use the pages: clashes before saving, proposals, conflicts. */

let api: Harness
let browser: RealBrowser
let made: MadeBracket
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeCup()
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const main = 'https://tv.example.org/main'
const second = 'https://tv.example.org/second'
const hour = (of: number) => new Date(Date.parse('2027-05-01T00:00:00.000Z') + of * 3_600_000).toISOString()

/** A cup of eight, in the zone of Berlin, with two channels. */
async function makeCup(): Promise<MadeBracket> {
  const cup = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  await api.sql(
    `update tournaments set timezone = 'Europe/Berlin', starts_at = '2027-05-01T08:00:00Z', ends_at = '2027-05-03T20:00:00Z'
     where guid = $1`,
    [cup.cup.guid],
  )
  const channels = [
    { name: 'Main', url: main },
    { name: 'Second', url: second },
  ]
  expect((await api.put(`${cup.path}/channels`, cup.organiser, { channels, revision: 0 })).status).toBe(200)
  return cup
}

const visit = (user: Caller, options: VisitorOptions = {}) =>
  visitAs(browser, api, user, { zone: 'Europe/Berlin', ...options })

const linkTo = (page: Page, number: number) => page.getByRole('link', { name: new RegExp(`^${number} `) }).first()

const detailOf = (page: Page, number: number) => page.getByRole('complementary', { name: `Match ${number}` })

const saved = async ({ readMatch }: MadeBracket, number: number) => {
  const { scheduledAt, streamUrl } = await readMatch(number)
  return [scheduledAt, streamUrl]
}

const move = (cup: MadeBracket, number: number, body: object) => api.patch(cup.match(number), cup.organiser, body)

test('by keys alone: a match is moved by its fields into a clash, which is seen before it is saved, and out of it', async () => {
  await move(made, 1, { scheduledAt: hour(10), streamUrl: main })
  await using visitor = await visit(await roleHolder(api, made.cup, 'role:admin'))
  const { page } = visitor
  await page.goto(`/manage/${made.cup.id}/schedule`)
  await isSettled(page)
  await tabTo(page, linkTo(page, 2))
  await page.keyboard.press('Enter')
  const detail = detailOf(page, 2)
  await detail.getByRole('heading', { level: 2 }).waitFor()
  const time = detail.getByLabel('Time', { exact: true })
  await tabTo(page, time)
  await page.keyboard.type('050120271230PM')
  expect(await time.inputValue()).toBe('2027-05-01T12:30')
  await tabTo(page, detail.getByLabel('Channel'))
  await page.keyboard.press('M')
  await detail.getByText('Match 1 is on this channel then (Sat 1 May, 12:00).').waitFor()
  await detail.getByRole('button', { name: 'Save although it clashes' }).waitFor()
  expect(await saved(made, 2)).toEqual([null, null])
  // The next match may not begin before this one can be over.
  await time.fill('2027-05-01T09:30')
  await detail.getByText('The tournament begins later, Sat 1 May, 10:00.').waitFor()
  await time.fill('2027-05-01T13:00')
  await detail.getByText('Nothing clashes.').waitFor()
  await tabTo(page, detail.getByRole('button', { name: 'Save', exact: true }))
  await page.keyboard.press('Enter')
  await detail.getByText('Saved', { exact: true }).waitFor()
  expect(await saved(made, 2)).toEqual([hour(11), main])
  // In the grid, by Shift and arrows: first it is only shown there.
  const cell = page.getByRole('table').getByRole('link', { name: /^2 / })
  await cell.focus()
  await page.keyboard.press('Shift+ArrowUp')
  await detail.getByText('It would be Sat 1 May, 12:45, Main.').waitFor()
  await detail.getByText('Match 1 is on this channel then').waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('table') !== null)
  await page.keyboard.press('Shift+ArrowRight')
  await detail.getByText('It would be Sat 1 May, 12:45, Second.').waitFor()
  await detail.getByText('Nothing clashes.').waitFor()
  expect(await saved(made, 2)).toEqual([hour(11), main])
  await detail.getByRole('button', { name: 'Discard' }).click()
  // By drag: to a free place of the grid, and into the fields.
  await cell.dragTo(
    page
      .getByRole('row', { name: /^12:00/ })
      .getByRole('cell')
      .nth(1),
  )
  await detail.getByText('It would be Sat 1 May, 12:00, Second.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await saved(made, 2)).toEqual([hour(11), main])
})

test('a time that clocks show twice is asked about', async () => {
  const cup = await makeCup()
  await api.sql(`update tournaments set ends_at = '2027-12-01T00:00:00Z' where guid = $1`, [cup.cup.guid])
  await using visitor = await visit(await roleHolder(api, cup.cup, 'role:admin'))
  const { page } = visitor
  const { guid } = await cup.readMatch(1)
  await page.goto(`/manage/${cup.cup.id}/schedule?match=${guid}`)
  const detail = detailOf(page, 1)
  await detail.getByLabel('Time', { exact: true }).fill('2027-10-31T02:30')
  await detail.getByRole('button', { name: /UTC\+1$/ }).click()
  await detail.getByRole('button', { name: 'Save', exact: true }).click()
  await detail.getByText('Saved', { exact: true }).waitFor()
  expect(await saved(cup, 1)).toEqual(['2027-10-31T01:30:00.000Z', null])
})

test('two organisers move the same match: the slower one sees both and chooses', async () => {
  const cup = await makeCup()
  const [one, other] = await Promise.all(
    ['role:admin', 'role:coordinator'].map((role) => roleHolder(api, cup.cup, role)),
  )
  if (one === undefined || other === undefined) throw new Error('nobody plans')
  const { guid } = await cup.readMatch(3)
  await using first = await visit(one)
  await using last = await visit(other)
  const open = async (page: Page, time: string) => {
    await page.goto(`/manage/${cup.cup.id}/schedule?match=${guid}`)
    await detailOf(page, 3).getByLabel('Time', { exact: true }).fill(time)
  }
  await open(first.page, '2027-05-01T14:00')
  await open(last.page, '2027-05-01T15:00')
  // What happens does not reach the other before they save.
  await last.page.route('**/matches?**', (route) => route.abort())
  await detailOf(first.page, 3).getByRole('button', { name: 'Save', exact: true }).click()
  await detailOf(first.page, 3).getByText('Saved', { exact: true }).waitFor()
  const detail = detailOf(last.page, 3)
  await detail.getByRole('button', { name: 'Save', exact: true }).click()
  await detail.getByText('Somebody else saved meanwhile: Sat 1 May, 14:00').waitFor()
  await detail.getByText(`Changed by ${one.username},`).waitFor()
  expect(await saved(cup, 3)).toEqual([hour(12), null])
  expect(await detail.getByLabel('Time', { exact: true }).inputValue()).toBe('2027-05-01T15:00')
  await detail.getByRole('button', { name: 'Keep mine' }).click()
  await detail.getByRole('button', { name: 'Save', exact: true }).click()
  await detail.getByText('Saved', { exact: true }).waitFor()
  expect(await saved(cup, 3)).toEqual([hour(13), null])
  // The first one sees it without a reload.
  await expect
    .poll(() => detailOf(first.page, 3).getByLabel('Time', { exact: true }).inputValue())
    .toBe('2027-05-01T15:00')
  // Who may move matches but not have times proposed has no control for it.
  expect(await last.page.getByRole('link', { name: 'Propose times' }).count()).toBe(0)
  expect(await detail.getByRole('button', { name: /^Pin/ }).count()).toBe(0)
})

test('proposed times: reasons, one pinned, some applied, what blocks the rest', async () => {
  const cup = await makeCup()
  const sheet = await makeSheet(api, cup.cup, cup.organiser, {
    audience: 'teams',
    slotMinutes: 60,
    windows: [{ startsAt: hour(10), endsAt: hour(16) }],
  })
  for (const [at, team] of cup.teams.slice(0, 7).entries())
    await respondFor(api, sheet, team, cup.captains[at] ?? null, [
      { status: at === 0 ? 'maybe' : 'available', startsAt: hour(10), endsAt: hour(16) },
    ])
  await using visitor = await visit(await roleHolder(api, cup.cup, 'role:admin'))
  const { page } = visitor
  await page.goto(`/manage/${cup.cup.id}/schedule`)
  await page.getByRole('link', { name: 'Propose times' }).click()
  await page.getByText('7 matches, 2 at once: 4 hours at least').waitFor()
  const asked = page.waitForRequest((request) => request.method() === 'POST' && /proposals$/.test(request.url()))
  await page.route('**/schedule/proposals', async (route) => {
    await page.getByText('Times are being worked out.').waitFor()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Work it out' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ sheets: [sheet.guid], rules: { streams: [main, second] } })
  await page.getByText('4 with a time, 3 without').waitFor()
  expect(await faultsOf(page)).toEqual([])
  // The one team that has not answered keeps its match, and those after it, from any place.
  const blocked = page.getByRole('region', { name: 'No time was found' })
  await blocked.getByRole('heading', { name: 'A team gave no time' }).waitFor()
  await blocked.getByText('Team 8 gave no time of 60 minutes in the window.').waitFor()
  await page
    .getByText(/Team 1 may be available|Both teams are available/)
    .first()
    .waitFor()
  await page.getByText('this is the first choice.').first().waitFor()
  const boxes = page.getByRole('checkbox', { name: /^Choose match/ })
  await boxes.first().uncheck()
  const numberAt = (at: number) =>
    boxes.nth(at).evaluate((box) => Number(/\d+/.exec(box.closest('label')?.textContent ?? '')?.[0]))
  const [leftOut, pinned, third] = [await numberAt(0), await numberAt(1), await numberAt(2)]
  await page.getByRole('button', { name: `Pin match ${pinned}` }).click()
  await page.getByRole('button', { name: 'Apply 3 of them' }).click()
  await page.getByText('3 of 7 open matches have a time.').waitFor()
  expect((await saved(cup, leftOut))[0]).toBeNull()
  expect((await saved(cup, pinned))[0]).not.toBeNull()
  expect((await saved(cup, third))[0]).not.toBeNull()
  // A pinned match is not asked about again, also after a reload.
  await page.reload()
  await page.goto(`/manage/${cup.cup.id}/schedule?proposal=new`)
  await page
    .getByRole('option', { name: 'All that have not begun, but those pinned (6)' })
    .waitFor({ state: 'attached' })
  await page.goto(`/manage/${cup.cup.id}/schedule`)
  await page.getByRole('table').getByText('Pinned').first().waitFor()
})

describe('availability', () => {
  test('from a sheet to its overlap, with who is reminded; the sheet is closed, and deleted', async () => {
    const cup = await makeCup()
    await using visitor = await visit(await roleHolder(api, cup.cup, 'role:admin'))
    const { page } = visitor
    await page.goto(`/manage/${cup.cup.id}/availability`)
    await page.getByText('Nobody was asked yet.').waitFor()
    await page.getByRole('link', { name: 'Ask when they can' }).click()
    await page.getByLabel('Title').fill('Finals')
    await page.getByLabel('From (1)').fill('2027-05-01T12:00')
    await page.getByLabel('To (1)').fill('2027-05-01T16:00')
    await page.getByRole('button', { name: 'The same a day later' }).click()
    expect(await page.getByLabel('To (2)').inputValue()).toBe('2027-05-02T16:00')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Ask them' }).click()
    await page.getByText('0 of 8 have answered').waitFor()
    const { sheets } = (await api.get(`${cup.path}/availability`, cup.organiser)).body
    expect(sheets[0]).toMatchObject({ title: 'Finals', audience: 'teams', timezone: 'Europe/Berlin' })
    const sheet = { guid: sheets[0].guid, address: `${cup.path}/availability/sheets/${sheets[0].guid}` }
    const answer = (at: number, from: number, to: number) =>
      respondFor(api, sheet, cup.teams[at] as (typeof cup.teams)[number], cup.captains[at] ?? null, [
        { status: 'available', startsAt: hour(from), endsAt: hour(to) },
      ])
    await answer(0, 10, 14)
    await page.getByText('1 of 8 have answered').waitFor()
    await answer(1, 12, 14)
    const best = page.getByRole('table').filter({ hasText: 'Rank' }).getByRole('row')
    await best.nth(1).getByText('Sat 1 May, 14:00 – 16:00').waitFor()
    expect(await best.nth(1).getByRole('cell').nth(1).textContent()).toBe('2')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Remind 6 who have not answered' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Message').inputValue()).toContain(`/availability/${sheet.guid}`)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Sent to 6 captains.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Finals and semifinals')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Finals and semifinals' }).waitFor()
    await page.getByRole('button', { name: 'Close it now' }).click()
    await page.getByRole('button', { name: 'Open it again' }).waitFor()
    expect((await answer(2, 10, 14)).status).toBe(409)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('The answers of 2 go with it, for good.').waitFor()
    await page.getByLabel('To confirm, type').fill('Finals and semifinals')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Nobody was asked yet.').waitFor()
    expect((await api.get(sheet.address, cup.organiser)).status).toBe(404)
  })

  test('slow and failing reads are said, on both pages', async () => {
    await using visitor = await visit(await roleHolder(api, made.cup, 'role:admin'), { phone: true })
    const { page } = visitor
    for (const at of ['schedule', 'availability']) {
      const letGo = await openHeld(page, `/manage/${made.cup.id}/${at}`)
      await page.getByText('Loading').first().waitFor()
      letGo()
      await isSettled(page)
      await page.unroute('**/api/**')
    }
    // What comes by the socket would be shown in place of the refusal.
    await page.routeWebSocket('**/*', () => {})
    const failing = /\/api\/tournaments\/[^/]+\/(matches|availability)(\?|$)/
    const fail = (route: Route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify({ error: 'Not today.' }) })
    for (const at of ['schedule', 'availability']) {
      await page.route(failing, fail)
      await page.goto(`/manage/${made.cup.id}/${at}`)
      await page.getByRole('alert').getByText('Not today.').waitFor()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      // The page may try again by itself, before anybody presses.
      await page.unroute(failing)
      await page
        .getByRole('button', { name: 'Try again' })
        .or(page.getByRole('heading', { level: 1 }))
        .first()
        .waitFor()
    }
  })
})

test('what teams say of a time: the worst of it, and the spans that suit both', () => {
  const said = (team: string, status: string, from: number, to: number) => ({
    teamGuid: team,
    status,
    startsAt: hour(from),
    endsAt: hour(to),
  })
  const answers = answersIn({
    canManageTeams: true,
    sheets: [
      {
        audience: 'teams',
        eligibleTeams: ['a', 'b', 'c'].map((guid) => ({ guid })),
        teamSubmissions: ['a', 'b'].map((teamGuid) => ({ teamGuid })),
        teamResponses: [said('a', 'available', 10, 12), said('a', 'maybe', 12, 13), said('b', 'available', 11, 14)],
      },
    ],
  } as unknown as Parameters<typeof answersIn>[0])
  const word = (team: string, from: number, to: number) =>
    wordOf(answers, team, Date.parse(hour(from)), Date.parse(hour(to)))
  expect([word('a', 10, 11), word('a', 11, 13), word('a', 12, 14), word('c', 10, 11), word('other', 10, 11)]).toEqual([
    ...['available', 'maybe', 'none', 'unanswered', null],
  ])
  const both = [{ start: Date.parse(hour(11)), end: Date.parse(hour(13)), isSure: false }]
  expect(commonSpans(answers, ['a', 'b'], 3_600_000)).toEqual(both)
  expect(commonSpans(answers, ['a', 'b'], 3 * 3_600_000)).toEqual([])
  expect([commonSpans(answers, ['a', 'c'], 3_600_000), commonSpans(answers, ['other'], 3_600_000)]).toEqual([
    null,
    null,
  ])
  // Those who may not see the answers know nothing of them.
  expect(answersIn({ canManageTeams: false, sheets: [] }).size).toBe(0)
})
