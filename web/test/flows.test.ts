import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { type AssistantWorld, makeAssistantPlay, putLink, startAssistantWorld } from '../../test/assistant.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import type { Caller, Harness } from '../../test/harness.ts'
import { grantRole, makeTournament } from '../../test/make.ts'
import { songOfMatch } from '../../test/proposals.ts'
import { faultsOf, faultsOfPages, isSettled, tabTo } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** The pages of flows and of the assistant in a real browser: by keys, by two at once, with a link that breaks. (W2, W10, W15) */

let world: AssistantWorld
let api: Harness
let browser: RealBrowser
let organiser: Caller
beforeAll(async () => {
  ;[world, browser] = await Promise.all([startAssistantWorld({ name: 'Spring Cup' }), openBrowser(), freshenPages()])
  api = world.api
  organiser = await api.user({ name: 'maestro' })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
})

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)

/** Presses a button that the Tab key has reached. */
async function press(page: Page, control: Locator): Promise<void> {
  await control.focus()
  expect(await control.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
}

/** Chooses in a list by typing the beginning of what it offers. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  const list = page.getByRole('combobox', { name, exact: true })
  await list.focus()
  await page.keyboard.type(text)
  await expect
    .poll(() => list.evaluate((element: HTMLSelectElement) => element.selectedOptions[0]?.text))
    .toMatch(new RegExp(`^${text}`))
}

const line = (page: Page, number: string) => page.locator(`[data-step="${number}"] > [data-line]`)
/** The sentence of a step, as it is seen. */
const said = (step: Locator) =>
  step
    .locator('p')
    .first()
    .evaluate((sentence) => {
      const copy = sentence.cloneNode(true) as HTMLElement
      for (const list of copy.querySelectorAll('select')) list.remove()
      return copy.textContent
    })
const flowsOf = async (cup: { readonly guid: string }) => (await api.get(`/tournaments/${cup.guid}/flows`)).body

test('from a known flow to an own one, tried to its end, by keys alone', async () => {
  const cup = await makeTournament(api, organiser)
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/flows`)
  await tabTo(page, page.getByRole('button', { name: 'Copy and change AccSaber best of 3' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'AccSaber best of 3' }).waitFor()
  expect(await said(line(page, '3'))).toBe('Second side in the order bans one map of the pool')
  await page.getByText('Nothing is wrong: it comes to a decision').waitFor()
  await page.getByText('7 maps in the pool').waitFor()
  await tabTo(page, page.getByRole('combobox', { name: 'Step 3: what is done' }))
  await page.keyboard.type('Picks a m')
  await expect.poll(() => said(line(page, '3'))).toBe('Second side in the order picks one map of the pool')
  // A step that cannot be: the winner of a map before any was played.
  await press(page, page.getByRole('button', { name: 'Add a step', exact: true }))
  await expect.poll(() => page.locator('select:focus').getAttribute('aria-label')).toBe('Step 11: who')
  await line(page, '11').getByText('Worth a look:').waitFor()
  for (let steps = 0; steps < 12; steps++) await page.keyboard.press('Alt+ArrowUp')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-step]')?.getAttribute('data-step')))
    .toBe('1')
  await choose(page, 'Step 1: who', 'Winner of the last')
  const finding = line(page, '1').getByText('Wrong:')
  await finding.waitFor()
  await page.keyboard.press('Home')
  await finding.waitFor({ state: 'detached' })
  expect(await faultsOf(page)).toEqual([])
  // What is typed survives.
  await page.reload()
  await expect.poll(() => page.getByRole('combobox', { name: 'Step 1: who' }).inputValue()).toBe('higherSeed')
  await playOut(page)
  await press(page, page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText('Saved', { exact: true }).waitFor()
  const [flow] = await flowsOf(cup)
  expect(flow.steps.map(({ action = 'block' }) => action)).toEqual([
    ...['ban', 'roll', 'choose', 'pick', 'ban', 'pick', 'pick', 'ban', 'ban', 'tiebreaker', 'block'],
  ])
  expect([flow.basedOn, flow.pairs, flow.steps[0].actor]).toEqual(['accsaber-bo3', ['order'], ['higherSeed']])
})

/** Plays a trial until somebody has won; side 1 wins every map. */
async function playOut(page: Page): Promise<void> {
  const trial = page.getByRole('region', { name: 'Try it' })
  const over = trial.getByRole('heading', { name: 'It is over: Side 1 has won' })
  for (let moves = 0; moves < 30; moves++) {
    const next = trial
      .getByRole('button', { name: 'Take the first place' })
      .or(trial.getByRole('button', { name: 'Side 1 wins' }))
      .or(trial.getByRole('list', { name: 'Maps' }).getByRole('button'))
    await next.first().or(over).waitFor()
    if (await over.isVisible()) break
    const before = await trial.locator('ol li').count()
    await press(page, next.first())
    await expect.poll(() => trial.locator('ol li').count()).toBeGreaterThan(before)
    // What was pressed may be gone: the focus is at whose turn it is.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H3')
  }
  await over.waitFor()
  await trial.getByText('Side 1 won Map').first().waitFor()
}

test('two edit a flow at once: who saves second chooses, and nothing is lost', async () => {
  const other = await api.user()
  const cup = await makeTournament(api, organiser)
  await grantRole(api, cup, other, 'role:hcoordinator')
  const { guid } = (
    await api.post(`/tournaments/${cup.guid}/flows`, organiser, { name: 'Finals', basedOn: 'counterpick-bo5' })
  ).body
  await using one = await visit(organiser)
  await using two = await visit(other)
  for (const { page } of [one, two]) {
    await page.goto(`/manage/${cup.id}/flows/${guid}`)
    await page.getByRole('combobox', { name: 'Step 1: who' }).waitFor()
  }
  await one.page.getByRole('textbox', { name: 'Name Needed' }).fill('The last five')
  await two.page.getByRole('textbox', { name: 'Name Needed' }).fill('Grand finals')
  await two.page.getByRole('combobox', { name: 'If a side claims a replay' }).selectOption('none')
  await two.page.getByRole('button', { name: 'Save', exact: true }).click()
  await two.page.getByText('Saved', { exact: true }).waitFor()
  // What the other one saves comes by itself.
  await one.page.getByText('Somebody else saved meanwhile: Grand finals').waitFor()
  await expect
    .poll(() => one.page.getByRole('combobox', { name: 'If a side claims a replay' }).inputValue())
    .toBe('none')
  await one.page.getByRole('combobox', { name: 'Step 1: time' }).selectOption('90')
  await one.page.getByRole('button', { name: 'Keep mine' }).click()
  // While the service is away, nothing is lost either.
  await one.page.route('**/flows/*', (route) => route.abort())
  await one.page.getByRole('button', { name: 'Save', exact: true }).click()
  await one.page.getByText('The service could not be reached.').waitFor()
  await one.page.unroute('**/flows/*')
  await one.page.getByRole('button', { name: 'Save', exact: true }).click()
  await one.page.getByText('Saved', { exact: true }).waitFor()
  const [flow] = await flowsOf(cup)
  expect(flow).toMatchObject({ name: 'The last five', rules: { replays: { rule: 'none' } } })
  expect(flow.steps[0]).toMatchObject({ action: 'ban', seconds: 90, onTimeout: ['skip'] })
})

test('rounds are planned, and the flow says where it is used; who may not change it reads it', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { cup } = made
  const path = `/tournaments/${cup.guid}/flows`
  const { guid } = (await api.post(path, made.organiser, { name: 'Short', basedOn: 'paidia-bo3' })).body
  const caster = await api.user()
  await grantRole(api, cup, caster, 'role:caster')
  await using visitor = await visit(made.organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/flows`)
  await page.getByRole('combobox', { name: 'The whole tournament' }).selectOption('osu-bo9')
  await page.getByText('Rounds: all as the bracket').first().click()
  const rounds = page.locator('details[open]').getByRole('combobox')
  await rounds.last().selectOption({ label: 'Short' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await api.get(`/tournaments/${cup.guid}/flow-plan`)).body)
    .toMatchObject({ default: 'osu-bo9', brackets: [{ flowGuid: null, rounds: { 'upper:2': guid } }] })
  await page.getByText('Everything without a flow of its own').first().waitFor()
  await page.getByRole('link', { name: 'Short' }).click()
  await page.getByRole('region', { name: 'Where it is used' }).getByRole('listitem').waitFor()
  await page.getByText('No match is being played by it.').waitFor()
  await using reader = await visit(caster)
  await reader.page.goto(`/manage/${cup.id}/flows`)
  await reader.page.getByRole('link', { name: 'Short' }).waitFor()
  // Others’ changes of the flows and of the plan come by themselves.
  await reader.page.getByText('Everything without a flow of its own').first().waitFor()
  expect((await api.post(path, made.organiser, { name: 'Long', basedOn: 'paidia-bo3' })).status).toBe(201)
  await reader.page.getByRole('link', { name: 'Long' }).waitFor()
  const { body: plan } = await api.get(`/tournaments/${cup.guid}/flow-plan`)
  const changed = await api.put(`/tournaments/${cup.guid}/flow-plan`, made.organiser, { ...plan, default: guid })
  expect(changed.status, changed.text).toBe(200)
  const short = reader.page.getByRole('listitem').filter({ has: reader.page.getByRole('link', { name: 'Short' }) })
  await short.getByText('Everything without a flow of its own').waitFor()
  expect(await reader.page.getByRole('main').getByRole('button').count()).toBe(0)
  expect(await reader.page.getByRole('main').getByRole('combobox').count()).toBe(0)
  await reader.page.getByRole('link', { name: 'Short' }).click()
  await reader.page.getByRole('heading', { level: 1, name: 'Short' }).waitFor()
  await reader.page.getByText('First side in the order picks one map of the pool').first().waitFor()
  expect(await reader.page.getByRole('main').getByRole('combobox').count()).toBe(0)
})

