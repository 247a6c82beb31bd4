import type { Locator, Page } from 'playwright-core'
import { released } from './checks.ts'

/** How somebody uses a page: by keys alone, or by touch alone. */
export interface Hands {
  readonly page: Page
  /** Presses a button or a link. */
  press(control: Locator): Promise<void>
  /** Ticks, or chooses one of several. */
  pick(control: Locator): Promise<void>
  /** Takes a tick away. */
  untick(control: Locator): Promise<void>
  /** Writes into an empty field. */
  write(field: Locator, text: string): Promise<void>
  /** Takes the first suggestion for what was written. */
  choose(option: Locator): Promise<void>
  /** Gives a file to the button with this label. */
  attach(label: string, file: FilePayload): Promise<void>
}

export interface FilePayload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

async function chooseFile(page: Page, open: () => Promise<void>, file: FilePayload): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles(file)
}

/** Whatever is pressed is reached by the Tab key. */
export function byKeys(page: Page): Hands {
  return {
    page,
    async press(control) {
      await tabTo(page, control)
      await released(page, control)
      await page.keyboard.press('Enter')
    },
    async pick(control) {
      // The Tab key goes to one of several radio buttons, and arrows to the others.
      await tabTo(page, control)
      const isFocused = () => control.evaluate((element) => element === document.activeElement)
      for (let steps = 0; steps < 20 && !(await isFocused()); steps++) await page.keyboard.press('ArrowDown')
      if (!(await control.evaluate((element) => (element as HTMLInputElement).checked === true)))
        await page.keyboard.press('Space')
    },
    async untick(control) {
      await tabTo(page, control)
      await page.keyboard.press('Space')
    },
    async write(field, text) {
      await tabTo(page, field)
      await page.keyboard.type(text)
    },
    async choose(option) {
      await option.waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    },
    async attach(label, file) {
      const open = async () => {
        await tabTo(page, page.getByLabel(label, { exact: true }))
        await page.keyboard.press('Enter')
      }
      await chooseFile(page, open, file)
    },
  }
}

/** Goes to a control by the Tab key alone, or to another one of its radio buttons, unless it has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  const isThere = () =>
    control.evaluate((wanted) => {
      const focused = document.activeElement
      if (!(wanted instanceof HTMLInputElement && focused instanceof HTMLInputElement)) return focused === wanted
      return focused === wanted || (wanted.type === 'radio' && focused.name === wanted.name)
    })
  for (let steps = 0; steps < 120; steps++) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('it was never reached')
}

/** Every button, field and choice that is touched has room for a finger. */
export function byTouch(page: Page): Hands {
  const tap = async (control: Locator) => {
    await hasRoom(control)
    await control.tap()
  }
  return {
    page,
    press: tap,
    pick: tap,
    untick: tap,
    choose: tap,
    async write(field, text) {
      await tap(field)
      // Keyboards on a screen insert text, without a key for each letter.
      await page.keyboard.insertText(text)
    },
    attach: (label, file) => chooseFile(page, () => tap(page.locator('label.btn', { hasText: label })), file),
  }
}

/** The ways in which journeys are made: by keys at a desk, and by touch on a phone, with what its visitor is. */
export const ways = [
  { way: 'keys', handsOf: byKeys, options: {} },
  { way: 'touch', handsOf: byTouch, options: { phone: true } },
] as const

/** Fingers need 44 px, whatever is painted of it; for links in lists 32 are enough. (W15) */
async function hasRoom(control: Locator): Promise<void> {
  await control.waitFor()
  const { room, html } = await control.evaluate((element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const target = element.closest('label') ?? element
    const { left, top, width, height } = (target.getClientRects()[0] as DOMRect).toJSON()
    const isHit = (y: number) => {
      const hit = document.elementFromPoint(left + width / 2, y)
      return hit !== null && (target.contains(hit) || hit === target)
    }
    const middle = top + height / 2
    const hits = Array.from({ length: 60 }, (_, at) => at - 30).filter((offset) => isHit(middle + offset))
    return { room: hits.length, html: target.outerHTML.slice(0, 200) }
  })
  if (room < (html.startsWith('<a class="plain') ? 32 : 43))
    throw new Error(`${room} px are too low for a finger: ${html}`)
}
