import type { Ready } from './answer.ts'
import { etagOf } from './etag.ts'

/** A document that is the same for everybody, whether or not they have a token. */
export function readyOf(operation: string, body: Buffer, headers: Readonly<Record<string, string>>): Ready {
  return { body, etag: etagOf(body), length: String(body.length), operation, headers, closedHeaders: headers }
}
