import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SceneDocument, SceneElement } from '../../../src/engine/scenes/document.ts'
import { freshenPages } from '../../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../../test/chromium/browser.ts'
import { type Caller, type Harness, startHarness } from '../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament } from '../../../test/make.ts'
import { visitAs } from './readers.ts'

/** A cup whose overlays are edited, in browsers of those who build them. */

export interface Made {
  readonly path: string
  readonly page: string
}

export class OverlayEditors implements AsyncDisposable {
  readonly api: Harness
  readonly browser: RealBrowser
  readonly organiser: Caller
  readonly second: Caller
  readonly cup: MadeTournament

  private constructor(api: Harness, browser: RealBrowser, people: readonly [Caller, Caller], cup: MadeTournament) {
    this.api = api
    this.browser = browser
    ;[this.organiser, this.second] = people
    this.cup = cup
  }

  static async start(): Promise<OverlayEditors> {
    const [api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
    const [organiser, second] = await Promise.all([api.user(), api.user()])
    const cup = await makeTournament(api, organiser)
    await grantRole(api, cup, second, 'role:staff')
    return new OverlayEditors(api, browser, [organiser, second], cup)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close()
    await this.api[Symbol.asyncDispose]()
  }

  async make(name: string, document?: SceneDocument): Promise<Made> {
    const { status, text, body } = await this.api.post(`/tournaments/${this.cup.id}/overlays`, this.organiser, { name })
    expect(status, text).toBe(201)
    const path = `/tournaments/${this.cup.id}/overlays/${body.guid}`
    if (document !== undefined) {
      const put = await this.replaceScene(path, document)
      expect(put.status, put.text).toBe(200)
    }
    return { path, page: `/overlay/manage/${this.cup.id}/${body.guid}` }
  }

  replaceScene(path: string, body: SceneDocument) {
    return this.api.call('PUT', `${path}/scene`, { as: this.second, headers: { 'if-match': '*' }, body })
  }

  async stored({ path }: Made): Promise<SceneDocument> {
    return (await this.api.get(`${path}/scene`, this.organiser)).body
  }

  async elementsIn(made: Made): Promise<readonly SceneElement[]> {
    return Object.values((await this.stored(made)).scenes).flatMap(({ elements }) => Object.values(elements))
  }

  async open(made: Made, user: Caller): Promise<RealVisitor> {
    const visitor = await visitAs(this.browser, this.api, user)
    await visitor.page.setViewportSize({ width: 1440, height: 900 })
    await visitor.page.goto(made.page)
    await visitor.page.getByRole('heading', { name: 'Layers' }).waitFor()
    return visitor
  }
}

export const canvasOf = (page: Page) => page.getByRole('application')
/** Its name also says who else has chosen it. */
export const layerOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Layers' }).getByRole('button', { name: new RegExp(`^${name}\\b`) })
export const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

/** Goes to a control by Tab alone, or back to it by Shift and Tab. */
export async function reach(
  page: Page,
  role: 'button' | 'textbox' | 'combobox' | 'checkbox' | 'application' | 'searchbox',
  name: string,
  isBack = false,
) {
  const control = role === 'application' ? canvasOf(page) : page.getByRole(role, { name, exact: true })
  await control.first().waitFor()
  for (let steps = 0; steps < 150; steps++) {
    await page.keyboard.press(isBack ? 'Shift+Tab' : 'Tab')
    if (await control.first().evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${name} was never reached`)
}
