import { isForOverlays } from '../../../../core/media.ts'
import type { UsableMedia } from '../../../../infra/media/store.ts'

/** Documents may show only media that were uploaded for overlays of their tournament. (OV8) */
export function isShowable(
  { kind, tournamentGuid }: Pick<UsableMedia, 'kind' | 'tournamentGuid'>,
  tournament: string,
): boolean {
  return isForOverlays(kind) && tournamentGuid === tournament
}
