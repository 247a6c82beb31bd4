import type { Addresses } from './descriptions.ts'
import type { Document } from './infra/http/documentation.ts'
import { referenceHeaders } from './infra/realtime/description/reference-page.ts'
import type { Task, Threads } from './infra/threads/threads.ts'

/** The names of the functions that make the documents. */
type Making = keyof typeof import('./descriptions.ts')

/** What the service says of itself, to machines and to people. */
export function documentsOf(addresses: Addresses, threads: Threads): readonly Document[] {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const made = (name: Making) => () => threads.run<Addresses, string>(taskOf(name), addresses)
  return [
    { path: '/api/openapi.json', operation: 'description', headers: json, make: made('openapiText') },
    { path: '/api/asyncapi.json', operation: 'description', headers: json, make: made('asyncapiText') },
    { path: '/api/docs/realtime', operation: 'documentation', headers: referenceHeaders, make: made('realtimePage') },
  ]
}

/** In a process of its own: it needs all records, megabytes of objects, and a processor for a second. */
const taskOf = (name: Making): Task => ({
  module: new URL('./descriptions.ts', import.meta.url),
  name,
  inProcess: true,
})
