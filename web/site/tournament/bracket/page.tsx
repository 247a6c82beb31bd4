import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BracketWithMatches } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useKept } from '../../data/keeping.ts'
import { prefer, usePreferences } from '../../data/preferences.ts'
import { useRead } from '../../data/queries.ts'
import { type WordId, words } from '../../data/words.ts'
import { EmbedButton } from '../../parts/embed.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { SpoilerSwitch, useSpoilers } from '../../parts/spoilers.tsx'
import { divisionsAddress, tournamentAddress, useDivisions, useTournament, useTournamentId } from '../reads.ts'
import { Announcer } from './announcer.tsx'
import { partsOf, pathOf } from './layout.ts'
import { Legend, OtherBrackets } from './legend.tsx'
import { BracketList, isTableFormat } from './list.tsx'
import styles from './page.module.css'
import { TeamPath } from './team-path.tsx'
import { Tree } from './tree.tsx'

/** The first bracket of the tournament, or what is to be said before there is one. */
export function FirstBracket() {
  const tournament = useTournamentId()
  const read = useDivisions()
  return (
    <div className="page stack">
      <Loaded of={read} rows={8}>
        {(divisions) => {
          const division = divisions.find(({ brackets }) => brackets.length > 0)
          const bracket = division?.brackets[0]
          if (division === undefined || bracket === undefined)
            return (
              <>
                <h1>{words('tournament.bracket')}</h1>
                <Empty>{words('bracket.none')}</Empty>
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
const views: readonly (readonly ['tree' | 'list' | 'team', WordId])[] = [
  ['tree', 'bracket.tree'],
  ['list', 'bracket.list'],
  ['team', 'bracket.team'],
]

export function BracketPage() {
  const { tournament, division, bracket } = route.useParams()
  const whole = useTournament().data
  const shown = address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket }, { delayed: true })
  const read = useRead(shown, { live: true, delayed: true })
  const title = whole && read.data && `${read.data.name} · ${whole.name}`
  useKept('bracket', title, [shown, tournamentAddress(tournament), divisionsAddress(tournament)])
  return (
    <div className="page wide">
      <Loaded of={read} rows={16}>
        {(found) => <Shown bracket={found} tournament={tournament} division={division} />}
      </Loaded>
    </div>
  )
}

interface ShownProps {
  readonly bracket: BracketWithMatches
  readonly tournament: string
  readonly division: string
}

const zooms = [0.5, 0.65, 0.8, 1, 1.25, 1.5]

function Shown({ bracket, tournament, division }: ShownProps) {
  const { view: asked, team } = route.useSearch()
  const navigate = useNavigate({ from: '/t/$tournament/bracket/$division/$bracket' })
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const { following } = usePreferences()
  const [zoom, setZoom] = useState(3)
  const isTable = isTableFormat(bracket)
  const view = asked === 'list' || asked === 'team' || asked === 'tree' ? asked : isTable ? 'list' : 'tree'
  const teams = bracket.entrants.flatMap((entrant) => (entrant.team === null ? [] : [entrant.team]))
  const chosen =
    teams.find(({ id, guid }) => id === team || guid === team) ??
    teams.find(({ guid }) => guid === following[whole?.guid ?? ''])
  const parts = partsOf(bracket)
  const finished = bracket.matches.filter(({ status }) => status === 'completed').length
  const running = bracket.matches.filter(({ status }) => status === 'running').length
  const divisions = useDivisions().data ?? []
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${bracket.name} · ${whole?.name ?? ''}`}>
            <bdi>{bracket.name}</bdi>
          </h1>
          <p>
            {words(`format.${bracket.format}`)}, {words('teams.count', { count: teams.length })}.{' '}
            {words('bracket.progress', { finished, all: bracket.matches.length, running })}
          </p>
        </div>
        <div className="btns no-print">
          <div className="choices">
            {views
              .filter(([each]) => !isTable || each !== 'tree')
              .map(([each, word]) => (
                <Link
                  key={each}
                  to="/t/$tournament/bracket/$division/$bracket"
                  params={{ tournament, division, bracket: bracket.guid }}
                  search={{ view: each, ...(chosen && { team: chosen.id }) }}
                  className="btn"
                  aria-current={view === each ? 'true' : undefined}
                >
                  {words(word)}
                </Link>
              ))}
          </div>
          <select
            className={`in ${styles.follow}`}
            aria-label={words('bracket.follow')}
            value={chosen?.id ?? ''}
            onChange={({ target }) => {
              const next = teams.find(({ id }) => id === target.value)
              if (whole !== undefined) {
                const { [whole.guid]: _, ...others } = following
                prefer({ following: next === undefined ? others : { ...others, [whole.guid]: next.guid } })
              }
              void navigate({
                search: { ...(asked && { view: asked }), ...(next && { team: next.id }) },
                replace: true,
              })
            }}
          >
            <option value="">{words('bracket.follow-nobody')}</option>
            {teams
              .toSorted((one, other) => one.name.localeCompare(other.name))
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
          {view === 'tree' && (
            <div className={`choices ${styles.zoom}`}>
              <button
                type="button"
                className="btn btn-icon"
                disabled={zoom === 0}
                aria-label={words('bracket.smaller')}
                onClick={() => setZoom(zoom - 1)}
              >
                <Icon name="minus" />
              </button>
              <output className="btn num">{Math.round((zooms[zoom] ?? 1) * 100)} %</output>
              <button
                type="button"
                className="btn btn-icon"
                disabled={zoom === zooms.length - 1}
                aria-label={words('bracket.larger')}
                onClick={() => setZoom(zoom + 1)}
              >
                <Icon name="plus" />
              </button>
            </div>
          )}
          <button type="button" className="btn btn-icon" aria-label={words('print.page')} onClick={() => print()}>
            <Icon name="print" />
          </button>
          <EmbedButton
            path={`/embed/t/${encodeURIComponent(tournament)}/bracket/${bracket.guid}`}
            title={`${bracket.name}, ${whole?.name ?? ''}`}
          />
          {whole !== undefined && <SpoilerSwitch tournament={whole.guid} />}
        </div>
      </div>
      <OtherBrackets divisions={divisions} tournament={tournament} current={bracket.guid} />
      <Announcer matches={bracket.matches} isHidden={isHidden} />
      {bracket.matches.length === 0 && <Empty>{words('bracket.empty')}</Empty>}
      {view === 'tree' && bracket.matches.length > 0 && (
        <>
          <Legend hasFollowed={chosen !== undefined} />
          <a className={`btn ${styles.skip}`} href="#after-bracket">
            {words('bracket.skip')}
          </a>
          <nav className={`${styles.rounds} only-narrow`} aria-label={words('bracket.rounds')}>
            {parts.flatMap((part) =>
              part.rounds.map((round) => (
                <a key={round.key} href={`#${round.key}`}>
                  {round.name}
                </a>
              )),
            )}
          </nav>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a bracket wider than the page is scrolled by keys too */}
          <section className="wide-content" aria-label={words('tournament.bracket')} tabIndex={0}>
            <Tree
              parts={parts}
              tournament={tournament}
              division={division}
              followed={chosen?.guid}
              isHidden={isHidden}
              zoom={zooms[zoom] ?? 1}
            />
          </section>
        </>
      )}
      {view === 'list' && (
        <BracketList
          bracket={bracket}
          tournament={tournament}
          division={division}
          zone={whole?.timezone ?? 'UTC'}
          isHidden={isHidden}
        />
      )}
      {view === 'team' &&
        (chosen === undefined ? (
          <Empty>{words('bracket.choose-team')}</Empty>
        ) : (
          <TeamPath
            team={chosen}
            matches={pathOf(bracket.matches, chosen.guid)}
            all={bracket.matches}
            tournament={tournament}
            division={division}
            isHidden={isHidden}
          />
        ))}
      <p id="after-bracket" tabIndex={-1} className={styles.after}>
        <Link to="/t/$tournament/standings/$bracket" params={{ tournament, bracket: bracket.guid }}>
          {words('standings.title')}
        </Link>
      </p>
    </>
  )
}
