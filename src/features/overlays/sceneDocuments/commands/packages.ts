import type { SignedIn } from '../../../../core/actor.ts'
import { busy } from '../../../../core/problem.ts'
import { withAssets } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockMedia } from '../../../../infra/media/store.ts'
import type { Services } from '../../../../services.ts'
import { addMedium } from '../../../media/media/commands/uploading.ts'
import { lockUploadForShare } from '../../../media/media/store/media.ts'
import type { PreparedAsset, PreparedPackage } from '../prepare/packages.ts'

/** A medium of a package, after it was stored. */
export interface TakenAsset {
  /** The GUID in the package. */
  readonly given: string
  readonly guid: string
}

/**
 * Returns the document of a package, with its assets replaced by media of the tournament. Each asset becomes a medium,
 * as if it had been uploaded alone; media that the tournament has already are used again. Call after the overlay's
 * draft is locked, if there is one.
 * @throws Problem `media.quota_exceeded`, `media.blocked`, `service.busy`
 */
export async function documentFromPackage(
  tx: Tx,
  { document, assets, hasRightsConfirmed }: PreparedPackage,
  about: { readonly actor: SignedIn; readonly services: Services; readonly now: Date },
): Promise<{ readonly document: SceneDocument; readonly taken: readonly TakenAsset[] }> {
  // Uploads are locked before media and quotas.
  for (const { upload, kept } of assets) if (!('own' in kept)) await lockUploadForShare(tx, upload.digest)
  await lockKnownMedia(tx, assets)
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

/** Locks the existing media, so that they stay until the document names them. Media are locked before quotas. */
async function lockKnownMedia(tx: Tx, assets: readonly PreparedAsset[]): Promise<void> {
  const own = assets.flatMap(({ kept }) => ('own' in kept ? [kept.own] : []))
  const same = assets.flatMap(({ kept }) => ('same' in kept ? [kept.same] : []))
  const held = new Set((await lockMedia(tx, [...own, ...same])).map(({ guid }) => guid))
  if (own.every((guid) => held.has(guid))) return
  throw busy('A medium of the package was being deleted; send it again.')
}
