import { Readable } from 'node:stream'
import { conflict } from '../../../../core/problem.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { objectName, type Storage } from '../../../../infra/storage/storage.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import type { Overlay } from '../../overlays/types.ts'
import { readDraft } from '../../sceneDocuments/queries.ts'
import { jsonBytes } from '../../sceneDocuments/rules/documents.ts'
import {
  assetEnd,
  assetHead,
  maxPackageBytes,
  packageBytes,
  packagedName,
  packageEnd,
  packageHead,
} from '../../sceneDocuments/rules/packages.ts'
import { listOverlayMedia, type OverlayMedium } from '../../sceneDocuments/store/media.ts'

/**
 * Returns the draft with all of its media as a stream. Only one piece of one medium is in memory at a time. Media that
 * the tournament lacks are listed in a problem, never sent. (overlays: Operations, package)
 * @throws Problem `overlay.unknown`, `scene.asset_missing`, `package.too_large`
 */
export async function readPackage(db: Db, overlay: Overlay, storage: Storage): Promise<Readable> {
  const draft = await readDraft(db, overlay.guid)
  if (draft === undefined) throw unknownOverlay()
  const { document } = draft
  const shown = assetsOf(document)
  const media = (await listOverlayMedia(db, overlay.tournamentGuid, shown)).map((medium) => ({
    ...medium,
    name: packagedName(medium.name, medium.kind),
  }))
  const missing = shown.filter((guid) => media.every((medium) => medium.guid !== guid))
  if (missing.length > 0) {
    const sentence = 'The draft shows media that are not the tournament’s, or were deleted; take these out first.'
    throw conflict('scene.asset_missing', sentence, { missing })
  }
  const size = packageBytes(jsonBytes(document), media)
  if (size > maxPackageBytes) {
    const sentence = `The package would have ${size} bytes, and may have ${maxPackageBytes}; show fewer or smaller media.`
    throw conflict('package.too_large', sentence)
  }
  return Readable.from(pieces(document, media, storage), { objectMode: false })
}

async function* pieces(document: SceneDocument, media: readonly OverlayMedium[], storage: Storage) {
  yield packageHead(document)
  for (const [index, { guid, digest, ...asset }] of media.entries()) {
    yield assetHead({ ...asset, media: guid }, index)
    yield* base64Of(storage, digest.toString('hex'))
    yield assetEnd
  }
  yield packageEnd
}

/** Three bytes become four letters, so the rest of a piece is encoded with the next one. */
async function* base64Of(storage: Storage, digest: string) {
  const object = await storage.get(objectName(digest))
  if (object === null) throw new Error(`the object ${digest} of a medium is not there`)
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of object.stream) {
    const bytes = Buffer.concat([left, chunk as Buffer])
    const whole = bytes.length - (bytes.length % 3)
    left = bytes.subarray(whole)
    yield bytes.subarray(0, whole).toString('base64')
  }
  yield left.toString('base64')
}
