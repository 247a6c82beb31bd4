import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test, vi } from 'vitest'

/** What the sources and the built files of the website must hold to: sizes, colours, words, imports. (W6, W14, W15) */

const site = path.join(import.meta.dirname, '../site')
const sources = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('generated.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(site, file), 'utf8') }))

/** Of a page for everybody, besides those of every page. */
const maxFiles = 16

test('what every page loads is at most 140 kB of script, 20 of styles and 60 of fonts, compressed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'downbeat-site-'))
  vi.stubEnv('NODE_ENV', 'production')
  try {
    const configFile = path.join(import.meta.dirname, '../vite.site.config.ts')
    await build({ configFile, build: { outDir: folder, manifest: true } })
    const shell = await readFile(path.join(folder, 'site/index.html'), 'utf8')
    const linked = [...shell.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name]) => name as string)
    const names = await readdir(path.join(folder, 'assets'))
    const sizeOf = async (files: readonly string[]) => {
      const sizes = await Promise.all(
        files.map(async (name) => {
          const bytes = await readFile(path.join(folder, name))
          return name.endsWith('.woff2') ? bytes.length : gzipSync(bytes, { level: 9 }).length
        }),
      )
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    // Other fonts come with the pages that need them.
    const fontsOf = async (files: readonly string[]) => {
      const styles = await Promise.all(
        files.filter((name) => name.endsWith('.css')).map((name) => readFile(path.join(folder, name), 'utf8')),
      )
      const named = styles.flatMap((text) => [...text.matchAll(/assets\/[\w.-]+-latin-wght-[\w.-]+\.woff2/g)])
      return [...new Set(named.map(([name]) => name))]
    }
    const sizes = {
      script: await sizeOf(linked.filter((name) => name.endsWith('.js'))),
      styles: await sizeOf(linked.filter((name) => name.endsWith('.css'))),
      fonts: await sizeOf(await fontsOf(linked)),
    }
    process.stdout.write(`website, every page: ${JSON.stringify(sizes)} bytes compressed\n`)
    expect(sizes.script).toBeGreaterThan(50_000)
    expect(sizes.script).toBeLessThanOrEqual(140_000)
    expect(sizes.styles).toBeLessThanOrEqual(20_000)
    expect(sizes.fonts).toBeGreaterThan(20_000)
    expect(sizes.fonts).toBeLessThanOrEqual(60_000)
    // On a slow network each file costs a part of a round trip.
    expect(linked.filter((name) => /\.(js|css)$/.test(name)).length).toBeLessThanOrEqual(3)
    const files: Record<string, string[]> = JSON.parse(await readFile(path.join(folder, 'site/pages.json'), 'utf8'))
    const many = Object.entries(files).filter(
      ([at, own]) => !/^\/(manage|admin|coordinate)\//.test(at) && own.length > maxFiles,
    )
    expect(many).toEqual([])
    // The player of streams comes when somebody asks for one.
    const own = names.filter((name) => /^(?!hls\.).*\.js$/.test(name) && !linked.includes(`assets/${name}`))
    // The fields that suggest records while one types are loaded after the pages with forms.
    const boundOf = (name: string) => (name.startsWith('finder-fields') ? 45_000 : 30_000)
    for (const name of own) expect([name, (await sizeOf([`assets/${name}`])) <= boundOf(name)]).toEqual([name, true])
    const texts = new Map(
      await Promise.all(
        own.map(async (name) => [name, await readFile(path.join(folder, 'assets', name), 'utf8')] as const),
      ),
    )
    const needs = (name: string): readonly string[] => [
      name,
      ...[...(texts.get(name) ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g)]
        .map(([, needed = '']) => needed)
        .filter((needed) => texts.has(needed))
        .flatMap(needs),
    ]
    const [match] = [...texts].find(([, text]) => /\bas MatchPage\b/.test(text)) ?? []
    const ofMatch = [...new Set(needs(match as string))]
    expect(ofMatch.length).toBeGreaterThan(3)
    expect(await sizeOf(ofMatch.map((name) => `assets/${name}`))).toBeLessThanOrEqual(45_000)
    // The chart of live values comes with the first of them.
    expect(ofMatch.filter((name) => name.startsWith('chart'))).toEqual([])
    // What a page of an organiser or of administration needs at once, with its frame.
    const manifest = JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
    const managing = Object.keys(manifest).filter((file) =>
      /^site\/(manage|admin|overlay\/control)\/(.*\/)?(page|edition|user|badge)\.tsx$/.test(file),
    )
    expect(managing).toContain('site/admin/awards/edition.tsx')
    for (const page of managing) {
      const frame = needsAtOnce(manifest, `site/${page.startsWith('site/admin/') ? 'admin' : 'manage'}/frame.tsx`)
      const needed = [...new Set([...frame, ...needsAtOnce(manifest, page)])].filter((name) => !linked.includes(name))
      expect([page, (await sizeOf(needed)) <= 60_000]).toEqual([page, true])
    }
    // The editor of overlays draws them by the code of their page, and joins what several people change.
    const editing = Object.keys(manifest).filter((file) => /^(site\/)?overlay\/editor\/.*\.tsx$/.test(file))
    expect(editing).toContain('site/overlay/editor/page.tsx')
    const ofEditor = [...new Set(editing.flatMap((file) => needsAtOnce(manifest, file)))]
    const editor = await sizeOf(ofEditor.filter((name) => !linked.includes(name)))
    process.stdout.write(`website, editor of overlays: ${editor} bytes compressed\n`)
    expect(editor).toBeGreaterThan(60_000)
    expect(editor).toBeLessThanOrEqual(170_000)
    // The policy of the pages allows no style and no script in the markup.
    expect(shell).not.toMatch(/<style|style=|<script(?![^>]*src=)/)
  } finally {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  }
})

