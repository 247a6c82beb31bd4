import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneDocument, SceneRole } from '../../src/engine/scenes/document.ts'
import { inOrder } from '../../src/engine/scenes/order.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { elementOf } from '../../test/scene-documents.ts'
import { complaintsOf, faultsOf } from './site/checks.ts'
import { byKeys, byTouch } from './site/hands.ts'
import { visitAs } from './site/readers.ts'
import { patient } from './site/seat.ts'

/** The control of an overlay and the coordination, in browsers of several people. (OV12, OV14, OV15) */

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
let caster: Caller
let coordinator: Caller
let path: string
/** By the GUIDs of those who act here. */
const names = new Map<string, string>()
let overlay: { readonly guid: string; readonly name: string }
let scenes: readonly { readonly id: string; readonly name: string; readonly role: string | undefined }[]
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3 })
  caster = await roleHolder(api, made.cup, 'role:caster')
  coordinator = await roleHolder(api, made.cup, 'role:coordinator')
  for (const user of [caster, coordinator, made.organiser]) {
    names.set(user.guid, (await done(api.get('/users/@me/card', user))).preferredName)
  }
  const overlays = `/tournaments/${made.cup.guid}/overlays`
  const { guid, name, draft } = await done(api.post(overlays, made.organiser, { name: 'Main stage', template: 'duel' }))
  overlay = { guid, name }
  path = `${overlays}/${guid}`
  await done(api.post(`${path}/publish`, made.organiser, { revision: draft.revision }))
  const { document } = await done(api.get(`${path}/published`, made.organiser))
  scenes = inOrder((document as SceneDocument).scenes).map(([id, scene]) => ({
    id,
    name: scene.name,
    role: scene.role,
  }))
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await reply
  expect(status, text).toBeLessThan(300)
  return body
}

const nameOf = ({ guid }: Caller): string => names.get(guid) ?? ''
const control = () => done(api.get(`${path}/control`, made.organiser))
const change = (body: object) => done(api.patch(`${path}/control`, made.organiser, body))
const sceneOf = (role: SceneRole) => {
  const at = scenes.findIndex((each) => each.role === role)
  const scene = scenes[at]
  if (scene === undefined || at > 8) throw new Error(`no key shows ${role}`)
  return { ...scene, key: String(at + 1) }
}
const button = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const isOn = (page: Page, name: string) =>
  expect.poll(() => button(page, name).first().getAttribute('aria-pressed'), patient).toBe('true')
/** The text of the page of the overlay in the page of its control. */
const pictured = (page: Page) => page.frameLocator('iframe').first().locator('main').textContent()

async function open(user: Caller, address: string, phone = false) {
  const visitor = await visitAs(browser, api, user, { phone })
  const complaints = complaintsOf(visitor.page)
  const asked: string[] = []
  visitor.page.on('request', (request) => asked.push(request.url()))
  await visitor.page.goto(address)
  await visitor.page.getByRole('heading', { name: 'Scenes' }).waitFor()
  return Object.assign(visitor, { complaints, asked })
}
const openControl = (user: Caller, phone = false) => open(user, `/overlay/control/${overlay.guid}`, phone)

