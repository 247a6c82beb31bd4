import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeBracket, playOut } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../test/make.ts'
import { pictureIn, plain } from '../../test/media-files.ts'
import { faultsOf, isSettled } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** What organisers look after besides the desk: a team, streams, uploads, badges, overlays. */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name })

/** A file for an upload. */
const png = async (name: string, width = 640, height = 240) => ({
  name,
  mimeType: 'image/png',
  buffer: await pictureIn('png', plain(width, height)),
})

async function makePairs(organiser: Caller) {
  const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 2, active: 2 }, capacity: 8 })
  const [captain, mate, other] = await Promise.all([api.user(), api.user({ name: 'mate' }), api.user()])
  const quavers = await makeTeam(api, cup, captain, { name: 'The Quavers', members: [mate] })
  const breves = await makeTeam(api, cup, other, { name: 'Breves' })
  expect((await api.post(`/tournaments/${cup.guid}/register/${quavers.guid}`, organiser)).status).toBe(200)
  return { cup, quavers, breves, mate }
}

test('a team is edited from the desk, and a player moved, although its roster is locked', async () => {
  const organiser = await api.user()
  const { cup, quavers, breves, mate } = await makePairs(organiser)
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/registration?team=${quavers.id}`)
  await page.getByRole('link', { name: 'Edit the team' }).click()
  await page.getByText('The roster is locked for the team. You can still change it.').waitFor()
  await page.getByLabel('Name of the team').fill('The Semiquavers')
  await page.locator('input[type="file"]').setInputFiles(await png('logo.png', 200, 200))
  await expect.poll(() => page.getByLabel('Picture', { exact: true }).inputValue()).toContain('/media/')
  await button(page, 'Save').click()
  await page.getByRole('heading', { level: 1, name: 'The Semiquavers' }).waitFor()
  const team = () => api.get(`/tournaments/${cup.guid}/teams/${quavers.guid}`, organiser)
  expect((await team()).body).toMatchObject({ name: 'The Semiquavers', imageUrl: expect.stringContaining('/media/') })
  expect(await faultsOf(page)).toEqual([])

  await button(page, /^Move… /).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Other team').selectOption({ label: 'Breves (1 of 2)' })
  const resize = (most: number) =>
    api.sql('update tournaments set team_size_max = $2, team_size_active = $2 where guid = $1', [cup.guid, most])
  // Somebody else takes the last place meanwhile: the player has left, and the invitation waits for another choice.
  await resize(1)
  await button(dialog, 'Move').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByText('The invitation is still to be sent').waitFor()
  expect((await team()).body.members).toHaveLength(1)
  await resize(2)
  await button(dialog, 'Invite').click()
  await dialog.getByText('is invited into Breves').waitFor()
  const [invitation] = (await api.get('/users/@me/invitations', mate)).body
  expect(invitation).toMatchObject({ team: { guid: breves.guid } })
  expect((await api.post(`/invitations/${invitation.guid}/accept`, mate)).status).toBe(200)
})

test('a withdrawal is looked at, made, taken back and made again', async () => {
  const { cup, organiser, teams, read } = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const [first] = teams
  if (first === undefined) throw new Error('no team')
  const statusOf = async () => (await api.get(`/tournaments/${cup.guid}/teams/${first.guid}`, organiser)).body.status
  const before = await statusOf()
  const states = async () => (await read()).matches.map(({ status }: { status: string }) => status)
  const open = await states()
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/teams/${first.id}`)
  await button(page, 'Withdraw…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Ill.')
  await button(dialog, 'Show what would happen').click()
  await dialog.getByText('it ends as a walkover').first().waitFor()
  expect(await statusOf()).toBe(before)
  // What was looked at is not what would be done now.
  await dialog.getByLabel('count for nobody').check()
  await button(dialog, 'Show what would happen').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('stay as they are').check()
  await button(dialog, 'Show what would happen').click()
  await dialog.getByText('it ends as a walkover').first().waitFor()
  await button(dialog, 'Withdraw').click()
  await page.getByText('Withdrawn').first().waitFor()
  expect(await states()).not.toEqual(open)
  await button(page, 'Take the withdrawal back…').click()
  await button(dialog, 'Show what would happen').click()
  await dialog.getByText('The team is qualified again').or(dialog.getByText('The team is registered again')).waitFor()
  await button(dialog, 'Take the withdrawal back').click()
  await button(page, 'Withdraw again…').waitFor()
  expect([await statusOf(), await states()]).toEqual([before, open])
  await button(page, 'Withdraw again…').click()
  await button(dialog, 'Withdraw again').click()
  await button(page, 'Take the withdrawal back…').waitFor()
  expect(await statusOf()).toBe('unregistered')
})

