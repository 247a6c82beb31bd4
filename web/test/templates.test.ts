import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneRole } from '../../src/engine/scenes/document.ts'
import { type Sample, type SamplePreset, sampleOf } from '../../src/engine/scenes/samples/samples.ts'
import { builtInFor, builtInTemplates } from '../../src/engine/scenes/templates/templates.ts'
import type { DataTree, TreeGame, TreePlayer } from '../../src/engine/scenes/tree.ts'
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
  /** What is different from the sample. */
  readonly change?: (sample: Sample) => Sample
}

const banner = '/media/sample/banner'
const withData = (change: (data: DataTree) => Partial<DataTree>) => (sample: Sample) => ({
  ...sample,
  data: { ...sample.data, ...change(sample.data) },
})
/** The match has no flow, so no side chooses maps. */
const noFlow = { flow: null, pickBans: [], pool: null, map: null }

/**
 * A match in which this number of games was played, and which is not over.
 * @param bestOf the shortest that leaves it open unless given
 */
const played = (count: number, more: Partial<DataTree> = {}, bestOf?: number) =>
  withData(({ games, pool, match, sides }) => {
    const all = Array.from({ length: count }, (_, index) => ({
      ...(games[index % 3] as TreeGame),
      number: index + 1,
      map: pool?.maps[index] ?? null,
    }))
    const won = sides.map(({ number }) => all.filter(({ winner }) => winner === number).length)
    const winsNeeded = bestOf === undefined ? Math.max(1, ...won) + 1 : (bestOf + 1) / 2
    return {
      match: match && { ...match, winsNeeded, bestOf: 2 * winsNeeded - 1 },
      sides: sides.map((side, index) => ({ ...side, score: won[index] ?? 0 })),
      games: all,
      ...more,
    }
  })

/** Nothing is known but the tournament. */
const nothing = (sample: Sample): Sample => {
  const { data, control } = sample
  const sides = data.sides.map((side) => ({ ...side, team: null, score: null, result: null, players: [] }))
  const none = { before: [], after: [], upcoming: [], recent: [], highlighted: [] }
  return {
    ...sample,
    control: { ...control, casters: [], countdownTo: null, matchGuid: null },
    data: {
      ...data,
      ...{
        ...noFlow,
        match: null,
        games: [],
        sides,
        bracket: none,
        standings: [],
        qualifier: [],
        winners: [],
        road: [],
      },
    },
  }
}

/** The match is chosen, and no map of it. */
const beforeMaps = withData(({ match, sides }) => ({
  ...noFlow,
  match: match && { ...match, status: 'ready', startedAt: null, scheduledAt: null },
  sides: sides.map((side) => ({ ...side, score: 0 })),
  games: [],
}))
/** A map is chosen, and no song runs. */
const betweenSongs = withData(() => {
  const { map, games, flow } = sampleOf('solo', picturedAt).data
  return { map, games, flow }
})
/** All templates share their scenes but for the gameplay. */
const roles = Object.values(builtInTemplates[0]?.document.scenes ?? {}).flatMap(({ role }) => role ?? [])
const gameplays = ['duel', 'teamsOf4', 'freeForAll']
const presetOf = (template: string): SamplePreset => (template === 'duel' ? 'pick_ban' : 'bracket')

/** The last game may still be replayed. */
const held = withData(({ games }) => ({
  games: games.slice(0, 3).map((game) => (game.number < 3 ? game : { ...game, provisional: true, phase: 'window' })),
}))

const teamsOf = (count: number) =>
  withData(({ sides }) => ({
    sides: sides.map((side) => ({
      ...side,
      players: Array.from({ length: count }, (_, index) => {
        const player = side.players[index % side.players.length] as TreePlayer
        return { ...player, guid: `${side.number}-${index}`, name: `${player.name} ${index}` }
      }),
    })),
  }))

const pictured: readonly Scene[] = [
  {
    name: 'start',
    role: 'start',
    preset: 'break',
    change: withData(({ tournament }) => ({ tournament: { ...tournament, bannerUrl: banner } })),
  },
  { name: 'teams-introduced', role: 'teamIntro', preset: 'teams' },
  { name: 'casters', role: 'casters', preset: 'teams' },
  { name: 'schedule', role: 'schedule', preset: 'break' },
  { name: 'picks-and-bans', role: 'pickBan', preset: 'solo', change: held },
  { name: 'between-maps', role: 'pickBan', preset: 'solo', change: played(3, noFlow) },
  { name: 'gameplay', role: 'gameplay', preset: 'solo' },
  { name: 'teams', template: 'teams', role: 'gameplay', preset: 'teams' },
  { name: 'free-for-all', template: 'freeForAll', role: 'gameplay', preset: 'free_for_all' },
  { name: 'summary', role: 'summary', preset: 'finished' },
  { name: 'bracket', role: 'bracket', preset: 'bracket' },
  { name: 'standings', role: 'standings', preset: 'bracket' },
  { name: 'qualifier', role: 'qualifier', preset: 'bracket' },
  { name: 'break', role: 'break', preset: 'break' },
  {
    name: 'winners',
    role: 'winners',
    preset: 'finished',
    change: withData(({ tournament }) => ({ tournament: { ...tournament, bannerUrl: banner } })),
  },
]