test('scenes are switched while a match is played, by keys and from a second device by touch', async () => {
  const { guid } = await made.readMatch(1)
  await done(api.put(`${path}/match`, made.organiser, { matchGuid: guid }))
  await using desk = await openControl(caster)
  await using tablet = await openControl(coordinator, true)
  const touch = byTouch(tablet.page)
  const seen = async (scene: { readonly id: string; readonly name: string }) => {
    await Promise.all([isOn(desk.page, scene.name), isOn(tablet.page, scene.name)])
    expect((await control()).scene).toBe(scene.id)
  }
  const [picks, gameplay, summary] = [sceneOf('pickBan'), sceneOf('gameplay'), sceneOf('summary')]
  // The match moves by itself, and hands decide otherwise.
  const play = new FlowPlay(api, made, 1)
  await done(api.post(`${made.match(1)}/start`, made.organiser))
  const flow = await done(
    api.post(`${made.path}/flows`, made.organiser, {
      ...{ name: 'By the referee', seats: 2, bestOf: 3 },
      steps: [{ repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] }],
      rules: { map: { by: 'score', team: 'sum', players: 1 } },
    }),
  )
  await done(play.begin({ flowGuid: flow.guid, poolGuid: made.pool.guid }))
  await seen(picks)
  await desk.page.keyboard.press(gameplay.key)
  await seen(gameplay)
  await touch.press(button(tablet.page, summary.name).first())
  await seen(summary)
  expect((await control()).updatedBy.guid).toBe(coordinator.guid)
  await expect
    .poll(() => desk.page.getByText('Last change').locator('..').textContent(), patient)
    .toContain(nameOf(coordinator))

  // What is on air is the page itself, which both see without a token in any address.
  const [team] = made.teams
  for (const { page } of [desk, tablet]) await expect.poll(() => pictured(page), patient).toContain(team?.name)
  expect([...desk.asked, ...tablet.asked].filter((address) => /ovt_|token=/.test(address))).toEqual([])
  expect(desk.asked.filter((address) => address.includes('/overlay/preview'))).toHaveLength(1)

  await desk.page.keyboard.press('b')
  await isOn(tablet.page, 'Show the scene again')
  expect((await control()).blank).toBe(true)
  await touch.press(button(tablet.page, gameplay.name).first())
  await seen(gameplay)
  expect((await control()).blank).toBe(false)
  await desk.page.keyboard.press('s')
  await expect.poll(async () => (await control()).swapSides, patient).toBe(true)
  await isOn(tablet.page, 'Swap sides')
  expect([...desk.complaints, ...tablet.complaints]).toEqual([])
  expect([await faultsOf(desk.page), await faultsOf(tablet.page)]).toEqual([[], []])
})

test('a scene is looked at first, and taken with Enter', async () => {
  await change({ scene: sceneOf('gameplay').id, blank: false })
  await using desk = await openControl(caster)
  const { page } = desk
  await isOn(page, sceneOf('gameplay').name)
  await page.getByLabel('Look before it goes on air').check()
  const next = sceneOf('casters')
  await page.keyboard.press(next.key)
  await page.getByText('Not on air yet').waitFor()
  await expect.poll(() => page.locator('iframe').count(), patient).toBe(2)
  expect((await control()).scene).toBe(sceneOf('gameplay').id)
  await page.keyboard.press('Enter')
  await isOn(page, next.name)
  expect((await control()).scene).toBe(next.id)
  await page.getByText('Not on air yet').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  for (const text of [next.name, 'Show nothing', 'Swap sides']) await keys.getByText(text, { exact: true }).waitFor()
})

test('match, casters, text, song card, sound and countdown are set by keys alone', async () => {
  await using desk = await openControl(caster)
  const { page } = desk
  const keys = byKeys(page)
  const { guid } = await made.readMatch(2)
  const choice = page.getByRole('combobox', { name: 'Match' })
  await choice.focus()
  await choice.selectOption(guid)
  expect((await control()).matchGuid).not.toBe(guid)
  await keys.press(page.getByRole('button', { name: 'Show this match' }))
  await expect.poll(async () => (await control()).matchGuid, patient).toBe(guid)
  await keys.press(page.getByRole('button', { name: 'Hidden' }))
  await keys.press(page.getByRole('button', { name: 'Muted' }))
  await keys.press(page.getByRole('button', { name: 'Add me' }))
  await page
    .getByRole('listitem')
    .filter({ hasText: nameOf(caster) })
    .waitFor()
  await keys.press(page.getByRole('button', { name: 'Add', exact: true }))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name as it is shown').fill('Quaver')
  await dialog.getByLabel('Pronouns').fill('they/them')
  await keys.press(dialog.getByRole('button', { name: 'Show' }))
  await dialog.waitFor({ state: 'detached' })
  await keys.write(page.getByRole('textbox', { name: 'Line of text' }), 'b for both, 1 each')
  await page.keyboard.press('Enter')
  await keys.press(page.getByRole('button', { name: '5 min' }))
  await page.getByRole('timer').waitFor()
  const state = await control()
  expect(state).toMatchObject({
    mapCard: 'hidden',
    audio: { muted: true },
    flavour: 'b for both, 1 each',
    blank: false,
  })
  expect(state.casters.map((each: { name: string }) => each.name)).toEqual([nameOf(caster), 'Quaver'])
  expect(Date.parse(state.countdownTo) - Date.now()).toBeGreaterThan(240_000)
  expect(desk.complaints).toEqual([])
})

