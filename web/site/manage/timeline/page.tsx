import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { TimelineForm } from './timeline-form.tsx'

/** The dates that everybody should know: all edited at once, and shown as the line that readers get. */
export function ManageTimeline() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament: TournamentWithParts) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.timeline')} · ${tournament.name}`}>{words('manage.timeline')}</h1>
                <p>{words('timeline.intro')}</p>
              </div>
            </div>
            <TimelineForm tournament={tournament} />
          </>
        )}
      </Loaded>
    </div>
  )
}
