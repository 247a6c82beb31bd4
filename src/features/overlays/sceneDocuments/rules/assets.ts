import { isForOverlays } from '../../../../core/media.ts'
import type { UsableMedia } from '../../../../infra/media/store.ts'

/** Documents show media that were given for overlays of their tournament, and no others. (OV8) */
export function isShowable(
  { kind, tournamentGuid }: Pick<UsableMedia, 'kind' | 'tournamentGuid'>,
  tournament: string,
): boolean {
  return isForOverlays(kind) && tournamentGuid === tournament
}
