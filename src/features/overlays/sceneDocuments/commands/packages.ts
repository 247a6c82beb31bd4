import type { SignedIn } from '../../../../core/actor.ts'
import { busy } from '../../../../core/problem.ts'
import { withAssets } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockMedia } from '../../../../infra/media/store.ts'
import type { Services } from '../../../../services.ts'
import { addMedium } from '../../../media/media/commands/uploading.ts'
import { holdUpload } from '../../../media/media/store/media.ts'
import type { PreparedAsset, PreparedPackage } from '../prepare/packages.ts'

/** What became of a medium of a package. */
export interface TakenAsset {
  /** As the package named it. */
  readonly given: string
  readonly guid: string
}

/**
 * The document of a package, whose assets are media of the tournament now: each is a record as if it had been uploaded by itself, and
 * what the tournament has already stays the same. Behind the lock of the overlay's draft, if there is one.
 * @throws Problem `media.quota_exceeded`, `media.blocked`, `service.busy`
 */
export async function documentFromPackage(
  tx: Tx,
  { document, assets, hasRightsConfirmed }: PreparedPackage,
  about: { readonly actor: SignedIn; readonly services: Services; readonly now: Date },
): Promise<{ readonly document: SceneDocument; readonly taken: readonly TakenAsset[] }> {
  // Before media and rooms are locked.
  for (const { upload, kept } of assets) if (!('own' in kept)) await holdUpload(tx, upload.digest)
  await holdKnown(tx, assets)
  const taken: TakenAsset[] = []
  for (const { media, name, target, upload, kept } of assets) {
    if ('own' in kept) {
      taken.push({ given: media, guid: kept.own })
      continue
    }
    const { medium } = await addMedium(tx, { ...about, target, upload, kept, name, hasRightsConfirmed })
    taken.push({ given: media, guid: medium.guid })
  }
  return { document: withAssets(document, new Map(taken.map(({ given, guid }) => [given, guid]))), taken }
}

/** What is there already stays until the document names it; media are locked before rooms are. */
async function holdKnown(tx: Tx, assets: readonly PreparedAsset[]): Promise<void> {
  const own = assets.flatMap(({ kept }) => ('own' in kept ? [kept.own] : []))
  const same = assets.flatMap(({ kept }) => ('same' in kept ? [kept.same] : []))
  const held = new Set((await lockMedia(tx, [...own, ...same])).map(({ guid }) => guid))
  if (own.every((guid) => held.has(guid))) return
  throw busy('A medium of the package was being deleted; send it again.')
}
