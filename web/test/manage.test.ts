import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { callerIn, kindsOfCaller } from '../../test/callers.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { grantRole, makeTournament } from '../../test/make.ts'
import { makeWorld, type World } from '../../test/world.ts'
import { readRouteTree } from '../route-tree.ts'
import { type ManagePage, managePages } from '../site/manage/pages.ts'
import { allRoles, grantableBy, mayChange } from '../site/manage/rights.ts'
import { faultsOf, faultsOfPages, isSettled, tabTo } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** The pages of those who run tournaments, in a real browser: who sees which, and what they do there. (W2, W9, W10, W15) */

let api: Harness
let browser: RealBrowser
let world: World
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  world = await makeWorld(api, { registered: true })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)

/** Pages without parameters of their own. */
const plain = managePages.filter(({ to }) => !/\$(?!tournament)/.test(to))
const addressOf = (to: string, tournament: string) => to.replace('$tournament', tournament)

test('every page of the list has a route, and every route a place in the list', () => {
  const routes = readRouteTree().filter((route) => route.path.startsWith('/manage/'))
  expect(routes.map((route) => route.path).toSorted()).toEqual(
    managePages.map(({ to }) => to.replaceAll('$', ':')).toSorted(),
  )
})

/** Who may use each operation, by docs/generated/permissions.md. */
function readMatrix(): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(path.join(import.meta.dirname, '../../docs/generated/permissions.md'), 'utf8')
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const [head = [], ...body] = rows
  return new Map(
    body.map(([name = '', ...cells]) => [name, new Set(head.slice(1).filter((_, at) => cells[at] === '✓'))]),
  )
}

test('each reader finds the pages that the permission matrix gives them, and no other', async () => {
  const matrix = readMatrix()
  for (const { sees, acts } of managePages)
    for (const each of [sees, ...acts]) expect([...matrix.keys()]).toContain(each)
  const expected: Record<string, readonly string[]> = {}
  const found: Record<string, readonly string[]> = {}
  for (const [at, kind] of kindsOfCaller.entries()) {
    const caller = await callerIn(api, world, kind)
    await using visitor = await (caller === null ? browser.visitor(api) : visit(caller))
    const isFor = ({ sees }: ManagePage) => matrix.get(sees)?.has(kind) === true
    expected[kind] = plain.filter((page: ManagePage) => page.group !== undefined && isFor(page)).map(({ to }) => to)
    found[kind] = await menuOf(visitor.page)
    // Of the pages that are for others, each reader opens one.
    const others = plain.filter((page) => !isFor(page))
    const other = others[at % others.length]
    if (other === undefined) continue
    await visitor.page.goto(addressOf(other.to, world.tournament.id))
    const main = visitor.page.getByRole('main')
    await main
      .getByRole('heading', { name: 'You may not see this page' })
      .or(main.getByRole('link', { name: 'Sign in' }))
      .waitFor()
  }
  expect(found).toEqual(expected)
})

/** The pages in the menu of a reader; none where they may not see the first one. */
async function menuOf(page: Page): Promise<readonly string[]> {
  await page.goto(addressOf('/manage/$tournament', world.tournament.id))
  const menu = page.getByRole('navigation', { name: 'Organise' })
  const main = page.getByRole('main')
  const refused = main
    .getByRole('heading', { name: 'You may not see this page' })
    .or(main.getByRole('link', { name: 'Sign in' }))
  await menu.or(refused).waitFor()
  const links = await menu
    .getByRole('listitem')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return links.map((link) => link.replace(world.tournament.id, '$tournament'))
}

test('a draft is unknown to everybody who may not see it', async () => {
  const [organiser, stranger] = await Promise.all([api.user(), api.user()])
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  await using own = await visit(organiser)
  await own.page.goto(`/manage/${draft.id}`)
  await own.page.getByRole('heading', { name: 'What is due' }).waitFor()
  await using other = await visit(stranger)
  await other.page.goto(`/manage/${draft.id}`)
  await other.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
})

