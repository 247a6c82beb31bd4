import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demo } from '../../demo/demo.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import { sitePages } from '../../src/site/pages.ts'
import { openBrowser } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { freePort, type Harness, startHarness } from '../../test/harness.ts'
import { isPublic } from './site/checks.ts'

/**
 * Pictures of all pages with the cup of the demo, in docs/pictures/site. `GENERATE=1` plays it and draws them anew, and
 * somebody must look at them.
 */

const isTaken = process.env.GENERATE === '1'
const folder = path.join(import.meta.dirname, '../../docs/pictures/site')
const maxBytes = 40_000

/** The name of each page's picture; those in the second list have one on a phone in the dark as well. */
const names: Readonly<Record<string, string>> = {
  '/': 'home',
  '/tournaments': 'tournaments',
  '/calendar': 'calendar',
  '/search': 'search',
  '/p/:platform': 'platform',
  '/maps': 'maps',
  '/maps/:map': 'map',
  '/pools/:pool': 'archived-pool',
  '/awards': 'awards',
  '/awards/:edition': 'award',
  '/badges': 'badges',
  '/badges/:badge': 'badge',
  '/u/:user': 'user',
  '/about': 'about',
  '/about/accessibility': 'accessibility',
  '/about/licences': 'licences',
  '/packages': 'package-check',
  '/embed/t/:tournament/bracket/:bracket': 'embedded-bracket',
  '/embed/t/:tournament/schedule': 'embedded-schedule',
  '/t/:tournament': 'tournament',
  '/t/:tournament/rules': 'rules',
  '/t/:tournament/teams': 'teams',
  '/t/:tournament/teams/:team': 'team',
  '/t/:tournament/qualifier': 'qualifier',
  '/t/:tournament/pools': 'pools',
  '/t/:tournament/pools/:pool': 'pool',
  '/t/:tournament/bracket/:division/:bracket': 'bracket',
  '/t/:tournament/matches': 'matches',
  '/t/:tournament/m/:division/:number': 'match',
  '/t/:tournament/standings/:bracket': 'standings',
  '/t/:tournament/schedule': 'schedule',
  '/t/:tournament/updates': 'updates',
  '/t/:tournament/staff': 'staff',
}
const onPhones = new Set(['home', 'tournament', 'bracket', 'match', 'schedule', 'standings', 'team', 'calendar'])

/** Leads to the page of the one bracket. */
const without = new Set(['/t/:tournament/bracket'])

const looks = [
  { ending: '', width: 1440, height: 900, dark: false },
  { ending: '-phone-dark', width: 360, height: 740, dark: true },
] as const

const files = Object.values(names).flatMap((name) =>
  looks.filter(({ ending }) => ending === '' || onPhones.has(name)).map(({ ending }) => `${name}${ending}.webp`),
)

let api: Harness | undefined
beforeAll(async () => {
  if (!isTaken) return
  const socketPort = await freePort()
  api = await startHarness({ webhookAllowPrivate: true, socketPort, socketUrl: `ws://127.0.0.1:${socketPort}` })
  await freshenPages()
  const { tournament } = await demo(api.app.config, { say: () => {} })
  await draw(api, await addressesOf(api, tournament.id))
}, provisionMs + 600_000)
afterAll(() => api?.[Symbol.asyncDispose]())

/** Where the cup of the demo has each page. */
async function addressesOf(service: Harness, cup: string): Promise<(pagePath: string) => string> {
  const read = async (address: string) => (await service.get(address)).body
  const place = `/tournaments/${cup}`
  const [division] = await read(`${place}/divisions`)
  const bracket = division.brackets[0].guid
  // The match that was told map by map. Readers see it as late as the stream is.
  const gamesOf = ({ games }: { games: unknown[] }) => games.length
  const shown = async () =>
    (await read(`${place}/matches?limit=100&delayed=true`)).matches.toSorted(
      (one: never, other: never) => gamesOf(other) - gamesOf(one),
    )[0]
  let match = await shown()
  while (gamesOf(match) <= 5) {
    await setTimeout(2_000)
    match = await shown()
  }
  const [pool] = await read(`${place}/pools`)
  const { maps } = await read('/resources/pooling/maps?limit=1')
  const { awards, editions = awards } = await read('/awards')
  const { badges } = await read('/badges')
  const [platform] = await read('/tournament-platforms')
  const team = match.sides[0].team
  const { members } = await read(`${place}/teams/${team.guid}`)
  const values: Readonly<Record<string, string>> = {
    tournament: cup,
    division: division.id,
    bracket,
    number: match.number,
    pool: pool.guid,
    map: maps[0].guid,
    edition: editions[0].slug ?? editions[0].guid,
    badge: badges[0].guid,
    platform: platform.contextId,
    team: team.id,
    user: members[0].user.guid,
  }
  const queries: Readonly<Record<string, string>> = { '/search': '?q=poland', '/tournaments': '?status=completed' }
  return (pagePath) => `${pagePath.replace(/:(\w+)/g, (_, name) => values[name] ?? '')}${queries[pagePath] ?? ''}`
}

async function draw(service: Harness, addressOf: (pagePath: string) => string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const browser = await openBrowser()
  try {
    for (const { ending, width, height, dark } of looks) {
      await using visitor = await browser.visitor(service, { dark })
      const { page } = visitor
      await page.setViewportSize({ width, height })
      // The first page at last: lists of all tournaments may be some seconds old.
      for (const [pagePath, name] of Object.entries(names).toReversed()) {
        if (!files.includes(`${name}${ending}.webp`)) continue
        const answer = await page.goto(addressOf(pagePath))
        expect([pagePath, answer?.status()]).toEqual([pagePath, 200])
        await page.locator('main h1').first().waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        await page.waitForLoadState('networkidle')
        await writeFile(path.join(folder, `${name}${ending}.webp`), await small(await page.screenshot()))
      }
    }
  } finally {
    await browser.close()
  }
}

/** Text stays sharp down to a quality of about 50. */
async function small(picture: Buffer): Promise<Buffer> {
  for (let quality = 80; ; quality -= 10) {
    const bytes = await sharp(picture).webp({ quality, effort: 6, smartSubsample: true }).toBuffer()
    if (bytes.length <= maxBytes || quality <= 10) return bytes
  }
}

test('every page has a picture, some a second on a phone, and there are no others', async () => {
  const pages = sitePages.map((page) => page.path).filter((each) => isPublic(each) && !without.has(each))
  expect(Object.keys(names).toSorted()).toEqual(pages.toSorted())
  expect((await readdir(folder)).toSorted()).toEqual(files.toSorted())
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes)
  expect(Math.min(...sizes)).toBeGreaterThan(1_000)
})
