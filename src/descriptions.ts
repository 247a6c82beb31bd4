import { api, documentTopics, ephemeralTopics } from './app.ts'
import { describeApi } from './infra/http/openapi.ts'
import { publishedText } from './infra/http/openapi-sharing.ts'
import { describeRealtime } from './infra/realtime/description/asyncapi.ts'
import { publishedRealtime } from './infra/realtime/description/asyncapi-sharing.ts'
import { referencePage } from './infra/realtime/description/reference-page.ts'

/** What the service says of itself, made of its records by a process that ends with them. (`documents.ts` starts it) */

export interface Addresses {
  /** The base URL of the service. */
  readonly publicUrl: string
  /** The URL of its sockets. */
  readonly socketUrl: string
}

/** The base URL in the guide's commands, unless the service is configured with another one. */
const exampleUrl = 'http://127.0.0.1:3001'

/** The documents in UTF-8, by name. (D15) */
export function makeDescriptions({ publicUrl, socketUrl }: Addresses): Readonly<Record<string, Uint8Array>> {
  const guide = api.guide.replaceAll(exampleUrl, publicUrl)
  const realtime = { ...api, ephemeral: ephemeralTopics, documents: documentTopics, publicUrl, socketUrl }
  return {
    'openapi.json': Buffer.from(publishedText(describeApi({ ...api, guide }))),
    'asyncapi.json': Buffer.from(publishedRealtime(describeRealtime(realtime))),
    'realtime.html': Buffer.from(referencePage(realtime)),
  }
}
