import { type FakeServer, startFakeServer } from './server.ts'

/**
 * A website of a third party, with HTML pages by path. At its `url` it is another origin of the same site as a service
 * on loopback; `crossSiteUrl` serves the same pages as another site.
 */
export interface FakeWebsite extends FakeServer {
  readonly crossSiteUrl: string
}

export async function startFakeWebsite(pages: Readonly<Record<string, string>>): Promise<FakeWebsite> {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const server = await startFakeServer({
    answer: ({ path }) => {
      const body = pages[path]
      return body === undefined ? { status: 404 } : { status: 200, headers, body: `<!doctype html>${body}` }
    },
    limited: () => ({ status: 429 }),
  })
  const crossSiteUrl = server.url.replace('127.0.0.1', 'localhost')
  return { ...server, crossSiteUrl }
}
