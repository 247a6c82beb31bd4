import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament } from '../../test/make.ts'
import { faultsOf } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** The registration desk in a real browser: verdicts live, acts on several teams, sheets, links for people to come. */

let api: Harness
let browser: RealBrowser
let organiser: Caller
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  organiser = await api.user({ name: 'maestro' })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)

/** A cup of pairs: two pairs, and one player alone. */
async function makeCup() {
  const cup = await makeTournament(api, organiser, { teamSize: { min: 2, max: 4, active: 2 }, capacity: 8 })
  const team = async (name: string, mates: number) => {
    const [captain, ...members] = await Promise.all(Array.from({ length: mates + 1 }, () => api.user()))
    if (captain === undefined) throw new Error('no captain')
    return { ...(await makeTeam(api, cup, captain, { name, members })), captain }
  }
  return { cup, quavers: await team('The Quavers', 1), breves: await team('Breves', 1), alone: await team('Alone', 0) }
}

const statusOf = async (cup: MadeTournament, team: { readonly guid: string }) =>
  (await api.get(`/tournaments/${cup.guid}/teams/${team.guid}`, organiser)).body.status

const lineOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('teams are registered together by keys, each with what becomes of it; others’ changes appear by themselves', async () => {
  const { cup, quavers, breves, alone } = await makeCup()
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/registration`)
  await lineOf(page, 'The Quavers').waitFor()
  await page.getByRole('link', { name: 'Blocked 1' }).waitFor()
  await lineOf(page, 'Alone').getByText('1 member, not the right number').waitFor()
  // Somebody else registers one: it is seen here.
  expect((await api.post(`/tournaments/${cup.guid}/register/${breves.guid}`, breves.captain)).status).toBe(200)
  await lineOf(page, 'Breves').getByText('Registered', { exact: true }).waitFor()
  for (const name of ['The Quavers', 'Alone']) {
    await page.getByRole('checkbox', { name: `Choose ${name}` }).focus()
    await page.keyboard.press('Space')
  }
  await page.getByText('2 chosen').waitFor()
  await page.getByRole('button', { name: 'Register…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Register 2 teams?' })
  await dialog.getByRole('listitem').filter({ hasText: 'The Quavers' }).getByText('Takes a place').waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'Alone' }).getByText('May be refused').waitFor()
  expect(await statusOf(cup, quavers)).toBe('unregistered')
  await dialog.getByRole('button', { name: 'Register' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('One was refused.').waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'The Quavers' }).getByText('Done').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await lineOf(page, 'The Quavers').getByText('Registered', { exact: true }).waitFor()
  expect([await statusOf(cup, quavers), await statusOf(cup, alone)]).toEqual(['registered', 'unregistered'])
  // Seeds from a first one on, in the order of the table; what is not shown is not acted on.
  await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check()
  await page.getByRole('button', { name: /^Qualify/ }).click()
  const qualifying = page.getByRole('dialog', { name: 'Qualify 2 teams?' })
  await qualifying.getByLabel('Seed of the first').fill('3')
  await qualifying.getByRole('button', { name: 'Qualify' }).click()
  await lineOf(page, 'Breves').getByText('Qualified, 3').waitFor()
  await lineOf(page, 'The Quavers').getByText('Qualified, 4').waitFor()
})

test('one team by touch: its obstacles, a note for the staff, a message to its captain', async () => {
  const { cup, alone } = await makeCup()
  await using visitor = await visit(organiser, { phone: true })
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/registration?filter=blocked`)
  expect(await page.getByRole('row').count()).toBeLessThanOrEqual(2)
  await page.getByRole('link', { name: 'Alone' }).tap()
  const detail = page.getByRole('complementary', { name: 'Alone' })
  await detail.getByText('“Alone” has 1 member; at least 2 are needed.').waitFor()
  await detail.getByLabel('Note, for staff').fill('Looks for a partner.')
  await detail.getByRole('button', { name: 'Save the note' }).tap()
  await detail.getByText('Saved', { exact: true }).waitFor()
  await detail.getByRole('button', { name: 'Message the captain' }).tap()
  const dialog = page.getByRole('dialog', { name: 'To the captain' })
  await dialog.getByLabel('Message').fill('Two more pairs look for you.')
  // What is typed survives.
  await page.reload()
  await detail.getByRole('button', { name: 'Message the captain' }).tap()
  expect(await dialog.getByLabel('Message').inputValue()).toBe('Two more pairs look for you.')
  await dialog.getByRole('button', { name: 'Send' }).tap()
  await dialog.getByText('Sent to one captain.').waitFor()
  const { notifications } = (await api.get('/users/@me/notifications', alone.captain)).body
  expect(notifications[0]).toMatchObject({ type: 'registration.message', body: 'Two more pairs look for you.' })
  const { teams } = (await api.get(`/tournaments/${cup.guid}/registrations?filter=blocked`, organiser)).body
  expect(teams).toMatchObject([{ note: 'Looks for a partner.' }])
})