const sizesOfTeams = [2, 3, 4, 5, 6] as const

/** The scenes with all that may be there or not. */
const scenes: readonly Scene[] = [
  ...pictured,
  ...[0, 1, 2, 4, 6, 11].map((count): Scene => {
    return { name: `${count} maps`, role: 'pickBan', preset: 'solo', change: played(count, noFlow) }
  }),
  ...[5, 7, 11].map((count): Scene => {
    return { name: `strip of ${count}`, role: 'gameplay', preset: 'solo', change: played(count, {}, count) }
  }),
  ...sizesOfTeams.map((count): Scene => {
    const template = `teamsOf${count}`
    return { name: template, template, role: 'gameplay', preset: 'teams', change: teamsOf(count) }
  }),
  { name: 'not final', role: 'summary', preset: 'solo', change: held },
  {
    name: 'start without a countdown',
    role: 'start',
    preset: 'break',
    change: ({ control, ...sample }) => ({ ...sample, control: { ...control, countdownTo: null, casters: [] } }),
  },
  {
    name: 'winners without a bracket',
    role: 'winners',
    preset: 'finished',
    change: withData(() => ({ road: [] })),
  },
  ...roles.map((role): Scene => ({ name: `${role}, nothing known`, role, preset: 'pick_ban', change: nothing })),
  ...gameplays.flatMap((template): Scene[] => {
    const of = { template, role: 'gameplay', preset: presetOf(template) } as const
    return [
      { ...of, name: `${template}, nobody known`, change: nothing },
      { ...of, name: `${template}, no map`, change: beforeMaps },
      { ...of, name: `${template}, no song`, change: betweenSongs },
    ]
  }),
]