test('a captain withdraws their own team after a look at what it does, and reads who can take that back', async () => {
  const { cup, teams, captains, read } = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const [captain] = captains
  if (captain === undefined) throw new Error('no captain')
  await using visitor = await visit(captain, { phone: true })
  const { page } = visitor
  await page.goto(`/t/${cup.id}/team`)
  await button(page, 'Withdraw…').tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Our train does not run.')
  await button(dialog, 'Show what would happen').tap()
  await dialog.getByText('it ends as a walkover').first().waitFor()
  expect((await read()).matches.every(({ status }: { status: string }) => status !== 'completed')).toBe(true)
  await button(dialog, 'Withdraw').tap()
  await page.getByText('Withdrawn. The organiser can take that back: ask them.').waitFor()
  const { body } = await api.get(`/tournaments/${cup.guid}/teams/${teams[0]?.guid}`, captain)
  expect(body).toMatchObject({ status: 'unregistered', withdrawnAt: expect.any(String) })
})

/** The numbers of the matches of a queue, in its order, as a page shows them. */
const orderOf = (page: Page) =>
  page
    .getByRole('article', { name: 'Main' })
    .getByRole('listitem')
    .evaluateAll((lines) => lines.map((line) => Number(line.querySelectorAll('.num')[1]?.textContent)))

test('a queue is ordered by keys while another sees it; a stale change is told; players are assigned', async () => {
  const { cup, organiser, read, path } = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  const caster = await roleHolder(api, cup, 'role:caster')
  const channels = [{ name: 'Main', url: 'https://video.example/main' }]
  const { body: list } = await api.put(`${path}/channels`, organiser, { channels, revision: 0 })
  const queue = `${path}/channels/${list.channels[0].guid}/queue`
  const [one, two, three] = (await read()).matches.filter(({ status }: { status: string }) => status === 'ready')
  const entries = [one, two, three].map(({ guid }) => ({ match: guid }))
  expect((await api.put(queue, organiser, { entries, revision: 0 })).status).toBe(200)
  await using visitor = await visit(organiser)
  await using watching = await visit(caster)
  for (const { page } of [visitor, watching]) await page.goto(`/manage/${cup.id}/streams`)
  const { page } = visitor
  const numbers = [one, two, three].map(({ number }) => number)
  await expect.poll(() => orderOf(watching.page)).toEqual(numbers)
  const down = button(page, `Move match ${one.number} down`)
  await down.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => orderOf(watching.page)).toEqual([two.number, one.number, three.number])
  // The focus goes with the match, and the other way works too.
  await expect.poll(() => down.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => orderOf(watching.page)).toEqual([two.number, three.number, one.number])
  expect(await faultsOf(page)).toEqual([])

  // Somebody else was faster.
  let isFirst = true
  await page.route('**/queue', async (route) => {
    if (route.request().method() === 'PUT' && isFirst) {
      isFirst = false
      const { revision } = (await api.get(queue, organiser)).body
      await api.put(queue, organiser, { entries: [{ match: three.guid }, { match: two.guid }], revision })
    }
    await route.continue()
  })
  await button(page, `Move match ${one.number} up`).click()
  await page.getByText('Somebody else changed this queue meanwhile').waitFor()
  await expect.poll(() => orderOf(page)).toEqual([three.number, two.number])

  await button(page, `Assign… Match ${one.number}`).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('group', { name: /^Team/ }).getByRole('button').first().click()
  await dialog.getByText('is assigned.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  const { streamAssignments } = (await api.get(`${path}/streamAssignments`, organiser)).body
  expect(streamAssignments).toMatchObject([{ role: 'player', match: { guid: one.guid }, side: expect.any(Number) }])
  // Casters order queues alone.
  await watching.page.getByText('side 1').or(watching.page.getByText('side 2')).first().waitFor()
  expect(await button(watching.page, /^(Assign|Take off|Change channels)/).count()).toBe(0)
  // Once the match runs, a player who is not live is the first thing to see.
  expect((await api.post(`${path}/matches/${one.guid}/start`, organiser)).status).toBe(200)
  await page.getByRole('heading', { name: 'One problem' }).waitFor()
  await page.getByText('is not live').waitFor()
})

