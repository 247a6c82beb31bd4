import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RealVisitor } from '../../../test/chromium/browser.ts'

/** The own panel of somebody who plays, in a browser of their own, by touch or by keys. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const patient = { timeout: 20_000, interval: 50 }

export class Seat implements AsyncDisposable {
  readonly visitor: RealVisitor
  readonly page: Page
  readonly isPhone: boolean

  constructor(visitor: RealVisitor, isPhone: boolean) {
    this.visitor = visitor
    this.page = visitor.page
    this.isPhone = isPhone
  }

  get heading() {
    return this.page.locator('main section').first().getByRole('heading', { level: 2 })
  }
  get alert() {
    return this.page.getByRole('alert')
  }
  /** Presses, by touch or by keys. */
  async press(name: string | RegExp): Promise<void> {
    const button = this.page.getByRole('button', { name })
    if (this.isPhone) return button.tap()
    await button.focus()
    await this.page.keyboard.press('Enter')
  }
  async choose(option: string): Promise<void> {
    const choice = this.page.locator('label', { has: this.page.locator('input'), hasText: option }).first()
    if (this.isPhone) return choice.tap()
    await choice.locator('input').focus()
    await this.page.keyboard.press('Space')
  }
  /** Chooses, and sends the choice by touch, or by keys alone. */
  async answer(option: string, send: RegExp): Promise<void> {
    await this.choose(option)
    if (this.isPhone) return this.press(send)
    await this.page.keyboard.press('Enter')
  }
  says(text: string | RegExp): Promise<void> {
    return expect.poll(() => this.heading.textContent(), patient).toMatch(text)
  }
  async [Symbol.asyncDispose]() {
    await this.visitor.close()
  }
}

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** What is wrong with a page: content beyond its width, small targets, and what axe finds. */
export async function faultsOf({ page }: Seat): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    // Bars that stay in sight lie over what is scrolled behind them.
    scrollTo(0, 0)
    const { axe: checker } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await checker.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    // A phone shows a page that is too wide in a larger window.
    const isTouch = matchMedia('(pointer: coarse)').matches
    const wide = Math.max(document.documentElement.scrollWidth - innerWidth, isTouch ? innerWidth - screen.width : 0)
    const panel = document.querySelector('main section')
    const small = [...(panel?.querySelectorAll('label:has(input), button, summary') ?? [])]
      .filter((each) => each.getBoundingClientRect().height < 44)
      .map((each) => `small: ${each.textContent}`)
    return [
      ...(wide > 0 ? [`${wide} px too wide`] : []),
      ...(isTouch ? small : []),
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ]
  })
}
