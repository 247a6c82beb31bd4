import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { type BracketBody, type MadeBracket, makeBracket, playOut } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { grantRole, makeTeam, makeTournament } from '../../test/make.ts'
import { faultsOf, faultsOfPages, tabTo } from './site/checks.ts'
import { byTouch } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** Drawing a tournament in a real browser: the wizard for brackets, their seeding, and what goes when they go. (W2, W10, W15, W19) */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

/** Somebody who may seed; the page of the sign-in shows the newest people alone. */
async function seederOf({ cup }: MadeBracket): Promise<Caller> {
  const seeder = await api.user()
  await grantRole(api, cup, seeder, 'role:admin')
  return seeder
}

const visit = async (user: Caller, options?: VisitorOptions) => {
  const visitor = await visitAs(browser, api, user, options)
  visitor.page.setDefaultTimeout(10_000)
  return visitor
}

const settings = { bestOf: 3 }
const seedingOf = ({ cup, bracket }: MadeBracket) => `/manage/${cup.id}/brackets/${bracket.guid}/seeding`

/** The names by seed. */
const seedsOf = ({ entrants }: BracketBody): readonly string[] =>
  entrants
    .toSorted((one: BracketBody, other: BracketBody) => one.seed - other.seed)
    .map(({ team }: BracketBody) => team?.name ?? '-')

const teamsOf = (...numbers: readonly number[]) => numbers.map((number) => `Team ${number}`)

const moveOf = (page: Page, team: string) => page.getByRole('button', { name: new RegExp(`^Move ${team}, seed`) })

/** What the page says, in its only region for that. */
async function heard(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' })
}

test('from nothing to a bracket of each format: a division, then what is drawn is what is made', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser)
  for (let seed = 1; seed <= 8; seed += 1)
    await makeTeam(api, cup, await api.user(), { id: `t-${seed}`, name: `Team ${seed}`, status: 'registered' })
  const { page } = visitor
  const press = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await page.goto(`/manage/${cup.id}`)
  await page.getByRole('link', { name: 'Brackets', exact: true }).click()
  await page.getByText('Most tournaments have one').waitFor()
  await press('Add the division')
  await page.getByRole('heading', { name: 'Main' }).waitFor()
  const number = (word: string) => page.locator('dl div', { has: page.locator('dt', { hasText: word }) }).locator('dd')
  const formats = [
    ['Single elimination', 'Single', { matches: '8', rounds: '4' }, () => page.getByLabel('third place').check()],
    ['Double elimination', 'Double', { matches: '15', rounds: '9' }, null],
    [
      'Round robin',
      'Groups',
      { matches: '12', rounds: '3' },
      async () => {
        await page.getByRole('spinbutton', { name: 'Groups' }).fill('2')
        await page.getByRole('combobox', { name: 'Round 2' }).selectOption('5')
      },
    ],
    [
      'Swiss rounds',
      'Swiss',
      { matches: '16', rounds: '4' },
      () => page.getByRole('spinbutton', { name: 'Rounds' }).fill('4'),
    ],
  ] as const
  for (const [format, name, { matches, rounds }, choose] of formats) {
    await page.getByRole('link', { name: 'New bracket Main' }).click()
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type(name)
    await page.getByRole('radio', { name: format }).check()
    await choose?.()
    await expect.poll(() => number('match').first().textContent()).toBe(matches)
    await expect.poll(() => number('round').first().textContent()).toBe(rounds)
    const drawing = page.getByRole('region', { name: 'Drawing of the preview' })
    await drawing.getByText('Team 8').first().waitFor()
    expect(await drawing.getByRole('link').count()).toBe(0)
    if (format === 'Double elimination') {
      // What is wished survives, and is asked about before it is left.
      await page.reload()
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Double')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
      expect(await faultsOf(page)).toEqual([])
    }
    expect(
      (await api.get(`/tournaments/${cup.id}/divisions`)).body[0].brackets.map((each: BracketBody) => each.name),
    ).not.toContain(name)
    await press('Make the bracket')
    await page.getByRole('heading', { name, exact: true }).waitFor()
  }
  const [{ brackets }] = (await api.get(`/tournaments/${cup.id}/divisions`)).body
  expect(brackets).toMatchObject([
    { name: 'Single', format: 'single_elimination', status: 'ready', settings: { thirdPlace: true } },
    { name: 'Double', format: 'double_elimination', settings: { grandFinal: 'reset' } },
    { name: 'Groups', format: 'round_robin', settings: { groups: 2, bestOfByRound: { 'group:2': 5 } } },
    { name: 'Swiss', format: 'swiss', settings: { rounds: 4 } },
  ])
})

