import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { elementTypes, type SceneElement } from '../../src/engine/scenes/document.ts'
import { sampleOf } from '../../src/engine/scenes/samples/samples.ts'
import { type BuiltInTemplate, builtInTemplates } from '../../src/engine/scenes/templates/templates.ts'
import type { DataTree, TreeMatch, TreePoolMap } from '../../src/engine/scenes/tree.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import {
  type Element,
  faultOf,
  keptPictures,
  pictureBackground,
  picturedAt,
  pictureVariables,
  shownOf,
} from './pictures.ts'
import { startWebsite, type Website } from './website.ts'

/** The built browser source in Chromium, with data from the test instead of the service. (OV17 to OV20) */

let browser: RealBrowser
let website: Website
beforeAll(async () => {
  ;[browser, website] = await Promise.all([openBrowser(), startWebsite()])
}, provisionMs)
afterAll(async () => {
  await website?.[Symbol.asyncDispose]()
  await browser?.close()
})

interface Visit extends RealVisitor {
  /** Errors in the console, including reports of the policy. */
  readonly complaints: readonly string[]
}

async function visit(query: string): Promise<Visit> {
  const visitor = await browser.visitor(website)
  const complaints: string[] = []
  visitor.page.on('pageerror', ({ message }) => complaints.push(message))
  visitor.page.on('console', (message) => {
    // Pictures that the mirror has not fetched yet are ignored too.
    if (!/\/(favicon\.ico$|media\/remote\/)/.test(message.location().url)) complaints.push(message.text())
  })
  await visitor.page.goto(`/?${query}`)
  return { ...visitor, complaints }
}

/** Shows elements in a document of their own, with one scene unless scenes are given. */
async function show(
  { page }: RealVisitor,
  elements: Readonly<Record<string, Element>>,
  more: object = {},
): Promise<void> {
  const scenes = { scene0001: { name: 'One', order: 'V', transition: { kind: 'none' }, elements: whole(elements) } }
  await page.evaluate(
    ([given, extra]) => {
      const { data, control } = globalThis.opened.sampleOf('solo', 1764000000000)
      const canvas = { width: 1280, height: 720, background: 'transparent' as const }
      globalThis.tell.document({ schemaVersion: 1, canvas, scenes: given as never, ...(extra as object) })
      globalThis.tell.control(control)
      globalThis.tell.data(data)
    },
    [scenes, more] as const,
  )
  await page.waitForSelector('.scene:not([style*="hidden"])')
}

function whole(elements: Readonly<Record<string, Element>>): Record<string, SceneElement> {
  const all = Object.entries(elements).map(([id, element], index) => [
    id,
    { name: id, order: `V${index + 1}`, x: 0, y: 0, width: 200, height: 100, ...element },
  ])
  return Object.fromEntries(all)
}

/** Red, green, blue and opacity of a pixel. */
async function pixel({ page }: RealVisitor, x: number, y: number): Promise<number[]> {
  const picture = await page.screenshot({ omitBackground: true, clip: { x, y, width: 1, height: 1 } })
  return [...(await sharp(picture).ensureAlpha().raw().toBuffer())]
}

const eventually = <T>(run: () => Promise<T> | T) => expect.poll(run, { interval: 20, timeout: 20_000 })
const clear = [0, 0, 0, 0]

/** Near enough: parts of transparent colours are rounded. */
const nearlyIs = (one: readonly number[], other: readonly number[]) =>
  one.every((value, at) => Math.abs(value - (other[at] ?? Number.NaN)) <= 3)

test('in a transparent window each pixel is as opaque as what is drawn there', async () => {
  await using visitor = await visit('')
  const { page } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  const square = { type: 'shape', y: 100, width: 100, height: 100, props: { fill: '#2040c0' } } as const
  await show(visitor, {
    solid001: { ...square, x: 100 },
    faded001: { ...square, x: 300, opacity: 0.5 },
    glass001: { ...square, x: 500, props: { fill: '#2040c080' } },
    below001: { ...square, x: 700 },
    above001: { ...square, x: 700, props: { fill: '#ffffff80' } },
    round001: { ...square, x: 900, props: { form: 'ellipse', fill: '#2040c0' } },
  })
  const expected = [
    [150, [32, 64, 192, 255]],
    [350, [32, 64, 192, 128]],
    [550, [32, 64, 192, 128]],
    [750, [144, 160, 224, 255]],
    [950, [32, 64, 192, 255]],
    [1_100, clear],
  ] as const
  for (const [x, color] of expected) {
    const drawn = await pixel(visitor, x, 150)
    expect([x, drawn, nearlyIs(drawn, color)]).toEqual([x, drawn, true])
  }
  // Nothing else is on the canvas: neither a ground, nor an edge, nor a mark.
  const { data, info } = await sharp(await page.screenshot({ omitBackground: true }))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const opacities = Array.from({ length: info.width * info.height }, (_, at) => data[at * 4 + 3] ?? 0)
  const drawn = opacities.filter((opacity) => opacity > 0).length
  // Four squares, and a circle whose edge is smooth.
  expect(drawn).toBeGreaterThanOrEqual(4 * 10_000 + 7_800)
  expect(drawn).toBeLessThanOrEqual(4 * 10_000 + 8_200)
  const edge = opacities.filter((opacity, at) => at % info.width >= 900 && opacity > 0 && opacity < 255)
  expect(edge.length).toBeGreaterThan(50)
})

