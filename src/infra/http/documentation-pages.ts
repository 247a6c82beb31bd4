import Fastify from 'fastify'

/** A finished page of the documentation. */
export interface Page {
  readonly contentType: string
  readonly body: Uint8Array
}

/** Its pages, as the end of an address below `/api/docs/`: the reference itself and the script that it loads. */
const names = ['', 'js/scalar.js']

/**
 * Makes the pages once. In a thread of its own: the library that brings them takes 17 MB and a tenth of a second to load,
 * and is not needed again.
 */
export async function makePages(): Promise<ReadonlyMap<string, Page>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, {
    routePrefix: '/api/docs',
    configuration: { url: '/api/openapi.json', title: 'Downbeat API', withDefaultFonts: false, telemetry: false },
  })
  const made = names.map(async (name) => {
    const { statusCode, headers, rawPayload } = await app.inject({ method: 'GET', url: `/api/docs/${name}` })
    if (statusCode !== 200) throw new Error(`the page ${name} of the documentation answered ${statusCode}`)
    return [name, { contentType: String(headers['content-type']), body: rawPayload }] as const
  })
  const pages = new Map(await Promise.all(made))
  await app.close()
  return pages
}