test('groups that are still played give places; when they are over, a tie at the cut is decided before the bracket is filled', async () => {
  const made = await makeBracket(api, {
    teams: 6,
    format: 'round_robin',
    settings: { groups: 2, tieBreakers: ['points'] },
  })
  const { cup, organiser } = made
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/brackets?new=main`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Finals')
  await page.getByLabel('Teams', { exact: true }).selectOption({ label: 'The best of another bracket' })
  await page.getByText('Playoffs is not over.').waitFor()
  // Winners of groups do not meet the second of their own group first.
  await page.getByText('Group A, place 1').first().waitFor()
  const first = page.getByRole('region', { name: /^Semi-finals/ })
  const pairs = await first.getByRole('listitem').allTextContents()
  expect(
    pairs.map((pair) => [...pair.matchAll(/Group (\w), place (\d)/g)].map(([, group, place]) => `${group}${place}`)),
  ).toEqual([
    ['A1', 'B2'],
    ['B1', 'A2'],
  ])
  await page.getByRole('button', { name: 'Make the bracket' }).click()
  await page.getByText('0 of 4 places filled').waitFor()
  // Everybody wins once in each group: nothing parts them.
  for (const group of [0, 1]) {
    const { matches } = await made.read()
    const own = matches.filter(({ groupIndex }: BracketBody) => groupIndex === group)
    const winners = new Set<string>()
    for (const match of own) {
      const at = match.sides.findIndex(({ team }: BracketBody) => !winners.has(team.guid))
      const beaten = own.filter((each: BracketBody) => each.number < match.number)
      const winner =
        own.length - beaten.length === 1
          ? match.sides.findIndex(({ team }: BracketBody) => !winners.has(team.guid))
          : at
      winners.add(match.sides[winner].team.guid)
      await made.tell(match.number, { outcome: 'score', scores: winner === 0 ? [2, 0] : [0, 2] })
    }
  }
  await page.getByText('Over').waitFor()
  await page.getByRole('link', { name: 'Make again Finals' }).click()
  await page.getByLabel('Teams', { exact: true }).selectOption({ label: 'The best of another bracket' })
  const tie = page.getByRole('group', { name: 'Nothing parts these teams' })
  await tie.waitFor()
  expect(await faultsOf(page)).toEqual([])
  await tie.getByLabel('Draw lots').check()
  await page.getByRole('button', { name: 'Make it again' }).and(page.locator(':not([aria-disabled="true"])')).click()
  await page.getByText('4 of 4 places filled').waitFor()
  const [{ brackets }] = (await api.get(`/tournaments/${cup.id}/divisions`)).body
  const whole = (await api.get(`/tournaments/${cup.id}/brackets/${brackets[1].guid}`, organiser)).body
  expect(whole.ties).toMatchObject([{ decidedBy: 'draw' }, { decidedBy: 'draw' }])
})

test('32 teams are seeded by keys alone: each move is said, survives a reload, and all are saved once', async () => {
  const made = await makeBracket(api, { teams: 32, format: 'single_elimination', settings })
  await using visitor = await visit(await seederOf(made))
  const { page } = visitor
  await page.goto(seedingOf(made))
  await tabTo(page, moveOf(page, 'Team 1'))
  // The list is one stop of the tabulator. The order is turned round, from the last one on.
  for (let seed = 1; seed <= 30; seed += 1) {
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Move Team' }).waitFor()
    await page.keyboard.press('Tab')
    if (seed === 1) await page.keyboard.press('Tab')
    for (let steps = 0; steps < 3 && !(await isIn(page, 'To seed')); steps += 1) await page.keyboard.press('Tab')
    await page.keyboard.type(String(seed))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
  }
  await heard(page, /Team 3 is seed 30, and meets Team 30 first/)
  await page.keyboard.press('End')
  await page.keyboard.press('Alt+ArrowUp')
  await heard(page, /Team 2 is seed 31, and meets Team 31 first/)
  await page.getByText('32 entrants moved, not saved').waitFor()
  await page.reload()
  await page.getByText('32 entrants moved, not saved').waitFor()
  await moveOf(page, 'Team 32')
    .and(page.getByRole('button', { name: 'Move Team 32, seed 1' }))
    .waitFor()
  expect((await made.read()).revision).toBe(made.bracket.revision)
  expect(await faultsOf(page)).toEqual([])
  const save = page.getByRole('button', { name: 'Save seeding' })
  await tabTo(page, save)
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const whole = await made.read()
  expect(seedsOf(whole)).toEqual(teamsOf(...Array.from({ length: 32 }, (_, at) => 32 - at)))
  expect(whole.revision).toBe(made.bracket.revision + 1)
  // What was drawn is what the service has.
  const drawn = page.getByRole('region', { name: 'First round as drawn' }).getByRole('listitem')
  const shown = await drawn.evaluateAll((items) =>
    items.map((item) => [...item.querySelectorAll('bdi')].map((name) => name.textContent)),
  )
  expect(shown).toEqual(
    whole.matches
      .filter(({ section, round }: BracketBody) => section === 'upper' && round === 1)
      .map(({ sides }: BracketBody) => sides.map(({ team }: BracketBody) => team.name)),
  )
})

const isIn = (page: Page, label: string): Promise<boolean> =>
  page.getByLabel(label, { exact: true }).evaluate((element) => element === document.activeElement)

test('32 teams are seeded by touch: an order is looked at before it is taken, then teams are swapped', async () => {
  const made = await makeBracket(api, { teams: 32, format: 'double_elimination', settings })
  await api.sql(`update teams set registered_at = now() - seed * interval '1 hour' where tournament_guid = $1`, [
    made.cup.guid,
  ])
  await using visitor = await visit(await seederOf(made), { phone: true })
  const { page } = visitor
  const { press } = byTouch(page)
  await page.goto(seedingOf(made))
  await moveOf(page, 'Team 32').waitFor()
  // A source that gives no order says so; nothing has failed.
  await page.getByLabel('Order by').selectOption('qualifier')
  await page.getByText('There is no order yet').waitFor()
  await page.getByLabel('Order by').selectOption('ranking-a')
  await page.getByText('No team has a rank there yet.').waitFor()
  await page.getByLabel('Order by').selectOption('registration')
  await page.getByText('32 entrants would move.').waitFor()
  await page.getByText('Everything is saved.').waitFor()
  await press(page.getByRole('button', { name: 'Take this order' }))
  await page.getByText('32 entrants moved, not saved').waitFor()
  await press(moveOf(page, 'Team 32'))
  const menu = page.getByRole('group', { name: 'Move Team 32' })
  await menu.getByLabel('Swap with').selectOption({ label: '4 Team 29' })
  await press(menu.getByRole('button', { name: 'Swap' }))
  await heard(page, /Team 32 is seed 4/)
  await press(menu.getByRole('button', { name: 'Down' }))
  await heard(page, /Team 32 is seed 5/)
  await press(menu.getByRole('button', { name: 'Up' }))
  await press(menu.getByRole('button', { name: 'Close' }))
  expect(await faultsOf(page)).toEqual([])
  await press(page.getByRole('button', { name: 'Save seeding' }))
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const expected = Array.from({ length: 32 }, (_, at) => 32 - at)
    .with(0, 29)
    .with(3, 32)
  expect(seedsOf(await made.read())).toEqual(teamsOf(...expected))
  // Lots stay within their tiers.
  await page.getByLabel('Tiers of').fill('16')
  await press(page.getByRole('button', { name: 'Randomise within tiers' }))
  await heard(page, 'Drawn anew within tiers of 16')
  await press(page.getByRole('button', { name: 'Save seeding' }))
  await expect.poll(async () => (await made.read()).revision).toBe(made.bracket.revision + 2)
  const after = seedsOf(await made.read())
  const sorted = (names: readonly string[]) => names.toSorted()
  expect(sorted(after.slice(0, 16))).toEqual(sorted(teamsOf(...expected.slice(0, 16))))
  expect(after).not.toEqual(teamsOf(...expected))
})

test('a team is dragged to another place', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings })
  await using visitor = await visit(await seederOf(made))
  const { page } = visitor
  await page.goto(seedingOf(made))
  const row = (team: string) => page.getByRole('row').filter({ has: moveOf(page, team) })
  await page.locator('tr[draggable="true"]').nth(3).waitFor()
  await row('Team 4')
    .locator('[data-handle]')
    .dragTo(row('Team 1'), { targetPosition: { x: 60, y: 3 } })
  await heard(page, /Team 4 is seed 1, and meets Team 3 first/)
  await page.getByText('4 entrants moved, not saved').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Everything is saved.').waitFor()
})

test('teams are ordered by the ranks of their players; those without one keep their places behind them', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings })
  for (const [at, rank] of [900, null, 20, 300].entries()) {
    const user = made.captains[at]?.guid
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', $2, now())`,
      [user, `ranked-${user}`],
    )
    await api.sql(
      `insert into ranking_profiles (platform, external_id, rank, fetched_at) values ('ranking-b', $1, $2, now())`,
      [`ranked-${user}`, rank],
    )
  }
  await using visitor = await visit(await seederOf(made))
  const { page } = visitor
  await page.goto(seedingOf(made))
  await moveOf(page, 'Team 4').waitFor()
  await page.getByLabel('Order by').selectOption({ label: 'Ranks on ranking platform B' })
  await page.getByRole('button', { name: 'Take this order' }).and(page.locator('[aria-disabled="false"]')).click()
  await page.getByRole('button', { name: 'Save seeding' }).click()
  await expect.poll(async () => seedsOf(await made.read())).toEqual(teamsOf(3, 4, 1, 2))
})

