import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { UnknownPage } from '../../chrome/faults.tsx'
import { ApiError, address } from '../../data/api.ts'
import { useKept } from '../../data/keeping.ts'
import { prefer, usePreferences } from '../../data/preferences.ts'
import { useRead } from '../../data/queries.ts'
import {
  divisionsAddress,
  tournamentAddress,
  useDivisions,
  useShownAddress,
  useTournament,
  useTournamentId,
} from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import type { View } from '../../parts/bracket/cell.tsx'
import { partsOf } from '../../parts/bracket/layout.ts'
import { RoundsBar } from '../../parts/bracket/rounds-bar.tsx'
import { Blocks, Empty, Loaded } from '../../parts/loaded.tsx'
import { Printed, usePrinting } from '../../parts/print.tsx'
import { useSpoilers } from '../../parts/spoilers.tsx'
import { useOwnTeams } from '../own-teams.ts'
import { Announcer } from './announcer.tsx'
import { HowChosen } from './entrants.tsx'
import { Legend, OtherBrackets } from './legend.tsx'
import { BracketList, BracketTables } from './list.tsx'
import styles from './page.module.css'
import { Sheets } from './sheets.tsx'
import { TeamPath } from './team-path.tsx'
import { Ties } from './ties.tsx'
import { Tools, type ViewName, wholeSize, zooms } from './tools.tsx'
import { Tree } from './tree.tsx'

/** The first bracket of the tournament, or what is to be said before there is one. */
export function FirstBracket() {
  const tournament = useTournamentId()
  const read = useDivisions()
  return (
    <div className="page stack">
      <Loaded of={read} rows={8} title={words('tournament.bracket')}>
        {(divisions) => {
          const division = divisions.find(({ brackets }) => brackets.length > 0)
          const bracket = division?.brackets[0]
          if (division === undefined || bracket === undefined)
            return (
              <>
                <div>
                  <h1>{words('tournament.bracket')}</h1>
                  <Empty>{words('bracket.none')}</Empty>
                </div>
                <HowChosen tournament={tournament} />
              </>
            )
          return (
            <Navigate
              to="/t/$tournament/bracket/$division/$bracket"
              params={{ tournament, division: division.id, bracket: bracket.guid }}
              replace
            />
          )
        }}
      </Loaded>
    </div>
  )
}

const route = getRouteApi('/t/$tournament/bracket/$division/$bracket')

export function BracketPage() {
  const { tournament, division, bracket } = route.useParams()
  const whole = useTournament().data
  const shown = useShownAddress(
    address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket }, { delayed: true }),
  )
  const read = useRead(shown, { live: true })
  const title = whole && read.data && `${read.data.name} · ${whole.name}`
  useKept('bracket', title, [shown ?? '', tournamentAddress(tournament), divisionsAddress(tournament)])
  // The other brackets are named above this one, and would move it. (W18)
  const isComplete = !useDivisions().isLoading
  const isUnknown = read.error instanceof ApiError && read.error.status === 404
  if (read.data === undefined && isUnknown) return <UnknownPage />
  return (
    <Printed name={whole?.name} className="page wide in-order">
      {read.data === undefined && read.error !== null && <h1>{words('tournament.bracket')}</h1>}
      <Loaded of={isComplete ? read : { ...read, data: undefined }} rows={16} hasTitle>
        {(found) => <Shown bracket={found} tournament={tournament} division={division} />}
      </Loaded>
    </Printed>
  )
}

interface ShownProps {
  readonly bracket: BracketWithMatches
  readonly tournament: string
  readonly division: string
}

const isView = (text: string | undefined): text is ViewName => text === 'list' || text === 'team' || text === 'tree'

