import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Blocks, Loaded } from '../../parts/loaded.tsx'
import { Span } from '../../parts/time.tsx'
import { StatusOf } from '../status.tsx'
import { Due, Next } from './due.tsx'
import { useChecklistFacts } from './facts.ts'
import { Findings } from './findings.tsx'
import { Numbers } from './numbers.tsx'

/** What is due in a tournament, what is wrong in it, and its numbers. */
export function ManageOverview() {
  const read = useTournament()
  const at = { tournament: read.data?.id ?? '' }
  const health = useRead(address('/tournaments/{tournament}/health', at), {
    live: true,
    enabled: read.data !== undefined,
  })
  const facts = useChecklistFacts()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.overview')} · ${tournament.name}`}>{words('manage.overview')}</h1>
                <p>
                  <StatusOf status={tournament.status} /> · <Span from={tournament.startsAt} to={tournament.endsAt} />
                </p>
              </div>
            </div>
            <Numbers tournament={tournament} staff={facts?.staff} />
            {facts === undefined ? <Blocks rows={3} /> : <Next facts={facts} />}
            <Findings of={health} />
            {facts === undefined ? <Blocks rows={8} /> : <Due facts={facts} />}
          </>
        )}
      </Loaded>
    </div>
  )
}
