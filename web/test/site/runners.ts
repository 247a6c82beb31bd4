import type { Locator, Page } from 'playwright-core'

/** Those who run an evening, at the pages alone: somebody at the console, and a referee at cockpits. */

/** A match as the console lists it. */
export interface Listed {
  readonly number: number
  readonly sides: readonly [string, string]
}

export class AtConsole {
  readonly page: Page
  readonly tournament: string

  constructor(page: Page, tournament: string) {
    this.page = page
    this.tournament = tournament
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  async open(): Promise<void> {
    await this.page.goto(`/manage/${this.tournament}/live`)
    await this.page.getByRole('heading', { name: 'Live console', level: 1 }).waitFor()
  }

  /** The matches of some groups, in their order. */
  listed(...groups: readonly string[]): Promise<readonly Listed[]> {
    return this.page.evaluate((names) => {
      const sections = [...document.querySelectorAll('main section')].filter((section) =>
        names.includes(section.querySelector('h2')?.textContent?.trim() ?? ''),
      )
      return sections
        .flatMap((section) => [...section.querySelectorAll<HTMLElement>('[data-match]')])
        .map((head) => {
          const line = head.parentElement as HTMLElement
          const [one = '', other = ''] = [...line.querySelectorAll('bdi')].map(({ textContent }) => textContent ?? '')
          return { number: Number(/\d+/.exec(head.textContent ?? '')?.[0]), sides: [one, other] as const }
        })
    }, groups)
  }

  line(number: number): Locator {
    return this.page.locator('li', { has: this.page.getByRole('button', { name: `Match ${number}`, exact: true }) })
  }

  /** Opens the line of a match, with what can be done to it. */
  async choose(number: number): Promise<Locator> {
    const line = this.line(number)
    const head = line.getByRole('button', { name: `Match ${number}`, exact: true })
    if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click()
    return line
  }

  async start(number: number): Promise<void> {
    const line = await this.choose(number)
    await line.getByRole('button', { name: /^Start/ }).click()
    await this.page
      .getByRole('region', { name: 'Running' })
      .getByRole('button', { name: `Match ${number}`, exact: true })
      .waitFor()
  }

  /** Ends a match without play, after a look at what that does. */
  async walkover(number: number, absent: string): Promise<void> {
    const line = await this.choose(number)
    await line.getByRole('button', { name: /^Walkover/ }).click()
    await this.dialog.getByRole('radio', { name: `${absent} is absent`, exact: true }).check()
    await this.dialog.getByRole('button', { name: 'Show what would happen' }).click()
    await this.dialog.getByRole('button', { name: 'End without play' }).click()
    await line.waitFor({ state: 'detached' })
  }

  /** The cockpit of a match that is over. */
  async openFinished(number: number): Promise<AtCockpit> {
    const finished = this.page.getByRole('region', { name: 'Finished' })
    const link = finished.getByRole('link', { name: `Match ${number}`, exact: true })
    await finished.waitFor()
    // Each match that ends moves the others on, until they are hidden.
    const whole = finished.getByRole('button', { name: /^Show all/ })
    await this.page.addLocatorHandler(whole, () => whole.click())
    await link.first().click()
    await this.page.removeLocatorHandler(whole)
    const cockpit = new AtCockpit(this.page)
    await cockpit.isOf(number)
    return cockpit
  }

  /** Withdraws one of the teams of a match, from its own page. */
  async withdraw(number: number, team: string, reason: string): Promise<void> {
    const line = await this.choose(number)
    await line.getByRole('link', { name: `Team page of ${team}`, exact: true }).click()
    await this.page.getByRole('button', { name: 'Withdraw…' }).click()
    await this.dialog.getByLabel('Reason').fill(reason)
    await this.dialog.getByRole('button', { name: 'Show what would happen' }).click()
    await this.dialog.getByText('it ends as a walkover').first().waitFor()
    await this.dialog.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await this.page.getByText('Withdrawn').first().waitFor()
  }

  /** Takes back the withdrawal of the team whose page is open. */
  async takeBack(): Promise<void> {
    await this.page.getByRole('button', { name: 'Take the withdrawal back…' }).click()
    await this.dialog.getByRole('button', { name: 'Show what would happen' }).click()
    await this.dialog.getByRole('status').waitFor()
    await this.dialog.getByRole('button', { name: 'Take the withdrawal back' }).click()
    await this.dialog.waitFor({ state: 'detached' })
  }

  /** By the menu of those who run the tournament. */
  async toConsole(): Promise<void> {
    await this.page.getByRole('link', { name: 'Live console' }).first().click()
    await this.page.getByRole('heading', { name: 'Live console', level: 1 }).waitFor()
  }

  /** Ends the tournament, once nothing is left to play. */
  async end(): Promise<void> {
    await this.page.locator('main p').getByRole('link', { name: 'What is due' }).click()
    await this.page.getByRole('region', { name: 'Next' }).getByRole('button', { name: 'End…' }).click()
    await this.dialog.getByRole('button', { name: 'End', exact: true }).click()
    await this.dialog.waitFor({ state: 'detached' })
  }

  async openCockpit(number: number): Promise<AtCockpit> {
    const line = await this.choose(number)
    await line.getByRole('link', { name: /^Open the cockpit/ }).click()
    const cockpit = new AtCockpit(this.page)
    await cockpit.isOf(number)
    return cockpit
  }
}

export class AtCockpit {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  get assistant(): Locator {
    return this.page.getByRole('region', { name: 'Assistant', exact: true })
  }

