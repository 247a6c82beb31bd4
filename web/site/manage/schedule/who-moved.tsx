import type { Match } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Instant } from '../../parts/time.tsx'

/** Who changed a match last, and when; nothing until the audit list tells it. (W10) */
export function WhoMoved({ match, zone }: { readonly match: Match; readonly zone: string }) {
  const at = address('/tournaments/{tournament}/audit', { tournament: useTournamentId() }, { limit: 20 })
  const read = useRead(at)
  useRenewal(at, String(match.revision))
  const entry = read.data?.entries.find(
    ({ type, subject, at: then }) =>
      (type === 'match.updated' && subject === match.guid) || (type === 'schedule.applied' && then === match.updatedAt),
  )
  if (entry === undefined) return null
  return (
    <p className="small muted">
      <bdi>{words('settings.changed-by', { name: entry.actor?.preferredName ?? words('settings.service') })}</bdi>{' '}
      <Instant at={entry.at} zone={zone} />
    </p>
  )
}
