import { getRouteApi } from '@tanstack/react-router'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Corrections } from './corrections.tsx'
import { Entries } from './entries.tsx'
import { Filters } from './filters.tsx'
import { useNames } from './names.ts'

/** Who changed what, from what to what; what was corrected, and what can be undone. */

const route = getRouteApi('/manage/$tournament/audit')

export function ManageAudit() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={12}>
        {(tournament) => <Of tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Of({ tournament }: { readonly tournament: TournamentWithParts }) {
  const search = route.useSearch()
  const names = useNames()
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.audit')} · ${tournament.name}`}>{words('manage.audit')}</h1>
          <p>{words('audit.intro')}</p>
        </div>
      </div>
      <Corrections tournament={tournament} names={names} />
      <Filters search={search} names={names} />
      <Entries tournament={tournament} search={search} names={names} />
    </>
  )
}
