import { useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { StatusOf } from '../status.tsx'
import { useVisibility } from '../visibility-reads.ts'
import { PlatformForm } from './platform-form.tsx'

/** Where the tournament is seen: the platforms that it asks, what each decided, and why. */
export function ManageVisibility() {
  const tournament = useTournament()
  const may = useMay()
  const read = useVisibility()
  return (
    <div className="page wide stack">
      <Loaded of={tournament} rows={8}>
        {(record) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.visibility')} · ${record.name}`}>{words('manage.visibility')}</h1>
                <p>
                  <StatusOf status={record.status} />.{' '}
                  {words(record.status === 'draft' ? 'visibility.draft' : 'visibility.public')}
                </p>
              </div>
            </div>
            <Loaded of={read} rows={6}>
              {(overview) => <PlatformForm tournament={record} overview={overview} isMine={may('visibility.choose')} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </div>
  )
}
