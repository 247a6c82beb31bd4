import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { globalRoles } from '../../src/core/roles.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { grantRole, makePlatform, makeTournament } from '../../test/make.ts'
import { readRouteTree } from '../route-tree.ts'
import { type AdminPage, adminPages } from '../site/admin/pages.ts'
import { toAdministration, toAdminPage } from './site/admin-menu.ts'
import { faultsOfPages } from './site/checks.ts'
import { byTouch, ways } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** The pages of administration, in a real browser: who sees which, and an owner’s first day. (W2, W15, W19) */

let api: Harness
let browser: RealBrowser
let owner: Caller
let person: Caller
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  owner = await api.user({ globalRoles: ['role:owner'] })
  person = await api.user({ name: `offbeat-${process.pid}` })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const visit = (user: Caller, options: VisitorOptions = {}) => visitAs(browser, api, user, options)
const pages: readonly AdminPage[] = adminPages
const inMenu = pages.filter(({ isInMenu }) => isInMenu)

test('every page of the list has a route, and every route a place in the list', () => {
  const routes = readRouteTree().filter((route) => /^\/admin(\/|$)/.test(route.path))
  expect(routes.map((route) => route.path).toSorted()).toEqual(
    pages.map(({ to }) => to.replaceAll('$', ':')).toSorted(),
  )
})

/** Whether the service lets somebody use the operation that a page is seen by. */
async function mayUse(caller: Caller, { sees }: AdminPage): Promise<boolean> {
  const operation = operations.find(({ name }) => name === sees)
  if (operation === undefined) throw new Error(`there is no operation ${sees}`)
  const path = operation.path.replace(':user', person.guid).replace(/:\w+/, 'none')
  // A record that there is not, or what is lacking in a body, is known to those alone who may use the operation.
  const { status } = operation.method === 'GET' ? await api.get(path, caller) : await api.post(path, caller, {})
  return ![401, 403].includes(status)
}

test('each role finds in the menu the pages whose operation it may use, and no other; others find no way there', async () => {
  const expected: Record<string, readonly string[]> = {}
  const found: Record<string, readonly string[]> = {}
  const look = async (role: (typeof globalRoles)[number] | null) => {
    const caller = await api.user({ globalRoles: role === null ? [] : [role] })
    const may = await Promise.all(pages.map((page) => mayUse(caller, page)))
    const own = inMenu.filter((page) => may[pages.indexOf(page)])
    expected[role ?? 'none'] = own.map(({ to }) => to)
    await using visitor = await visit(caller)
    const { page } = visitor
    const links = page.getByRole('navigation', { name: 'Pages of administration' }).getByRole('link')
    await page.goto('/about')
    await page.getByRole('button', { name: `${caller.username}, your menu` }).click()
    await page
      .getByRole('link', { name: 'Sign out' })
      .or(page.getByRole('button', { name: 'Sign out' }))
      .waitFor()
    if (own.length > 0) {
      await page.getByRole('link', { name: 'Administration' }).click()
      await page.waitForURL(`**${own[0]?.to}`)
      await links.first().waitFor()
    } else if (role === null || role === 'global:users:read') {
      expect([role, await page.getByRole('link', { name: 'Administration' }).count()]).toEqual([role, 0])
    }
    found[role ?? 'none'] = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    // Of the pages that are for others one is opened.
    const other = inMenu.find((each) => !own.includes(each) && each.to !== '/admin')
    if (other === undefined) return
    await page.goto(other.to)
    await page.getByRole('heading', { name: 'You may not see this page' }).waitFor()
  }
  await Promise.all([null, ...globalRoles].map(look))
  expect(found).toEqual(expected)
  expect(found['role:owner']).toHaveLength(inMenu.length)
  expect(found.none).toEqual([])
})

