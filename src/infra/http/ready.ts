import { isText, type Ready } from './answer.ts'
import { Coded } from './compressed-answers.ts'
import { etagOf } from './etag.ts'

/** A document that is the same for all callers, with or without a token. */
export function readyOf(operation: string, body: Buffer, headers: Readonly<Record<string, string>>): Ready {
  const isCoded = isText(headers['content-type'] ?? '')
  const told = isCoded ? { ...headers, vary: [headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ') } : headers
  return {
    body,
    etag: etagOf(body),
    length: String(body.length),
    operation,
    headers: told,
    closedHeaders: told,
    // The document never changes: its compressed forms are made once and kept.
    coded: isCoded ? new Coded(null) : null,
  }
}
