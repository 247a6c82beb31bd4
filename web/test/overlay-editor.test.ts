import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { grantRole } from '../../test/make.ts'
import { documentWith, elementOf, idOf } from '../../test/scene-documents.ts'
import { complaintsOf, faultsOf, isSettled } from './site/checks.ts'
import { canvasOf, fieldOf, layerOf, OverlayEditors, reach } from './site/overlay-editors.ts'
import { visitAs } from './site/readers.ts'
import { patient } from './site/seat.ts'

/** The editor of overlays, in browsers of those who build them. (overlays: Co-editing; OV10, OV11) */

let all: OverlayEditors
beforeAll(async () => {
  all = await OverlayEditors.start()
}, provisionMs)
afterAll(() => all?.[Symbol.asyncDispose]())

test('by keys alone from an empty overlay to one that is published', async () => {
  const made = await all.make('By keys')
  await using visitor = await all.open(made, all.organiser)
  const { page } = visitor
  const { keyboard } = page
  await reach(page, 'button', 'Add an element')
  await keyboard.press('Enter')
  await reach(page, 'button', 'Text')
  await keyboard.press('Enter')
  await layerOf(page, 'Text Text').waitFor()
  await reach(page, 'application', '')
  await keyboard.press('ArrowRight')
  await keyboard.press('Shift+ArrowDown')
  await expect.poll(() => fieldOf(page, 'X').inputValue(), patient).toBe('661')
  expect(await fieldOf(page, 'Y').inputValue()).toBe('505')
  await reach(page, 'textbox', 'Width')
  await keyboard.type('800')
  await keyboard.press('Enter')
  await reach(page, 'textbox', 'Text')
  await keyboard.press('Control+a')
  await keyboard.type('Grand final')
  await reach(page, 'combobox', 'Colour')
  await keyboard.press('Control+a')
  await keyboard.type('#53d3a5')
  await keyboard.press('Enter')
  await reach(page, 'button', 'Add an element', true)
  await keyboard.press('Enter')
  await reach(page, 'button', 'Text')
  await keyboard.press('Enter')
  await reach(page, 'button', 'Bind Text to data')
  await keyboard.press('Enter')
  await page.getByRole('searchbox', { name: 'What should it show?' }).waitFor()
  await keyboard.type('tournament.name')
  await page.getByText('1 place fits').waitFor()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByText('tournament.name').waitFor()
  await expect.poll(async () => (await all.elementsIn(made)).length, patient).toBe(2)
  await reach(page, 'button', 'Publish', true)
  await keyboard.press('Enter')
  await reach(page, 'button', 'Publish now')
  await keyboard.press('Enter')
  await page.getByText('Published as version 1').waitFor()
  const { status, body } = await all.api.get(`${made.path}/published`, all.organiser)
  expect(status).toBe(200)
  const elements = Object.values((body.document as SceneDocument).scenes).flatMap((scene) =>
    Object.values(scene.elements),
  )
  expect(elements).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ x: 661, y: 505, width: 800 },
        props: expect.objectContaining({ text: 'Grand final', color: '#53d3a5' }),
      }),
    ]),
  )
  expect(elements.flatMap(({ bindings = {} }) => Object.values(bindings))).toEqual([
    { property: 'text', path: 'tournament.name' },
  ])
})

test('it is whole and accessible on a wide screen, on a tablet and on a phone', async () => {
  const made = await all.make('Accessible', documentWith({ [idOf(1)]: elementOf({ name: 'Line' }) }))
  await using visitor = await all.open(made, all.organiser)
  const { page } = visitor
  const complaints = complaintsOf(page)
  const faults: string[] = []
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(made.page)
    await isSettled(page)
    await layerOf(page, 'Text Line').waitFor()
    faults.push(...(await faultsOf(page)).map((fault) => `${width}: ${fault}`))
    await layerOf(page, 'Text Line').click()
    faults.push(...(await faultsOf(page)).map((fault) => `${width}, chosen: ${fault}`))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const layer of ['Versions', 'Files', 'For broadcasting', 'Bind Text to data']) {
    await page.getByRole('button', { name: layer }).click()
    await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor()
    faults.push(...(await faultsOf(page)).map((fault) => `${layer}: ${fault}`))
    await page.keyboard.press('Escape')
  }
  expect([...faults, ...complaints]).toEqual([])
})

/** Cuts the sockets of a page, as a network does. */
async function cuttable(
  page: Page,
): Promise<{ readonly cut: () => Promise<void>; readonly refused: readonly string[] }> {
  const sockets = new Set<WebSocketRoute>()
  const refused: string[] = []
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer()
    sockets.add(socket)
    server.onMessage((message) => {
      if (/"type":"(error|ended)"/.test(String(message))) refused.push(String(message))
      socket.send(message)
    })
  })
  const cut = async () => {
    const all = [...sockets]
    sockets.clear()
    await Promise.all(all.map((socket) => socket.close({ code: 4000 })))
  }
  return { cut, refused }
}

