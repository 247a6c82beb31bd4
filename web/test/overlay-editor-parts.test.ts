import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneElement } from '../../src/engine/scenes/document.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { documentWith, elementOf, idOf } from '../../test/scene-documents.ts'
import { complaintsOf, faultsOf } from './site/checks.ts'
import { fieldOf, layerOf, type Made, OverlayEditors, reach } from './site/overlay-editors.ts'
import { patient } from './site/seat.ts'

/** What the editor of overlays sets of one element, and what it takes in and gives out. (overlays: Scene document) */

let all: OverlayEditors
beforeAll(async () => {
  all = await OverlayEditors.start()
}, provisionMs)
afterAll(() => all?.[Symbol.asyncDispose]())

/** The only element of an overlay, as it is stored. */
const element = async (made: Made): Promise<SceneElement> => (await all.elementsIn(made))[0] as SceneElement
const becomes = (made: Made, expected: unknown, of: (element: SceneElement) => unknown) =>
  expect.poll(async () => of(await element(made)), patient).toEqual(expected)

async function typeIn(page: Page, name: string, text: string): Promise<void> {
  await reach(page, 'textbox', name)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Chooses by the keys of a list. */
async function choose(page: Page, name: string, text: string, isBack = false): Promise<void> {
  await reach(page, 'combobox', name, isBack)
  const list = page.getByRole('combobox', { name, exact: true }).first()
  for (const key of ['Home', ...Array.from({ length: 60 }, () => 'ArrowDown')]) {
    if ((await list.locator('option:checked').textContent()) === text) return
    await page.keyboard.press(key)
  }
  throw new Error(`${text} is none of ${name}`)
}

async function press(page: Page, name: string, isBack = false): Promise<void> {
  await reach(page, 'button', name, isBack)
  await page.keyboard.press('Enter')
}

test('a polygon and a gradient by keys alone, each step undone, and a refusal at its field', async () => {
  const made = await all.make(
    'Shapes',
    documentWith({
      [idOf(1)]: elementOf({ type: 'shape', name: 'Flag', width: 400, height: 200, props: { fill: '#53d3a5' } }),
    }),
  )
  await using visitor = await all.open(made, all.organiser)
  const { page } = visitor
  page.setDefaultTimeout(10_000)
  const complaints = complaintsOf(page)
  await reach(page, 'button', 'Shape Flag')
  await page.keyboard.press('Enter')
  await choose(page, 'Form', 'Polygon')
  await press(page, 'Begin with three points')
  const points = ({ props }: SceneElement) => props?.points
  await becomes(
    made,
    [
      [200, 0],
      [400, 200],
      [0, 200],
    ],
    points,
  )
  await press(page, 'Add a point after 3')
  await becomes(
    made,
    [
      [200, 0],
      [400, 200],
      [0, 200],
      [100, 100],
    ],
    points,
  )
  const point = page.getByRole('group', { name: 'Point 4' }).getByRole('textbox', { name: 'X' })
  await point.focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('ArrowUp')
  await becomes(made, [91, 100], (each) => (points(each) as number[][])[3])
  await point.fill('20000')
  await page.keyboard.press('Enter')
  await page
    .getByRole('group', { name: 'Point 4' })
    .getByText('Not taken: the value must be between -10000 and 10000.')
    .waitFor()
  expect(await point.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => point.inputValue(), patient).toBe('91')
  await press(page, 'Remove point 4')
  await becomes(made, 3, (each) => (points(each) as number[][]).length)
  expect(await page.getByText('Not taken:').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo my last step' }).click()
  await becomes(made, [91, 100], (each) => (points(each) as number[][])[3])

  // A handle on the canvas: the whole drag is one step.
  const handle = page.locator('[data-point="0"]')
  const box = await handle.boundingBox()
  if (box === null) throw new Error('there is no handle')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2 + 20, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (points(await element(made)) as number[][])[0]?.[0], patient).toBeLessThan(200)
  expect((points(await element(made)) as number[][])[0]?.[1]).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Undo my last step' }).click()
  await becomes(made, [200, 0], (each) => (points(each) as number[][])[0])

  const gradient = ({ props }: SceneElement) => props?.gradient
  await reach(page, 'checkbox', 'Gradient')
  await page.keyboard.press('Space')
  await press(page, 'Stop')
  await typeIn(page, 'At 2', '25')
  await reach(page, 'combobox', 'Colour 2', true)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('ff8800')
  await page.keyboard.press('Enter')
  await reach(page, 'textbox', 'Angle', true)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('90')
  await page.keyboard.press('Enter')
  const stops = [
    { at: 0, color: '#53d3a5' },
    { at: 0.25, color: '#ff8800' },
    { at: 1, color: '#0e1311' },
  ]
  await becomes(made, { angle: 90, stops }, gradient)
  await typeIn(page, 'At 3', '120')
  await page.getByText('Not taken: the value must be between 0 and 100.').waitFor()
  await becomes(made, { angle: 90, stops }, gradient)
  await press(page, 'Remove stop 2', true)
  await becomes(made, [0, 1], (each) => (gradient(each) as { stops: { at: number }[] }).stops.map(({ at }) => at))
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect([width, ...(await faultsOf(page))]).toEqual([width])
  }
  expect(complaints).toEqual([])
})

