import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { lockMedia } from '../../../../infra/media/store.ts'
import { setUsages } from '../../../../infra/media/usages.ts'
import { isShowable } from '../rules/assets.ts'

/** The uses of media: in the draft, in the published document, and in the kept versions. (OV8, M14) */
export const assetFields = ['draft', 'published', 'versions'] as const
export type AssetField = (typeof assetFields)[number]

export const assetSubject = 'overlay'

export interface AssetUse {
  /** GUID of the overlay. */
  readonly overlay: string
  /** GUID of the overlay's tournament. */
  readonly tournament: string
  readonly now: Date
}

/**
 * Marks the media of an overlay's documents as used. Leaves out unknown media, and media that are not for overlays of
 * the tournament.
 */
export async function useAssets(
  tx: Tx,
  field: AssetField,
  assets: readonly string[],
  { overlay, tournament, now }: AssetUse,
): Promise<void> {
  const found = await lockMedia(tx, assets)
  const shown = found.filter((row) => isShowable(row, tournament)).map(({ guid }) => guid)
  await setUsages(tx, { subject: assetSubject, subjectGuid: overlay, field }, shown, now)
}

/**
 * Locks the media of a document to publish. Each must exist and be for overlays of the tournament. (OV8)
 * @throws Problem `scene.asset_missing`
 */
export async function checkAssets(tx: Tx, assets: readonly string[], tournament: string): Promise<void> {
  const found = await lockMedia(tx, assets)
  const shown = new Set(found.filter((row) => isShowable(row, tournament)).map(({ guid }) => guid))
  const lacking = assets.filter((guid) => !shown.has(guid))
  if (lacking.length === 0) return
  throw conflict(
    'scene.asset_missing',
    `The document shows media that are not there, or not for overlays of this tournament: ${lacking.slice(0, 10).join(', ')}. Take them out, or upload others in their place.`,
    { missing: lacking },
  )
}
