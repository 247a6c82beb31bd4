import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Built } from './built-files.ts'
import { newState } from './request.ts'
import { addSitePages } from './site-pages.ts'

/** Pages without a build of the website. `web/test/site.test.ts` tests them with one. (W4) */

const reached = async () => ({ socketUrl: 'ws://here', mediaUrl: 'http://here', play: [], frames: [] })

test('without a build every page says in one sentence how to make it', async () => {
  const app = fastify()
  const built = { read: async () => null } as unknown as Built
  const pages = [{ path: '/', head: () => ({ title: 'Downbeat' }) }]
  addSitePages(app, { built, pages, publicUrl: 'http://here', reached })
  for (const url of ['/', '/t/some-cup']) {
    const { statusCode, body, headers } = await app.inject({ url, headers: { accept: 'text/html' } })
    expect([statusCode, headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(body).toMatch(/^The website is not built yet: npm ci builds it[^.]*\.$/)
  }
  await app.close()
})

test('a page names the files of every page, then its own, then what it has to read; it is compressed', async () => {
  const app = fastify()
  app.decorateRequest('state')
  app.addHook('onRequest', async (request) => {
    request.state = newState(null)
  })
  app.get('/api/short', async () => ({ text: 'few words '.repeat(200) }))
  app.get('/api/long', async () => ({ text: 'many words '.repeat(4_000) }))
  const files: Readonly<Record<string, string>> = {
    'site/index.html': '<head><!--head--><script src="/assets/site.js"></script></head><body data-socket="SOCKET_URL">',
    'site/pages.json': JSON.stringify({ '/': ['assets/home.js', 'assets/home.css'] }),
  }
  const read = async (name: string) => Buffer.from(files[name] ?? '')
  const named = async (pattern: RegExp) => (`${pattern}`.includes('woff2') ? 'assets/font.woff2' : undefined)
  const built = { read, named } as unknown as Built
  const pages = [{ path: '/', reads: ['/long', '/short'], head: () => ({ title: 'Downbeat' }) }]
  addSitePages(app, { built, pages, publicUrl: 'http://here', reached })
  const { body } = await app.inject('/')
  expect([...body.matchAll(/ (?:src|href)="(\/[^"]+)"/g)].map(([, address]) => address)).toEqual([
    '/assets/site.js',
    '/assets/home.js',
    '/assets/home.css',
    '/assets/font.woff2',
    '/api/long',
  ])
  expect(/id="first">(.*?)<\/script>/.exec(body)?.[1]).toMatch(/^\{"\/short":\{"text":"few words [^"]*"\}\}$/)
  const coded = () => app.inject({ url: '/', headers: { 'accept-encoding': 'br', cookie: `a=${Math.random()}` } })
  const [first, again] = [await coded(), await coded()]
  expect(first.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
  expect(first.rawPayload.length).toBeLessThan(body.length)
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
  const known = await app.inject({ url: '/', headers: { 'if-none-match': String(first.headers.etag) } })
  expect([known.statusCode, known.body]).toEqual([304, ''])
  await app.close()
})
