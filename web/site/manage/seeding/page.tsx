import { useParams } from '@tanstack/react-router'
import { UnknownPage } from '../../chrome/faults.tsx'
import { ApiError, address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Board } from './board.tsx'

/** The seeds of the teams in a bracket, and the first round that they make. */
export function ManageSeeding() {
  const tournament = useTournamentId()
  const bracket = useParams({ strict: false }).bracket as string
  const whole = useTournament().data
  const read = useRead(address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket }), { live: true })
  if (read.data === undefined && read.error instanceof ApiError && read.error.status === 404) return <UnknownPage />
  return (
    <div className="page wide">
      <Loaded of={read} rows={16} title={words('seeding.title')}>
        {(found) => (
          <Board key={found.guid} bracket={found} tournament={tournament} tournamentName={whole?.name ?? ''} />
        )}
      </Loaded>
    </div>
  )
}