async function type(page: Page, name: string, value: string): Promise<void> {
  await fieldOf(page, name).fill(value)
  await fieldOf(page, name).press('Enter')
}

test('two editors end equal over sockets that are cut, see each other, and undo their own steps alone', async () => {
  const made = await all.make('Together', documentWith({ [idOf(1)]: elementOf({ name: 'Line', x: 0, y: 0 }) }))
  await using one = await visitAs(all.browser, all.api, all.organiser)
  const { cut, refused } = await cuttable(one.page)
  await one.page.setViewportSize({ width: 1440, height: 900 })
  await one.page.goto(made.page)
  await using other = await all.open(made, all.second)
  for (const { page } of [one, other]) await layerOf(page, 'Text Line').click()
  await one.page.getByText('Also here').waitFor()
  for (let round = 1; round <= 5; round++) {
    const cutting = cut()
    await type(one.page, 'X', String(round * 10))
    await type(other.page, 'Y', String(round * 7))
    await cutting
    // To come back to the window ends the wait of the socket.
    await one.page.evaluate(() => dispatchEvent(new Event('focus')))
    for (const { page } of [one, other]) {
      await expect.poll(() => fieldOf(page, 'X').inputValue(), patient).toBe(String(round * 10))
      await expect.poll(() => fieldOf(page, 'Y').inputValue(), patient).toBe(String(round * 7))
    }
  }
  await expect.poll(() => all.elementsIn(made), patient).toEqual([expect.objectContaining({ x: 50, y: 35 })])
  await one.page.getByRole('button', { name: 'Undo my last step' }).click()
  for (const { page } of [one, other]) {
    await expect.poll(() => fieldOf(page, 'X').inputValue(), patient).toBe('40')
    expect(await fieldOf(page, 'Y').inputValue()).toBe('35')
  }
  await one.page.getByText('All saved').waitFor()
  // Who comes back to the page goes on.
  await one.page.getByRole('link', { name: 'Overlays' }).click()
  await one.page.getByRole('heading', { level: 1, name: 'Overlays' }).waitFor()
  await one.page.goBack()
  await layerOf(one.page, 'Text Line').click()
  await type(one.page, 'X', '77')
  await expect.poll(() => fieldOf(other.page, 'X').inputValue(), patient).toBe('77')
  expect(refused).toEqual([])
})

test('an impossible step is taken back before anything is sent, also where another has made it so', async () => {
  const group = elementOf({ type: 'group', name: 'Frame', props: {} })
  const made = await all.make(
    'Impossible',
    documentWith({ [idOf(1)]: group, [idOf(2)]: elementOf({ name: 'Line', x: 5, parent: idOf(1) }) }),
  )
  await using one = await visitAs(all.browser, all.api, all.organiser)
  const { refused } = await cuttable(one.page)
  const { page } = one
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(made.page)
  await layerOf(page, 'Text Line').click()
  await type(page, 'X', '99999')
  await page
    .getByRole('main')
    .getByText('That step was taken back: the value must be between -10000 and 10000.')
    .waitFor()
  await expect.poll(() => fieldOf(page, 'X').inputValue(), patient).toBe('5')
  // Limits are told as the field shows them: in percent.
  await type(page, 'Opacity', '150')
  await page.getByRole('main').getByText('That step was taken back: the value must be between 0 and 100.').waitFor()
  // What follows counts on, and is stored.
  await type(page, 'X', '6')
  await expect.poll(async () => (await all.elementsIn(made)).map(({ x }) => x).toSorted(), patient).toContain(6)
  // The element is deleted here, and its group by another: it cannot come back.
  await canvasOf(page).focus()
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await all.elementsIn(made)).length, patient).toBe(1)
  const { scenes, ...rest } = await all.stored(made)
  const empty = Object.fromEntries(Object.entries(scenes).map(([id, scene]) => [id, { ...scene, elements: {} }]))
  const put = await all.replaceScene(made.path, { ...rest, scenes: empty })
  expect(put.status, put.text).toBe(200)
  await page.getByText('This scene is empty').waitFor()
  await page.getByRole('button', { name: 'Undo my last step' }).click()
  await page.getByRole('main').getByText('That step was taken back: an element would be without the group').waitFor()
  await page.getByText('This scene is empty').waitFor()
  await page.getByText('All saved').waitFor()
  expect(await all.elementsIn(made)).toEqual([])
  expect(refused).toEqual([])
})

