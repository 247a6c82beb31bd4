import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneRole } from '../../src/engine/scenes/document.ts'
import type { SamplePreset } from '../../src/engine/scenes/samples/samples.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { pictureBackground, picturedAt } from './pictures.ts'
import { startWebsite, type Website } from './website.ts'

/**
 * Every scene of the built-in templates, as it goes on air. `GENERATE=1` saves their pictures in
 * docs/pictures/overlays, and somebody must look at them.
 */

const isTaken = process.env.GENERATE === '1'
const sizes = [
  [1_280, 720],
  [1_920, 1_080],
] as const
const folder = path.join(import.meta.dirname, '../../docs/pictures/overlays')

let browser: RealBrowser
let website: Website
beforeAll(async () => {
  ;[browser, website] = await Promise.all([openBrowser(), startWebsite()])
}, provisionMs)
afterAll(async () => {
  await website?.[Symbol.asyncDispose]()
  await browser?.close()
})

interface Scene {
  readonly name: string
  readonly template?: string
  readonly role: SceneRole
  readonly preset: SamplePreset
  /** The match has no flow, so nobody chooses maps. */
  readonly hasNoFlow?: true
}

const scenes: readonly Scene[] = [
  { name: 'start', role: 'start', preset: 'solo' },
  { name: 'teams-introduced', role: 'teamIntro', preset: 'teams' },
  { name: 'casters', role: 'casters', preset: 'teams' },
  { name: 'schedule', role: 'schedule', preset: 'break' },
  { name: 'picks-and-bans', role: 'pickBan', preset: 'pick_ban' },
  { name: 'between-maps', role: 'pickBan', preset: 'solo', hasNoFlow: true },
  { name: 'gameplay', role: 'gameplay', preset: 'solo' },
  { name: 'teams', template: 'teams', role: 'gameplay', preset: 'teams' },
  { name: 'free-for-all', template: 'freeForAll', role: 'gameplay', preset: 'free_for_all' },
  { name: 'summary', role: 'summary', preset: 'finished' },
  { name: 'bracket', role: 'bracket', preset: 'bracket' },
  { name: 'standings', role: 'standings', preset: 'bracket' },
  { name: 'qualifier', role: 'qualifier', preset: 'bracket' },
  { name: 'break', role: 'break', preset: 'break' },
  { name: 'winners', role: 'winners', preset: 'finished' },
]

async function open({ template = 'duel', role, preset, hasNoFlow }: Scene, pictures: boolean): Promise<RealVisitor> {
  const visitor = await browser.visitor(website)
  const { page } = visitor
  const query = new URLSearchParams({ template, role, preset, now: `${picturedAt}` })
  if (pictures) query.set('pictures', '')
  query.set('background', pictureBackground)
  await page.goto(`/?${query}`)
  await page.waitForSelector('.scene:not([style*="hidden"])')
  if (hasNoFlow) {
    await page.evaluate(
      ([of, at]) => {
        const { data } = globalThis.opened.sampleOf(of, at, (name) => `${location.origin}/media/sample/${name}`)
        globalThis.tell.data({ ...data, flow: null, pickBans: [], pool: null })
      },
      [preset, picturedAt] as const,
    )
  }
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    do await frame()
    while (
      document.fonts.status !== 'loaded' ||
      document.getAnimations().some(({ playState }) => playState === 'running')
    )
    await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})))
    await frame()
  })
  return visitor
}

/** The texts that are cut off, in any element. */
const cutTexts = `Array.from(document.querySelectorAll('.scene *')).flatMap((element) => {
  const own = Array.from(element.childNodes).some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')
  const { overflowX, textOverflow } = getComputedStyle(element)
  return own && overflowX !== 'visible' && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1
    ? [element.textContent] : []
})`

test('no text of a scene is cut, with names of any length and without a picture', async () => {
  const cut: string[] = []
  for (const scene of scenes) {
    await using visitor = await open(scene, false)
    const { page } = visitor
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const words = await page.evaluate<string>('document.querySelector(".scene").innerText')
      expect(words.trim(), scene.name).not.toBe('')
      for (const text of await page.evaluate<string[]>(cutTexts)) cut.push(`${scene.name}, ${height}: ${text}`)
    }
  }
  expect(cut).toEqual([])
})

test.runIf(isTaken)('pictures of all scenes', async () => {
  await mkdir(folder, { recursive: true })
  for (const scene of scenes) {
    await using visitor = await open(scene, true)
    await visitor.page.setViewportSize({ width: 1_280, height: 720 })
    await visitor.page.waitForTimeout(500)
    const picture = await visitor.page.screenshot()
    await writeFile(path.join(folder, `${scene.name}.webp`), await sharp(picture).webp({ quality: 80 }).toBuffer())
  }
})