test.each(ways)(
  'an owner’s first day by $way: what is wrong, a role, a ban and its end, a platform, a notice',
  async ({ way, handsOf, options }) => {
    const person = await api.user({ name: `by-${way}-${process.pid}` })
    const title = `Maintenance by ${way}`
    const cup = await makeTournament(api, person)
    await grantRole(api, await makeTournament(api, owner), person, 'role:caster')
    await api.user({ globalRoles: ['role:owner'] })
    await api.sql(`select graphile_worker.add_job('nothing.does_this', run_at := now() - interval '1 hour')`)
    await using visitor = await visit(owner, options)
    const { page } = visitor
    const hands = handsOf(page)
    await page.goto('/admin')
    const wrong = page.getByRole('region', { name: /things? needs? a look/ }).getByRole('listitem')
    await wrong.filter({ hasText: 'queue of jobs: 1 wait' }).getByText('“What to watch”').waitFor()
    await api.sql(`delete from graphile_worker._private_jobs`)
    await hands.press(page.getByRole('button', { name: 'Check again' }))
    await wrong.filter({ hasText: 'queue of jobs' }).waitFor({ state: 'detached' })

    await toAdminPage(hands, 'Users')
    await hands.write(page.getByRole('searchbox', { name: 'Name or ID' }), person.username)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/users?q=*')
    await hands.press(page.getByRole('link', { name: person.username }))
    await page.getByRole('heading', { name: person.username, level: 1 }).waitFor()
    await hands.pick(page.getByRole('checkbox', { name: 'Writes notices' }))
    await hands.press(page.getByRole('button', { name: 'Save roles' }))
    await page.getByRole('region', { name: 'Global roles' }).getByText('Saved', { exact: true }).waitFor()
    const account = async () => (await api.get(`/admin/users/${person.guid}`, owner)).body
    expect(await account()).toMatchObject({ globalRoles: ['global:notices:manage'] })

    // Signed in while the page is open: the question counts anew.
    await api.sql(
      `insert into sessions (user_guid, secret_hash, expires_at) values ($1, $2, now() + interval '1 day')`,
      [person.guid, randomBytes(32)],
    )
    await hands.press(page.getByRole('button', { name: 'Ban…', exact: true }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('One browser and no other program will be signed out.').waitFor()
    await dialog.getByText('No application loses the right to act for them. One token ends in all.').waitFor()
    await dialog.getByText('You take it back on this page').waitFor()
    await dialog.getByText('One role in a tournament and one global role cannot be used').waitFor()
    await dialog.getByText('One tournament of theirs goes on without its organiser').waitFor()
    await hands.write(dialog.getByLabel('Reason'), 'Scores that were not played.')
    await hands.press(dialog.getByRole('button', { name: 'Ban', exact: true }))
    await page.getByRole('button', { name: 'Lift the ban…' }).waitFor()
    expect((await api.get('/users/@me', person)).status).toBe(401)
    await hands.press(page.getByRole('button', { name: 'Lift the ban…' }))
    await hands.press(dialog.getByRole('button', { name: 'Lift the ban', exact: true }))
    await page.getByRole('button', { name: 'Ban…', exact: true }).waitFor()
    expect(await account()).toMatchObject({ bannedAt: null, banReason: null })
    expect((await api.get(`/tournaments/${cup.id}`, owner)).status).toBe(200)

    await toAdminPage(hands, 'Platforms')
    await hands.write(page.getByRole('textbox', { name: 'Name Needed' }), 'Night League')
    await hands.write(page.getByLabel('Short ID'), 'night-league')
    await hands.write(page.getByLabel('Description'), 'Cups for those who play at night.')
    await hands.press(page.getByRole('button', { name: 'Create the platform' }))
    await hands.press(page.getByRole('button', { name: 'Delete… Night League' }))
    await dialog.getByText('a team without members').waitFor()
    await dialog.getByText('no webhook').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
    expect(await confirm.isDisabled()).toBe(true)
    await hands.write(dialog.getByLabel('To confirm, type Night League'), 'Night League')
    await hands.press(confirm)
    await page.getByRole('link', { name: 'Night League' }).waitFor({ state: 'detached' })
    expect((await api.get('/tournament-platforms/night-league')).status).toBe(404)

    await toAdminPage(hands, 'Notices')
    await hands.write(page.getByLabel('Title'), title)
    await hands.write(page.getByLabel('Text Needed'), 'The service rests from **18:00** on.')
    await page.getByRole('region', { name: 'As readers see it' }).locator('strong').getByText('18:00').waitFor()
    await hands.press(page.getByRole('button', { name: 'Publish' }))
    const line = page.getByRole('listitem').filter({ hasText: title })
    await line.getByText('Shown now').waitFor()
    expect((await api.get('/notices')).body).toMatchObject([{ title }])
    await hands.press(line.getByRole('button', { name: `End now… ${title}` }))
    await hands.press(dialog.getByRole('button', { name: 'End now', exact: true }))
    await line.getByText('Over').waitFor()
    expect((await api.get('/notices')).body).toEqual([])
  },
)

test('the first day of those who hold one global role, by touch: notices, tournaments', async () => {
  const [notices, tournaments] = await Promise.all([
    api.user({ globalRoles: ['global:notices:manage'] }),
    api.user({ globalRoles: ['global:tournaments:manage'] }),
  ])
  const platform = await makePlatform(api, { name: 'Legato League' })
  const cup = await makeTournament(api, person, { name: 'Legato Cup', status: 'approved' })
  const wish = { scope: 'selected', platformGuids: [platform.guid] }
  expect((await api.put(`/tournaments/${cup.guid}/visibility`, person, wish)).status).toBe(200)
  // Of the platforms, tournament managers review the main listing alone.
  const draft = await makeTournament(api, person, { name: 'Staccato Cup', status: 'draft' })
  expect((await api.post(`/tournaments/${draft.guid}/visibility/request`, person)).status).toBe(200)
  {
    await using visitor = await visit(notices, { phone: true })
    const { page } = visitor
    const hands = byTouch(page)
    await page.goto('/about')
    await toAdministration(hands, notices)
    await page.waitForURL('**/admin/notices')
    // A list that fails does not take the form.
    await page.route('**/api/admin/notices*', (route) => route.fulfill({ status: 403, json: { error: 'It broke.' } }))
    await page.reload()
    await page.getByText('It broke.').waitFor()
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    await page.unroute('**/api/admin/notices*')
    await hands.press(page.getByRole('button', { name: 'Try again' }))
    await page.getByText('It broke.').waitFor({ state: 'detached' })
    await hands.write(page.getByLabel('Title'), 'Encore')
    await hands.write(page.getByLabel('Text Needed'), 'Tonight at **20:00**.')
    await hands.press(page.getByRole('button', { name: 'Publish' }))
    const line = page.getByRole('listitem').filter({ hasText: 'Encore' })
    await line.getByText('Shown now').waitFor()
    await hands.press(line.getByRole('button', { name: 'Delete… Encore' }))
    await hands.write(page.getByLabel('To confirm, type Encore'), 'Encore')
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
    await line.waitFor({ state: 'detached' })
  }
  await using visitor = await visit(tournaments, { phone: true })
  const { page } = visitor
  const hands = byTouch(page)
  await page.goto('/admin')
  await toAdminPage(hands, 'Platforms')
  await page.getByRole('listitem').filter({ hasText: 'Legato League' }).getByText('One open request').waitFor()
  await page.goto('/review')
  await hands.press(page.getByRole('main').getByRole('link', { name: 'Main listing' }))
  await hands.press(page.getByRole('link', { name: 'Staccato Cup' }))
  const detail = page.getByRole('complementary', { name: 'Staccato Cup' })
  await hands.press(detail.getByRole('button', { name: 'Approve', exact: true }))
  await page.getByRole('status').filter({ hasText: 'Staccato Cup is approved.' }).waitFor()
})

test('strangers are asked to sign in on every page, and what there is not is said', async () => {
  const none = '00000000-0000-4000-8000-000000000000'
  const addressOf = ({ to }: AdminPage) => to.replace(/\$\w+/, none)
  {
    await using visitor = await browser.visitor(api)
    const { page } = visitor
    for (const each of pages) {
      await page.goto(addressOf(each))
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Pages of administration' }).count()).toBe(0)
    }
  }
  await using visitor = await visit(owner)
  for (const each of pages.filter(({ isInMenu }) => !isInMenu)) {
    await visitor.page.goto(addressOf(each))
    await visitor.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  }
})

test('the pages are whole, on a phone and on a wide screen, in light and in dark', async () => {
  await makePlatform(api)
  await using visitor = await visit(owner)
  const addresses = inMenu.map(({ to }) => to)
  expect(await faultsOfPages(visitor.page, [...addresses, `/admin/users/${person.guid}`])).toEqual([])
})
