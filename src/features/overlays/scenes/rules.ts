import { conflict, invalid, missing, Problem } from '../../../core/problem.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'
import { type JudgedDocument, readDocument, readWritten } from '../sceneDocuments/rules/documents.ts'

/** Bytes, as many as other tags are made of. */
const tagBytes = 20

/** Equal documents have the same entity tag, whoever made them so: who replaces one has seen all that is in it. (RFC 9110 §8.8.3) */
export function tagOf(digest: Buffer): string {
  return `"${digest.subarray(0, tagBytes).toString('base64url')}"`
}

/**
 * A draft is replaced by whoever says which document they have seen, since others edit it, too. (overlays: Operations; RFC 9110 §13.1.1)
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
 * A document as somebody gives it, in the present form. (OV7)
 * @throws Problem `scene.version`, `scene.invalid`
 */
export function givenDocument(given: unknown): SceneDocument {
  return accepted(readWritten(given))
}

/** What was kept may be of an earlier version of documents, and is held to no later rule. (OV7) */
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
 * What is published is the document that its publisher has seen. (overlays: Operations)
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
