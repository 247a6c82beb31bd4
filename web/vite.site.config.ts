import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { defineConfig, type Plugin } from 'vite'
import { readRouteTree } from './route-tree.ts'
import { stretched } from './stretched-words.ts'

/** The website. Its words are compiled here, so that the reader's browser parses none. (W14) */

const sources = path.join(import.meta.dirname, 'site')
const file = path.join(import.meta.dirname, 'locales/en.json')
const worker = path.join(import.meta.dirname, 'worker')
const overlay = path.join(import.meta.dirname, 'overlay/')
const engine = path.join(import.meta.dirname, '../src/engine/scenes/')

/** The words of the file by name. It is parsed again only when it has changed: hundreds of sources ask for it. */
function wordsReader(): () => readonly (readonly [name: string, text: string])[] {
  let [changed, words]: [number | null, readonly (readonly [string, string])[]] = [null, []]
  return () => {
    const { mtimeMs } = statSync(file)
    if (mtimeMs !== changed) [changed, words] = [mtimeMs, Object.entries(JSON.parse(readFileSync(file, 'utf8')))]
    return words
  }
}

/** Each source file gets the words that it names, so that a page loads its own only. */
const compiledWords = (mapText?: (text: string) => string, readWords = wordsReader()): Plugin => ({
  name: 'compiled-words',
  transform(code, id) {
    if (!id.startsWith(sources) || !/\.tsx?$/.test(id)) return null
    this.addWatchFile(file)
    const names = new Set([...code.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, name]) => name))
    const beginnings = [...code.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)].map(([, beginning]) => beginning as string)
    const messages = readWords()
      .filter(([name]) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning)))
      .map(([name, text]) => [name, compileMessage(text, mapText)])
    if (messages.length === 0) return null
    const load = `import { i18n as words$ } from '@lingui/core'
      words$.load('en', ${JSON.stringify(Object.fromEntries(messages))})`
    return { code: `${load};${code}`, map: null }
  },
})

/** What the service writes into the shell, for the server of developers. */
const shell: Plugin = {
  name: 'shell',
  apply: 'serve',
  transformIndexHtml: (text, { server }) =>
    text
      .replace('SOCKET_URL', process.env.SOCKET_URL ?? 'ws://127.0.0.1:48522')
      .replace('MEDIA_URL', `http://127.0.0.1:${server?.config.server.port ?? 0}`),
  configureServer({ middlewares }) {
    // Every address of a page is the shell, but for the page of overlays, which the service has.
    middlewares.use((request, _response, next) => {
      const isPage = request.headers.accept?.includes('text/html') && !request.url?.startsWith('/overlay/preview')
      if (isPage) request.url = '/site/index.html'
      next()
    })
  },
}

/** Where the installed website opens. */
const startAddress = '/me'
/** Addresses that a long press on its icon offers. */
const shortcuts = [
  ['me.agenda', '/me'],
  ['frame.tournaments', '/tournaments'],
  ['calendar.title', '/calendar'],
] as const
const icons = [
  ['icon-192.png', '192x192', 'any'],
  ['icon-512.png', '512x512', 'any'],
  ['icon-maskable-512.png', '512x512', 'maskable'],
] as const

/** The description with which browsers install the website. (W25) */
const installable: Plugin = {
  name: 'installable',
  apply: 'build',
  buildStart() {
    // The picture of the website in chats, which its pages do not show, is named in their heads.
    for (const name of [...icons.map(([icon]) => icon), 'card.png']) {
      const source = readFileSync(path.join(import.meta.dirname, 'site/pictures', name))
      this.emitFile({ type: 'asset', name, source })
    }
  },
  generateBundle(_options, bundle) {
    const messages = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>
    const fileOf = (icon: string) =>
      Object.values(bundle).find((each) => each.type === 'asset' && each.names.includes(icon))?.fileName
    const manifest = {
      id: '/',
      name: messages['frame.name'],
      short_name: messages['frame.name'],
      description: messages['frame.what'],
      lang: 'en',
      start_url: startAddress,
      scope: '/',
      display: 'standalone',
      background_color: '#f5f6f3',
      theme_color: '#0a6b4d',
      categories: ['sports'],
      icons: icons.map(([name, sizes, purpose]) => ({ src: `/${fileOf(name)}`, sizes, type: 'image/png', purpose })),
      shortcuts: shortcuts.map(([word, url]) => ({ name: messages[word], url })),
    }
    this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) })
  },
}