test('every page is whole and accessible at 360 and 1440 px, in light and in dark', async () => {
  const [organiser, helper] = await Promise.all([api.user(), api.user()])
  const cup = await makeTournament(api, organiser)
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  await grantRole(api, cup, helper, 'role:staff')
  await api.put(`/tournaments/${cup.id}/qualifier`, organiser, { hideScores: true })
  await api.patch(`/tournaments/${cup.id}`, organiser, {
    summary: 'Four days, one champion.',
    additionalFields: [{ label: 'Where from?', type: 'select', options: ['Europe', 'Americas'], subject: 'team' }],
  })
  const event = {
    title: 'Qualifier',
    icon: 'flag',
    startTime: '2027-03-01T10:00:00.000Z',
    endTime: '2027-03-09T10:00:00.000Z',
  }
  await api.put(`/tournaments/${cup.id}/timelineEvents`, organiser, { timelineEvents: [event, event] })
  // Without a link the service answers that there is none, which browsers note as a fault.
  await api.put(`/tournaments/${cup.id}/assistant`, organiser, {
    host: 'assistant.example.org',
    assistantTournament: { guid: 'cup', name: 'Cup' },
    tokenKind: 'own',
    enabled: false,
  })
  const steps = ['name', 'dates', 'teams', 'look', 'review'].map((step) => `/new?draft=${draft.guid}&step=${step}`)
  const addresses = [
    ...plain.map(({ to }) => addressOf(to, cup.id)),
    `/manage/${draft.id}`,
    '/new',
    '/new/package',
    ...steps,
  ]
  await using own = await visit(organiser)
  // Who may change some settings alone sees the others closed.
  await using theirs = await visit(helper)
  expect(await faultsOfPages(own.page, addresses)).toEqual([])
  expect(await faultsOfPages(theirs.page, [`/manage/${cup.id}/settings`])).toEqual([])
  expect(own.outside).toEqual([])
})

test('a page keeps its heading when what it shows cannot be read', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser)
  const { page } = visitor
  const isFrame = /\/tournaments\/[^/]+(\?.*|\/access)?$/
  const refusal = { contentType: 'application/json', body: JSON.stringify({ error: 'Not today.' }) }
  await page.route('**/api/tournaments/*/**', (route) =>
    isFrame.test(route.request().url()) ? route.continue() : route.fulfill({ status: 400, ...refusal }),
  )
  // What comes by the socket would be shown in place of the refusal.
  await page.routeWebSocket('**/*', () => {})
  const wrong: string[] = []
  for (const { to } of plain) {
    await page.goto(addressOf(to, cup.id))
    await isSettled(page)
    if ((await page.locator('main h1:visible').count()) !== 1) wrong.push(to)
  }
  expect(wrong).toEqual([])
})

test('the menu of a narrow page is a layer, and closes with the step to another page', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser, { phone: true })
  const { page } = visitor
  await page.goto(`/t/${cup.id}`)
  await page.getByRole('link', { name: 'Manage' }).tap()
  await page.getByRole('heading', { name: 'What is due' }).waitFor()
  const menu = page.getByRole('navigation', { name: 'Organise' })
  await expect.poll(() => menu.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Organising' }).tap()
  await menu.getByRole('link', { name: 'Public page' }).tap()
  await page.waitForURL(`**/t/${cup.id}`)
})

test('which settings and roles the pages offer is what the service allows', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  const settings = {
    name: 'Cup',
    rules: 'Be kind.',
    capacity: 8,
    timezone: 'UTC',
    streamDelaySeconds: 60,
    language: 'en',
  }
  const helpers = await Promise.all(
    allRoles.map(async (role) => {
      const user = await api.user()
      await grantRole(api, cup, user, role)
      return [user, [role]] as const
    }),
  )
  for (const [user, roles] of [[organiser, ['organiser']], ...helpers] as const) {
    for (const [name, value] of Object.entries(settings)) {
      const { status } = await api.patch(`/tournaments/${cup.id}`, user, { [name]: value })
      expect([roles, name, status === 200]).toEqual([roles, name, mayChange(name, roles)])
    }
    const other = await api.user()
    for (const role of allRoles) {
      const { status } = await api.post(`/tournaments/${cup.id}/permissions/${other.guid}/grant`, user, { role })
      expect([roles, role, status === 200]).toEqual([roles, role, grantableBy(roles).includes(role)])
    }
  }
})

