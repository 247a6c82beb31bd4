import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Addresses } from './descriptions.ts'
import type { Document } from './infra/http/documentation.ts'
import { KeptDocuments, type MadeDocuments } from './infra/http/kept-documents.ts'
import type { Logger } from './infra/log.ts'
import { referenceHeaders } from './infra/realtime/description/reference-style.ts'
import { digestOf } from './infra/sources.ts'
import type { Task, Threads } from './infra/threads/threads.ts'

export interface Describing {
  readonly addresses: Addresses
  /** `DATA_DIR` */
  readonly dataDir: string
  readonly threads: Threads
  readonly log: Logger
}

export interface Described {
  readonly documents: readonly Document[]
  /** Makes those that no process has made yet for this version, so that the first reader does not wait for seconds. */
  readonly prepare: () => Promise<void>
}

/** What the service says of itself, to machines and to people. */
export function documentsOf({ addresses, dataDir, threads, log }: Describing): Described {
  const kept = new KeptDocuments({
    folder: path.join(dataDir, 'descriptions'),
    digest: async () => digestOf([version, addresses.publicUrl, addresses.socketUrl]),
    make: (isAwaited) =>
      threads.run<Addresses, MadeDocuments>(isAwaited ? making : { ...making, isLow: true }, addresses),
    // They are served all the same.
    onUnkept: (err) => log.warn({ err }, 'descriptions are not kept'),
  })
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const find = (name: string) => () => kept.find(name)
  const documents = [
    { path: '/api/openapi.json', operation: 'description', headers: json, find: find('openapi.json') },
    { path: '/api/asyncapi.json', operation: 'description', headers: json, find: find('asyncapi.json') },
    { path: '/api/docs/realtime', operation: 'documentation', headers: referenceHeaders, find: find('realtime.html') },
  ]
  return { documents, prepare: () => kept.prepare('openapi.json') }
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** In a process: it needs all records, megabytes of objects, and a processor for seconds. */
const making: Task = {
  module: new URL('./descriptions.ts', import.meta.url),
  name: 'makeDescriptions',
  inProcess: true,
  atOnce: 1,
  patienceMs: 120_000,
}
