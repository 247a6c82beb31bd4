import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Html, html } from '../../core/html.ts'
import { type Ready, sendReady } from './answer.ts'
import { type Built, htmlType, scriptType, sendBytes } from './built-files.ts'
import { etagOf } from './etag.ts'
import { type Reached, type SitePolicyOptions, sitePolicy, workerPolicy } from './page-policy.ts'
import { readyOf } from './ready.ts'

/** Serves the pages of the website: one shell, with a head for each address that crawlers and chats can read. (W4) */

/** What crawlers and chats read about a page. */
export interface Head {
  readonly title: string
  readonly description?: string | null
  /** An absolute address; the website's own picture where there is none. */
  readonly image?: string | null
  readonly type?: 'website' | 'article' | 'profile'
  /** The address of a calendar, below the service's own. */
  readonly feed?: string
  /** Data of schema.org. */
  readonly linked?: readonly object[]
  /** Whether search engines are to leave it out. */
  readonly isPrivate?: boolean
}

/** What the heads are made from: the answers of the reads, in their order. Shapes are those of the API. */
// biome-ignore lint/suspicious/noExplicitAny: the API's answers, whose schemas the records of the operations hold
export type Answers = readonly any[]

export interface SitePage extends SitePolicyOptions {
  /** The address, such as `/t/:tournament/teams`. */
  readonly path: string
  /** Reads of the API, with the parameters of the address. All must answer, else the page is unknown. */
  readonly reads?: readonly string[]
  /** Reads whose answers the page begins with as well, by the time; those that fail are left out. */
  readonly more?: (now: number) => readonly string[]
  readonly head: (answers: Answers, at: SiteAddress) => Head
}

export interface SiteAddress {
  /** The address of the service, without a slash at its end. */
  readonly origin: string
  readonly path: string
}

/** The most that a page may bring of its first data, in bytes. (W4) */
const maxDataBytes = 32 * 1024

const maxPacked = 200

export interface SiteParts {
  readonly built: Built
  readonly pages: readonly SitePage[]
  readonly publicUrl: string
  readonly reached: () => Promise<Reached>
}

const unknownPage: SitePage = { path: '*', head: () => ({ title: 'Not found', isPrivate: true }) }
const notBuilt =
  'The website is not built yet: npm ci builds it, while the API is here under /api, with its reference at /api/docs/.'

/** Adds the pages. Answers with 404 and the same head for what is unknown and for what is hidden. */
export function addSitePages(app: FastifyInstance, { built, pages, publicUrl, reached }: SiteParts): void {
  const origin = publicUrl.replace(/\/$/, '')

  async function send(request: FastifyRequest, reply: FastifyReply, page: SitePage): Promise<FastifyReply> {
    const shell = await built.read('site/index.html', null)
    if (shell === null) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
    const path = request.url.replace(/\?.*/, '')
    const found = await readAll(app, request, page)
    const status = page === unknownPage ? 404 : found.status
    const shown = status === 200 ? page : unknownPage
    const around = await reached()
    const head = shown.head(found.bodies, { origin, path })
    const data = status === 200 ? dataOf(found) : html``
    const [card, files] = await Promise.all([built.named(/^assets\/card-[^/]*\.png$/), filesOf(built, shown.path)])
    // What is named first is loaded first: the files of every page are the largest.
    const bytes = Buffer.from(
      filled(shell, around)
        .replace('<!--head-->', () => headOf(head, { origin, path }, status, card).text)
        .replace('</head>', () => html`${linksTo(files)}${data}</head>`.text),
    )
    // Compressed, because it is the same with a cookie and without one, and holds no secret.
    const ready = readyOf('page', bytes, {
      'content-type': htmlType,
      'cache-control': status === 200 ? 'no-cache' : 'no-store',
      'content-security-policy': sitePolicy(around, page),
      'cross-origin-opener-policy': 'same-origin',
      ...(found.retryAfter !== undefined && { 'retry-after': found.retryAfter }),
    })
    if (page.isEmbed) reply.removeHeader('x-frame-options')
    await sendReady(request, reply.code(status).header('etag', ready.etag), withForms(ready))
    return reply
  }

  /** The compressed forms of the latest pages by their tags: most of them are sent more than once. */
  const packed = new Map<string, Ready['coded']>()

  function withForms(ready: Ready): Ready {
    const coded = packed.get(ready.etag) ?? ready.coded
    if (packed.size >= maxPacked) packed.clear()
    packed.set(ready.etag, coded)
    return { ...ready, coded }
  }

  // The address of the worker must stay the same; browsers ask for it anew with each page.
  app.get('/worker.js', async (request, reply) => {
    const [shell, worker] = await Promise.all([built.read('site/index.html', null), built.read('worker.js', null)])
    if (shell === null || worker === null) return reply.callNotFound()
    const around = await reached()
    const tag = etagOf(Buffer.from(`${filled(shell, around)}${sitePolicy(around)}`)).replaceAll('"', '')
    return sendBytes(request, reply, Buffer.from(worker.toString().replace('SHELL_TAG', tag)), {
      'content-type': scriptType,
      'cache-control': 'no-cache',
      'content-security-policy': workerPolicy,
    })
  })
  for (const page of pages) app.get(page.path, (request, reply) => send(request, reply, page))
  // What no page is for: browsers get a page that says so, and a program gets the API's words.
  app.get('/*', async (request, reply) => {
    const isProgram = !(request.headers.accept ?? '').includes('text/html')
    if (isProgram || /^\/(api|assets|media)(\/|$)/.test(request.url)) return reply.callNotFound()
    return send(request, reply, unknownPage)
  })
}

