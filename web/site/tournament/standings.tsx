import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ListedBracket, Standing } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useDivisions, useShownRead, useTournament, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { groupName, groupsOf } from '../parts/bracket/groups.ts'
import { isTableFormat } from '../parts/bracket/layout.ts'
import { saveCsv } from '../parts/csv.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { SpoilerSwitch, useSpoilers } from '../parts/spoilers.tsx'
import styles from './standings.module.css'
import { csvOf, prospectsOf } from './standings-columns.ts'
import { StandingsTable } from './standings-table.tsx'

const route = getRouteApi('/t/$tournament/standings/$bracket')

/** The table of a bracket: what decided between equals, and who can still go on. */
export function Standings() {
  const tournament = useTournamentId()
  const { bracket } = route.useParams()
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const division = useDivisions().data?.find(({ brackets }) => brackets.some(({ guid }) => guid === bracket))
  const listed = division?.brackets.find(({ guid }) => guid === bracket)
  const read = useShownRead(
    address('/tournaments/{tournament}/brackets/{bracket}/standings', { tournament, bracket }, { delayed: true }),
    { live: true },
  )
  const outlook = useOutlook(tournament, bracket, isHidden ? undefined : listed, read.data?.standings ?? [])
  const name = listed === undefined ? whole?.name : `${listed.name}, ${whole?.name}`
  const of = prospectsOf(outlook.data)
  return (
    <Printed name={whole?.name} className="page stack">
      <div className="title">
        <div>
          <h1 data-title={`${words('standings.title')} · ${name ?? ''}`}>{words('standings.title')}</h1>
          <p>
            {listed === undefined || division === undefined ? (
              '\u00a0'
            ) : (
              <>
                <Link
                  to="/t/$tournament/bracket/$division/$bracket"
                  params={{ tournament, division: division.id, bracket }}
                >
                  <bdi>{listed.name}</bdi>
                </Link>
                , {words(`format.${listed.format}`)}
              </>
            )}
          </p>
        </div>
        <div className="btns no-print">
          <PrintButton isSmall />
          <button
            type="button"
            className="btn"
            aria-disabled={read.data === undefined || isHidden}
            onClick={() =>
              saveCsv(
                `${tournament}-${listed?.name ?? ''}-${words('standings.title')}`,
                csvOf(read.data?.standings ?? [], of, groupName),
              )
            }
          >
            <Icon name="download" />
            {words('standings.csv')}
          </button>
          <SpoilerSwitch tournament={whole?.guid} />
        </div>
      </div>
      {outlook.places !== undefined && (
        <Places
          places={outlook.places}
          most={outlook.most}
          hasGroups={outlook.hasGroups}
          isExact={outlook.data?.exact}
        />
      )}
      <Loaded of={read} rows={10}>
        {({ standings }) =>
          isHidden ? (
            <Empty>{words('standings.hidden')}</Empty>
          ) : standings.length === 0 ? (
            <Empty>{words('standings.none')}</Empty>
          ) : (
            <Tables standings={standings} tournament={tournament} places={outlook.places ?? 0} of={of} />
          )
        }
      </Loaded>
    </Printed>
  )
}

interface TablesProps {
  readonly standings: readonly Standing[]
  readonly tournament: string
  readonly places: number
  readonly of: ReturnType<typeof prospectsOf>
}

function Tables({ standings, tournament, places, of }: TablesProps) {
  const { sort } = route.useSearch()
  return [...groupsOf(standings)].map(([group, own]) => (
    <div key={group} className={group === null ? undefined : styles.group}>
      <StandingsTable
        title={group === null ? words('standings.whole') : words('standings.group', { group: groupName(group) })}
        standings={own}
        tournament={tournament}
        sorting={{ by: sort }}
        outlook={of && { places, of }}
      />
    </div>
  ))
}

/** Who can still get one of the first places, in tables that points decide. */
function useOutlook(
  tournament: string,
  bracket: string,
  listed: ListedBracket | undefined,
  standings: readonly Standing[],
) {
  const { places: asked } = route.useSearch()
  const groups = [...groupsOf(standings).values()]
  const most = Math.max(0, ...groups.map(({ length }) => length))
  const isTold =
    listed !== undefined && isTableFormat(listed) && listed.settings.tieBreakers[0] === 'points' && most > 1
  const wanted = Number(asked)
  const usual = groups.length > 1 ? 2 : Math.ceil(most / 2)
  const places = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, most) : usual
  const { data } = useShownRead(
    isTold
      ? address(
          '/tournaments/{tournament}/brackets/{bracket}/outlook',
          { tournament, bracket },
          { places, delayed: true },
        )
      : null,
    { live: true },
  )
  return { data: isTold ? data : undefined, places: isTold ? places : undefined, most, hasGroups: groups.length > 1 }
}

interface PlacesProps {
  readonly places: number
  readonly most: number
  readonly hasGroups: boolean
  readonly isExact: boolean | undefined
}

/** How many go on is not part of the bracket: the reader says for how many places they want to know. */
function Places({ places, most, hasGroups, isExact }: PlacesProps) {
  const navigate = useNavigate({ from: '/t/$tournament/standings/$bracket' })
  return (
    <div>
      <label className={styles.places}>
        {words(hasGroups ? 'outlook.places-of-groups' : 'outlook.places')}
        <input
          className="in num"
          type="number"
          min={1}
          max={most}
          value={places}
          onChange={({ target }) => {
            if (target.value !== '')
              void navigate({ search: (all) => ({ ...all, places: target.value }), replace: true, resetScroll: false })
          }}
        />
      </label>
      {isExact === false && <p className="muted small">{words('outlook.not-exact')}</p>}
    </div>
  )
}
