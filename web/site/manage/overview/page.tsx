import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Span } from '../../parts/time.tsx'
import { StatusOf } from '../status.tsx'
import { Due } from './due.tsx'
import { Findings } from './findings.tsx'
import { Numbers } from './numbers.tsx'

/** What is due in a tournament, what is wrong in it, and its numbers. */
export function ManageOverview() {
  const read = useTournament()
  const may = useMay()
  const at = { tournament: read.data?.id ?? '' }
  const isRead = read.data !== undefined
  const health = useRead(address('/tournaments/{tournament}/health', at), { live: true, enabled: isRead })
  const staff = useRead(address('/tournaments/{tournament}/staff', at), { live: true, enabled: isRead })
  const visibility = useRead(address('/tournaments/{tournament}/visibility', at), {
    enabled: isRead && may('visibility.read'),
  })
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.overview')} · ${tournament.name}`}>{words('manage.overview')}</h1>
                <p>
                  <StatusOf status={tournament.status} />, <Span from={tournament.startsAt} to={tournament.endsAt} />
                </p>
              </div>
            </div>
            <Numbers tournament={tournament} staff={staff.data} />
            <Findings of={health} />
            <Due tournament={tournament} staff={staff.data} visibility={visibility.data} />
          </>
        )}
      </Loaded>
    </div>
  )
}
