import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { defineConfig, type Plugin } from 'vite'

/** The website. Its words are compiled here, so that the reader's browser parses none. (W14) */

const sources = path.join(import.meta.dirname, 'site')
const file = path.join(import.meta.dirname, 'locales/en.json')

/** Each source file gets the words that it names, so that a page loads its own only. */
const compiledWords: Plugin = {
  name: 'compiled-words',
  transform(code, id) {
    if (!id.startsWith(sources) || !/\.tsx?$/.test(id)) return null
    this.addWatchFile(file)
    const all = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>
    const names = new Set([...code.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, name]) => name))
    const beginnings = [...code.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)].map(([, beginning]) => beginning as string)
    const messages = Object.entries(all)
      .filter(([name]) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning)))
      .map(([name, text]) => [name, compileMessage(text)])
    if (messages.length === 0) return null
    const load = `import { i18n as words$ } from '@lingui/core'
      words$.load('en', ${JSON.stringify(Object.fromEntries(messages))})`
    return { code: `${load};${code}`, map: null }
  },
}

/** What the service writes into the shell, for the server of developers. */
const shell: Plugin = {
  name: 'shell',
  apply: 'serve',
  transformIndexHtml: (text) => text.replace('SOCKET_URL', process.env.SOCKET_URL ?? 'ws://127.0.0.1:48522'),
  configureServer({ middlewares }) {
    // Every address of a page is the shell.
    middlewares.use((request, _response, next) => {
      if (request.headers.accept?.includes('text/html')) request.url = '/site/index.html'
      next()
    })
  },
}

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3001'
const served = Object.fromEntries(['/api', '/media', '/device', '/bridge'].map((at) => [at, { target: service }]))

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [compiledWords, shell],
  server: { host: '127.0.0.1', proxy: served },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // The policy of the pages forbids inline content.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { site: path.join(import.meta.dirname, 'site/index.html') },
      onwarn(warning, warn) {
        // Libraries mark what runs in browsers alone; everything here does.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
})
