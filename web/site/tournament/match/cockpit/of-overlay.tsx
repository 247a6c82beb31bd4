import { useParams } from '@tanstack/react-router'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { useTournamentId } from '../../../data/tournament.ts'
import { CockpitOf } from './page.tsx'

/** The cockpit of the match that an overlay shows. */
export function CockpitOfOverlay() {
  const overlay = useParams({ strict: false }).overlay as string
  const tournament = useTournamentId()
  const at = address('/tournaments/{tournament}/overlays/{overlay}/control', { tournament, overlay })
  const match = useRead(at, { live: true }).data?.matchGuid ?? null
  return match === null ? null : <CockpitOf match={match} />
}