type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>

/** The scripts of a page, by the build's list of what imports what. */
function needsAtOnce(manifest: Manifest, file: string): readonly string[] {
  const { file: built = '', imports = [] } = manifest[file] ?? {}
  return [built, ...imports.flatMap((each) => needsAtOnce(manifest, each))]
}

/** Relative luminance and contrast. (WCAG 2.2: Contrast) */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test('every colour can be read on every ground that it stands on', () => {
  const css = readFileSync(path.join(site, 'styles/tokens.css'), 'utf8')
  const colors = new Map(
    [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(([, name, light, dark]) => [
      name as string,
      [light as string, dark as string] as const,
    ]),
  )
  const grounds = ['ground', 'surface', 'raised']
  const meanings = ['action', 'side1', 'side2', 'alert', 'warning']
  const claims: readonly (readonly [string, readonly string[], number])[] = [
    ['text', grounds, 13],
    ['muted', grounds, 6],
    ['edge', grounds, 3.5],
    ['rule', grounds, 3],
    ...meanings.map((name) => [name, grounds, 5.4] as const),
    ['on-fill', ['action', 'alert', 'side1', 'side2'], 5.4],
    ...meanings.flatMap((name) => [
      ['text', [`tint-${name}`], 11] as const,
      ['muted', [`tint-${name}`], 5.9] as const,
      [name, [`tint-${name}`], 5.4] as const,
    ]),
  ]
  const colorOf = (name: string, theme: 0 | 1) => {
    const found = colors.get(name)?.[theme]
    if (found === undefined) throw new Error(`there is no colour ${name}`)
    return found
  }
  const missed = claims.flatMap(([name, on, least]) =>
    on.flatMap((ground) =>
      ([0, 1] as const)
        .filter((theme) => contrast(colorOf(name, theme), colorOf(ground, theme)) < least)
        .map((theme) => `${name} on ${ground} in ${theme === 0 ? 'light' : 'dark'}`),
    ),
  )
  expect(claims.length).toBeGreaterThan(20)
  expect(missed).toEqual([])
})

test('no words stand in the components, each that is asked for is in the file, and none is there for nobody', () => {
  const known = Object.keys(JSON.parse(readFileSync(path.join(import.meta.dirname, '../locales/en.json'), 'utf8')))
  expect(known).toEqual(known.toSorted())
  const literal = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/>([^<>{}=;()&|?:`']*[A-Za-z]{2,}[^<>{}=;()&|?:`']*)<\//g)].map(
      ([, words]) => `${file}: ${words?.trim()}`,
    ),
  )
  expect(literal).toEqual([])
  const all = sources.map(({ text }) => text).join('\n')
  const patterns = [...all.matchAll(/words\(\s*`([^`]+)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]+\}/g, '[\\w-]+')}$`),
  )
  const unused = known.filter(
    (id) => !all.includes(`'${id}'`) && !all.includes(`"${id}"`) && !patterns.some((pattern) => pattern.test(id)),
  )
  expect(unused).toEqual([])
})

test('no button is disabled by what it does itself, which would take the focus from it', () => {
  const losing = sources.flatMap(({ file, text }) =>
    [
      ...text.matchAll(
        /<button(?:[^<>]|=>)*?\sdisabled=\{[^}]*\b(?:is(?:Sending|Busy|Loading|Fetching|Waiting|Making))/g,
      ),
    ].map(() => file),
  )
  expect(losing).toEqual([])
})

test('rooms import what is shared, never each other; the parts know no room', () => {
  const rooms = [
    ...['home', 'tournament', 'tournaments', 'search', 'people', 'about'],
    ...['calendar', 'platforms', 'maps', 'awards', 'badges', 'me', 'coordinate', 'review', 'packages'],
    // Each area of the organiser's part and of administration is a room; what they share is in files and folders without a page.
    ...sources.flatMap(({ file }) => /^((?:manage|admin)\/\w+)\/page\.tsx$/.exec(file)?.[1] ?? []),
    'manage',
    'admin',
    'overlay/editor',
  ]
  const roomOf = (file: string) => rooms.find((room) => file.startsWith(`${room}/`))
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, specifier = '']) => path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)))
      .filter((imported) => {
        const room = roomOf(imported)
        const isShared = file.startsWith('parts/') || file.startsWith('data/')
        if (file.startsWith('routes') || file === 'main.tsx') return false
        if (room !== undefined) return !file.startsWith(`${room}/`)
        return isShared && imported.startsWith('chrome/')
      })
      .map((imported) => `${file} imports ${imported}`),
  )
  expect(sources.length).toBeGreaterThan(20)
  expect(wrong).toEqual([])
})
