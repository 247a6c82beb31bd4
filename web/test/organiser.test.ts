import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../test/fakes/catalogue.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../test/harness.ts'
import { byKeys, byTouch, type Hands } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** What an organiser does who has never been here: from an empty service to a first match that is ready, by pages alone. */

let catalogue: FakeCatalogue
let api: Harness
let browser: RealBrowser
let reviewer: Caller
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  ;[api, browser] = await Promise.all([startHarness({ catalogueUrl: catalogue.url }), openBrowser(), freshenPages()])
  reviewer = await api.user({ globalRoles: ['global:tournaments:manage', 'role:owner'] })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const patient = { timeout: 20_000, interval: 50 }
const size = 32

function done({ status, text, body }: Reply) {
  expect([status < 300, status < 300 ? '' : text]).toEqual([true, ''])
  return body
}

/** What a reviewer of the main list decides of a tournament; there is no page for that. */
async function decide(tournament: string, verdict: object): Promise<void> {
  const { platforms } = done(await api.get(`/tournaments/${tournament}/visibility`, reviewer))
  const [{ platform, request }] = platforms
  const path = `/tournament-platforms/${platform.contextId}/requests/${request.guid}/review`
  done(await api.post(path, reviewer, verdict))
}

/** The clock of a field, so many days from now. */
const inDays = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T18:00`

/** The pages of an organiser. */
class Desk {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }
  get main(): Locator {
    return this.page.locator('#main, main').last()
  }
  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }
  readonly button = (name: string | RegExp, at: Page | Locator = this.page): Locator => at.getByRole('button', { name })
  async menu(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Organise' }).getByRole('link', { name, exact: true }).click()
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
  /** The overview names this step as the next one; its line has the way to it. */
  async due(step: string): Promise<Locator> {
    await this.menu('What is due')
    const line = this.page.getByRole('region', { name: 'Next', exact: true }).getByRole('listitem').first()
    await expect.poll(() => line.locator('p').first().textContent(), patient).toContain(step)
    return line
  }
  async follow(step: string): Promise<void> {
    await (await this.due(step)).getByRole('link').click()
  }
  async save(): Promise<void> {
    await this.page
      .getByRole('button', { name: 'Save', exact: true })
      .and(this.page.locator(':enabled'))
      .first()
      .click()
    await this.page.getByText('Saved', { exact: true }).first().waitFor()
  }
}

/** From the first page to a draft, in five steps. */
async function makeDraft({ page, button }: { page: Page; button: Desk['button'] }, name: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Organise one' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Name').fill('organ')
  await button('Sign in').click()
  const main = page.getByRole('main')
  await main.getByLabel('Name').fill(name)
  await button('Make the draft').click()
  await page.getByText('Step 2 of 5: Dates').waitFor()
  await main.getByLabel('Zone').fill('UTC')
  for (const [field, days] of [
    ['Registration opens', -1],
    ['Registration closes', 7],
    ['Start', 10],
    ['End', 20],
  ] as const)
    await main.getByLabel(field, { exact: true }).fill(inDays(days))
  await button('Save and go on').click()
  await page.getByText('Step 3 of 5').waitFor()
  await main.getByLabel('Places').fill(String(size))
  await button('Save and go on').click()
  await page.getByText('Step 4 of 5').waitFor()
  await main.getByLabel('Summary').fill('Thirty-two teams, one champion.')
  await main.getByLabel('Description').fill('Double elimination after a qualifier.')
  await button('Save and go on').click()
  await page.getByText('Step 5 of 5: Review').waitFor()
  await main.getByRole('link', { name: 'What is due next' }).click()
  await page.getByRole('heading', { name: 'What is due' }).waitFor()
}

/** A pool from a list of maps, published. */
async function makePool({ page, button, dialog, main }: Desk, name: string, use: string, count: number): Promise<void> {
  await button('New pool').click()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Played in').selectOption({ label: use })
  await button('Make the pool').click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await main.getByRole('link', { name: 'Import' }).click()
  await page.getByLabel('One map a line').check()
  const maps = Array.from({ length: count }, () => catalogue.maps.add({ difficulties: ['ExpertPlus'] }))
  await page
    .getByRole('textbox', { name: 'One map a line' })
    .fill(maps.map(({ key }) => `${key} ExpertPlus`).join('\n'))
  await button('Look at it').click()
  await button(`Add ${count} maps`).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  await page.getByRole('link', { name: 'Back to the pool' }).click()
  await button('Publish…').click()
  await button('Publish now').click()
  await page.getByText('Everybody sees it.').waitFor()
}

/** Players sign up by themselves; one in four leaves the registration to the organiser. */
async function signUp(path: string, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) {
    const captain = await api.user()
    const team = { name: `Team ${at}`, captainId: captain.guid }
    const { newTeam } = done(await api.post(`${path}/teams`, captain, team))
    if (at % 4 > 0) done(await api.post(`${path}/register/${newTeam.guid}`, captain))
  }
}

/** Everybody plays each map once, no two of them equally well. */
async function playQualifier(path: string): Promise<readonly string[]> {
  const { maps } = done(await api.get(`${path}/qualifier`, reviewer))
  const { teams } = done(await api.get(`${path}/teams?limit=100`, reviewer))
  const places = teams.map((_team: unknown, at: number) => (at * 7 + 3) % size)
  const attempts = teams.flatMap(({ captain }: { captain: { guid: string } }, at: number) =>
    maps.map(({ guid }: { guid: string }) => ({
      mapGuid: guid,
      user: captain.guid,
      score: 300_000 - 5_000 * places[at],
    })),
  )
  for (let from = 0; from < attempts.length; from += 100)
    done(await api.post(`${path}/qualifier/attempts`, reviewer, { attempts: attempts.slice(from, from + 100) }))
  return teams
    .toSorted((one: unknown, other: unknown) => places[teams.indexOf(one)] - places[teams.indexOf(other)])
    .map(({ name }: { name: string }) => name)
}

test('from an empty service to a first match that is ready, by what the pages say alone', async () => {
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.setViewportSize({ width: 1440, height: 900 })
  page.setDefaultTimeout(20_000)
  const desk = new Desk(page)
  const { main, dialog, button } = desk
  const id = 'autumn-sabre-cup'
  const path = `/tournaments/${id}`

  await makeDraft({ page, button }, 'Autumn Sabre Cup')
  await desk.follow('Write the rules')
  await page.getByRole('textbox', { name: 'Rules', exact: true }).fill('Be kind. The higher score wins.')
  await desk.save()
  await desk.follow('Have it listed')
  await button('Ask').click()
  await page.getByText('Waits for a reviewer').waitFor()
  // While a reviewer thinks, the maps can be chosen.
  await desk.follow('Choose the maps')
  await makePool(desk, 'Cup maps', 'for matches', 9)
  await desk.follow('Say which matches use them')
  await page.getByLabel('All matches, unless something else is chosen').selectOption({ label: 'Cup maps' })
  await desk.save()
  await makePool(desk, 'Qualifier maps', 'for the qualifier', 4)
  await desk.menu('Match flows')
  await page.getByLabel('The whole tournament').selectOption({ label: 'Known: AccSaber best of 3' })
  await desk.save()
  await decide(id, { decision: 'approved' })

  // Teams come by themselves, and by a sheet.
  await desk.menu('What is due')
  const waiting = page.getByRole('region', { name: 'Next', exact: true }).getByRole('listitem')
  await waiting.filter({ hasText: 'Let teams register' }).getByText('0 of 32 places taken.').waitFor()
  await signUp(path, size - 2)
  await waiting.filter({ hasText: 'Let teams register' }).getByRole('link').click()
  await page.getByText('23 of 32').or(page.getByText('9 left')).first().waitFor()
  await main.getByRole('link', { name: 'Import a sheet', exact: true }).click()
  await page.getByLabel('Or rows').fill('team;captain;register\nSheet One;Semibreve;yes\nSheet Two;Minim;yes\n')
  await button('Look at it').click()
  await button('Enter 2 rows').click()
  await page.getByRole('link', { name: 'To the registration desk' }).click()
  await page.getByRole('link', { name: 'Ready 7' }).click()
  await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check()
  await button('Register…').click()
  await dialog.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Every place is taken.').waitFor()

  // The qualifier.
  await desk.menu('Qualifier')
  await button('Set up a qualifier').click()
  await button('Take the maps of Qualifier maps…').click()
  await button('Take them', dialog).click()
  await desk.follow('Run a qualifier')
  await button('Open it now…').click()
  await button('Open it now', dialog).click()
  await page.getByText('No attempts yet.').waitFor()
  const order = await playQualifier(path)
  await page.getByText('Show more').waitFor()
  await button('Close it now…').click()
  await button('Close it now', dialog).click()
  await desk.follow('Run a qualifier')
  await button('Look at the seeds').click()
  await button('Write the seeds…').click()
  await button('Write the seeds', dialog).click()
  await page.getByText('Written: 32 seeds').waitFor()

  // The brackets.
  await desk.follow('Make the brackets')
  await button('Add the division').click()
  await page.getByRole('link', { name: 'New bracket Main' }).click()
  await main.getByRole('textbox', { name: 'Name' }).fill('Playoffs')
  await page.getByRole('radio', { name: 'Double elimination' }).check()
  await button('Make the bracket').click()
  await page.getByText('32 of 32 places filled, 63 matches').waitFor()
  await page.getByRole('link', { name: 'Seeding Playoffs' }).click()
  await page.getByLabel('Order by').selectOption('qualifier')
  await page.getByText('The order is the same already.').waitFor()

  // The times.
  await desk.follow('Set the times')
  await page.getByRole('link', { name: 'Propose times' }).click()
  await button('Work it out').click()
  await button('Apply all 63').click()
  await page.getByText('63 of 63 open matches have a time.').waitFor()

  // The start.
  const start = await desk.due('Start the tournament')
  await start.getByRole('button', { name: 'Start…' }).click()
  await button('Start', dialog).click()
  await desk.follow('Play the matches')
  await page.getByText('16 ready').waitFor()
  expect(visitor.outside).toEqual([])

  await expectCup(path, order)
})

/** What a cup needs, as the service has it for everybody. */
async function expectCup(path: string, order: readonly string[]): Promise<void> {
  const { guid: _guid, ...cup } = done(await api.get(path))
  expect(cup).toMatchObject({ status: 'ongoing', counts: { registered: size, qualified: size } })
  const [{ brackets }] = done(await api.get(`${path}/divisions`))
  expect(brackets).toMatchObject([{ name: 'Playoffs', format: 'double_elimination', status: 'ready' }])
  const { entrants } = done(await api.get(`${path}/brackets/${brackets[0].guid}`))
  const bySeed = entrants.toSorted((one: { seed: number }, other: { seed: number }) => one.seed - other.seed)
  expect(bySeed.map(({ team }: { team: { name: string } }) => team.name)).toEqual(order)
  const { matches } = done(await api.get(`${path}/matches?limit=100`))
  expect(matches).toHaveLength(63)
  expect(matches.filter(({ scheduledAt }: { scheduledAt: string | null }) => scheduledAt === null)).toEqual([])
  expect(matches.filter(({ status }: { status: string }) => status === 'ready')).toHaveLength(16)
  const pools = done(await api.get(`${path}/pools`))
  const { default: pool } = done(await api.get(`${path}/pool-plan`, reviewer))
  expect(pools.find(({ guid }: { guid: string }) => guid === pool)).toMatchObject({
    name: 'Cup maps',
    status: 'published',
  })
  expect(done(await api.get(`${path}/flow-plan`))).toMatchObject({ default: 'accsaber-bo3' })
  expect(done(await api.get(`${path}/qualifier`))).toMatchObject({ status: 'closed', maps: { length: 4 } })
}

/** From a draft that asks to be listed to one that is published, over a request for changes. */
async function publish({ page, press, write }: Hands, name: string, phone: boolean): Promise<string> {
  const main = page.getByRole('main')
  const button = (label: string) => page.getByRole('button', { name: label, exact: true })
  const menu = async (label: string) => {
    if (phone)
      await press(
        button('Organising')
          .or(page.getByRole('button', { name: /^Organising/ }))
          .first(),
      )
    await press(page.getByRole('navigation', { name: 'Organise' }).getByRole('link', { name: label, exact: true }))
    await page.getByRole('heading', { level: 1, name: label, exact: true }).waitFor()
  }
  await page.goto('/new')
  await write(main.getByRole('textbox', { name: 'Name Needed' }), name)
  await press(button('Make the draft'))
  for (const step of ['Step 2 of 5', 'Step 3 of 5', 'Step 4 of 5']) {
    await page.getByText(step).waitFor()
    await press(button('Go on'))
  }
  await page.getByText('Step 5 of 5').waitFor()
  await press(main.getByRole('link', { name: 'Have it listed' }))
  await page.waitForURL('**/visibility**')
  const id = new URL(page.url()).pathname.split('/')[2] ?? ''
  await press(button('Ask'))
  await page.getByText('Waits for a reviewer').waitFor()
  // There is nothing more to ask for.
  await expect.poll(() => page.getByRole('button', { name: /^Ask/ }).count()).toBe(0)

  await decide(id, { decision: 'rejected', reason: 'Say in the rules what happens on a draw.' })
  await menu('What is due')
  const next = page.getByRole('region', { name: 'Next', exact: true }).getByRole('listitem')
  await next.filter({ hasText: 'Have it listed' }).getByText('what happens on a draw').waitFor()
  await menu('Settings')
  await write(page.getByRole('textbox', { name: 'Rules', exact: true }), 'A draw is replayed.')
  await press(button('Save'))
  await page.getByText('Saved', { exact: true }).first().waitFor()
  await menu('Visibility')
  await page.getByText('mend it, then ask again').waitFor()
  await press(button('Ask again'))
  await page.getByText('Waits for a reviewer').waitFor()
  expect((await api.get(`/tournaments/${id}`)).status).toBe(404)

  await decide(id, { decision: 'approved' })
  await page.getByText('Everybody can see it.').waitFor()
  expect(done(await api.get(`/tournaments/${id}`))).toMatchObject({ status: 'approved', rules: 'A draw is replayed.' })
  return id
}

test.each([
  ['by touch', true],
  ['by keys', false],
])('a draft is published after a request for changes: %s alone', async (way, phone) => {
  const organiser = await api.user()
  await using visitor = await visitAs(browser, api, organiser, { phone })
  visitor.page.setDefaultTimeout(20_000)
  const id = await publish((phone ? byTouch : byKeys)(visitor.page), `Published ${way}`, phone)
  expect(id).toBe(`published-${way.replace(' ', '-')}`)
  expect(visitor.outside).toEqual([])
})