/** Tells the service worker which files it is to keep: all but the player, which plays nothing without a connection. */
const keptFiles: Plugin = {
  name: 'kept-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const isKept = (name: string) =>
        /\.(js|css)$/.test(name) ? !/\/hls/.test(name) : /-latin-wght-.*\.woff2$|\/icon-.*\.svg$/.test(name)
      const kept = Object.keys(bundle).filter((name) => name.startsWith('assets/') && isKept(name))
      const addresses = JSON.stringify(kept.map((name) => `/${name}`).toSorted())
      const worker = bundle['worker.js']
      if (worker?.type !== 'chunk') throw new Error('there is no service worker')
      worker.code = worker.code.replaceAll('SITE_FILES', addresses)
    },
  },
}

/**
 * Names the files of each page, so that the service tells browsers of them at once: else they learn of them only when what
 * every page loads has run.
 */
const filesOfPages: Plugin = {
  name: 'files-of-pages',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const first = chunks.find(({ name, isEntry }) => isEntry && name === 'site')
      const known = new Set([first?.fileName, ...(first?.imports ?? [])])
      const filesOf = (chunk: (typeof chunks)[number] | undefined): readonly string[] => {
        if (chunk === undefined || known.has(chunk.fileName)) return []
        const imported = chunk.imports.flatMap((name) => filesOf(chunks.find(({ fileName }) => fileName === name)))
        return [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? []), ...imported]
      }
      const pages = readRouteTree().map(({ path: address, components }) => {
        const files = components.flatMap(({ file }) =>
          filesOf(chunks.find(({ facadeModuleId }) => facadeModuleId === path.join(sources, file))),
        )
        return [address, [...new Set(files)]] as const
      })
      this.emitFile({ type: 'asset', fileName: 'site/pages.json', source: JSON.stringify(Object.fromEntries(pages)) })
    },
  },
}

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3001'
const served = Object.fromEntries(
  ['/api', '/media', '/device', '/bridge', '/manifest.webmanifest', '/overlay/preview', '/assets'].map((at) => [
    at,
    // The service accepts its own pages alone: those of this server are its own, too.
    { target: service, ws: true, headers: { origin: service } },
  ]),
)

/** The mode `stretched` is for tests: longer words. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [compiledWords(mode === 'stretched' ? stretched : undefined), shell, installable, keptFiles, filesOfPages],
  server: { host: '127.0.0.1', proxy: served },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // The policy of the pages forbids inline content.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: {
        site: path.join(import.meta.dirname, 'site/index.html'),
        worker: path.join(worker, 'worker.ts'),
      },
      // The address of the worker stays the same, and it imports nothing.
      output: {
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        // Few files: each costs its headers, and a slow network a way there and back.
        codeSplitting: {
          groups: [
            // Without what the worker needs at its start, its pictures among it.
            {
              name: 'site',
              tags: ['$initial'],
              priority: 1,
              test: (id) => !id.startsWith(worker) && !/\.png$/.test(id),
            },
            {
              name: 'bracket',
              minShareCount: 2,
              test: (id) => path.dirname(id) === path.join(sources, 'parts/bracket'),
            },
            // The times of a tournament: what comes when, and how long it is until then.
            { name: 'times', minShareCount: 2, test: (id) => /\/parts\/(timeline|countdown)\b/.test(id) },
            // What the editor of overlays shares with their page, and what joins the changes of several people.
            { name: 'documents', test: /\/node_modules\/(yjs|lib0)\// },
            { name: 'overlay-styles', test: /\/web\/overlay\/.*\.css\?inline/ },
            // The control of overlays lists scenes, and draws none.
            { name: 'order', priority: 1, test: (id) => id.endsWith('/engine/scenes/order.ts') },
            { name: 'drawing', test: (id) => id.startsWith(overlay) },
            { name: 'scenes', test: (id) => id.startsWith(engine) },
            { name: 'parts', minShareCount: 4, test: (id) => path.dirname(id) === path.join(sources, 'parts') },
          ],
        },
      },
      onwarn(warning, warn) {
        // Libraries mark what runs in browsers alone; everything here does.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
}))
