import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'acorn'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The built pages: their sizes, and whether the oldest browser in broadcasting programs understands them. (OV20) */

let folder: string
let files: ReadonlyMap<string, Buffer>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'downbeat-built-'))
  const configFile = path.join(import.meta.dirname, '../vite.config.ts')
  await build({ configFile, build: { outDir: folder } })
  const names = await readdir(path.join(folder, 'assets'))
  const read = names.map(async (name) => [name, await readFile(path.join(folder, 'assets', name))] as const)
  files = new Map(await Promise.all(read))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const named = (pattern: RegExp) => [...files].filter(([name]) => pattern.test(name))
const text = (pattern: RegExp) =>
  named(pattern)
    .map(([, bytes]) => bytes.toString())
    .join('\n')

test('the page is at most 150 kB, compressed, with the fonts that every page loads', () => {
  const sizeOf = (pattern: RegExp) =>
    named(pattern).reduce((sum, [, bytes]) => sum + gzipSync(bytes, { level: 9 }).length, 0)
  const sizes = {
    script: sizeOf(/^overlay.*\.js$/),
    style: sizeOf(/^overlay.*\.css$/),
    fonts: sizeOf(/-latin-wght.*\.woff2$/),
  }
  process.stdout.write(`overlay page: ${JSON.stringify(sizes)} bytes compressed\n`)
  expect(sizes.script).toBeGreaterThan(10_000)
  expect(sizes.fonts).toBeGreaterThan(10_000)
  expect(sizes.script + sizes.style + sizes.fonts).toBeLessThanOrEqual(150_000)
  // The player of HLS is a file of its own.
  expect(named(/^hls.*\.js$/)).toHaveLength(1)
})

test('its syntax is of 2022, and it calls nothing younger than Chromium 103', () => {
  for (const [name, bytes] of named(/\.js$/))
    parse(bytes.toString(), { ecmaVersion: 2022, sourceType: 'module', sourceFile: name })
  const own = text(/^overlay.*\.js$/)
  const younger = [
    ...[
      'toSorted',
      'toReversed',
      'toSpliced',
      'withResolvers',
      'groupBy',
      'fromAsync',
      'canParse',
      'isWellFormed',
      'toWellFormed',
    ],
    ...[
      'startViewTransition',
      'setHTMLUnsafe',
      'checkVisibility',
      'scrollend',
      'replaceSync',
      'isSubsetOf',
      'symmetricDifference',
    ],
  ]
  expect(younger.filter((name) => new RegExp(`[.?]${name}\\b`).test(own))).toEqual([])
  expect(own).not.toMatch(/AbortSignal\.any|\.(union|intersection|difference)\(/)
})

test('its styles are such that the oldest browser knows', () => {
  const css = text(/\.css$/)
  expect(css.length).toBeGreaterThan(5_000)
  const younger =
    /:has\(|@container|@scope|@starting-style|color-mix\(|oklch\(|\bsubgrid\b|text-wrap|\d(dvh|svh|lvh|cqw|cqh)\b|[{;](translate|scale|rotate):|&|\banchor-|light-dark\(|@layer/
  expect(css.match(younger)).toBe(null)
  expect(text(/^overlay.*\.js$/)).not.toMatch(/color-mix|oklch/)
})

test('what moves is drawn anew without a new layout (OV5)', () => {
  const css = text(/\.css$/)
  const moved = [...css.matchAll(/[{;]transition:([^;}]+)/g)].flatMap(([, list = '']) =>
    list.split(/,(?![^(]*\))/).map((each) => each.trim().split(' ')[0]),
  )
  expect(moved.length).toBeGreaterThan(0)
  expect(moved.filter((property) => !/^(transform|opacity|clip-path)$/.test(property ?? ''))).toEqual([])
  expect(css).not.toMatch(/@keyframes|[{;](-webkit-)?animation(-name)?:/)
})

test('it makes no markup of texts, keeps nothing, and brings no sample', () => {
  const own = text(/^overlay.*\.js$/)
  expect(own).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\b/)
  expect(own).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|serviceWorker|obsstudio/)
  expect(own).not.toMatch(/Harbour Cup|Quaver|Offbeat/)
  expect(existsSync(path.join(folder, 'overlay/index.html'))).toBe(true)
})
