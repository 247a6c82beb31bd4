import type { MediaColumn } from '../../../../infra/media/store.ts'
import { overlayControls } from '../tables.ts'

export const castersColumn: MediaColumn = {
  table: overlayControls,
  key: overlayControls.overlayGuid,
  column: overlayControls.casters,
}