  /** Has the players' games play the match from now on. */
  async openAssistant(): Promise<void> {
    await this.page.locator('summary', { hasText: 'Assistant' }).click()
    await this.page.getByRole('button', { name: 'Open a session' }).click()
    await this.assistant.getByText('ready for a map').waitFor()
  }

  /** Plays the map that is picked at the assistant, and accepts what comes of it. */
  async playSong(game: number): Promise<void> {
    for (const [name, then] of [
      ['Set the map', 'ready for a map'],
      ['Load it', 'loaded'],
      ['Start the song', /playing|song finished/],
    ] as const) {
      await this.assistant.getByRole('button', { name, exact: true }).click()
      await this.assistant.getByText(then, { exact: true }).waitFor()
    }
    const proposal = this.page.getByRole('region', { name: new RegExp(`^Game ${game}, run 1`) })
    await proposal.getByRole('button', { name: 'Accept', exact: true }).click()
    await proposal.waitFor({ state: 'detached' })
  }

  get now(): Locator {
    return this.page.getByRole('region', { name: 'Now' })
  }

  async isOf(number: number): Promise<void> {
    await this.page.locator('main header').getByText(`Match ${number}`).waitFor()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first()
  }

  async says(text: string | RegExp): Promise<void> {
    await this.now.filter({ hasText: text }).waitFor()
  }

  /** Both bans, each of the first map that is left. */
  async ban(): Promise<void> {
    for (const _side of [1, 2]) {
      await this.says(/to ban a map/)
      const ban = this.button(/^Ban /)
      const name = (await ban.textContent()) ?? ''
      await ban.click()
      await this.page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
    }
  }

  async pick(): Promise<void> {
    await this.says(/to pick a map/)
    await this.button(/^Pick /).click()
    await this.says('Play the map')
  }

  /** Picks a map, and tells its scores. */
  async playMap(scores: readonly [number, number]): Promise<void> {
    await this.pick()
    const fields = this.page.getByRole('spinbutton', { name: / Score$/ })
    for (const [at, score] of scores.entries()) await fields.nth(at).fill(String(score))
    await this.button(/^Save scores/).click()
    await fields.first().waitFor({ state: 'detached' })
  }

  /** A match without a flow, map by map. */
  async playByHand(games: readonly (readonly [number, number])[]): Promise<void> {
    await this.button(/^Start( without a flow)?$/).click()
    for (const [at, scores] of games.entries()) {
      const save = this.button(new RegExp(`^Save game ${at + 1}`))
      await save.waitFor()
      const fields = this.page.getByRole('spinbutton')
      for (const [side, score] of scores.entries()) await fields.nth(side).fill(String(score))
      await save.click()
      await save.waitFor({ state: 'detached' })
    }
    await this.isOver()
  }

  async isOver(): Promise<void> {
    await this.says('Finished')
  }

  /** Opens the correction of the result with these maps for each side; nothing is applied yet. */
  async lookAtCorrection(maps: readonly [number, number], reason: string): Promise<Locator> {
    await this.button(/^Correct the result/).click()
    const dialog = this.page.getByRole('dialog')
    for (const [at, count] of maps.entries()) await dialog.getByRole('spinbutton').nth(at).fill(String(count))
    await dialog.getByRole('textbox').fill(reason)
    await dialog.getByRole('button', { name: 'Show what would happen' }).click()
    await dialog.getByRole('listitem').first().waitFor()
    return dialog
  }

  async apply(dialog: Locator): Promise<void> {
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async toConsole(): Promise<void> {
    await this.page.locator('main header').getByRole('link', { name: 'Live console' }).click()
    await this.page.getByRole('heading', { name: 'Live console', level: 1 }).waitFor()
  }
}