test('a flow of thirty steps is whole on a phone and on a wide page; a text for experts comes in and goes out', async () => {
  const cup = await makeTournament(api, organiser)
  const turns = Array.from({ length: 14 }, (_, index) => [
    {
      action: 'pick',
      actor: index % 2 === 0 ? 'higherSeed' : 'lowerSeed',
      seconds: 90,
      onTimeout: ['again', 'random'],
      label: 'A pick with a name',
    },
    { action: 'play' },
  ]).flat()
  const end = {
    repeat: 'until_decided',
    steps: [
      { each: 'lowest_seed_first', steps: [{ action: 'ban', actor: 'it' }] },
      { action: 'random' },
      { action: 'play' },
    ],
  }
  const { guid } = (
    await api.post(`/tournaments/${cup.guid}/flows`, organiser, {
      name: 'Of many steps, with a name that does not fit on a line',
      steps: [...turns, end],
    })
  ).body
  await using visitor = await visit(organiser)
  expect(await faultsOfPages(visitor.page, [`/manage/${cup.id}/flows/${guid}`, `/manage/${cup.id}/flows`])).toEqual([])
  expect(visitor.outside).toEqual([])
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/flows/${guid}`)
  await page.getByText('For experts: the flow as JSON').click()
  const text = page.getByRole('textbox', { name: 'The flow as the API has it' })
  await text.fill('{"steps": 3}')
  await page.getByRole('button', { name: 'Take it over' }).click()
  await page.getByRole('alert').getByText('“steps” is no list of whole steps.').waitFor()
  const { steps } = (await api.get('/flow-presets/referee-picks')).body
  await text.fill(JSON.stringify({ name: 'From elsewhere', steps, secret: 'x' }))
  await page.getByRole('button', { name: 'Take it over' }).click()
  await expect.poll(() => said(line(page, '1.1'))).toBe('The referee picks one map of the pool')
  expect(await page.getByRole('textbox', { name: 'Name Needed' }).inputValue()).toBe('From elsewhere')
})

test('a link that breaks says since when and why, and is mended; secrets are kept by no page', async () => {
  const cup = await makeTournament(api, organiser, { name: 'Linked Cup' })
  const caster = await api.user()
  await grantRole(api, cup, caster, 'role:caster')
  const { fake } = world
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/assistant`)
  await page.getByText('The tournament is linked to no assistant. Enter where it is').waitFor()
  await putLink(api, fake, { path: `/tournaments/${cup.guid}`, organiser })
  await page.reload()
  await page.getByText('Not tested yet').waitFor()
  await press(page, page.getByRole('button', { name: 'Test it' }))
  await page.getByText('All that are used are there').waitFor()
  fake.permissions.lose('own', 'tournament:player:play_song', 'tournament:player:show_prompt')
  await press(page, page.getByRole('button', { name: 'Test it' }))
  await page.getByText('2 are missing:').waitFor()
  await page.getByText('Connects, but permissions for matches are missing').waitFor()
  const missing = page.getByRole('listitem').filter({ hasText: 'tournament:player:' })
  expect(await missing.allTextContents()).toEqual([
    expect.stringContaining('Needed for matches: start songs'),
    expect.stringContaining('Without it is left out: ready checks'),
  ])
  expect(await faultsOf(page)).toEqual([])
  fake.permissions.gain('own', 'tournament:player:play_song', 'tournament:player:show_prompt')
  // The server is another one: what is there is no assistant of this tournament.
  await page.getByText('Change the link').click()
  await page.getByRole('textbox', { name: 'Id of the tournament there' }).fill('3f6f1c1c-2d3e-4f4e-9f0d-0e5a1b0c7d0a')
  const password = page.getByLabel('Password of the tournament there')
  await password.fill('open sesame')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('open sesame')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => password.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Test it' }).click()
  await page.getByText('Broken', { exact: true }).waitFor()
  await page.getByText(/does not tell of this tournament/).waitFor()
  expect(await page.getByRole('main').textContent()).not.toContain('open sesame')
  // A reader among the staff sees that too, and changes nothing.
  await using reader = await visit(caster)
  await reader.page.goto(`/manage/${cup.id}/assistant`)
  await reader.page.getByText('Broken', { exact: true }).waitFor()
  expect(await reader.page.getByRole('main').getByRole('button').count()).toBe(0)
  // The test has told of the right one.
  await page.getByText('Change the link').click()
  await page.getByRole('button', { name: 'Spring Cup' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Not tested yet').waitFor()
  await page.getByRole('button', { name: 'Test it' }).click()
  await page.getByText('Works', { exact: true }).waitFor()
  await reader.page.getByText('Works', { exact: true }).waitFor()
})

test('a proposal is accepted with a correction, another rejected with a reason; a code opens the bridge', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { cup } = made
  await using visitor = await visit(made.organiser)
  const { page } = visitor
  const match = await made.readMatch(1)
  expect((await api.post(`${made.match(1)}/start`, made.organiser)).status).toBe(200)
  const song = await songOfMatch(api, made, 1)
  await page.goto(`/manage/${cup.id}/assistant`)
  await page.getByText('Nothing waits for a decision.').waitFor()
  const [winner, loser] = song.players
  await song.finish(winner, 700_000)
  await song.finish(loser, 650_000, { completion: 'quit' })
  await song.propose({ isComplete: true })
  const proposal = page.getByRole('region', { name: 'Game 1, run 1: A song' })
  await proposal.getByText('Waits for a decision').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await press(page, proposal.getByRole('button', { name: 'Correct and accept' }))
  const dialog = page.getByRole('dialog', { name: 'Correct this result' })
  await dialog.getByRole('spinbutton').first().fill('710000')
  expect(await dialog.getByRole('button', { name: 'Accept as corrected' }).isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Read from the recording.')
  await press(page, dialog.getByRole('button', { name: 'Accept as corrected' }))
  await page.getByText('Game 1 was accepted by').waitFor()
  const { body } = await api.get(song.address, made.organiser)
  expect(body.proposals[0]).toMatchObject({ status: 'accepted', reason: 'Read from the recording.' })
  expect((await made.readMatch(1)).games[0].sides[0].score).toBe(710_000)

  const next = await songOfMatch(api, made, 1, { game: 2 })
  await next.finish(winner, 1)
  await next.finish(loser, 2)
  await next.propose({ isComplete: true })
  const second = page.getByRole('region', { name: 'Game 2, run 1: A song' })
  await second.getByRole('button', { name: 'Reject' }).click()
  const rejecting = page.getByRole('dialog', { name: 'Reject this result?' })
  await rejecting.getByRole('textbox', { name: 'Reason' }).fill('The wrong song.')
  await rejecting.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Game 2 was rejected by').waitFor()

  await page.getByRole('combobox', { name: 'Match', exact: true }).selectOption(match.guid)
  await page.getByRole('button', { name: 'Make a code' }).click()
  const ticket = page.getByRole('region', { name: /^For / })
  await ticket.getByRole('img', { name: /^Code that opens/ }).waitFor()
  const address = (await ticket.locator('.code').textContent()) ?? ''
  expect(address).toContain('/bridge')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(address)
  expect(await faultsOf(page)).toEqual([])
  await page.reload()
  await isSettled(page)
  expect(await page.getByRole('main').textContent()).not.toContain(address)
})

test('who has control of a session is seen, and control is taken over with a reason; maps are brought there', async () => {
  const made = await makeAssistantPlay(world, { teams: 2, maps: 3 })
  const session = `${made.first}/assistant`
  await using visitor = await visit(made.organiser)
  const { page } = visitor
  await page.goto(`/manage/${made.cup.id}/assistant`)
  await page.getByText('No match is played by the assistant now.').waitFor()
  expect((await api.post(session, made.referee)).status).toBe(201)
  const sessions = page.getByRole('region', { name: 'Open sessions' })
  await sessions.getByText(`${made.referee.username} has control`).waitFor()
  await sessions.getByText('Connected', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await press(page, sessions.getByRole('button', { name: 'Take it over' }))
  const dialog = page.getByRole('dialog', { name: `Take control from ${made.referee.username}?` })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The referee has to go.')
  await page.keyboard.press('Enter')
  await sessions.getByText('You have control').waitFor()
  expect((await api.get(session, made.referee)).body.controller.user.guid).toBe(made.organiser.guid)
  await press(page, sessions.getByRole('button', { name: 'Give it back' }))
  await sessions.getByText('Nobody has control').waitFor()
  await press(page, page.getByRole('button', { name: 'Look what changes' }))
  await page.getByText('3 would be added').waitFor()
  expect(world.fake.pools).toEqual([])
  await press(page, page.getByRole('button', { name: 'Bring the maps there' }))
  await page.getByText('3 added').waitFor()
  expect(world.fake.pools).toHaveLength(1)
})
