import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import type { Coding } from '../src/infra/http/content-codings.ts'
import { type Manifest, manifestName } from '../src/infra/web/built.ts'
import { builtFolder, digestOfSources } from '../src/infra/web/sources.ts'

/**
 * Builds the pages of the website. Next to each file go its compressed versions, and a manifest with the digest of the
 * sources.
 */

const packers: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/** The files that are not compressed already. */
const packable = /\.(js|css|svg|json|txt)$/

/** The bundled packages whose licences must be published with them. */
const bundled = [
  'hls.js',
  'react',
  'react-dom',
  'scheduler',
  '@tanstack/react-router',
  '@tanstack/router-core',
  '@tanstack/history',
  '@tanstack/react-query',
  '@tanstack/query-core',
  '@tanstack/react-store',
  '@tanstack/store',
  'uplot',
  '@lingui/core',
  '@lingui/react',
  '@fontsource-variable/atkinson-hyperlegible-mono',
  '@fontsource-variable/atkinson-hyperlegible-next',
  '@fontsource-variable/sofia-sans-condensed',
]

async function licences(): Promise<string> {
  const texts = await Promise.all(
    bundled.map(async (name) => {
      const text = await readFile(path.join(import.meta.dirname, `../node_modules/${name}/LICENSE`), 'utf8')
      return `${name}\n\n${text.trim()}\n`
    }),
  )
  return texts.join('\n\n')
}

async function pack(folder: string, name: string): Promise<readonly Coding[]> {
  if (!packable.test(name)) return []
  const bytes = await readFile(path.join(folder, name))
  const packed = await Promise.all(
    Object.entries(packers).map(async ([encoding, packer]) => {
      const smaller = await packer(bytes)
      if (smaller.length >= bytes.length) return []
      await writeFile(path.join(folder, `${name}${endings[encoding as Coding]}`), smaller)
      return [encoding as Coding]
    }),
  )
  return packed.flat()
}

/**
 * Builds into a temporary folder and then renames it: a process that starts meanwhile finds the old or the new pages.
 */
const folder = `${builtFolder}.${process.pid}`
// Also where a test starts the build: pages for development are twice as large, and need other parts of React.
process.env.NODE_ENV = 'production'
try {
  const digest = await digestOfSources()
  for (const config of ['vite.config.ts', 'vite.site.config.ts']) {
    await build({ configFile: path.join(import.meta.dirname, config), build: { outDir: folder } })
  }
  await writeFile(path.join(folder, 'licences.txt'), await licences())
  const all = await readdir(folder, { recursive: true })
  const names = all.map((name) => name.replaceAll(path.sep, '/')).filter((name) => !name.startsWith('.vite'))
  const files: Record<string, readonly Coding[]> = {}
  for (const name of names.toSorted()) {
    if ((await stat(path.join(folder, name))).isFile()) files[name] = await pack(folder, name)
  }
  const manifest: Manifest = { digest, files }
  await writeFile(path.join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
  await rm(builtFolder, { recursive: true, force: true })
  await rename(folder, builtFolder).catch((error: NodeJS.ErrnoException) => {
    // Another process that started at the same time has put the same pages there.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}
