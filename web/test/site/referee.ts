import { expect } from 'vitest'
import type { Hands } from './hands.ts'
import { patient } from './seat.ts'

/** A referee at the cockpit, by keys or by touch. */
export class Referee {
  readonly hands: Hands
  constructor(hands: Hands) {
    this.hands = hands
  }
  get page() {
    return this.hands.page
  }
  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first()
  }
  press(name: string | RegExp) {
    return this.hands.press(this.button(name))
  }
  says(text: string | RegExp) {
    return expect.poll(() => this.page.getByRole('region', { name: 'Now' }).textContent(), patient).toMatch(text)
  }
  async scoreline(text: string) {
    await expect.poll(() => this.page.locator('main h1 .num').allTextContents(), patient).toEqual(text.split(' : '))
  }
  /** Tells the scores of both sides for the run that is played. */
  async scores(first: string, second: string) {
    const fields = this.page.getByRole('spinbutton', { name: / Score$/ })
    await expect.poll(() => fields.count(), patient).toBe(2)
    await this.hands.write(fields.nth(0), first)
    await this.hands.write(fields.nth(1), second)
    await this.press('Save scores')
  }
  /** Accepts the result for the side that could claim. */
  async accept() {
    const accept = this.page.getByRole('radio', { name: /^Accept/ })
    await this.hands.pick(accept)
    await this.press(/^Accept/)
    await expect.poll(() => accept.count(), patient).toBe(0)
  }
}
