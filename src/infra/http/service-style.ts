import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../core/html.ts'
import { type Built, sendBytes } from './built-files.ts'

/** The one stylesheet of the pages that the service makes itself. They look like the website, and need no build of it. */

export const styleAddress = '/assets/service.css'

const sources = ['../../../web/site/styles/tokens.css', '../../../web/site/styles/base.css', './service-pages.css'].map(
  (file) => path.join(import.meta.dirname, file),
)

const fonts = [
  ['Atkinson Hyperlegible Next Variable', /^assets\/atkinson-hyperlegible-next-latin-wght-normal-[^/]+\.woff2$/],
  ['Atkinson Hyperlegible Mono Variable', /^assets\/atkinson-hyperlegible-mono-latin-wght-normal-[^/]+\.woff2$/],
] as const

export function addServiceStyle(app: FastifyInstance, built: Built): void {
  let texts: Promise<string> | undefined
  app.get(styleAddress, async (request, reply) => {
    texts ??= Promise.all(sources.map((file) => readFile(file, 'utf8'))).then((all) => all.join('\n'))
    const bytes = Buffer.from(`${await faces(built)}${await texts}`)
    return sendBytes(request, reply, bytes, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' })
  })
}

/** The fonts of the website where it is built; the system's letters are as good. */
async function faces(built: Built): Promise<string> {
  const all = await Promise.all(
    fonts.map(async ([family, pattern]) => {
      const name = await built.named(pattern)
      const face = `font-family:"${family}";font-weight:200 800;font-display:swap;src:url(/${name}) format("woff2")`
      return name === undefined ? '' : `@font-face{${face}}\n`
    }),
  )
  return all.join('')
}

/** The bar over such a page, which leads to the website. */
export const brand: Html = html`<header class="top"><a class="brand" href="/"><svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="4" fill="currentColor"/><path class="on" d="M4 4.5h12L10 11zM4 14h12v1.75H4z"/></svg>Downbeat</a></header>`
