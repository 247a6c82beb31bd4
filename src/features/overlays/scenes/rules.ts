import { conflict, invalid, missing, Problem } from '../../../core/problem.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { type JudgedDocument, readDocument, readWritten } from '../sceneDocuments/rules/documents.ts'

/** Number of bytes in an entity tag, as for other tags. */
const tagBytes = 20

/**
 * Equal documents have the same entity tag, even if different users made them: a caller with the tag has seen the whole
 * content. (RFC 9110 §8.8.3)
 */
export function tagOf(digest: Buffer): string {
  return `"${digest.subarray(0, tagBytes).toString('base64url')}"`
}

/**
 * A caller may replace a draft only with the tag of the current document, because other users edit it, too.
 * (overlays: Operations; RFC 9110 §13.1.1)
 * @throws Problem `scene.precondition_missing`, `scene.stale`
 */
export function checkSeen(header: string | undefined, { digest, revision }: { digest: Buffer; revision: number }) {
  if (header === undefined)
    throw invalid('scene.precondition_missing', 'Send the `ETag` of the document that you have read as `If-Match`.')
  const tag = tagOf(digest)
  if (header.split(',').some((each) => ['*', tag].includes(each.trim()))) return
  throw new Problem('conflict', 'scene.stale', 'The document was changed meanwhile; read it again.', {
    data: { revision },
    headers: { etag: tag },
  })
}

/**
 * Reads a document from a caller, and converts it to the current version. (OV7)
 * @throws Problem `scene.version`, `scene.invalid`
 */
export function givenDocument(given: unknown): SceneDocument {
  return accepted(readWritten(given))
}

/** Reads a stored document. It may have an earlier version, and need not follow later rules for names. (OV7) */
export function keptDocument(text: string): SceneDocument {
  return accepted(readDocument(JSON.parse(text)))
}

function accepted(judged: JudgedDocument): SceneDocument {
  if (judged.ok) return judged.document
  const [first] = judged.faults
  const where = first === undefined || first.pointer === '' ? 'The document' : `"${first.pointer}"`
  throw invalid(judged.code, `${where} ${first?.words ?? 'does not have the form of the schema'}.`, {
    faults: judged.faults,
  })
}

/**
 * Only the document that the publisher has seen may be published. (overlays: Operations)
 * @throws Problem `overlay.stale`
 */
export function checkRevision(given: number, present: number): void {
  if (given === present) return
  const words = `The document has the revision ${present}, not ${given}; look at it, and publish that one.`
  throw conflict('overlay.stale', words, { revision: present })
}

/** @throws Problem `version.unknown` */
export function readNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw unknownVersion()
  return Number(given)
}

export function unknownVersion() {
  return missing('version.unknown', 'There is no such version of the overlay, or it is kept no longer.')
}

export function notPublished() {
  return missing('overlay.not_published', 'Nothing was published for this overlay yet.')
}