test('nothing is drawn before all has come, and then the canvas in the middle of the window, undistorted', async () => {
  await using visitor = await visit('')
  const { page, complaints, outside } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  expect([await pixel(visitor, 640, 360), await page.evaluate('document.body.innerText')]).toEqual([clear, ''])
  const square = { type: 'shape', x: 1180, y: 620, width: 100, height: 100, props: { fill: '#ff0000' } } as const
  await show(visitor, { square001: square })
  const box = async () =>
    page.evaluate(
      '(({ x, y, width, height }) => [x, y, width, height])(document.querySelector(".shape").getBoundingClientRect())',
    )
  const red = [255, 0, 0, 255]
  expect([await box(), await pixel(visitor, 1_230, 670), await pixel(visitor, 20, 20)]).toEqual([
    [1180, 620, 100, 100],
    red,
    clear,
  ])
  for (const [width, height, expected] of [
    [1_920, 1_080, [1770, 930, 150, 150]],
    [3_840, 2_160, [3540, 1860, 300, 300]],
    [1_280, 1_000, [1180, 760, 100, 100]],
    [640, 1_000, [590, 630, 50, 50]],
  ] as const) {
    await page.setViewportSize({ width, height })
    await eventually(box).toEqual(expected)
  }
  const scrolls =
    '[document.documentElement.scrollWidth > innerWidth, document.documentElement.scrollHeight > innerHeight, getComputedStyle(document.body).cursor]'
  expect(await page.evaluate(scrolls)).toEqual([false, false, 'none'])
  expect([complaints, outside]).toEqual([[], []])
})

test('markup in texts of users stays text, and nobody elsewhere is asked for anything', async () => {
  await using visitor = await visit('preset=teams&template=teams&role=gameplay')
  const { page, complaints, outside } = visitor
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const evil =
    '<img src="https://evil.example/x" onerror="document.title = \'ran\'"><script>document.title = "ran"</script>'
  const { document: shown } = builtInTemplates.find(({ key }) => key === 'teams') as BuiltInTemplate
  const [gameplay = ''] = Object.entries(shown.scenes).find(([, { role }]) => role === 'gameplay') ?? []
  await page.evaluate(
    ([name, scene]) => {
      const { data, control } = globalThis.opened.sampleOf('teams', 1764000000000)
      const sides = data.sides.map((side) => ({
        ...side,
        team: side.team && {
          ...side.team,
          name,
          imageUrl: 'https://evil.example/team.png',
          color: 'red;background:url(https://evil.example)',
        },
        players: side.players.map((player) => ({ ...player, name, avatarUrl: '//evil.example/a.png' })),
      }))
      const map = data.map && {
        ...data.map,
        name,
        artist: name,
        mapper: name,
        imageUrl: 'javascript:alert(1)',
        difficulty: name,
        modifiers: [name],
      }
      globalThis.tell.data({ ...data, sides, map })
      globalThis.tell.control({
        ...control,
        scene,
        flavour: name,
        casters: [{ name, pronouns: name, handle: name, imageUrl: 'data:image/png,x', userGuid: null }],
      })
    },
    [evil, gameplay] as const,
  )
  await eventually(() => page.evaluate('document.body.textContent')).toContain('onerror')
  await eventually(() => page.evaluate('document.querySelectorAll(".stream .portrait").length')).toBe(6)
  await page.waitForTimeout(500)
  const found = '[document.title, document.querySelectorAll("script:not([src]), .stage script, .stage img").length]'
  expect(await page.evaluate(found)).toEqual(['Overlay', 0])
  expect([asked.filter((url) => url.includes('evil')), complaints, outside]).toEqual([[], [], []])
  const mirrored = website.mirror.asked.filter((address) => address.includes('evil'))
  expect(new Set(mirrored)).toEqual(new Set(['https://evil.example/team.png']))
})

