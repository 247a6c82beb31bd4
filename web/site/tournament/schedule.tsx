import { getRouteApi, Link } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { EmbedButton } from '../parts/embed.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { SpoilerSwitch } from '../parts/spoilers.tsx'
import { isSameZone, ownZone, ShownZone, zoneOf } from '../parts/time.tsx'
import { Days } from './schedule-days.tsx'

/** When everything is: days as a grid by channel or as a list, and what comes next on each channel. */

const route = getRouteApi('/t/$tournament/schedule')

export function Schedule() {
  const tournament = useTournamentId()
  const search = route.useSearch()
  const place = useTournament().data
  const timezone = place?.timezone ?? ownZone
  const hasTwoZones =
    place !== undefined && !isSameZone(timezone, ownZone, Date.parse(place.startsAt ?? '') || Date.now())
  const zone = search.zone === 'tournament' ? timezone : ownZone
  const view = search.view === 'list' ? 'list' : 'grid'
  const at = place?.startsAt == null ? undefined : Date.parse(place.startsAt)
  return (
    <Printed name={place?.name} className="page stack in-order">
      <div className="title">
        <div>
          <h1>{words('tournament.schedule')}</h1>
          <p>{words('schedule.zone', { zone: zoneOf(zone, at) })}</p>
        </div>
        <div className="btns no-print">
          <Choice
            label={words('schedule.view')}
            choices={[
              [words('schedule.grid'), { ...search, view: undefined }, view === 'grid'],
              [words('schedule.list'), { ...search, view: 'list' }, view === 'list'],
            ]}
          />
          {hasTwoZones && (
            <Choice
              label={words('schedule.zones')}
              choices={[
                [words('schedule.own-zone'), { ...search, zone: undefined }, zone === ownZone],
                [words('schedule.its-zone'), { ...search, zone: 'tournament' }, zone !== ownZone],
              ]}
            />
          )}
          <PrintButton isSmall />
          <SpoilerSwitch tournament={place?.guid} />
          <a className="btn" href={`/api/tournaments/${encodeURIComponent(tournament)}/calendar.ics`}>
            {words('tournament.calendar')}
          </a>
          <EmbedButton
            path={`/embed/t/${encodeURIComponent(tournament)}/schedule`}
            title={`${words('tournament.schedule')}, ${place?.name ?? ''}`}
          />
        </div>
      </div>
      <ShownZone value={zone}>
        <Days zone={zone} view={view} />
      </ShownZone>
    </Printed>
  )
}

type Search = Record<string, string | undefined>

interface ChoiceProps {
  readonly label: string
  readonly choices: readonly (readonly [name: string, search: Search, isChosen: boolean])[]
}

/** Views of one page, each with its address. */
function Choice({ label, choices }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are links, not fields
    <div className="choices" role="group" aria-label={label}>
      {choices.map(([name, search, isChosen]) => (
        <Link
          key={name}
          from="/t/$tournament/schedule"
          to="/t/$tournament/schedule"
          search={Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))}
          className="btn"
          aria-current={isChosen ? 'true' : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
          replace
          resetScroll={false}
        >
          {name}
        </Link>
      ))}
    </div>
  )
}

/** The same inside another website. */
export function EmbeddedSchedule() {
  const tournament = useTournamentId()
  const { data, error, refetch } = useTournament()
  if (data === undefined && error !== null) return <FaultOf error={error} again={() => void refetch()} />
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('tournament.schedule')}</h1>
          <p>
            {data !== undefined && (
              <>
                <bdi>{data.name}</bdi>.{' '}
              </>
            )}
            {words('schedule.zone', { zone: zoneOf(ownZone) })}
          </p>
        </div>
        <Link to="/t/$tournament/schedule" params={{ tournament }} className="btn">
          {words('embed.open')}
        </Link>
      </div>
      <Days zone={ownZone} view="grid" />
    </div>
  )
}