test('what scenes are filled with can be asked for again when it does not come', async () => {
  const made = await all.make('Unfilled', documentWith({ [idOf(1)]: elementOf({ name: 'Line' }) }))
  await using visitor = await visitAs(all.browser, all.api, all.organiser)
  const { page } = visitor
  await page.route('**/overlays/sample-data**', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  await page.goto(made.page)
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/overlays/sample-data**')
  await again.click()
  await again.waitFor({ state: 'detached' })
})

test('without a socket the stored draft is shown to be read, and edited once one comes', async () => {
  const made = await all.make('Behind a proxy', documentWith({ [idOf(1)]: elementOf({ name: 'Line' }) }))
  await using visitor = await visitAs(all.browser, all.api, all.organiser)
  const { page } = visitor
  let isOpen = false
  await page.routeWebSocket(/./, (socket) => void (isOpen ? socket.connectToServer() : socket.close()))
  const refuse = { status: 403, json: { message: 'Not now' } }
  await page.route('**/overlays/*/scene', (route) => route.fulfill(refuse))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(made.page)
  await page.getByText('There is no live connection to the draft').waitFor()
  await page.getByRole('alert').getByText('Not now').waitFor()
  expect(await faultsOf(page)).toEqual([])

  await page.unroute('**/overlays/*/scene')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Below is the draft as it is stored').waitFor()
  await layerOf(page, 'Text Line').click()
  expect(await fieldOf(page, 'X').isDisabled()).toBe(true)
  for (const name of ['Publish', 'Add an element'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])

  isOpen = true
  const saved = page.getByText('All saved')
  // The page also tries by itself.
  await Promise.any([page.getByRole('button', { name: 'Try again' }).click(), saved.waitFor()])
  await saved.waitFor()
  await type(page, 'X', '44')
  await expect.poll(() => all.elementsIn(made), patient).toEqual([expect.objectContaining({ x: 44 })])
  expect(await page.getByText('There is no live connection').count()).toBe(0)
})

test('staff who may not edit read along; strangers find nothing', async () => {
  const made = await all.make('Read along', documentWith({ [idOf(1)]: elementOf({ name: 'Line' }) }))
  const pooler = await all.api.user()
  await grantRole(all.api, all.cup, pooler, 'role:pooler')
  await using visitor = await all.open(made, pooler)
  await visitor.page.getByText('You read along here').waitFor()
  await layerOf(visitor.page, 'Text Line').click()
  expect(await fieldOf(visitor.page, 'X').isDisabled()).toBe(true)
  for (const name of ['Publish', 'Add an element', 'Undo my last step', 'Hide Line', 'Delete'])
    expect(await visitor.page.getByRole('button', { name }).count()).toBe(0)
  await using stranger = await visitAs(all.browser, all.api, await all.api.user())
  await stranger.page.goto(made.page)
  await stranger.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
})

/** Frames in which the page drew while an element was dragged, and the longest pause between two of them. */
async function drag(page: Page): Promise<{ readonly frames: number; readonly ms: number }> {
  const board = await canvasOf(page).locator('[data-marks]').locator('..').boundingBox()
  if (board === null) throw new Error('there is no canvas')
  await layerOf(page, 'Shape First').click()
  const mark = await page.locator('[data-mark]').boundingBox()
  if (mark === null) throw new Error('nothing is chosen')
  await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2)
  await page.mouse.down()
  await page.evaluate(() => {
    const seen = { frames: 0, since: performance.now(), isOn: true }
    Object.assign(globalThis, { seen })
    const count = () => {
      seen.frames++
      if (seen.isOn) requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  for (let step = 1; step <= 100; step++)
    await page.mouse.move(board.x + 60 + step * 5, board.y + 60 + Math.sin(step / 6) * 40)
  const result = await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { frames: number; since: number; isOn: boolean } }
    seen.isOn = false
    return { frames: seen.frames, ms: performance.now() - seen.since }
  })
  await page.mouse.up()
  return result
}

test('2,000 elements stay workable: dragging one keeps the frames of a scene that is nearly empty', async () => {
  const shape = (number: number) =>
    elementOf({
      ...{ type: 'shape', name: number === 0 ? 'First' : `Shape ${number}`, width: 40, height: 30 },
      ...{ x: (number % 25) * 70, y: Math.floor(number / 25) * 50, order: `a${number.toString(36).padStart(3, '0')}` },
      props: { fill: '#53d3a5' },
    })
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, number) => [idOf(number), shape(number)]))
  const few = documentWith({ [idOf(0)]: shape(0) })
  const [[first, scene] = []] = Object.entries(few.scenes)
  if (first === undefined || scene === undefined) throw new Error('there is no scene')
  const scenes = Object.fromEntries(
    Array.from({ length: 4 }, (_, at) => [`scene00${at}`, { ...scene, name: `Scene ${at}`, elements: many }]),
  )
  const rates: number[] = []
  for (const [name, document] of [
    ['Few', few],
    ['Many', { ...few, scenes }],
  ] as const) {
    const made = await all.make(name, document)
    await using visitor = await all.open(made, all.organiser)
    await layerOf(visitor.page, 'Shape First').waitFor()
    const results = [await drag(visitor.page), await drag(visitor.page), await drag(visitor.page)]
    rates.push(Math.max(...results.map(({ frames, ms }) => (frames * 1_000) / ms)))
    const elements = await all.elementsIn(made)
    expect(elements.filter((each) => each.name === 'First').some(({ x }) => x !== 0)).toBe(true)
  }
  const [few60 = 0, many60 = 0] = rates
  process.stdout.write(`editor, frames a second while dragging: ${few60.toFixed(1)}, of 2,000: ${many60.toFixed(1)}\n`)
  expect(many60 / few60).toBeGreaterThan(0.8)
})
