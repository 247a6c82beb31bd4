import { withTexts } from '../../core/json.ts'
import type { Tx } from '../db/database.ts'
import type { MediaField } from './fields.ts'
import { withMovedMedia } from './references.ts'
import { changeTexts, lockOrigin, moveAddresses, setOrigin } from './store.ts'

/**
 * Rewrites the addresses of media in all records when the service starts with another origin than before, so that they
 * still work. Of several processes that start at the same time one does it. (M24)
 */
export async function followOrigin(
  tx: Tx,
  origin: string,
  fields: readonly Pick<MediaField, 'subject' | 'field' | 'kept'>[],
): Promise<void> {
  const before = await lockOrigin(tx)
  if (before === origin) return
  if (before !== null) {
    const move = (text: string) => withMovedMedia(text, before, origin)
    for (const { kept, ...field } of fields) {
      if (kept?.isText) await changeTexts(tx, { ...field, kept }, before, (text) => withTexts(text, move))
      else if (kept !== null) await moveAddresses(tx, { ...field, kept }, before, origin)
    }
  }
  await setOrigin(tx, origin)
}
