import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneDocument, SceneRole } from '../../src/engine/scenes/document.ts'
import { inOrder } from '../../src/engine/scenes/order.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import { type Harness, type Reply, startHarness } from '../../test/harness.ts'
import { roleHolder } from '../../test/make.ts'
import { complaintsOf, faultsOf } from './site/checks.ts'
import { byTouch } from './site/hands.ts'
import { fieldOf, layerOf } from './site/overlay-editors.ts'
import { visitAs } from './site/readers.ts'
import { patient } from './site/seat.ts'

/** From a template to a match on air, with a second device; pictures of each step where SHOTS names a folder. */

let api: Harness
let browser: RealBrowser
let made: MadeFlowPlay
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3 })
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

let pictures = 0
async function shoot(page: Page, what: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  // What comes in is whole in the picture.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  await page.screenshot({ path: `${folder}/${String(++pictures).padStart(2, '0')}-${what}.png` })
}

test('an overlay is made from a template, changed, published, and switched by a second device during a match', async () => {
  await using desk = await visitAs(browser, api, made.organiser)
  const { page } = desk
  page.setDefaultTimeout(20_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  const complaints = complaintsOf(page)

  // From a template, on the pages of the tournament.
  await page.goto(`/manage/${made.cup.id}/overlays`)
  await page.getByRole('button', { name: 'Make an overlay' }).click()
  const making = page.getByRole('dialog')
  await making.getByRole('textbox', { name: 'Name' }).fill('Main stage')
  await making.getByText('Duel', { exact: true }).first().click()
  await shoot(page, 'template')
  await making.getByRole('button', { name: /Make/ }).click()
  await page.getByText('Main stage').first().waitFor()
  const overlays = `/tournaments/${made.cup.guid}/overlays`
  await expect.poll(async () => (await done(api.get(overlays, made.organiser))).length, patient).toBe(1)
  const [{ guid }] = await done(api.get(overlays, made.organiser))
  const path = `${overlays}/${guid}`

  // A colour of all scenes and a text of one.
  await page.goto(`/overlay/manage/${made.cup.id}/${guid}`)
  await page.getByRole('heading', { name: 'Layers' }).waitFor()
  await fieldOf(page, 'accent')
    .or(page.getByRole('combobox', { name: 'accent', exact: true }))
    .first()
    .fill('#ff5cad')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add an element' }).click()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await layerOf(page, 'Text Text').waitFor()
  await fieldOf(page, 'Text').fill('Grand final tonight')
  await fieldOf(page, 'X').focus()
  await page.getByText('All saved').waitFor()
  await shoot(page, 'changed')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Published as version 1').waitFor()

  // The browser source, by its own address.
  const { url } = await done(api.post(`${path}/tokens`, made.organiser, { label: 'Stage' }))
  await using source = await browser.visitor(api)
  await source.page.setViewportSize({ width: 1920, height: 1080 })
  await source.page.goto(url)
  /** On air, where it is seen. */
  const air = (text: string) => source.page.getByText(text).filter({ visible: true })
  const isOnAir = (text: string) => expect.poll(() => air(text).count(), patient).toBeGreaterThan(0)
  await isOnAir('Grand final tonight')
  await shoot(source.page, 'air-start')

  // The second device is a phone, by touch.
  const caster = await roleHolder(api, made.cup, 'role:caster')
  await using phone = await visitAs(browser, api, caster, { phone: true })
  await phone.page.goto(`/overlay/control/${guid}`)
  const touch = byTouch(phone.page)
  await phone.page.getByRole('heading', { name: 'Scenes' }).waitFor()
  const { guid: matchGuid } = await made.readMatch(1)
  await phone.page.getByRole('combobox', { name: 'Match' }).selectOption(matchGuid)
  await touch.press(phone.page.getByRole('button', { name: 'Show this match' }))
  await expect.poll(async () => (await done(api.get(`${path}/control`, caster))).matchGuid, patient).toBe(matchGuid)
  const { document } = await done(api.get(`${path}/published`, made.organiser))
  expect(document.variables.accent).toBe('#ff5cad')
  const nameOf = (role: SceneRole) =>
    inOrder((document as SceneDocument).scenes).find(([, scene]) => scene.role === role)?.[1].name ?? ''
  const show = async (role: SceneRole) => {
    const button = phone.page.getByRole('button', { name: new RegExp(`^${nameOf(role)}`) }).first()
    await touch.press(button)
    await expect.poll(() => button.getAttribute('aria-pressed'), patient).toBe('true')
  }
  await show('gameplay')
  const [one] = made.teams
  await isOnAir(one?.name ?? 'no team')
  await shoot(source.page, 'air-gameplay')
  await shoot(phone.page, 'phone')
  expect([await faultsOf(page), await faultsOf(phone.page)]).toEqual([[], []])

  // A map is played, and its score corrected while it is on air.
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
  await done(play.call(made.referee, 'act', { action: 'pick', map: play.state.turn.options[0] }))
  await done(play.scores(812_345, 798_765))
  await show('summary')
  await isOnAir('812,345')
  await shoot(source.page, 'air-summary')
  // The desk corrects it by hand, next to what is on air.
  await page.goto(`/coordinate/${made.cup.id}/${guid}`)
  const named = page.getByText(play.state.seats[0].name, { exact: true })
  await page
    .getByRole('group')
    .filter({ has: named })
    .getByRole('button', { name: /^Correct…/ })
    .click()
  const correcting = page.getByRole('dialog')
  await correcting.getByRole('spinbutton', { name: 'Score' }).fill('712345')
  await correcting.getByRole('textbox').fill('Read wrongly')
  await shoot(page, 'correcting')
  await correcting.getByRole('button', { name: 'Apply' }).click()
  await correcting.waitFor({ state: 'detached' })
  await isOnAir('712,345')
  await expect.poll(() => air('812,345').count(), patient).toBe(0)
  await shoot(source.page, 'air-corrected')
  expect(complaints).toEqual([])
})