test('a sheet is looked at before it is entered; somebody takes their place over by a link', async () => {
  const { cup } = await makeCup()
  const comer = await api.user({ name: 'longa' })
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/registration`)
  await page.getByRole('link', { name: 'Import a sheet' }).click()
  await page.getByLabel('Or rows').fill('teamName;captain;members\nSheet Pair;Breve;Longa\n;Nobody;\n')
  await page.getByRole('button', { name: 'Look at it' }).click()
  await page.getByText('1 new, 0 changed, 0 as they are, 1 not usable').waitFor()
  await lineOf(page, 'Sheet Pair').getByText('2 not signed in yet').waitFor()
  const names = async () =>
    (await api.get(`/tournaments/${cup.guid}/teams`, organiser)).body.teams.map(({ name }: { name: string }) => name)
  expect(await names()).not.toContain('Sheet Pair')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Enter 1 row' }).click()
  await page.getByRole('heading', { name: 'Entered', exact: true }).waitFor()
  expect(await names()).toContain('Sheet Pair')
  await page.getByRole('link', { name: 'To the registration desk' }).click()
  await page.getByRole('link', { name: 'Sheet Pair' }).click()
  const member = page.getByRole('complementary').getByRole('listitem').filter({ hasText: 'Longa' })
  await member.getByRole('button', { name: 'Claim link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Claim link for Longa' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  await dialog.getByRole('button', { name: 'Show Claim link' }).click()
  const link = (await dialog.locator('.code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Revoke' }).waitFor()

  await using other = await visit(comer)
  await other.page.goto(new URL(link).pathname + new URL(link).hash)
  await other.page.getByText('Sheet Pair').waitFor()
  const secret = new URL(link).hash.slice(1)
  expect(
    await other.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href),
  ).not.toContain(secret)
  expect(await faultsOf(other.page)).toEqual([])
  await other.page.getByRole('button', { name: 'Take over these places' }).click()
  await other.page.getByRole('heading', { name: 'These places are yours' }).waitFor()
  const { teams } = (await api.get(`/tournaments/${cup.guid}/teams?q=sheet`, organiser)).body
  const guids = teams[0].members.map(({ user }: { user: { guid: string } }) => user.guid)
  expect(guids).toContain(comer.guid)
  // A link works once.
  await other.page.goto('about:blank')
  await other.page.goto(new URL(link).pathname + new URL(link).hash)
  await other.page.getByRole('alert').waitFor()
})

test('of 500 teams all are read aloud, scrolling lays nothing out, and a choice redraws one line', async () => {
  const keeper = await api.user()
  const cup = await makeTournament(api, keeper, { teamSize: { min: 2, max: 4, active: 2 }, capacity: 512 })
  const rows = Array.from({ length: 500 }, (_, at) => ({
    teamName: `Team ${at}`,
    captain: { name: `Captain ${at}` },
    members: [{ name: `Player ${at}` }],
  }))
  // The stand-in offers the newest users, so this one signs in before a thousand others are made.
  await using visitor = await visit(keeper, { phone: true })
  const { page } = visitor
  expect((await api.post(`/tournaments/${cup.guid}/teams/import`, keeper, { rows })).status).toBe(200)
  await page.goto(`/manage/${cup.id}/registration?sort=team`)
  await page.getByRole('row').nth(500).waitFor({ state: 'attached' })
  const lines = page.locator('tbody tr')
  expect(await lines.count()).toBe(500)
  const cdp = await page.context().newCDPSession(page)
  const { nodes } = await cdp.send('Accessibility.getFullAXTree')
  expect(nodes.filter(({ role, ignored }) => role?.value === 'row' && !ignored).length).toBeGreaterThanOrEqual(500)

  await cdp.send('Performance.enable')
  const layouts = async () =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'LayoutCount')?.value ?? 0
  const before = await layouts()
  await page.evaluate(async () => {
    for (let top = 0; top < 9_000; top += 100) {
      scrollTo({ top, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
    }
  })
  expect((await layouts()) - before).toBeLessThan(10)

  const changed = await page.evaluate(async () => {
    const touched = new Set<Element>()
    const watcher = new MutationObserver((changes) => {
      for (const { target } of changes) touched.add((target as Element).closest('tr') ?? document.body)
    })
    const [table] = document.getElementsByTagName('table')
    if (table !== undefined) watcher.observe(table, { subtree: true, childList: true, attributes: true })
    table?.querySelector<HTMLElement>('tbody input')?.click()
    await new Promise((resolve) => setTimeout(resolve, 100))
    return [...touched].filter((line) => line.parentElement?.tagName === 'TBODY').length
  })
  expect(changed).toBe(1)
})
