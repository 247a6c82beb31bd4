import { api, documentTopics, ephemeralTopics } from './app.ts'
import { describeApi } from './infra/http/openapi.ts'
import { publishedText } from './infra/http/openapi-sharing.ts'
import { describeRealtime, type RealtimeApi } from './infra/realtime/description/asyncapi.ts'
import { publishedRealtime } from './infra/realtime/description/asyncapi-sharing.ts'
import { referencePage } from './infra/realtime/description/reference-page.ts'

/** What the service says of itself, made from its records by a process that has nothing else to do. */

export interface Addresses {
  /** The base URL of the service. */
  readonly publicUrl: string
  /** The URL of its sockets. */
  readonly socketUrl: string
}

/** The base URL in the guide's commands, unless the service is configured with another one. */
const exampleUrl = 'http://127.0.0.1:3001'

/** The OpenAPI document, as JSON. (D15) */
export function openapiText({ publicUrl }: Addresses): string {
  return publishedText(describeApi({ ...api, guide: api.guide.replaceAll(exampleUrl, publicUrl) }))
}

/** The AsyncAPI document, as JSON. */
export function asyncapiText(addresses: Addresses): string {
  return publishedRealtime(describeRealtime(realtimeApi(addresses)))
}

/** The page about sockets, as HTML. */
export function realtimePage(addresses: Addresses): string {
  return referencePage(realtimeApi(addresses))
}

function realtimeApi(addresses: Addresses): RealtimeApi {
  return { ...api, ephemeral: ephemeralTopics, documents: documentTopics, ...addresses }
}
