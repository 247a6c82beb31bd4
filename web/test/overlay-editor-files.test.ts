import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provisionMs } from '../../test/chromium/provide.ts'
import { pictureIn, woff2 } from '../../test/media-files.ts'
import { documentWith, elementOf, idOf } from '../../test/scene-documents.ts'
import { complaintsOf, faultsOf } from './site/checks.ts'
import { canvasOf, fieldOf, layerOf, type Made, OverlayEditors } from './site/overlay-editors.ts'
import { patient } from './site/seat.ts'

/** What the editor of overlays takes in and gives out: files, templates, media, versions, and the clipboard. */

let all: OverlayEditors
beforeAll(async () => {
  all = await OverlayEditors.start()
}, provisionMs)
afterAll(() => all?.[Symbol.asyncDispose]())

const picture = async (name: string) => ({ name, mimeType: 'image/png', buffer: await pictureIn('png') })
const font = (name: string) => ({ name, mimeType: 'font/woff2', buffer: woff2() })

async function open(made: Made) {
  const visitor = await all.open(made, all.organiser)
  visitor.page.setDefaultTimeout(15_000)
  return Object.assign(visitor, { complaints: complaintsOf(visitor.page) })
}

const dialogOf = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  return dialog
}

const names = async (made: Made) => (await all.elementsIn(made)).map(({ name }) => name).toSorted()

test('a picture and a font are uploaded, go with the file of the overlay, and come in elsewhere', async () => {
  const made = await all.make(
    'With media',
    documentWith({
      [idOf(1)]: elementOf({ type: 'image', name: 'Banner', props: {} }),
      [idOf(2)]: elementOf({ name: 'Line', order: 'W', props: { text: 'Hello' } }),
    }),
  )
  const other = await all.make('Elsewhere', documentWith({ [idOf(9)]: elementOf({ name: 'Old' }) }))
  await using visitor = await open(made)
  const { page } = visitor
  await layerOf(page, 'Picture Banner').click()
  const files = page.locator('input[type="file"]')
  await files.setInputFiles({ ...(await picture('page.png')), buffer: Buffer.from('<html></html>') })
  await page.getByRole('alert').waitFor()
  expect((await all.elementsIn(made)).some(({ props }) => props?.media !== undefined)).toBe(false)
  await files.setInputFiles(await picture('banner.png'))
  const mediaOf = async () => (await all.elementsIn(made)).find(({ name }) => name === 'Banner')?.props?.media
  await expect.poll(mediaOf, patient).toBeTypeOf('string')
  await page.getByRole('combobox', { name: 'File' }).getByText('banner.png').waitFor({ state: 'attached' })

  // A font needs the word that it may be used.
  await canvasOf(page).press('Escape')
  await page.getByRole('combobox', { name: 'Add font' }).waitFor()
  expect(await files.isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: /rights|may use/i }).check()
  await files.setInputFiles(font('Marching Band.woff2'))
  await expect
    .poll(async () => Object.values((await all.stored(made)).fonts ?? {}).map(({ family }) => family), patient)
    .toEqual(['Marching Band'])
  await layerOf(page, 'Text Line').click()
  await page.getByRole('combobox', { name: 'Font' }).selectOption('Marching Band')
  await page.getByText('All saved').waitFor()
  expect(await faultsOf(page)).toEqual([])

  const dialog = await dialogOf(page, 'Files')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download the file' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('With media.json')
  const file = await readFile(await download.path())
  const written = JSON.parse(file.toString())
  expect(written).toMatchObject({ format: 'downbeat-overlay', document: await all.stored(made) })
  expect(written.assets.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['overlay_font', 'overlay_image'])

  await using elsewhere = await open(other)
  const taking = await dialogOf(elsewhere.page, 'Files')
  const take = async (buffer: Buffer) =>
    taking.getByLabel('Choose a file').setInputFiles({ name: 'overlay.json', mimeType: 'application/json', buffer })
  const forged = structuredClone(written)
  forged.assets[0].data = Buffer.from('<svg/>').toString('base64')
  await taking.getByRole('checkbox').check()
  await take(Buffer.from(JSON.stringify(forged)))
  await taking.getByRole('alert').waitFor()
  expect(await names(other)).toEqual(['Old'])
  await take(file)
  await taking.waitFor({ state: 'detached' })
  await layerOf(elsewhere.page, 'Picture Banner').waitFor()
  await expect.poll(() => names(other), patient).toEqual(['Banner', 'Line'])
  expect(Object.values((await all.stored(other)).fonts ?? {}).map(({ family }) => family)).toEqual(['Marching Band'])
  // The console tells of what was refused, and that the font has tables without a meaning.
  const foreseen = /status of 4\d\d|decode downloaded font|OTS parsing/
  expect([...visitor.complaints, ...elsewhere.complaints].filter((each) => !foreseen.test(each))).toEqual([])
})