test('two organisers seed at once: both orders are shown, one is chosen, and nothing is lost', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings })
  const { cup, organiser } = made
  const admin = await api.user({ name: `admin-${process.pid}` })
  await grantRole(api, cup, admin, 'role:admin')
  await using one = await visit(organiser)
  await using other = await visit(admin)
  for (const { page } of [one, other]) {
    await page.goto(seedingOf(made))
    await moveOf(page, 'Team 1').waitFor()
  }
  await moveOf(one.page, 'Team 1').focus()
  await one.page.keyboard.press('Alt+ArrowDown')
  await moveOf(other.page, 'Team 4').focus()
  await other.page.keyboard.press('Alt+ArrowUp')
  // A time that somebody sets meanwhile is no matter of seeds.
  await api.patch(made.match(1), organiser, { scheduledAt: '2027-03-01T18:00:00.000Z' })
  await other.page.getByRole('button', { name: 'Save seeding' }).click()
  await other.page.getByText('Saved', { exact: true }).first().waitFor()
  expect(seedsOf(await made.read())).toEqual(teamsOf(1, 2, 4, 3))
  const conflict = one.page.getByRole('region', { name: 'Two orders' })
  await conflict.getByText(`${admin.username} saved another order meanwhile`).waitFor()
  expect(await faultsOf(one.page)).toEqual([])
  expect(await one.page.getByRole('button', { name: 'Save seeding' }).isDisabled()).toBe(true)
  await one.page.reload()
  await conflict.getByRole('row').filter({ hasText: 'Team 1' }).waitFor()
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await one.page.getByRole('button', { name: 'Save seeding' }).click()
  await one.page.getByText('Saved', { exact: true }).first().waitFor()
  expect(seedsOf(await made.read())).toEqual(teamsOf(2, 1, 3, 4))
  // The other one follows, having nothing unsaved.
  await moveOf(other.page, 'Team 2')
    .and(other.page.getByRole('button', { name: 'Move Team 2, seed 1' }))
    .waitFor()
})