function Shown({ bracket, tournament, division }: ShownProps) {
  const { view: asked } = route.useSearch()
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const own = useOwnTeams()
  const [zoom, setZoom] = useState(wholeSize)
  const view = isView(asked) ? asked : 'tree'
  const teams = bracket.entrants.flatMap((entrant) => (entrant.team === null ? [] : [entrant.team]))
  const { chosen, follow } = useFollowed(teams, own)
  const base = `/t/${encodeURIComponent(tournament)}/m/${encodeURIComponent(division)}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the numbers of matches change with the rounds alone
  const numbers = useMemo(() => new Map(bracket.matches.map(({ guid, number }) => [guid, number])), [bracket.rounds])
  const shown = useMemo(
    (): View => ({ base, numbers, followed: chosen?.guid, own, isHidden }),
    [base, numbers, chosen?.guid, own, isHidden],
  )
  const finished = bracket.matches.filter(({ status }) => status === 'completed').length
  const running = bracket.matches.filter(({ status }) => status === 'running').length
  const divisions = useDivisions().data ?? []
  // A large bracket is drawn in small steps, after the page around it: what is pressed there is seen at once.
  const isDrawn = useDeferredValue(true, false)
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${bracket.name} · ${whole?.name ?? ''}`}>
            <bdi>{bracket.name}</bdi>
          </h1>
          <p>
            {words(`format.${bracket.format}`)}, {words('teams.count', { count: teams.length })}.{' '}
            {bracket.matches.length > 0 &&
              words('bracket.progress', { finished, all: bracket.matches.length, running })}
          </p>
        </div>
        <Tools
          bracket={bracket}
          tournament={tournament}
          division={division}
          name={whole?.name ?? ''}
          tournamentGuid={whole?.guid}
          view={view}
          teams={teams}
          chosen={chosen}
          follow={(team) => follow(team)}
          zoom={zoom}
          setZoom={setZoom}
        />
      </div>
      <OtherBrackets divisions={divisions} tournament={tournament} current={bracket.guid} />
      <Announcer matches={bracket.matches} isHidden={isHidden} />
      {bracket.matches.length === 0 && <Empty>{words('bracket.empty')}</Empty>}
      {bracket.status === 'draft' && (
        <div className={styles.before}>
          <HowChosen tournament={tournament} bracket={bracket} />
        </div>
      )}
      {bracket.matches.length > 0 && (
        <ViewOf
          {...{ bracket, tournament, division, view, shown, zoom, isDrawn }}
          zone={whole?.timezone ?? 'UTC'}
          chosen={chosen}
          follow={(guid) => follow(teams.find((team) => team.guid === guid))}
        />
      )}
      {/* The drawing would move what follows it. (W18) */}
      {isDrawn && (
        <div id="after-bracket" tabIndex={-1} className={styles.after}>
          <Ties bracket={bracket} />
          <p className="no-print">
            <Link to="/t/$tournament/standings/$bracket" params={{ tournament, bracket: bracket.guid }}>
              {words('standings.title')}
            </Link>
          </p>
        </div>
      )}
    </>
  )
}

/** The followed team: that of the address, else the one that the reader chose before, else their own. */
function useFollowed(teams: readonly TeamReference[], own: ReadonlySet<string>) {
  const { team: asked, view } = route.useSearch()
  const navigate = useNavigate({ from: '/t/$tournament/bracket/$division/$bracket' })
  const tournament = useTournament().data?.guid ?? ''
  const { following } = usePreferences()
  const chosen =
    teams.find(({ id, guid }) => id === asked || guid === asked) ??
    teams.find(({ guid }) => guid === following[tournament]) ??
    (following[tournament] === undefined ? teams.find(({ guid }) => own.has(guid)) : undefined)
  const follow = (team: TeamReference | undefined) => {
    if (tournament !== '') {
      const { [tournament]: _, ...others } = following
      prefer({ following: team === undefined ? others : { ...others, [tournament]: team.guid } })
    }
    void navigate({
      search: { ...(view && { view }), ...(team && { team: team.id }) },
      replace: true,
      resetScroll: false,
      hash: true,
    })
  }
  return { chosen, follow }
}

interface ViewProps extends ShownProps {
  readonly view: ViewName
  readonly shown: View
  readonly zoom: number
  /** false: it is drawn later. */
  readonly isDrawn: boolean
  readonly zone: string
  readonly chosen: TeamReference | undefined
  readonly follow: (guid: string) => void
}

function ViewOf(props: ViewProps) {
  const { bracket, tournament, division, view: asked, shown: now, zoom, isDrawn, zone, chosen, follow } = props
  const drawn = useDeferredValue(bracket)
  const view = useDeferredValue(asked)
  const shown = useDeferredValue(now)
  const parts = useMemo(() => (isDrawn ? partsOf(drawn) : null), [drawn, isDrawn])
  const scroller = useRef<HTMLElement>(null)
  const isPrinting = usePrinting() !== null
  if (parts === null) return <Blocks rows={16} />
  const list = <BracketList {...{ parts, zone }} view={shown} />
  const tables = !shown.isHidden && <BracketTables bracket={bracket} tournament={tournament} />
  if (view === 'list')
    return (
      <div className={styles.views}>
        {tables}
        {list}
      </div>
    )
  if (view === 'team')
    return chosen === undefined ? (
      <Empty>{words('bracket.choose-team')}</Empty>
    ) : (
      <TeamPath team={chosen} all={bracket.matches} {...{ parts, tournament, division, zone }} view={shown} />
    )
  return (
    <div className={`${styles.views} ${bracket.format === 'swiss' ? styles.beside : ''}`}>
      {tables}
      <div className="no-print">
        <Legend bracket={bracket} followed={chosen} isOwn={chosen !== undefined && shown.own.has(chosen.guid)} />
        <a className={`btn ${styles.skip}`} href="#after-bracket">
          {words('bracket.skip')}
        </a>
        <RoundsBar parts={parts} scroller={scroller} />
        <section
          ref={scroller}
          className={`wide-content ${styles.scroller}`}
          aria-label={words('bracket.drawing', { name: bracket.name })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a bracket wider than the page is scrolled by keys too
          tabIndex={0}
        >
          <Tree parts={parts} view={shown} zoom={zooms[zoom] ?? 1} follow={follow} />
        </section>
      </div>
      {isPrinting && (
        <>
          {bracket.format.endsWith('elimination') && <Sheets parts={parts} view={shown} />}
          {list}
        </>
      )}
    </div>
  )
}