test('a draft is kept as a template, from which another overlay begins anew', async () => {
  const made = await all.make('Pattern', documentWith({ [idOf(1)]: elementOf({ name: 'Patterned' }) }))
  const other = await all.make('Plain', documentWith({ [idOf(2)]: elementOf({ name: 'Old' }) }))
  await using visitor = await open(made)
  const keeping = await dialogOf(visitor.page, 'Files')
  await keeping.getByRole('textbox', { name: 'Name' }).fill('House style')
  await keeping.getByRole('button', { name: 'Keep as template' }).click()
  await keeping.getByText('It is among your templates now.').waitFor()
  await using elsewhere = await open(other)
  const taking = await dialogOf(elsewhere.page, 'Files')
  await taking.getByRole('combobox', { name: 'Template' }).selectOption('House style')
  await taking.getByRole('button', { name: 'Replace the draft' }).click()
  await taking.waitFor({ state: 'detached' })
  await layerOf(elsewhere.page, 'Text Patterned').waitFor()
  expect(await names(other)).toEqual(['Patterned'])
  // What was there before is not lost.
  const restoring = await dialogOf(elsewhere.page, 'Versions')
  await restoring.getByRole('listitem').filter({ hasText: 'Kept by itself' }).getByRole('button').click()
  await restoring.waitFor({ state: 'detached' })
  await layerOf(elsewhere.page, 'Text Old').waitFor()
  expect(await names(other)).toEqual(['Old'])
  expect([...visitor.complaints, ...elsewhere.complaints]).toEqual([])
})

test('a version that was kept is restored before the eyes of who else edits, and published again', async () => {
  const made = await all.make('Versions', documentWith({ [idOf(1)]: elementOf({ name: 'Line', x: 10 }) }))
  await using visitor = await open(made)
  await using second = await all.open(made, all.second)
  const { page } = visitor
  const keeping = await dialogOf(page, 'Versions')
  await keeping.getByText('No version').or(keeping.getByRole('textbox')).first().waitFor()
  await keeping.getByRole('textbox').fill('Before')
  await keeping.getByRole('button', { name: 'Keep', exact: true }).click()
  await keeping.getByRole('listitem').filter({ hasText: 'Before' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await layerOf(page, 'Text Line').click()
  await layerOf(second.page, 'Text Line').click()
  await fieldOf(page, 'X').fill('700')
  await fieldOf(page, 'X').press('Enter')
  await expect.poll(() => fieldOf(second.page, 'X').inputValue(), patient).toBe('700')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText(/Published as version/).waitFor()
  const restoring = await dialogOf(page, 'Versions')
  await restoring
    .getByRole('listitem')
    .filter({ hasText: 'Before' })
    .getByRole('button', { name: /^Restore \d/ })
    .click()
  await restoring.waitFor({ state: 'detached' })
  await expect.poll(() => fieldOf(second.page, 'X').inputValue(), patient).toBe('10')
  await expect.poll(async () => (await all.elementsIn(made))[0]?.x, patient).toBe(10)
  // What is on the pages stays until it is published.
  const published = async () => {
    const { document } = (await all.api.get(`${made.path}/published`, all.organiser)).body
    return Object.values(document.scenes as Record<string, { elements: Record<string, { x: number }> }>).flatMap(
      ({ elements }) => Object.values(elements).map(({ x }) => x),
    )
  }
  expect(await published()).toEqual([700])
  await page.getByText('Differs from version 2').waitFor()
  expect(visitor.complaints).toEqual([])
})

test('elements are copied and cut to other overlays, what contains others with all of it', async () => {
  const made = await all.make(
    'From here',
    documentWith({
      [idOf(1)]: elementOf({ type: 'group', name: 'Frame', props: {} }),
      [idOf(2)]: elementOf({ name: 'Inside', parent: idOf(1), x: 7 }),
      [idOf(3)]: elementOf({ name: 'Beside', order: 'W' }),
    }),
  )
  const other = await all.make('To there')
  await using visitor = await open(made)
  const { page, context } = visitor
  const target = await context.newPage()
  await target.setViewportSize({ width: 1440, height: 900 })
  await target.goto(other.page)
  await target.getByText('This scene is empty').waitFor()
  const send = async (name: string, keys: string) => {
    await page.bringToFront()
    await layerOf(page, name).click()
    await canvasOf(page).focus()
    await page.keyboard.press(keys)
    await target.bringToFront()
    await canvasOf(target).focus()
    await target.keyboard.press('Control+v')
  }
  await send('Group Frame', 'Control+c')
  await layerOf(target, 'Text Inside').waitFor()
  await expect.poll(() => names(other), patient).toEqual(['Frame', 'Inside'])
  const stored = Object.entries(Object.values((await all.stored(other)).scenes)[0]?.elements ?? {})
  const frame = stored.find(([, { name }]) => name === 'Frame')?.[0]
  expect(stored.find(([, { name }]) => name === 'Inside')?.[1]).toMatchObject({ parent: frame, x: 7 })
  await send('Text Beside', 'Control+x')
  await expect.poll(() => names(other), patient).toEqual(['Beside', 'Frame', 'Inside'])
  await expect.poll(() => names(made), patient).toEqual(['Frame', 'Inside'])
  // One step each.
  await target.getByRole('button', { name: 'Undo my last step' }).click()
  await expect.poll(() => names(other), patient).toEqual(['Frame', 'Inside'])
  await target.getByRole('button', { name: 'Undo my last step' }).click()
  await expect.poll(() => names(other), patient).toEqual([])
  expect(visitor.complaints).toEqual([])
})
