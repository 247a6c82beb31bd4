import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { inOrder } from '../../../../engine/scenes/order.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockShownScene, writeShownScene } from '../store/scenes.ts'

/** A document that is published without the scene that is shown has its first one shown. (OV12) */
export async function showAvailableScene(
  tx: Tx,
  { overlay, tournament }: { readonly overlay: string; readonly tournament: string },
  { scenes }: Pick<SceneDocument, 'scenes'>,
  now: Date,
): Promise<void> {
  const scene = (await lockShownScene(tx, overlay))?.scene
  if (scene === undefined || scene === null || Object.hasOwn(scenes, scene)) return
  const [first] = inOrder(scenes)
  if (first === undefined) return
  const [after] = first
  await writeShownScene(tx, overlay, after, now)
  emit(tx, {
    type: 'overlay.control_changed',
    subject: overlay,
    tournament,
    actor: null,
    before: { scene },
    after: { scene: after },
  })
}
