import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'

/** A finished page of the documentation. */
export interface Page {
  readonly contentType: string
  readonly body: Uint8Array
}

/**
 * Its pages, as the end of their addresses below `/api/docs/`, made once. In a thread of its own: the library that brings
 * the script of the reference takes 17 MB and a tenth of a second to load, and is not needed again.
 */
export async function makePages(): Promise<ReadonlyMap<string, Page>> {
  const [page, script, reference] = await Promise.all([
    ownFile('documentation-page.html', 'text/html; charset=utf-8'),
    ownFile('documentation-page.js', scriptType),
    referenceScript(),
  ])
  return new Map([
    ['', page],
    ['js/page.js', script],
    ['js/scalar.js', reference],
  ])
}

const scriptType = 'application/javascript; charset=utf-8'

async function ownFile(name: string, contentType: string): Promise<Page> {
  return { contentType, body: await readFile(new URL(name, import.meta.url)) }
}

async function referenceScript(): Promise<Page> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/api/openapi.json' } })
  const { statusCode, rawPayload } = await app.inject({ method: 'GET', url: '/js/scalar.js' })
  await app.close()
  if (statusCode !== 200) throw new Error(`the script of the reference was answered ${statusCode}`)
  return { contentType: scriptType, body: rawPayload }
}