test('pictures elsewhere come through the mirror: letters are seen until it has them, and what it never has is not asked for without end (M26)', async () => {
  const elsewhere = (name: string) => `https://pictures.example/${name}.png?size=256`
  const names = ['cover', 'avatar', 'logo', 'caster', 'never']
  const media = '00000000-0000-4000-8000-000000000001'
  await using visitor = await visit('')
  const { page, complaints, outside } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  await show(visitor, {
    card0001: { type: 'mapCard', width: 536, height: 126 },
    stream01: { type: 'stream', y: 150 },
    logo0001: {
      type: 'image',
      x: 300,
      y: 150,
      props: { media },
      bindings: { a: { property: 'address', path: 'sides.0.team.imageUrl' } },
    },
    casters1: { type: 'casters', y: 300, width: 560, height: 260 },
  })
  await page.evaluate((urls) => {
    const [cover = '', avatarUrl = '', imageUrl = '', caster = '', never = ''] = urls
    const { data, control } = globalThis.opened.sampleOf('solo', 1764000000000)
    const sides = data.sides.map((side) => ({
      ...side,
      team: side.team && { ...side.team, imageUrl },
      players: side.players.map((player) => ({ ...player, avatarUrl })),
    }))
    const casters = [caster, never].map((url) => ({
      name: 'Ann',
      pronouns: '',
      handle: '',
      imageUrl: url,
      userGuid: null,
    }))
    globalThis.tell.control({ ...control, casters })
    globalThis.tell.data({ ...data, sides, map: data.map && { ...data.map, imageUrl: cover } })
  }, names.map(elsewhere))
  const { asked, kept } = website.mirror
  const timesAsked = (name: string) => asked.filter((address) => address === elsewhere(name)).length
  /** The paths of the visible pictures. */
  const seen = async () => {
    const paths = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('.stage img'))
        .filter((image) => image.naturalWidth > 0 && getComputedStyle(image).visibility === 'visible')
        .map((image) => new URL(image.src).pathname)`,
    )
    const mirror = '/media/remote/'
    return paths.map((path) =>
      path.startsWith(mirror) ? Buffer.from(path.slice(mirror.length), 'base64url').toString() : path,
    )
  }
  await eventually(() => names.map(timesAsked)).toEqual([1, 1, 1, 1, 1])
  // The document's picture is shown until the bound one has loaded.
  await eventually(seen).toEqual([`/media/${media}/full.webp`])
  const letters =
    '[".card .note", ".stream .initials", ".caster .initials"].map((name) => document.querySelector(name)?.textContent)'
  expect(await page.evaluate(letters)).toEqual(['♪', expect.stringMatching(/^\w/), 'A'])
  for (const name of names.slice(0, 4)) kept.add(elsewhere(name))
  await eventually(seen).toEqual(names.slice(0, 4).map(elsewhere))
  // A closed page requests nothing; the next request would have been within two seconds.
  const before = timesAsked('never')
  await page.evaluate(() => globalThis.opened.close())
  await page.waitForTimeout(2_200)
  expect([timesAsked('never'), before < 4]).toEqual([before, true])
  for (const name of names.slice(0, 4)) expect(timesAsked(name), name).toBeLessThan(4)
  expect([complaints, outside]).toEqual([[], []])
})

test('what is bound is seen in the next frames; conditions and fallbacks apply', async () => {
  await using visitor = await visit('')
  await visitor.page.waitForFunction('globalThis.tell !== undefined')
  await show(visitor, {
    name0001: {
      type: 'text',
      props: { text: 'Nobody' },
      bindings: { a: { property: 'text', path: 'sides.0.team.name' } },
    },
    none0001: {
      type: 'text',
      props: { text: 'Unbound' },
      bindings: { a: { property: 'text', path: 'sides.0.constructor.name' } },
    },
    fall0001: {
      type: 'text',
      bindings: { a: { property: 'text', path: 'map.nothing', format: [{ name: 'number' }], fallback: 'None' } },
    },
    acc00001: {
      type: 'text',
      bindings: {
        a: { property: 'text', path: 'live.sides.0.accuracy', format: [{ name: 'percent' }], fallback: '–' },
      },
    },
    lead0001: {
      type: 'text',
      props: { text: 'Ahead' },
      conditions: { a: { when: { path: 'live.lead.place', op: 'ne', value: 1 }, set: { visible: false } } },
    },
  })
  const texts = () =>
    visitor.page.evaluate(
      'Array.from(document.querySelectorAll(".e"), (node) => node.style.display === "none" ? null : node.textContent)',
    )
  await eventually(texts).toEqual(['Quaver', 'Unbound', 'None', '–', null])
  const tookMs = await visitor.page.evaluate(async () => {
    const { live } = globalThis.opened.sampleOf('solo', 1764000000000)
    const node = document.querySelectorAll('.e')[3]
    const began = performance.now()
    const changed = new Promise((resolve) =>
      new MutationObserver(resolve).observe(node as Node, { subtree: true, childList: true, characterData: true }),
    )
    globalThis.tell.live(live)
    await changed
    return performance.now() - began
  })
  expect(tookMs).toBeLessThan(1_000)
  expect(await texts()).toEqual(['Quaver', 'Unbound', 'None', '96.42%', 'Ahead'])
})

test('each type draws what it is for', async () => {
  await using visitor = await visit('pictures')
  const { page, complaints } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  await show(
    visitor,
    {
      shape001: {
        type: 'shape',
        x: 0,
        y: 0,
        width: 100,
        height: 100,
        props: { fill: '#00ff00' },
        mask: { shape: 'ellipse' },
      },
      half0001: { type: 'shape', x: 100, y: 0, width: 100, height: 100, opacity: 0.5, props: { fill: 'var(blue)' } },
      poly0001: {
        type: 'shape',
        x: 200,
        y: 0,
        width: 100,
        height: 100,
        props: {
          form: 'polygon',
          fill: '#ff0000',
          points: [
            [0, 0],
            [100, 0],
            [0, 100],
          ],
        },
      },
      bar00001: {
        type: 'bar',
        x: 300,
        y: 0,
        width: 100,
        height: 100,
        props: { value: 0.25, colors: ['#ff0000', '#0000ff'] },
      },
      pips0001: {
        type: 'pips',
        x: 400,
        y: 0,
        width: 100,
        height: 100,
        props: { value: 1, total: 2, gap: 0, shape: 'rectangle', filled: '#ff0000', empty: '#0000ff' },
      },
      turn0001: { type: 'shape', x: 500, y: 25, width: 100, height: 50, rotation: 90, props: { fill: '#ffffff' } },
      group001: { type: 'group', x: 600, y: 0, width: 50, height: 100, props: { clip: true } },
      in000001: { type: 'shape', parent: 'group001', x: 0, y: 0, width: 100, height: 100, props: { fill: '#ff0000' } },
      list0001: { type: 'list', x: 700, y: 0, width: 100, height: 400, props: { source: 'games', max: 2, gap: 10 } },
      item0001: {
        type: 'text',
        parent: 'list0001',
        x: 0,
        y: 0,
        width: 100,
        height: 40,
        bindings: { a: { property: 'text', path: 'item.map.name' } },
      },
      timer001: { type: 'timer', x: 900, y: 0, props: { source: 'countdown' } },
      card0001: { type: 'mapCard', x: 0, y: 200, width: 600, height: 150 },
      picks001: { type: 'pickBans', x: 0, y: 360, width: 600, height: 340 },
      brack001: { type: 'bracket', x: 640, y: 200, width: 640, height: 200 },
      stand001: { type: 'standings', x: 640, y: 400, width: 300, height: 300 },
      sched001: { type: 'schedule', x: 960, y: 400, width: 300, height: 200 },
      casts001: { type: 'casters', x: 960, y: 600, width: 300, height: 100 },
      strea001: { type: 'stream', x: 960, y: 100, width: 160, height: 90 },
      unkno001: { type: 'frame' as 'text', x: 0, y: 0, width: 1280, height: 720 },
    },
    { variables: { blue: '#0000ff' } },
  )
  await page.waitForTimeout(400)
  const at = (x: number, y: number) => pixel(visitor, x, y)
  expect({
    ellipse: [await at(50, 50), await at(2, 2)],
    half: (await at(150, 50)).map((each) => Math.round(each / 32)),
    polygon: [await at(210, 10), await at(290, 90)],
    bar: [await at(310, 50), await at(390, 50)],
    pips: [await at(410, 50), await at(490, 50)],
    turned: [await at(550, 5), await at(510, 50)],
    clipped: [await at(640, 50), await at(660, 50)],
  }).toEqual({
    ellipse: [[0, 255, 0, 255], clear],
    half: [0, 0, 8, 4],
    polygon: [[255, 0, 0, 255], clear],
    bar: [
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ],
    pips: [
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ],
    turned: [[255, 255, 255, 255], clear],
    clipped: [[255, 0, 0, 255], clear],
  })
  const words = (selector: string) =>
    page.evaluate((given) => Array.from(document.querySelectorAll(given), ({ textContent }) => textContent), selector)
  expect(await words('.cell')).toEqual(['Glass Harbour', 'Paper Lanterns'])
  expect((await words('.map-card')).join()).toMatch(
    /Pick of Cadenza.*Cartographer.*Long Distance Choir · waypoint & compass.*Expert\+.*5:05/,
  )
  expect(await words('.tile.banned .name')).toEqual(['Undertow', 'Zero Crossing', 'Marigold', 'Hollow Sun'])
  expect(await words('.tile.picked .top .done')).toEqual(['Pick 1', 'Pick 2', 'Pick 3', 'Pick 4'])
  expect(await words('.tile.won .verdict')).toEqual(['Quaver won', 'Cadenza won', 'Quaver won'])
  expect((await words('.tile .flair')).length).toBe(11)
  expect(await words('.tile.tiebreaker .top')).toEqual(['TiebreakerTech'])
  expect(await words('.match .name')).toEqual(
    expect.arrayContaining(['Quaver', 'Cadenza', 'Winner of match 29', 'Loser of match 29']),
  )
  expect((await words('.standings .row:not(.head) .name')).length).toBe(12)
  expect(await words('.schedule .score')).toEqual(['3 : 1', '3 : 2', 'vs', 'vs', 'vs', 'vs', 'vs'])
  expect(await words('.caster .name')).toEqual(['Andante', 'Basso Profondo'])
  expect(complaints).toEqual([])
})

test('each type looks as it did when somebody looked at it last', async () => {
  await using visitor = await visit(`pictures&now=${picturedAt}`)
  const { page, complaints } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  const faults: (string | null)[] = []
  for (const type of elementTypes) {
    const { preset, elements, size, control: own = {} } = shownOf[type]
    await page.evaluate(
      async ([given, shown, at, background, variables, changed]) => {
        const pictures = (name: string) => `${location.origin}/media/sample/${name}`
        const { data, control, live } = globalThis.opened.sampleOf(shown, at, pictures)
        const before = document.querySelector('.scene')
        const scene = { name: 'One', order: 'V', transition: { kind: 'none' as const }, elements: given }
        const canvas = { width: 1280, height: 720, background: background as '#000000' }
        globalThis.tell.document({ schemaVersion: 1, canvas, variables, scenes: { scene0001: scene } })
        globalThis.tell.control({ ...control, ...changed })
        globalThis.tell.data(data)
        globalThis.tell.live(live)
        const isThere = () => {
          const [first, ...more] = document.querySelectorAll('.scene')
          const videos = Array.from(document.querySelectorAll('video'))
          return (
            first !== undefined &&
            first !== before &&
            more.length === 0 &&
            videos.every(({ readyState }) => readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) &&
            document.fonts.status === 'loaded' &&
            document.getAnimations().length === 0
          )
        }
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        while (!isThere()) await frame()
        await Promise.all(Array.from(document.images, (image) => image.decode()))
        await frame()
        await frame()
      },
      [whole(elements), preset, picturedAt, pictureBackground, pictureVariables, own] as const,
    )
    const [width, height] = size
    faults.push(await faultOf(type, await page.screenshot({ clip: { x: 0, y: 0, width, height } })))
  }
  expect(faults.filter((fault) => fault !== null)).toEqual([])
  expect(await keptPictures()).toEqual([...elementTypes].sort())
  expect(complaints).toEqual([])
})

test('of what is drawn as a whole the parts that a document names are shown, and no others', async () => {
  await using visitor = await visit('')
  const { page, complaints } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  const at = { x: 0, y: 0, width: 600, height: 300 }
  await show(visitor, {
    card0001: { type: 'mapCard', ...at, props: { parts: ['title', 'njs'], accent: '#ff0000' } },
    picks001: { type: 'pickBans', ...at, props: { parts: ['title', 'side'] } },
    brack001: { type: 'bracket', ...at, props: { parts: ['current', 'scores'] } },
    stand001: { type: 'standings', ...at, props: { parts: ['rank', 'points'], maxRows: 2 } },
    quali001: { type: 'standings', ...at, props: { parts: ['name'], maxRows: 1, source: 'qualifier' } },
    sched001: { type: 'schedule', ...at, props: { parts: ['recent', 'label'], maxRows: 1 } },
    casts001: { type: 'casters', ...at, props: { parts: ['name'] } },
  })
  const shown = await page.evaluate(
    'Array.from(document.querySelectorAll(".drawn"), (node) => [node.classList[1], node.textContent, node.querySelectorAll("img, .portrait").length])',
  )
  expect(shown).toEqual([
    ['map-card', 'The Cartographer Who Mapped an Entire Ocean and Got Lost at Home22 NJS', 0],
    // Only the picked or banned maps, in this order.
    [
      'pick-bans',
      'QuaverHollow SunCadenzaUndertowQuaverGlass HarbourCadenzaZero CrossingCadenzaPaper LanternsQuaverMarigoldQuaverNine Volt HeartCadenzaThe Cartographer Who Mapped an Entire Ocean and Got Lost at Home',
      0,
    ],
    ['bracket', 'Quaver2Cadenza1', 0],
    ['standings', '127224', 0],
    ['standings', 'Quaver', 0],
    ['schedule', 'Upper bracket · Quarter-finalGrand Orchestra of Perpetually Late EntriesvsSaber Society', 0],
    ['casters', 'AndanteBasso Profondo', 0],
  ])
  expect(complaints).toEqual([])
})

describe('what the tree tells', () => {
  let visitor: Visit
  beforeAll(async () => {
    visitor = await visit('')
    await visitor.page.waitForFunction('globalThis.tell !== undefined')
  })
  afterAll(() => visitor?.close())

  const at = { x: 0, y: 0, width: 1200, height: 600 }
  const instant = 1_764_000_000_000
  const { data } = sampleOf('pick_ban', instant)
  const tell = (change: Partial<DataTree>) =>
    visitor.page.evaluate((given) => globalThis.tell.data(given), { ...data, ...change })
  const classes = (of: string) =>
    visitor.page.evaluate((selector) => Array.from(document.querySelectorAll(selector), (node) => node.className), of)
  const texts = (of: string) =>
    visitor.page.evaluate((selector) => Array.from(document.querySelectorAll(selector), (node) => node.textContent), of)

  function besideMatch(change: Partial<TreeMatch>): TreeMatch {
    const side = (name: string) => ({ name, imageUrl: null, placeholder: null, score: 1, isWinner: false })
    const scheduledAt = '2025-11-24T19:00:00.000Z'
    const sides = [side('One'), side('Two')]
    return { guid: 'a', number: 1, label: 'Beside', status: 'ready', scheduledAt, sides, ...change }
  }

  const listing = (matches: Partial<Record<keyof DataTree['bracket'], TreeMatch[]>>): Partial<DataTree> => ({
    match: null,
    bracket: { before: [], after: [], upcoming: [], recent: [], highlighted: [], ...matches },
  })

  test('says what became of a map of that map alone: a pool may have a song in several difficulties and characteristics', async () => {
    await show(visitor, { picks001: { type: 'pickBans', ...at } })
    const [map] = data.pool?.maps ?? []
    if (map === undefined) throw new Error('the sample has no pool')
    const free = { state: 'available', side: null, winner: null }
    const of = (hash: string, change: Partial<TreePoolMap>): TreePoolMap => ({
      ...map,
      ...free,
      guid: null,
      hash: hash.repeat(20),
      difficulty: 'Expert',
      characteristic: 'Standard',
      ...change,
    })
    for (const guids of [
      ['a', 'b', 'c', 'd'],
      [null, null, null, null],
    ]) {
      const maps = [
        of('aa', { state: 'banned', side: 1 }),
        of('aa', { characteristic: 'OneSaber' }),
        of('cc', { state: 'picked', side: 2 }),
        of('cc', { difficulty: 'Hard' }),
      ].map((each, index) => ({ ...each, guid: guids[index] ?? null }))
      const [banned, , picked] = maps as [TreePoolMap, TreePoolMap, TreePoolMap]
      await tell({
        map: { ...picked, pickedBy: 2, isTiebreaker: false, target: null },
        pool: { name: 'Pool', maps },
        pickBans: [
          { number: 1, action: 'ban', side: 1, map: banned },
          { number: 2, action: 'pick', side: 2, map: picked },
        ],
      })
      await eventually(() => classes('.tile')).toEqual(['tile banned', 'tile free', 'tile picked current', 'tile free'])
    }
  })

  test('shows a map that a side only holds as not final, and with neither the edge nor the words of a winner', async () => {
    await show(visitor, { picks001: { type: 'pickBans', ...at } })
    const played = sampleOf('solo', instant).data
    const [game] = played.games
    if (game?.map == null || played.pool === null) throw new Error('the sample has no game')
    const of = (winner: 1 | 2 | null, provisional: boolean): Partial<DataTree> => ({
      ...played,
      map: null,
      pool: {
        ...played.pool,
        name: 'Pool',
        maps: (played.pool?.maps ?? []).slice(0, 1).map((map) => ({ ...map, winner })),
      },
      games: [{ ...game, winner: 1, provisional }],
    })
    await tell(of(null, true))
    await eventually(() => classes('.tile')).toEqual(['tile picked held'])
    expect(await texts('.tile .verdict')).toEqual(['Quaver leads · not final'])
    await tell(of(1, false))
    await eventually(() => classes('.tile')).toEqual(['tile picked won'])
    expect(await texts('.tile .verdict')).toEqual(['Quaver won'])
  })

  test('says by its status whether a match is over: it may have no winner', async () => {
    await show(visitor, { sched001: { type: 'schedule', ...at }, brack001: { type: 'bracket', ...at } })
    for (const [status, schedule, bracket] of [
      ['completed', 'EndedBeside', 'Ended'],
      ['running', 'LiveBeside', 'Live'],
      ['cancelled', 'CancelledBeside', 'Cancelled'],
      ['ready', '20:00Beside', '20:00'],
    ] as const) {
      const match = besideMatch({ status })
      await tell(listing({ before: [match], recent: [match] }))
      await eventually(() => texts('.schedule .when')).toEqual([schedule])
      expect(await texts('.bracket .when')).toEqual([bracket])
      const hasScore = status === 'completed' || status === 'running'
      expect(await texts('.schedule .score')).toEqual([hasScore ? '1 : 1' : 'vs'])
      expect([await classes('.schedule .side'), await classes('.bracket .match .row')]).toEqual([
        ['side', 'side'],
        ['row', 'row'],
      ])
    }
  })

  test('is drawn anew where the colours of sides, their order, or the zone of times are others', async () => {
    const variables = { side1: '#aa0000', side2: '#0000bb' }
    await show(visitor, { card0001: { type: 'mapCard', ...at }, brack001: { type: 'bracket', ...at } }, { variables })
    const map = data.map ?? sampleOf('solo', instant).data.map
    if (map === null) throw new Error('the sample has no map')
    const picked: Partial<DataTree> = { map: { ...map, pickedBy: 1, isTiebreaker: false } }
    const edge = () =>
      visitor.page.evaluate(() => document.querySelector<HTMLElement>('.card')?.style.getPropertyValue('--edge'))
    await tell(picked)
    await eventually(edge).toBe('#aa0000')
    // The place of the side has changed, but not its name.
    await tell({ ...picked, sides: data.sides.toReversed() })
    await eventually(edge).toBe('#0000bb')
    const next = listing({ after: [besideMatch({})] })
    await tell(next)
    await eventually(() => texts('.bracket .when')).toEqual(['20:00'])
    await tell({ ...next, tournament: { ...data.tournament, timezone: 'America/New_York' } })
    await eventually(() => texts('.bracket .when')).toEqual(['14:00'])
  })

  test('is seen with no picture of what was there before, once that is late', async () => {
    const { page } = visitor
    const addressOf = (name: string) => `/media/0190d5d5-4f5c-7b41-9ad3-2f5d3a9e1c1${name}/full.webp`
    const background = '#ff0000'
    const body = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer()
    await page.route('**/media/0190d5d5-*/**', async (route) => {
      // The picture b never arrives.
      if (!route.request().url().includes(addressOf('b'))) await route.fulfill({ contentType: 'image/png', body })
    })
    const bindings = { a: { property: 'address', path: 'sides.0.team.imageUrl' } }
    await show(visitor, { logo0001: { type: 'image', ...at, bindings } })
    const tellPicture = (name: string | null) => {
      const imageUrl = name === null ? null : new URL(addressOf(name), page.url()).href
      return tell({ sides: data.sides.map((side) => ({ ...side, team: side.team && { ...side.team, imageUrl } })) })
    }
    const images = () =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLImageElement>('.image img'), ({ src, style }) => [
          src.match(/1c1(.)/)?.[1],
          style.visibility !== 'hidden',
        ]),
      )
    await tellPicture('a')
    await eventually(images).toEqual([['a', true]])
    await tellPicture('b')
    await eventually(images).toEqual([['b', false]])
    await tellPicture('c')
    await eventually(images).toEqual([['c', true]])
    await tellPicture('b')
    await eventually(images).toContainEqual(['b', false])
    await tellPicture(null)
    await eventually(images).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

test('scenes follow one another, and a newer page is asked for between them', async () => {
  await using visitor = await visit('preset=break&role=start')
  const { page } = visitor
  const control = (change: object) =>
    page.evaluate(
      (given) => globalThis.tell.control({ ...globalThis.opened.sampleOf('break', Date.now()).control, ...given }),
      change,
    )
  const scenes = () => page.evaluate('document.querySelectorAll(".scene").length')
  await eventually(() => page.evaluate('document.body.innerText')).toContain('Starting in')
  expect(await page.evaluate('globalThis.opened.reloads')).toBe(0)
  await control({ scene: 'scene0004' })
  await eventually(() => page.evaluate('document.body.innerText')).toContain('Schedule')
  await eventually(scenes).toBe(1)
  expect(await page.evaluate('[document.body.innerText.includes("Starting in"), globalThis.opened.reloads]')).toEqual([
    false,
    1,
  ])
  await control({ scene: 'scene0004', blank: true })
  await eventually(() => pixel(visitor, 640, 360)).toEqual(clear)
})

test('while scenes cross, what both have stays opaque, and what one has is half there', async () => {
  await using visitor = await visit('')
  const { page } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  const square = { type: 'shape', y: 100, width: 100, height: 100, props: { fill: '#2040c0' } } as const
  const transition = { kind: 'fade', durationMs: 4_000, easing: 'linear' } as const
  const one = { name: 'One', order: 'V', transition, elements: whole({ both0001: { ...square, x: 100 } }) }
  const elements = whole({ both0001: { ...square, x: 100 }, alone001: { ...square, x: 300 } })
  await show(visitor, {}, { scenes: { scene0001: one, scene0002: { ...one, order: 'W', elements } } })
  await eventually(() => pixel(visitor, 150, 150)).toEqual([32, 64, 192, 255])
  await page.evaluate(() =>
    globalThis.tell.control({ ...globalThis.opened.sampleOf('solo', 1764000000000).control, scene: 'scene0002' }),
  )
  await eventually(() =>
    page.evaluate('[document.querySelectorAll(".scene").length, document.getAnimations().length]'),
  ).toEqual([2, 2])
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      animation.pause()
      animation.currentTime = 2_000
    }
  })
  for (const [x, color] of [
    [150, [32, 64, 192, 255]],
    [350, [32, 64, 192, 128]],
    [600, clear],
  ] as const) {
    const drawn = await pixel(visitor, x, 150)
    expect([x, drawn, nearlyIs(drawn, color)]).toEqual([x, drawn, true])
  }
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  await eventually(() => page.evaluate('document.querySelectorAll(".scene").length')).toBe(1)
  expect(await pixel(visitor, 350, 150)).toEqual([32, 64, 192, 255])
})

test('a newer version of the page takes the place of the one before, whose picture is seen until then', async () => {
  await using visitor = await visit('preset=solo&role=gameplay')
  const { page } = visitor
  const opaque = async () => (await pixel(visitor, 640, 20))[3]
  await eventually(opaque).toBe(255)
  await page.waitForTimeout(600)
  const least = await page.evaluate(async () => {
    const opacities: number[] = []
    globalThis.opened.open()
    for (let frame = 0; frame < 60; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const seen = Array.from(document.querySelectorAll<HTMLElement>('.scene'), (scene) => {
        const { visibility, opacity } = getComputedStyle(scene)
        return visibility === 'hidden' ? 0 : Number(opacity)
      })
      opacities.push(Math.max(0, ...seen))
    }
    return Math.min(...opacities)
  })
  expect([least, await page.evaluate('document.querySelectorAll(".stage").length'), await opaque()]).toEqual([
    1, 1, 255,
  ])
})

test('options of the address: a scene that stays, a colour for keying, and a mark of trouble for who asks', async () => {
  await using visitor = await visit('preset=break&role=start&scene=scene0004&background=00ff00&debug')
  const { page } = visitor
  await eventually(() => page.evaluate('document.body.innerText')).toContain('Schedule')
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(0, 255, 0)')
  const mark = () => pixel(visitor, 1_278, 718)
  await page.evaluate('globalThis.tell.connected(false)')
  await eventually(mark).toEqual([255, 59, 48, 255])
  // The last picture stays.
  expect(await page.evaluate('document.body.innerText')).toContain('Schedule')
  await page.evaluate('globalThis.tell.connected(true)')
  await eventually(async () => ((await mark())[0] ?? 255) < 100).toBe(true)
})

test('what was revoked is transparent at once', async () => {
  await using visitor = await visit('preset=solo&role=gameplay')
  const { page } = visitor
  await eventually(async () => (await pixel(visitor, 640, 20))[3]).toBe(255)
  await page.evaluate('globalThis.tell.ended()')
  expect([await pixel(visitor, 640, 20), await page.evaluate('document.body.innerText')]).toEqual([clear, ''])
  await page.evaluate('globalThis.tell.data(globalThis.opened.sampleOf("solo", Date.now()).data)')
  await page.waitForTimeout(300)
  expect(await pixel(visitor, 640, 20)).toEqual(clear)
})

test('a hidden source draws nothing, and shows the present state without a movement when it is seen again (OV18)', async () => {
  await using visitor = await visit('')
  const { page } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  const change = { kind: 'roll', durationMs: 4_000 } as const
  await show(visitor, {
    score001: { type: 'text', bindings: { a: { property: 'text', path: 'sides.0.score' } }, animation: { change } },
  })
  const state = () => page.evaluate('[document.querySelector(".line").textContent, document.getAnimations().length]')
  const score = (to: number) =>
    page.evaluate((given) => {
      const { data } = globalThis.opened.sampleOf('solo', Date.now())
      globalThis.tell.data({ ...data, sides: data.sides.map((side) => ({ ...side, score: given })) })
    }, to)
  const obs = (name: string, detail: object) =>
    page.evaluate(([event, given]) => void dispatchEvent(new CustomEvent(event, { detail: given })), [
      name,
      detail,
    ] as const)
  await eventually(state).toEqual(['2', 0])
  await obs('obsSourceVisibleChanged', { visible: false })
  await score(3)
  await page.waitForTimeout(500)
  expect(await state()).toEqual(['2', 0])
  await obs('obsSourceActiveChanged', { active: false })
  await obs('obsSourceVisibleChanged', { visible: true })
  expect(await state()).toEqual(['2', 0])
  await obs('obsSourceActiveChanged', { active: true })
  await eventually(state).toEqual(['3', 0])
  await score(1)
  await eventually(state).toEqual(['1', 1])
})

test('ten updates a second of a scene of 300 elements, 100 of them bound', async () => {
  await using visitor = await visit('')
  const { page } = visitor
  await page.waitForFunction('globalThis.tell !== undefined')
  const elements = Object.fromEntries(
    Array.from({ length: 300 }, (_, index): [string, Element] => [
      `el${String(index).padStart(6, '0')}`,
      {
        type: index < 100 ? 'text' : 'shape',
        x: (index % 20) * 64,
        y: Math.floor(index / 20) * 48,
        width: 60,
        height: 44,
        props: index < 100 ? { size: 20, fit: 'shrink' } : { fill: '#223344' },
        ...(index < 100 && {
          bindings: { a: { property: 'text', path: `live.sides.${index % 2}.score`, format: [{ name: 'number' }] } },
        }),
      },
    ]),
  )
  await show(visitor, elements)
  const took = await page.evaluate(async () => {
    const { data } = globalThis.opened.sampleOf('solo', Date.now())
    const keys = data.sides.map(({ players }) => `player:${players[0]?.guid}`)
    const frame = globalThis.requestAnimationFrame
    const times: number[] = []
    let isOurs = false
    globalThis.requestAnimationFrame = (run) =>
      frame((at) => {
        const began = performance.now()
        run(at)
        if (isOurs) times.push(performance.now() - began)
      })
    for (let count = 1; count <= 50; count++) {
      isOurs = true
      globalThis.tell.live(Object.fromEntries(keys.map((key, index) => [key, { score: count * 12_345 + index }])))
      await new Promise((resolve) => setTimeout(resolve, 100))
      isOurs = false
    }
    return times.sort((one, other) => one - other)
  })
  const median = took[Math.floor(took.length / 2)] ?? Number.POSITIVE_INFINITY
  process.stdout.write(
    `overlay page: ${median.toFixed(2)} ms of script at the median of ${took.length} frames, ${took.at(-1)?.toFixed(1)} ms at most\n`,
  )
  expect(took.length).toBeGreaterThan(40)
  // The limit of the contract, for an otherwise idle machine, is 4.
  expect(median).toBeLessThan(12)
})
