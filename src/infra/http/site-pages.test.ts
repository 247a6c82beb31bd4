import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Built } from './built-files.ts'
import { addSitePages } from './site-pages.ts'

/** Pages without a build. `web/test/site.test.ts` tests them with one. (W4) */

test('without a build every page says in one sentence how to make it', async () => {
  const app = fastify()
  const built = { read: async () => null } as unknown as Built
  const pages = [{ path: '/', head: () => ({ title: 'Downbeat' }) }]
  const reached = async () => ({ socketUrl: 'ws://here', mediaUrl: 'http://here', play: [], frames: [] })
  addSitePages(app, { built, pages, publicUrl: 'http://here', reached })
  for (const url of ['/', '/t/some-cup']) {
    const { statusCode, body, headers } = await app.inject({ url, headers: { accept: 'text/html' } })
    expect([statusCode, headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(body).toMatch(/^The website is not built yet: npm ci builds it[^.]*\.$/)
  }
  await app.close()
})