test('an empty place is filled with a team; once something is played, the page says why nothing moves', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings })
  const { cup, organiser } = made
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(seedingOf(made))
  await moveOf(page, 'Team 4').click()
  await page.getByRole('button', { name: 'Take out' }).click()
  await page.getByRole('button', { name: 'Save seeding' }).click()
  await expect.poll(async () => seedsOf(await made.read())).toEqual([...teamsOf(1, 2, 3), '-'])
  // The menu of the place stays open.
  await page.getByLabel('Put in').selectOption({ label: 'Team 4' })
  await page.getByRole('button', { name: 'Put in' }).click()
  await page.getByRole('button', { name: 'Save seeding' }).click()
  await expect.poll(async () => seedsOf(await made.read())).toEqual(teamsOf(1, 2, 3, 4))
  await made.win(1, 'team-1')
  await page.getByText('One match is over. The teams keep their places.').waitFor()
  expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Make again' }).click()
  await page.getByRole('heading', { name: 'Make Playoffs again' }).waitFor()
  await page.getByRole('button', { name: 'Make it again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('one result', { exact: true }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Make it again' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  expect((await made.readMatch(1)).outcome).toBe('score')
  await page.goto(`/t/${cup.id}`)
})

test('who deletes sees what goes with it; what was played is typed by name, and keeps its division', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings })
  const { cup, organiser } = made
  await playOut([api], made, 1)
  const { revision } = await made.read()
  const correction = { outcome: 'score', scores: [1, 2], reason: 'Wrong side.', revision }
  expect((await made.tell(made.bracket.matches.at(-1).number, correction)).status).toBe(200)
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/brackets`)
  const remove = page.getByRole('button', { name: /^Delete…/ })
  await remove.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Delete first: Playoffs').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await remove.last().click()
  await dialog.getByText('3 matches', { exact: true }).waitFor()
  await dialog.getByText('3 results', { exact: true }).waitFor()
  await dialog.getByText('one correction', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('textbox').fill('Playoffs')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No bracket yet.').waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('First league')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'First league' }).waitFor()
  await remove.first().click()
  await dialog.getByText('It has no bracket').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'First division' }).waitFor()
  expect((await api.get(`/tournaments/${cup.id}/divisions`)).body).toEqual([])
  // When the tournament is over, nothing is offered that would be refused.
  expect(await page.getByRole('button', { name: 'Add the division' }).count()).toBe(1)
  await api.sql(`update tournaments set status = 'completed' where guid = $1`, [cup.guid])
  await page.reload()
  await page.getByText('The tournament is over').waitFor()
  expect(await page.getByRole('button', { name: 'Add the division' }).count()).toBe(0)
})

test('heads of others do not see the pages; whole and accessible on every width, also when it fails', async () => {
  const made = await makeBracket(api, { teams: 6, format: 'round_robin', settings: { ...settings, groups: 2 } })
  const { cup, organiser } = made
  const head = await api.user()
  await grantRole(api, cup, head, 'role:hcoordinator')
  await using theirs = await visit(head)
  for (const address of [`/manage/${cup.id}/brackets`, seedingOf(made)]) {
    await theirs.page.goto(address)
    await theirs.page.getByRole('main').getByRole('heading', { name: 'You may not see this page' }).waitFor()
  }
  await using own = await visit(organiser)
  const { page } = own
  const again = `/manage/${cup.id}/brackets?again=${made.bracket.guid}`
  expect(await faultsOfPages(page, [`/manage/${cup.id}/brackets`, again, seedingOf(made)])).toEqual([])
  await page.goto(seedingOf(made).replace(made.bracket.guid, '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'))
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  const failed = { status: 500, headers: { 'request-id': 'r-1' }, body: '{"error":"It failed."}' }
  await page.route('**/entrants', (route) => route.fulfill(failed))
  await page.goto(seedingOf(made))
  await moveOf(page, 'Team 1').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('button', { name: 'Save seeding' }).click()
  await page.getByRole('alert').getByText('It failed.').waitFor()
  await page.getByText('2 entrants moved, not saved').waitFor()
  await page.unroute('**/entrants')
  await page.getByRole('button', { name: 'Save seeding' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
})