async function open({ template = 'duel', role, preset, change }: Scene, pictures: boolean): Promise<RealVisitor> {
  const visitor = await browser.visitor(website)
  const { page } = visitor
  const query = new URLSearchParams({ template, role, preset, now: `${picturedAt}` })
  if (pictures) query.set('pictures', '')
  query.set('background', pictureBackground)
  await page.goto(`/?${query}`)
  await page.waitForSelector('.scene:not([style*="hidden"])')
  if (change !== undefined) {
    const { origin } = new URL(page.url())
    const sample = sampleOf(preset, picturedAt, (name) => (pictures ? `${origin}/media/sample/${name}` : null))
    const { data, control } = change(sample)
    await page.evaluate(
      ([of, on, shown]) => {
        const found = Object.entries(globalThis.opened.document?.scenes ?? {}).find((entry) => entry[1].role === shown)
        globalThis.tell.control({ ...on, scene: found?.[0] ?? null })
        globalThis.tell.data(of)
      },
      [data, control, role] as const,
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

/** The texts that are seen, with the colour of each. */
const seenTexts = `Array.from(document.querySelectorAll('.scene .text .line')).flatMap((line) => {
  const { width, height } = line.getBoundingClientRect()
  return width * height === 0 || line.textContent.trim() === '' ? [] : [[line.textContent, getComputedStyle(line).color]]
})`

const sceneOf = (name: string) => scenes.find((each) => each.name === name) as Scene
const rgb = (color: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`

test('a game that may still be lost has no winner on air; one that was won is its winner’s, whichever side is first', async () => {
  const { side1, side2 } = builtInTemplates[0]?.document.variables ?? {}
  const [first, second] = [rgb(String(side1)), rgb(String(side2))]
  const score = (of: Sample, game: number, side: number) =>
    of.data.games[game]?.sides[side]?.score?.toLocaleString('en-US') ?? ''
  const sample = sampleOf('solo', picturedAt)
  const colorsOf = async (scene: Scene) => {
    await using visitor = await open(scene, false)
    return new Map(await visitor.page.evaluate<[string, string][]>(seenTexts))
  }
  const open3 = await colorsOf(sceneOf('not final'))
  expect(open3.get(score(sample, 0, 0))).toBe(first)
  expect(open3.get(score(sample, 1, 1))).toBe(second)
  expect([first, second]).not.toContain(open3.get(score(sample, 2, 0)))
  expect([...open3.keys()]).toContain('Not final: may be replayed')
  const swap = withData(({ sides, games }) => ({
    sides: sides.toReversed(),
    games: games.map((game) => ({ ...game, sides: game.sides.toReversed() })),
  }))
  const swapped = await colorsOf({ name: 'swapped', role: 'summary', preset: 'solo', change: swap })
  // The first side is shown second now, in the colour of the second place.
  expect(swapped.get(score(sample, 0, 0))).toBe(second)
  expect([first, second]).not.toContain(swapped.get(score(sample, 0, 1)))
})

/** What is said in place of what is not known yet. */
const instead: Readonly<Partial<Record<SceneRole, string>>> = {
  start: 'Starting soon',
  break: 'Back soon',
  casters: 'With you in a moment',
  schedule: 'The schedule follows',
  bracket: 'The bracket follows',
  standings: 'The standings follow',
  qualifier: 'The results of the qualifier follow',
  winners: 'The champions are yet to be found',
}

async function wordsOf(scene: Scene): Promise<string> {
  await using visitor = await open(scene, false)
  return await visitor.page.evaluate<string>('document.querySelector(".scene").innerText')
}

test('a scene without anything to show says so, and has no label without its value', async () => {
  for (const role of roles) {
    const words = await wordsOf(sceneOf(`${role}, nothing known`))
    expect(words, role).toContain(instead[role] ?? 'To be decided')
    expect(words, role).not.toMatch(/Starts in|Champions of|Best of|Best play|first map/)
  }
  for (const template of gameplays) {
    const [nobody, map, song] = await Promise.all(
      ['nobody known', 'no map', 'no song'].map((name) => wordsOf(sceneOf(`${template}, ${name}`))),
    )
    expect(nobody).toContain(template === 'freeForAll' ? 'The players follow' : 'To be decided')
    expect(nobody).not.toContain('The first map follows')
    expect(map).toContain('The first map follows')
    expect(song).not.toContain('The first map follows')
    expect(song).toContain('The Cartographer')
  }
  // Results that are entered by hand have scores alone.
  for (const [known, labels] of [[[], 0] as const, [[1], 1] as const, [[0, 1], 2] as const]) {
    const withAccuracies = withData(({ games }) => ({
      games: games.map((game, index) => ({
        ...game,
        sides: game.sides.map((side, at) =>
          index === games.length - 1 && known.some((each) => each === at) ? side : { ...side, accuracy: null },
        ),
      })),
    }))
    const words = await wordsOf({ name: 'by hand', role: 'summary', preset: 'finished', change: withAccuracies })
    expect(words.match(/^Accuracy$/gm) ?? []).toHaveLength(labels)
    expect(words.match(/^Score$/gm)).toHaveLength(2)
  }
})

test('the board says who may claim a replay, and what is played', async () => {
  const board = (flow: Partial<NonNullable<DataTree['flow']>>, more: Partial<DataTree> = {}) => {
    const turn = { action: 'play', side: 2, run: 1 } as const
    const change = withData((data) => ({ flow: data.flow && { ...data.flow, turn, ...flow }, ...more }))
    return wordsOf({ name: 'board', role: 'pickBan', preset: 'solo', change })
  }
  const claiming = await board({ phase: 'window' })
  expect(claiming).toContain('May claim a replay')
  expect(claiming).not.toContain('Up next')
  const { games } = sampleOf('solo', picturedAt).data
  const replayed = games.map((game, index) => (index === 3 ? { ...game, phase: 'replay' } : game))
  expect(await board({ phase: 'playing' }, { games: replayed })).toMatch(/Replay\n/)
  expect(await board({ phase: 'playing' })).toContain('Now playing')
  expect(await board({ phase: 'choosing', turn: { action: 'ban', side: 1, run: 1 } })).toContain('Bans')
})

test.each([1, 2, 4, 6, 11])('%i maps fill the room between maps', async (count) => {
  await using visitor = await open(sceneOf(`${count} maps`), false)
  // In pixels of the canvas; hidden rows have no height.
  const heights = await visitor.page.evaluate<number[]>(
    `Array.from(document.querySelectorAll('.cell'), ({ offsetHeight }) => offsetHeight).filter((height) => height > 0)`,
  )
  expect(heights).toHaveLength(count)
  const used = heights.reduce((sum, height) => sum + height, 0)
  expect(used).toBeGreaterThan(count === 1 ? 280 : 480)
})

test.each(sizesOfTeams)(
  'all of %i players of a team are seen, and a tournament gets the template of its teams',
  async (count) => {
    await using visitor = await open(sceneOf(`teamsOf${count}`), false)
    const texts = new Set((await visitor.page.evaluate<[string, string][]>(seenTexts)).map(([words]) => words))
    const { data } = (sceneOf(`teamsOf${count}`).change as (sample: Sample) => Sample)(sampleOf('teams', picturedAt))
    for (const { name } of data.sides.flatMap(({ players }) => players)) expect(texts).toContain(name)
    expect(builtInFor('teams', count)).toBe(builtInTemplates.find(({ key }) => key === `teamsOf${count}`)?.document)
  },
)

test.runIf(isTaken)('pictures of all scenes', async () => {
  await mkdir(folder, { recursive: true })
  for (const scene of pictured) {
    await using visitor = await open(scene, true)
    await visitor.page.setViewportSize({ width: 1_280, height: 720 })
    await visitor.page.waitForTimeout(500)
    const picture = await visitor.page.screenshot()
    await writeFile(path.join(folder, `${scene.name}.webp`), await sharp(picture).webp({ quality: 80 }).toBuffer())
  }
})
