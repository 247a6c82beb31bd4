import type { Document } from '../../http/documentation.ts'
import { describeRealtime, type RealtimeApi } from './asyncapi.ts'
import { referenceHeaders, referencePage } from './reference-page.ts'

/** What the real-time service says of itself: to machines, and to people. */
export function realtimeDocuments(api: RealtimeApi): Document[] {
  return [
    {
      path: '/api/asyncapi.json',
      operation: 'description',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      make: () => JSON.stringify(describeRealtime(api)),
    },
    {
      path: '/api/docs/realtime',
      operation: 'documentation',
      headers: referenceHeaders,
      make: () => referencePage(api),
    },
  ]
}