test('a tournament is made from nothing to a draft by keys alone; one can leave and come back', async () => {
  const organiser = await api.user()
  await makeTournament(api, organiser, { id: `taken-${process.pid}x` })
  await using visitor = await visit(organiser, { zone: 'Europe/Berlin' })
  const { page } = visitor
  const press = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  await page.goto('/new')
  await tabTo(page, page.getByRole('textbox', { name: 'Name Needed' }))
  await page.keyboard.type(`Taken ${process.pid}x`)
  await page.keyboard.press('Enter')
  await page.getByText('This id is taken.').waitFor()
  await press(`taken-${process.pid}x-2`)
  await press('Make the draft')
  await page.getByText('Step 2 of 5: Dates').waitFor()
  expect(await page.getByLabel('Zone').inputValue()).toBe('Europe/Berlin')
  await tabTo(page, page.getByLabel('Start', { exact: true }))
  await page.keyboard.type('050120270600PM')
  await press('Save and go on')
  await page.getByText('Step 3 of 5: Teams').waitFor()
  await tabTo(page, page.getByRole('spinbutton', { name: 'Places' }))
  await page.keyboard.type('32')
  await page.goto('/new')
  await tabTo(page, page.getByRole('link', { name: `Taken ${process.pid}x` }))
  await page.keyboard.press('Enter')
  await page.getByText('Step 2 of 5: Dates').waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Teams and requirements' }))
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('spinbutton', { name: 'Places' }).inputValue()).toBe('32')
  await press('Save and go on')
  await tabTo(page, page.getByLabel('Summary'))
  await page.keyboard.type('Four days, one champion.')
  await press('Save and go on')
  await page.getByText('Step 5 of 5: Review').waitFor()
  const { body } = await api.get(`/tournaments/taken-${process.pid}x-2`, organiser)
  expect(body).toMatchObject({
    status: 'draft',
    capacity: 32,
    startsAt: '2027-05-01T16:00:00.000Z',
    summary: 'Four days, one champion.',
  })
  await tabTo(page, page.getByRole('link', { name: 'What is due next' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What is due' }).waitFor()
})

test('two organisers change settings at once: nothing is lost, and each value is chosen', async () => {
  const [organiser, admin] = await Promise.all([api.user(), api.user()])
  const cup = await makeTournament(api, organiser)
  await grantRole(api, cup, admin, 'role:admin')
  await using one = await visit(organiser)
  await using other = await visit(admin)
  for (const { page } of [one, other]) await page.goto(`/manage/${cup.id}/settings`)
  await one.page.getByRole('textbox', { name: 'Summary' }).fill('By the organiser.')
  await one.page.getByRole('spinbutton', { name: 'Places' }).fill('16')
  await other.page.getByRole('textbox', { name: 'Summary' }).fill('By the admin.')
  await other.page.getByRole('textbox', { name: 'Rules', exact: true }).fill('Be kind.')
  await other.page.getByRole('button', { name: 'Save', exact: true }).click()
  await one.page.getByText(new RegExp(`${admin.username} saved meanwhile, .*\\d\\d:\\d\\d.*: By the admin`)).waitFor()
  await expect.poll(() => one.page.getByRole('textbox', { name: 'Rules', exact: true }).inputValue()).toBe('Be kind.')
  expect(await one.page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await one.page.reload()
  await one.page.getByText(`Changed by ${admin.username}`).first().waitFor()
  await one.page.getByRole('button', { name: 'Keep mine' }).click()
  // While the service is away nothing is lost either.
  await one.page.route(`**/api/tournaments/${cup.guid}`, (route) => route.abort())
  await one.page.getByRole('button', { name: 'Save', exact: true }).click()
  await one.page.getByText('The service could not be reached. Nothing was lost').waitFor()
  await one.page.unroute(`**/api/tournaments/${cup.guid}`)
  await one.page.getByRole('button', { name: 'Save', exact: true }).click()
  await one.page
    .getByText('Everything is saved.')
    .or(one.page.getByText('Saved', { exact: true }))
    .waitFor()
  const { body } = await api.get(`/tournaments/${cup.id}`, organiser)
  expect(body).toMatchObject({ summary: 'By the organiser.', capacity: 16, rules: 'Be kind.' })
})

test('two organisers edit the timeline at once: each field is chosen, nothing is lost; clocks that skip a time are asked about', async () => {
  const [organiser, staff] = await Promise.all([api.user(), api.user()])
  const cup = await makeTournament(api, organiser)
  await api.patch(`/tournaments/${cup.id}`, organiser, { timezone: 'Europe/Berlin' })
  await grantRole(api, cup, staff, 'role:staff')
  const event = (title: string, day: string) => ({ title, icon: 'flag', startTime: `2027-03-${day}T10:00:00.000Z` })
  const path = `/tournaments/${cup.id}/timelineEvents`
  const { body } = await api.put(path, organiser, { timelineEvents: [event('Qualifier', '01'), event('Final', '20')] })
  expect(body.events).toHaveLength(2)
  await using one = await visit(organiser, { zone: 'Europe/Berlin' })
  await using other = await visit(staff, { zone: 'Europe/Berlin' })
  for (const { page } of [one, other]) await page.goto(`/manage/${cup.id}/timeline`)
  const of = (page: Page, title: string) => page.getByRole('group', { name: title, exact: true })
  const { page } = one
  await of(page, 'Final').getByLabel('Description').fill('On the big stage.')
  await of(page, 'Final').getByLabel('Start').fill('2027-03-20T12:00')
  await of(page, 'Final').getByLabel('Title').fill('Grand final')
  await of(other.page, 'Final').getByLabel('Start').fill('2027-03-20T13:00')
  await of(other.page, 'Final').getByLabel('End').fill('2027-03-20T18:00')
  await of(other.page, 'Final').getByLabel('Title').fill('Finals')
  await other.page.getByRole('button', { name: 'Add an event' }).click()
  await of(other.page, 'New event').getByLabel('Start').fill('2027-03-21T11:00')
  await of(other.page, 'New event').getByLabel('Title').fill('Show')
  await other.page.getByRole('button', { name: 'Save', exact: true }).click()
  const meanwhile = (text: string) =>
    page.getByRole('status').filter({ hasText: new RegExp(`${staff.username} saved meanwhile, .*:\\d\\d.*: ${text}`) })
  await meanwhile('Finals').waitFor()
  await of(page, 'Show').waitFor()
  // What only the other one has changed is followed; what only this one has changed is no conflict.
  await expect.poll(() => of(page, 'Grand final').getByLabel('End').inputValue()).toBe('2027-03-20T18:00')
  expect(await of(page, 'Grand final').getByRole('button', { name: 'Keep mine' }).count()).toBe(2)
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  expect(await faultsOf(page)).toEqual([])
  await page.reload()
  await meanwhile('Finals').getByRole('button', { name: 'Keep mine' }).click()
  await meanwhile('Sat').getByRole('button', { name: 'Take theirs' }).click()
  await page.getByRole('button', { name: 'Add an event' }).click()
  const added = of(page, 'New event')
  await added.getByLabel('Start').fill('2027-03-28T02:30')
  await page.getByText('Clocks in Berlin never show 02:30 on that day').waitFor()
  await page.getByRole('button', { name: 'UTC+2' }).click()
  await added.getByLabel('Title').fill('Party')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  interface Event {
    readonly title: string
    readonly startTime: string
    readonly endTime: string | null
    readonly description: string | null
  }
  await expect
    .poll(async () =>
      (await api.get(path, organiser)).body.map(({ title, startTime, endTime, description }: Event) => [
        title,
        startTime.slice(5, 16),
        endTime?.slice(11, 16) ?? null,
        description,
      ]),
    )
    .toEqual([
      ['Qualifier', '03-01T10:00', null, null],
      ['Grand final', '03-20T12:00', '17:00', 'On the big stage.'],
      ['Show', '03-21T10:00', null, null],
      ['Party', '03-28T01:30', null, null],
    ])
})

test('roles are given and taken, and a refusal stays in sight', async () => {
  const [organiser, friend] = await Promise.all([api.user(), api.user({ name: `friend-${process.pid}` })])
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/staff`)
  await page.getByRole('combobox', { name: 'Who' }).fill(friend.username)
  await page.getByRole('option', { name: friend.username }).click()
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('role:referee')
  await page.getByRole('button', { name: 'Give' }).click()
  const referee = page.getByRole('checkbox', { name: /: Referees/ })
  await expect.poll(() => page.getByRole('checkbox', { name: /: Referees/, checked: true }).count()).toBe(1)
  await page.getByRole('checkbox', { name: new RegExp(`${friend.username}: Casters`) }).check()
  await expect
    .poll(async () => (await api.get(`/tournaments/${cup.id}/staff`)).body.map(({ role }: { role: string }) => role))
    .toEqual(['organiser', 'role:caster', 'role:referee'])
  await page.route('**/revoke', (route) => route.fulfill({ status: 500, body: '{"error":"It failed."}' }))
  await referee
    .last()
    .uncheck({ force: true })
    .catch(() => {})
  await page.getByRole('alert').getByText('It failed.').waitFor()
  expect(await referee.last().isChecked()).toBe(true)
})