test('volume and values of the scenes’ own by keys, and the way to the editor and back', async () => {
  const { document } = await done(api.get(`${path}/published`, made.organiser))
  const [[first, scene] = []] = Object.entries((document as SceneDocument).scenes)
  if (first === undefined || scene === undefined) throw new Error('there is no scene')
  const sponsor = elementOf({
    bindings: { a: { property: 'text', path: 'control.custom.sponsor' } },
    conditions: { b: { when: { path: 'control.custom.isLate', op: 'eq', value: true }, set: { opacity: 0 } } },
  })
  const elements = { ...scene.elements, sponsor001: sponsor }
  const put = { ...(document as SceneDocument), scenes: { ...document.scenes, [first]: { ...scene, elements } } }
  const headers = { 'if-match': '*' }
  await done(api.call('PUT', `${path}/scene`, { as: made.organiser, headers, body: put }))
  const { draft } = await done(api.get(path, made.organiser))
  await done(api.post(`${path}/publish`, made.organiser, { revision: draft.revision }))

  await using desk = await openControl(made.organiser)
  const { page } = desk
  const keys = byKeys(page)
  const slider = page.getByRole('slider', { name: 'Volume' })
  await slider.focus()
  for (const key of ['Home', 'ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  await expect.poll(async () => (await control()).audio.volume, patient).toBe(0.15)
  await keys.write(page.getByRole('textbox', { name: 'sponsor' }), 'Metronome')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'isLate' }).focus()
  await page.keyboard.press('Space')
  await keys.write(page.getByRole('textbox', { name: 'New name' }), 'target')
  await page.keyboard.press('Enter')
  await keys.write(page.getByRole('textbox', { name: 'target' }), '12')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await control()).custom, patient)
    .toEqual({ sponsor: 'Metronome', isLate: true, target: 12 })
  // Without a text the scenes show what they have for that.
  await page.getByRole('textbox', { name: 'sponsor' }).fill('')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await control()).custom, patient).toEqual({ isLate: true, target: 12 })
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect([width, await faultsOf(page)]).toEqual([width, []])
  }
  await page.getByRole('link', { name: 'Edit scenes' }).click()
  await page.getByRole('heading', { name: 'Layers' }).waitFor()
  await page.getByRole('link', { name: 'Control', exact: true }).click()
  await page.getByRole('heading', { name: 'Scenes' }).waitFor()
  // The picture of what is on air is allowed only where the page was opened anew.
  await expect.poll(() => page.locator('iframe').count(), patient).toBe(1)
  expect(desk.complaints).toEqual([])
})

test('of two who change the same the second is told what the first did, and may insist', async () => {
  const [first, mine, theirs] = [sceneOf('start'), sceneOf('gameplay'), sceneOf('summary')]
  await change({ scene: first.id, flavour: '', blank: false })
  await using desk = await openControl(caster)
  const { page } = desk
  await isOn(page, first.name)
  let gate = Promise.withResolvers<void>()
  let held = 0
  await page.route('**/control', async (route) => {
    if (route.request().method() === 'PATCH') {
      held++
      await gate.promise
    }
    await route.continue()
  })
  await page.keyboard.press(mine.key)
  await expect.poll(() => held, patient).toBe(1)
  await change({ scene: theirs.id })
  gate.resolve()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(new RegExp(`was first[\\s\\S]*${theirs.name}[\\s\\S]*${mine.name}`))
  expect(await alert.textContent()).toContain(nameOf(made.organiser))
  expect((await control()).scene).toBe(theirs.id)
  expect(await faultsOf(page)).toEqual([])
  await alert.getByRole('button', { name: 'Change it to mine' }).click()
  await isOn(page, mine.name)
  expect((await control()).scene).toBe(mine.id)

  // A change of something else is no clash.
  gate = Promise.withResolvers<void>()
  held = 0
  await page.keyboard.press(theirs.key)
  await expect.poll(() => held, patient).toBe(1)
  await change({ flavour: 'Loser goes home' })
  gate.resolve()
  await isOn(page, theirs.name)
  expect(await control()).toMatchObject({ scene: theirs.id, flavour: 'Loser goes home' })
  expect(await alert.count()).toBe(0)
})

