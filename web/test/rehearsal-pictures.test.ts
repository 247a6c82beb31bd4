import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Harness, outcome, startHarness } from '../../test/harness.ts'
import { type Match, makeStage, type Stage } from '../../test/stage.ts'
import { isSettled } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/**
 * The pictures of the guide on rehearsals. `GENERATE=1` rehearses an evening of 32 teams by the pages alone and draws them anew,
 * and somebody must look at them.
 */

const isTaken = process.env.GENERATE === '1'
const folder = path.join(import.meta.dirname, '../../docs/pictures/rehearsal')
const [maxBytes, maxBytesOfAll] = [50_000, 400_000]
const names = ['make', 'start', 'two-reports', 'play', 'late', 'channels', 'planned', 'compare', 'preview'] as const

let api: Harness | undefined
let browser: RealBrowser | undefined
beforeAll(async () => {
  if (!isTaken) return
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  await rehearse(api, browser)
}, provisionMs + 600_000)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const begin = Date.parse('2027-05-01T18:00:00.000Z')
const slotMs = 25 * 60_000
const atOnce = 8

/** Plans eight matches at once, on four channels, and gives each 25 minutes, which is too little. */
async function plan(service: Harness, { path: address, organiser }: Stage): Promise<void> {
  const channels = ['Main', 'Second', 'Third', 'Fourth'].map((name) => ({
    name,
    url: `https://www.twitch.tv/${name.toLowerCase()}`,
    delaySeconds: 0,
  }))
  const reply = await service.put(`${address}/channels`, organiser, { channels, revision: 0 })
  expect(outcome(reply)).toEqual([200, null])
  const matches: Match[] = (await service.get(`${address}/matches?limit=100`, organiser)).body.matches
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  const levelOf = (match: Match): number =>
    1 + Math.max(0, ...match.sides.map(({ from }: Match) => (from === null ? 0 : levelOf(byGuid.get(from.matchGuid)))))
  const levels = [...Map.groupBy(matches, levelOf)].toSorted(([one], [other]) => one - other)
  let slot = 0
  for (const [, own] of levels) {
    for (const [at, { guid }] of own.entries()) {
      const time = new Date(begin + (slot + Math.floor(at / atOnce)) * slotMs)
      await service.sql('update matches set scheduled_at = $2, stream_url = $3 where guid = $1', [
        ...[guid, time, channels[at % atOnce]?.url ?? null],
      ])
    }
    slot += Math.ceil(own.length / atOnce)
  }
}

async function rehearse(service: Harness, chromium: RealBrowser): Promise<void> {
  const organiser = await service.user({ name: 'maestro' })
  await using visitor = await visitAs(chromium, service, organiser)
  const { page } = visitor
  const stage = await makeStage(service, organiser, { name: 'Spring Cup', teams: 32, status: 'approved' })
  await stage.bracket({ format: 'double_elimination' })
  await plan(service, stage)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await page.setViewportSize({ width: 1120, height: 760 })
  const dialog = page.getByRole('dialog')
  const picture = async (name: (typeof names)[number], heading?: string) => {
    await page.evaluate((text) => {
      const found = [...document.querySelectorAll('h1, h2')].find((each) => each.textContent === text)
      if (text !== undefined)
        scrollTo({ top: scrollY + (found?.getBoundingClientRect().top ?? 0) - 90, behavior: 'instant' })
    }, heading)
    await writeFile(path.join(folder, `${name}.webp`), await small(await page.screenshot()))
  }
  await page.goto(`/manage/${stage.cup.id}/rehearsal`)
  await isSettled(page)
  const started = performance.now()
  await page.getByRole('button', { name: 'Make a rehearsal' }).click()
  await dialog.getByLabel('Name').fill('Saturday')
  await dialog.getByLabel('Its clock begins at').fill('2027-05-01T17:55')
  await picture('make')
  await dialog.getByLabel('Name').press('Enter')
  await page.getByRole('link', { name: /^Rehearse/ }).click()
  await page.getByRole('button', { name: 'Start it' }).waitFor()
  await picture('start')
  await page.getByRole('button', { name: 'Start it' }).click()
  await page.getByRole('button', { name: 'Send both reports' }).click()
  await page.getByText('It is refused', { exact: false }).waitFor()
  await picture('two-reports', 'Two referees report at once')
  await page.getByRole('button', { name: 'Teams come late' }).click()
  await picture('play', 'Play')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const done = page.getByText('matches were played.', { exact: false })
  const more = page.getByRole('button', { name: 'Go on' })
  await done.or(more).first().waitFor()
  while (await more.isVisible()) {
    await more.click()
    await more.waitFor({ state: 'detached' })
    await done.or(more).first().waitFor()
  }
  await page.getByRole('button', { name: 'Estimate', exact: true }).click()
  await page.getByText('of 500 evenings', { exact: false }).waitFor()
  await picture('late', 'Where it runs late')
  await page.getByRole('button', { name: 'Channels', exact: true }).click()
  await picture('channels', 'Where it runs late')
  await page.getByRole('button', { name: 'Rounds', exact: true }).click()
  await page.getByRole('button', { name: /^Plan \d+ matches as played/ }).click()
  await dialog.getByRole('button', { name: 'Plan as played' }).click()
  await page.getByText('All matches that were played are planned').waitFor()
  await picture('planned', 'Where it runs late')
  await page.getByRole('link', { name: 'Compare with the tournament' }).first().click()
  await page.getByRole('button', { name: /^Choose all \d+ times/ }).click()
  await picture('compare', 'What is different in the rehearsal')
  await page.getByRole('button', { name: /^Show what \d+ would change/ }).click()
  await dialog.waitFor()
  await picture('preview')
  await dialog.getByRole('button', { name: 'Give it to the tournament' }).click()
  await page.getByText('the tournament has it now', { exact: false }).waitFor()
  // The guide promises an evening in ten minutes.
  expect(performance.now() - started).toBeLessThan(10 * 60_000)
}

/** Text stays sharp down to a quality of about 50. */
async function small(shot: Buffer): Promise<Buffer> {
  for (let quality = 70; ; quality -= 10) {
    const bytes = await sharp(shot).webp({ quality, effort: 6, smartSubsample: true }).toBuffer()
    if (bytes.length <= maxBytes || quality <= 10) return bytes
  }
}

test('each step of the guide has a picture, there are no others, and together they are small', async () => {
  const files = names.map((name) => `${name}.webp`)
  expect((await readdir(folder)).toSorted()).toEqual(files.toSorted())
  const guide = await readFile(path.join(folder, '../../guide/rehearse.md'), 'utf8')
  expect([...guide.matchAll(/\(\.\.\/pictures\/rehearsal\/([\w-]+\.webp)\)/g)].map(([, file]) => file)).toEqual(files)
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxBytesOfAll)
  expect(Math.min(...sizes)).toBeGreaterThan(1_000)
})
