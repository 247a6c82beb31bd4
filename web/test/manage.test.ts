import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { callerIn, kindsOfCaller } from '../../test/callers.ts'
import { openBrowser, type RealBrowser, type RealVisitor, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeTournament } from '../../test/make.ts'
import { makeWorld, type World } from '../../test/world.ts'
import { readRouteTree } from '../route-tree.ts'
import { managePages } from '../site/manage/pages.ts'
import { complaintsOf, faultsOf, isSettled } from './site/checks.ts'

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

async function visit(user: Caller, options: VisitorOptions = {}): Promise<RealVisitor> {
  const visitor = await browser.visitor(api, { ...options, user })
  await visitor.context.addInitScript(() => localStorage.setItem('downbeat.signed-in', 'yes'))
  return visitor
}

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
  for (const kind of kindsOfCaller) {
    const caller = await callerIn(api, world, kind)
    const own = plain.filter(({ sees }) => matrix.get(sees)?.has(kind))
    expected[kind] = own.map(({ to }) => to)
    if (caller === null) {
      await using visitor = await browser.visitor(api)
      await visitor.page.goto(addressOf('/manage/$tournament', world.tournament.id))
      await visitor.page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
      found[kind] = []
      continue
    }
    await using visitor = await visit(caller)
    found[kind] = await pagesFor(visitor.page)
  }
  expect(found).toEqual(expected)
})

/** The pages that a reader can open; the menu has the same. */
async function pagesFor(page: Page): Promise<readonly string[]> {
  const opened: string[] = []
  let links: readonly string[] = []
  for (const { to } of plain) {
    await page.goto(addressOf(to, world.tournament.id))
    await isSettled(page)
    const menu = page.getByRole('navigation', { name: 'Organise' })
    if ((await menu.count()) === 0) {
      await page.getByRole('heading', { name: 'This is not for you' }).waitFor()
      continue
    }
    opened.push(to)
    links = await menu
      .getByRole('listitem')
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  }
  expect(links).toEqual(opened.map((to) => addressOf(to, world.tournament.id)))
  return opened
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
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser)
  const { page } = visitor
  const complaints = complaintsOf(page)
  const faults: string[] = []
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const { to } of plain) {
      complaints.length = 0
      await page.goto(addressOf(to, cup.id))
      await isSettled(page)
      const found = [...(await faultsOf(page)), ...complaints]
      faults.push(...found.map((fault) => `${to} at ${width}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
  expect(visitor.outside).toEqual([])
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