test('without a connection it shows what was on air, and keeps its hands still', async () => {
  const [before, after] = [sceneOf('gameplay'), sceneOf('summary')]
  await change({ scene: before.id, blank: false })
  await using desk = await openControl(caster)
  const { page, context } = desk
  await isOn(page, before.name)
  await expect.poll(() => pictured(page), patient).not.toBe('')
  await context.setOffline(true)
  await page.getByText('This is what was on air then').waitFor()
  await button(page, `${before.name} ?As last known`).waitFor()
  await page.locator('header').getByText('As last known').waitFor()
  expect(await page.locator('main :is(button, select, input):enabled').count()).toBe(0)
  await page.keyboard.press(after.key)
  expect(await pictured(page)).not.toBe('')
  expect(await faultsOf(page)).toEqual([])
  await context.setOffline(false)
  await expect.poll(() => button(page, after.name).first().isEnabled(), patient).toBe(true)
  await page.getByText('This is what was on air then').waitFor({ state: 'detached' })
  // The key that was pressed meanwhile has not waited.
  expect((await control()).scene).toBe(before.id)
  await page.keyboard.press(after.key)
  await isOn(page, after.name)
})

test('a sign-in that ends elsewhere is said, and signing in again leads back', async () => {
  const { id } = sceneOf('gameplay')
  await change({ scene: id, blank: false })
  await using desk = await openControl(caster)
  const { page } = desk
  await isOn(page, sceneOf('gameplay').name)
  const { sessions } = await done(api.get('/users/@me/sessions', caster))
  for (const { guid } of sessions) await done(api.delete(`/users/@me/sessions/${guid}`, caster))
  const alert = page.getByRole('alert').filter({ hasText: 'Your sign-in has ended' })
  await alert.waitFor()
  // Nothing looks as if it were on air now, nothing can be pressed in vain, and no other reason is given.
  expect(await page.getByText('You see what is on air.').count()).toBe(0)
  await page.locator('header').getByText('As last known').waitFor()
  expect(await button(page, sceneOf('summary').name).first().isDisabled()).toBe(true)
  expect(await faultsOf(page)).toEqual([])
  await alert.getByRole('link', { name: 'Sign in again' }).click()
  await page.locator(`button[value="${caster.chatPlatformId}"]`).click()
  await expect.poll(() => button(page, sceneOf('summary').name).first().isEnabled(), patient).toBe(true)
  expect(new URL(page.url()).pathname).toBe(`/overlay/control/${overlay.guid}`)
  await page.keyboard.press(sceneOf('summary').key)
  await isOn(page, sceneOf('summary').name)
  expect(await alert.count()).toBe(0)
})