test('forms of a value with their arguments, and groups of tests, by keys alone', async () => {
  const bindings = { mine: { property: 'text', path: 'sides.0.score' } }
  const made = await all.make('Values', documentWith({ [idOf(1)]: elementOf({ name: 'Line', bindings }) }))
  await using visitor = await all.open(made, all.organiser)
  const { page } = visitor
  page.setDefaultTimeout(10_000)
  const complaints = complaintsOf(page)
  await layerOf(page, 'Text Line').focus()
  await page.keyboard.press('Enter')
  const format = ({ bindings: all = {} }: SceneElement) => all.mine?.format
  await choose(page, 'Shown as', 'Number with thousands')
  await typeIn(page, 'Decimals', '2')
  await reach(page, 'checkbox', 'Commas in thousands')
  await page.keyboard.press('Space')
  await choose(page, 'Then as', 'Text before it')
  await typeIn(page, 'Before', 'Maps: ')
  await becomes(
    made,
    [
      { name: 'number', args: [2, false] },
      { name: 'prefix', args: ['Maps: '] },
    ],
    format,
  )
  await reach(page, 'textbox', 'Decimals', true)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('9')
  await page.keyboard.press('Enter')
  await page.getByText('Not taken:').waitFor()
  await becomes(made, [2, false], (each) => format(each)?.[0]?.args)
  // What follows takes its place.
  await reach(page, 'combobox', 'Shown as', true)
  await page.keyboard.press('Home')
  await becomes(made, [{ name: 'prefix', args: ['Maps: '] }], format)

  const tests = ({ conditions = {} }: SceneElement) => Object.values(conditions).map(({ when }) => when)
  const place = async (path: string) => {
    await page.getByRole('searchbox', { name: 'What should it show?' }).waitFor()
    await page.keyboard.type(path)
    const found = page
      .getByRole('dialog')
      .getByRole('button')
      .filter({ has: page.getByText(path, { exact: true }) })
    await found.focus()
    await page.keyboard.press('Enter')
  }
  await press(page, 'Condition')
  await place('match.bestOf')
  await press(page, 'Add a test 1', true)
  await place('tournament.timezone')
  await choose(page, 'Holds if', 'one of these holds')
  const inner = (number: string) => page.getByRole('group', { name: `Test ${number}`, exact: true })
  await inner('1.1').getByRole('combobox', { name: 'Test' }).selectOption('gte')
  await inner('1.1').getByRole('textbox', { name: 'Compared with' }).fill('5')
  await page.keyboard.press('Enter')
  await press(page, 'Not 1.2')
  await becomes(
    made,
    [
      {
        any: [{ path: 'match.bestOf', op: 'gte', value: 5 }, { not: { path: 'tournament.timezone', op: 'exists' } }],
      },
    ],
    tests,
  )
  await becomes(made, false, ({ visible }) => visible)
  // A group within would be too deep.
  await page.getByRole('group', { name: 'Group 1.2' }).getByRole('combobox', { name: 'Holds if' }).waitFor()
  expect(await page.getByRole('button', { name: 'Add a test 1.2.1' }).count()).toBe(0)
  await press(page, 'Add a test 1')
  await place('match.number')
  await reach(page, 'combobox', 'Holds if', true)
  await page.keyboard.press('End')
  await page
    .getByRole('group', { name: 'Group 1', exact: true })
    .getByText('Not taken: groups may be at most 3 deep.')
    .waitFor()
  await press(page, 'Undo my last step', true)
  await becomes(made, 2, (each) => (tests(each)[0] as { any: unknown[] }).any.length)
  await page.getByRole('combobox', { name: 'Then', exact: true }).selectOption('opacity')
  await fieldOf(page, 'Becomes').fill('0.5')
  await page.keyboard.press('Enter')
  await becomes(made, [{ opacity: 0.5 }], ({ conditions = {} }) => Object.values(conditions).map(({ set }) => set))
  await becomes(made, undefined, ({ visible }) => visible)
  await press(page, 'Remove the group 1', true)
  await becomes(made, [], tests)
  await layerOf(page, 'Text Line').waitFor()
  expect([...(await faultsOf(page)), ...complaints]).toEqual([])
})