test('a file is uploaded, refused in words, and deleted with what uses it; others only look', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser, { phone: true })
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/media`)
  await page.getByText('Nothing was uploaded yet. Choose above').waitFor()
  const file = page.getByLabel('File')
  await file.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html></html>') })
  await page.getByRole('button', { name: 'Upload', exact: true }).tap()
  await page.getByRole('alert').getByText('Not uploaded.').waitFor()
  await page.getByLabel('What it is for').selectOption({ label: 'Banner' })
  await file.setInputFiles(await png('banner.png', 960, 320))
  await page.getByRole('button', { name: 'Upload', exact: true }).tap()
  await page.getByText(/^banner is uploaded|^banner\.png is uploaded/).waitFor()
  const line = page.getByRole('row').filter({ hasText: 'banner' })
  const { media } = (await api.get(`/tournaments/${cup.guid}/media`, organiser)).body
  expect((await api.patch(`/tournaments/${cup.guid}`, organiser, { bannerUrl: media[0].url })).status).toBe(200)
  await page.reload()
  await line.getByText('Used in one place').waitFor()
  await button(line, 'Delete…').tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Tournament', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('textbox').fill(media[0].name)
  await button(dialog, 'Delete').tap()
  await line.waitFor({ state: 'detached' })
  expect((await api.get(`/tournaments/${cup.guid}`, organiser)).body.bannerUrl).toBe(null)

  await using other = await visit(await roleHolder(api, cup, 'role:referee'))
  await other.page.goto(`/manage/${cup.id}/media`)
  await other.page.getByText('Nothing was uploaded yet.').waitFor()
  expect(await other.page.getByLabel('File').count()).toBe(0)
})

test('badges are asked for by placements; a refusal says why, and one can ask again', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { cup, organiser } = made
  const manager = await api.user({ globalRoles: ['global:badges:manage'] })
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/badges`)
  await page.getByText('once the tournament is over').waitFor()
  await playOut([api], made, 1)
  expect((await api.post(`/tournaments/${cup.guid}/status`, organiser, { status: 'completed' })).status).toBe(200)
  await page.getByRole('heading', { name: 'Ask for badges' }).waitFor()
  await page.getByText('A badge has no picture yet.').waitFor()
  const groups = page.getByRole('main').getByRole('group')
  while ((await groups.count()) > 1) await button(groups.last(), 'Remove the badge').click()
  await page.locator('input[type="file"]').setInputFiles(await png('first.png'))
  await page.getByRole('img', { name: /^The badge/ }).waitFor()
  await page.getByLabel('Message to those who decide').fill('Drawn by us.')
  // What is typed survives.
  await page.reload()
  await page.getByRole('img', { name: /^The badge/ }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await button(page, 'Send the request').click()
  await page.getByRole('heading', { name: 'Waits for a decision' }).waitFor()
  const { badgeRequests } = (await api.get(`/tournaments/${cup.guid}/badgeRequests`, organiser)).body
  expect(badgeRequests).toMatchObject([{ status: 'pending', message: 'Drawn by us.', badges: [{ kind: 'placement' }] }])
  expect(badgeRequests[0].badges[0].recipients.length).toBeGreaterThan(0)
  const review = { decision: 'rejected', reason: 'Too bright.', expectedUpdatedAt: badgeRequests[0].updatedAt }
  const reply = await api.post(`/admin/badgeRequests/${badgeRequests[0].guid}/review`, manager, review)
  expect(reply.status).toBe(200)
  await page.reload()
  await page.getByRole('heading', { name: 'Refused' }).waitFor()
  await page.getByText('Too bright.').waitFor()
  await button(page, 'Ask for more badges').click()
  await page.getByText('A badge has no picture yet.').waitFor()
})

test('an overlay is made from a template and published; its address is shown once, and rotated', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/overlays`)
  await button(page, 'Make an overlay…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Main stage')
  await dialog.getByLabel(/^Duel/).check()
  await button(dialog, 'Make it').click()
  await page.getByRole('heading', { name: 'Main stage' }).waitFor()
  await page.getByText('Nothing, as nothing is published').waitFor()
  await button(page, 'Publish…').click()
  await button(dialog, 'Publish').click()
  await page.getByText('Version 1').waitFor()
  const address = await makeAddress(page)
  await isSettled(page)
  expect(await faultsOf(page)).toEqual([])
  await page.reload()
  await page.getByText('Not used yet').waitFor()
  expect(await page.content()).not.toContain(address)
  const [before] = await tokensOf(cup, organiser)
  await button(page, 'Rotate…').click()
  await button(dialog, 'Rotate').click()
  await dialog.waitFor({ state: 'detached' })
  const after = await tokensOf(cup, organiser)
  expect(after).toHaveLength(1)
  expect(after[0].guid).not.toBe(before.guid)
  expect(after[0].label).toBe('Studio')

  await using other = await visit(await roleHolder(api, cup, 'role:referee'))
  await other.page.goto(`/manage/${cup.id}/overlays`)
  await other.page.getByText('Version 1').waitFor()
  expect(await button(other.page, /Make|Publish|Copy|Delete|Rotate/).count()).toBe(0)
})

async function tokensOf(cup: MadeTournament, organiser: Caller) {
  const [overlay] = (await api.get(`/tournaments/${cup.guid}/overlays`, organiser)).body
  return (await api.get(`/tournaments/${cup.guid}/overlays/${overlay.guid}/tokens`, organiser)).body
}

/** Makes an address for the studio, and reads it from the page, which keeps it nowhere. */
async function makeAddress(page: Page): Promise<string> {
  await page.getByLabel('New address for').fill('Studio')
  await button(page, 'Make an address').click()
  await page.getByText('It is shown this once').waitFor()
  await button(page, 'Show Studio').click()
  const address = (await page.locator('[role="status"] .code').textContent()) ?? ''
  expect(address).toMatch(/\/overlay\/live#ovt_/)
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href)
  expect(kept).not.toContain(address.split('#')[1])
  return address
}