test('what follows by itself is said by the state of the match, and how long a summary stays', async () => {
  const match = await made.readMatch(2)
  await done(api.put(`${path}/match`, made.organiser, { matchGuid: match.guid }))
  await change({ scene: sceneOf('start').id, autoAdvance: true, blank: false })
  await using desk = await openControl(caster)
  const { page } = desk
  const then = page.locator('div', { has: page.getByText('Then by itself', { exact: true }) }).last()
  const says = (text: string) => expect.poll(() => then.textContent(), patient).toContain(text)
  const [picks, gameplay, summary] = [sceneOf('pickBan'), sceneOf('gameplay'), sceneOf('summary')]
  await says(`${picks.name}, when picks and bans begin`)
  await done(api.post(`${made.match(2)}/start`, made.organiser))
  // There were no picks and bans to begin: the match goes on with a song, whichever scene is shown.
  await says(`${gameplay.name}, when the song starts`)
  await change({ scene: gameplay.id })
  await says(`${summary.name}, when the map ends`)
  await page.getByLabel('Summary for').selectOption('15')
  await expect.poll(async () => (await control()).autoDelayMs, patient).toBe(15_000)
  // What is pressed is shown, although the match goes on by itself before it arrives.
  const moved = Promise.withResolvers<void>()
  await page.route('**/control', async (route) => {
    if (route.request().method() === 'PATCH') await moved.promise
    return route.continue()
  })
  await page.keyboard.press(sceneOf('casters').key)
  await done(api.put(`${made.match(2)}/games/1`, made.organiser, { sides: [{ score: 2 }, { score: 1 }] }))
  await expect.poll(async () => (await control()).scene, patient).toBe(summary.id)
  moved.resolve()
  await isOn(page, sceneOf('casters').name)
  expect([(await control()).scene, await page.getByRole('alert').count()]).toEqual([sceneOf('casters').id, 0])
  await done(api.put(`${made.match(2)}/games/2`, made.organiser, { sides: [{ score: 1 }, { score: 2 }] }))
  await isOn(page, summary.name)
  await says(`${picks.name}, 15 s after the map ends`)
  // Chosen by hand it stays. The page sends that to the service, though the scene is shown already.
  const isOfControl = (url: string) => url.endsWith('/control')
  const [sent] = await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'PATCH' && isOfControl(reply.url())),
    page.keyboard.press(summary.key),
  ])
  expect([sent.status(), sent.request().postDataJSON().scene]).toEqual([200, summary.id])
  // By hand, the summary stays until the next song.
  await change({ scene: gameplay.id })
  await change({ scene: summary.id })
  await says(`${gameplay.name}, when the song starts`)
  // The press that came after the match was sent twice.
  expect(desk.complaints).toEqual([expect.stringContaining('status of 409')])
})

test('who may not control it sees it, and to strangers it does not exist', async () => {
  const pooler = await roleHolder(api, made.cup, 'role:pooler')
  await using reader = await openControl(pooler)
  await reader.page.getByText('You see what is on air.').waitFor()
  expect(await button(reader.page, sceneOf('casters').name).first().isDisabled()).toBe(true)
  expect(await reader.page.getByRole('combobox', { name: 'Match' }).count()).toBe(0)
  expect(await faultsOf(reader.page)).toEqual([])
  const [stranger] = made.captains
  await using visitor = await visitAs(browser, api, stranger as Caller)
  await visitor.page.goto(`/overlay/control/${overlay.guid}`)
  await visitor.page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor()
})

test('the coordination has the cockpit of the match that is on air, and each part its keys', async () => {
  const [one, two] = [await made.readMatch(1), await made.readMatch(2)]
  await done(api.put(`${path}/match`, made.organiser, { matchGuid: one.guid }))
  await change({ scene: sceneOf('start').id })
  await using desk = await open(coordinator, `/coordinate/${made.cup.id}/${overlay.guid}`)
  const { page } = desk
  const heading = page.getByRole('heading', { level: 1 })
  const teamsOf = (match: typeof one) => match.sides.map(({ team }: { team: { name: string } }) => team.name)
  for (const name of teamsOf(one)) await heading.filter({ hasText: name }).waitFor()
  // Both parts are there, and the control has the keys.
  await page.locator('[data-keyless]').waitFor()
  await isOn(page, sceneOf('start').name)
  await page.keyboard.press(sceneOf('gameplay').key)
  await isOn(page, sceneOf('gameplay').name)
  // Pressing in the cockpit gives it the keys.
  await heading.click()
  await page.locator('[data-keyless]').waitFor()
  await page.keyboard.press(sceneOf('summary').key)
  await done(api.put(`${path}/match`, made.organiser, { matchGuid: two.guid }))
  for (const name of teamsOf(two)) await heading.filter({ hasText: name }).waitFor()
  expect((await control()).scene).toBe(sceneOf('gameplay').id)
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect([width, await faultsOf(page)]).toEqual([width, []])
  }
  await done(api.put(`${path}/match`, made.organiser, { matchGuid: null }))
  await page.getByText('The overlay shows no match.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(desk.complaints).toEqual([])
})
