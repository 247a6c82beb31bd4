import type { Document } from '../../http/documentation.ts'
import type { Threads } from '../../threads/threads.ts'
import { describeRealtime, type RealtimeApi } from './asyncapi.ts'
import { referenceHeaders, referencePage } from './reference-page.ts'

/** In a thread of its own: it keeps a processor busy for a while. */
const sharingTask = { module: new URL('./asyncapi-sharing.ts', import.meta.url), name: 'publishedRealtime' }

/** What the real-time service says of itself: to machines, and to people. */
export function realtimeDocuments(api: RealtimeApi, threads: Threads): Document[] {
  return [
    {
      path: '/api/asyncapi.json',
      operation: 'description',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      make: () => threads.run<object, string>(sharingTask, describeRealtime(api)),
    },
    {
      path: '/api/docs/realtime',
      operation: 'documentation',
      headers: referenceHeaders,
      make: () => referencePage(api),
    },
  ]
}