/** The shell with the addresses of the socket and of media. */
function filled(shell: Buffer, { socketUrl, mediaUrl }: Reached): string {
  return shell
    .toString()
    .replace('SOCKET_URL', () => html`${socketUrl}`.text)
    .replace('MEDIA_URL', () => html`${mediaUrl}`.text)
}

interface Found {
  readonly status: number
  readonly retryAfter?: string
  readonly bodies: Answers
  /** Each answer as it came, with its address. */
  readonly first: readonly (readonly [address: string, text: string])[]
}

/** Asks the API as an anonymous reader does: the head never depends on cookies. */
async function readAll(app: FastifyInstance, request: FastifyRequest, page: SitePage): Promise<Found> {
  const { reads = [], more = () => [] } = page
  const params = request.params as Readonly<Record<string, string>>
  const addresses = [...reads, ...more(Date.now())].map((read) =>
    read.replace(/:([a-z]\w*)/g, (_, name) => encodeURIComponent(params[name] ?? '')),
  )
  const replies = await Promise.all(
    addresses.map((address) =>
      app.inject({ method: 'GET', url: `/api${address}`, remoteAddress: request.ip, headers: { host: request.host } }),
    ),
  )
  const failed = replies.slice(0, reads.length).find(({ statusCode }) => statusCode !== 200)
  if (failed !== undefined) {
    const { statusCode, headers } = failed
    const retryAfter = headers['retry-after']
    // What an anonymous reader may not see is as unknown as what is not there.
    const status = statusCode === 429 || statusCode >= 500 ? statusCode : 404
    return { status, bodies: [], first: [], ...(retryAfter && { retryAfter: String(retryAfter) }) }
  }
  const first = replies.flatMap(({ statusCode, payload }, at) =>
    statusCode === 200 ? [[addresses[at] ?? '', payload] as const] : [],
  )
  return { status: 200, bodies: first.slice(0, reads.length).map(([, text]) => JSON.parse(text)), first }
}

/** The first answers of the page, so that it paints without asking; browsers ask for those that are too long at once. */
function dataOf({ first }: Found): Html {
  const kept: string[] = []
  const long: string[] = []
  let left = maxDataBytes
  for (const [address, text] of first) {
    const entry = `${JSON.stringify(address)}:${text}`
    const bytes = Buffer.byteLength(entry)
    if (bytes > left) long.push(address)
    else {
      left -= bytes
      kept.push(entry)
    }
  }
  return html`${long.map((address) => html`<link rel="preload" as="fetch" crossorigin href="/api${address}">`)}
${kept.length === 0 ? html`` : html`<script type="application/json" id="first">${inScript(`{${kept.join(',')}}`)}</script>`}`
}

function headOf(head: Head, { origin, path }: SiteAddress, status: number, card: string | undefined): Html {
  const { title, description, image, type = 'website', feed, linked = [], isPrivate = status !== 200 } = head
  const full = title === 'Downbeat' ? title : `${title} · Downbeat`
  const shown = image ?? (card === undefined ? null : `${origin}/${card}`)
  return html`<title>${full}</title>
${isPrivate ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${origin}${path}">`}
${description ? html`<meta name="description" content="${description}"><meta property="og:description" content="${description}">` : html``}
<meta property="og:title" content="${title}"><meta property="og:type" content="${type}"><meta property="og:site_name" content="Downbeat">
<meta property="og:url" content="${origin}${path}"><meta name="twitter:card" content="summary_large_image">
${shown === null ? html`` : html`<meta property="og:image" content="${shown}">`}
${feed === undefined ? html`` : html`<link rel="alternate" type="text/calendar" title="${title}" href="${feed}">`}
${linked.map((each) => html`<script type="application/ld+json">${inScript(JSON.stringify(each))}</script>`)}`
}

/** The files that a page needs besides those of every page: script, styles, and the font of all words, which can wait. */
async function filesOf(built: Built, path: string): Promise<readonly string[]> {
  const [pages, font] = await Promise.all([
    built.read('site/pages.json', null),
    built.named(/^assets\/atkinson-hyperlegible-next-latin-wght-normal-[^/]*\.woff2$/),
  ])
  const named: Readonly<Record<string, readonly string[]>> = pages === null ? {} : JSON.parse(pages.toString())
  return [...(named[path] ?? []), ...(font === undefined ? [] : [font])]
}

function linksTo(files: readonly string[]): Html[] {
  return files.map((name) => {
    if (name.endsWith('.css')) return html`<link rel="stylesheet" href="/${name}">`
    if (name.endsWith('.js')) return html`<link rel="modulepreload" href="/${name}">`
    return html`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`
  })
}

/** JSON for a data block: `<` would let a text end the block. */
function inScript(json: string): Html {
  return new Html(json.replaceAll('<', '\\u003c'))
}
