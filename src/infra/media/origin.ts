import { withTexts } from '../../core/json.ts'
import type { Tx } from '../db/database.ts'
import type { MediaField } from './fields.ts'
import { withMovedMedia } from './references.ts'
import { changeTexts, lockOrigin, moveAddresses, setOrigin } from './store.ts'

/**
 * Records keep whole addresses of media. Where the service is started with another origin for them than before, all of these
 * follow, so that they lead to where media are now. Of several processes that start at once one does it. (M24)
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
