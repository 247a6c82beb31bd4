import { Link } from '@tanstack/react-router'
import type { AvailabilityState } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { ownZone, ShownZone } from '../../parts/time.tsx'
import { availabilityAddress } from '../matches.ts'
import { SheetForm } from './sheet-form.tsx'
import { SheetList } from './sheet-list.tsx'
import { SheetPart } from './sheet-part.tsx'
import { from, mayChange, route } from './sheets.ts'

/** Who is asked when they can, what they answered, and which times suit most. */
export function ManageAvailability() {
  const state = useRead(availabilityAddress(useTournamentId()), { live: true })
  const zone = useTournament().data?.timezone ?? ownZone
  return (
    <div className="page wide stack">
      <ShownZone value={zone}>
        <Loaded of={state} rows={10} title={words('manage.availability')}>
          {(found) => <Sheets state={found} zone={zone} />}
        </Loaded>
      </ShownZone>
    </div>
  )
}

function Sheets({ state, zone }: { readonly state: AvailabilityState; readonly zone: string }) {
  const search = route.useSearch()
  const sheet = state.sheets.find(({ guid }) => guid === search.sheet)
  const isNew = search.sheet === 'new'
  return (
    <>
      <div className="title">
        <div>
          <h1>{words('manage.availability')}</h1>
          <p>{words('sheets.what')}</p>
        </div>
        <div className="btns">
          {search.sheet === undefined ? (
            <Link from={from} to="." search={{ sheet: 'new' }} className="btn btn-primary">
              {words('sheets.new')}
            </Link>
          ) : (
            <Link from={from} to="." search={{}} className="btn" activeOptions={{ exact: true, includeSearch: true }}>
              {words('sheets.all')}
            </Link>
          )}
        </div>
      </div>
      {isNew ? (
        <SheetForm state={state} sheet={null} zone={zone} />
      ) : sheet !== undefined ? (
        search.edit === undefined || !mayChange(sheet, state) ? (
          <SheetPart key={sheet.guid} sheet={sheet} state={state} zone={zone} />
        ) : (
          <SheetForm key={sheet.guid} state={state} sheet={sheet} zone={sheet.timezone} />
        )
      ) : search.sheet !== undefined ? (
        <Empty>{words('sheets.gone')}</Empty>
      ) : state.sheets.length === 0 ? (
        <Empty>{words('sheets.none')}</Empty>
      ) : (
        <SheetList sheets={state.sheets} zone={zone} />
      )}
    </>
  )
}
