import { getRouteApi, Navigate } from '@tanstack/react-router'
import { lazy, memo, Suspense, useMemo, useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { divisionIds, useDivisions, useShownRead, useTournament } from '../../data/tournament.ts'
import { Blocks, Guarded, Loaded } from '../../parts/loaded.tsx'
import { matchLink } from '../../parts/match.tsx'
import { useSpoilers } from '../../parts/spoilers.tsx'
import { Announcer } from './announcing.tsx'
import { Around } from './around.tsx'
import { Board } from './board.tsx'
import { Decisions } from './decisions.tsx'
import { Games } from './games.tsx'
import { Lineups } from './lineups.tsx'
import { Live } from './live.tsx'
import { type LiveValues, useLiveValues } from './live-values.ts'
import styles from './match.module.css'
import { Now } from './now.tsx'
import { usePeople } from './people.ts'
import { PoolMaps } from './pool-maps.tsx'
import { type Corrected, useCorrections, useScoreCorrections } from './rulings.ts'
import { Streams, useStreams } from './streams.tsx'
import { Strip } from './strip.tsx'
import { isBegun, type View } from './view.ts'

/** One match for those who watch: before it, while it is played, and after it. */

/** What live values do not change is not drawn anew with each of them. */
const [Sides, Choices, Sheets, Names, Facts] = [memo(Board), memo(Strip), memo(Games), memo(Lineups), memo(Around)]

/** Comes for those who play alone. */
const OwnPanel = lazy(() => import('./own/panel.tsx'))

const route = getRouteApi('/t/$tournament/m/$division/$number')

export function MatchPage() {
  const { tournament, division, number } = route.useParams()
  const read = useShownRead(
    address('/tournaments/{tournament}/matches/{match}', { tournament, match: number }, { division, delayed: true }),
    { live: true },
  )
  const own = useOwnAddress(read.data)
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  if (own !== null) return <Navigate {...own} replace />
  return (
    <div className="page">
      <Loaded of={read} rows={24}>
        {(match) => <Shown key={match.guid} match={match} tournament={tournament} division={division} />}
      </Loaded>
    </div>
  )
}

/** Where the match is, for readers who came by its GUID, as messages name it. */
function useOwnAddress(match: Match | undefined) {
  const { tournament, number } = route.useParams()
  const whole = useTournament().data
  const division = divisionIds(useDivisions().data).get(match?.division ?? '')
  if (/^\d+$/.test(number) || match === undefined || division === undefined) return null
  return matchLink(whole?.id ?? tournament, division, match.number)
}

interface ShownProps {
  readonly match: Match
  readonly tournament: string
  readonly division: string
}

/** Whose turn it is and what was chosen; those who play see it as it is now, everybody else as the stream shows it. */
function useFlow({ match, tournament }: ShownProps, plays: boolean) {
  const at = (query: { readonly delayed?: boolean }) =>
    address('/tournaments/{tournament}/matches/{match}/flow', { tournament, match: match.guid }, query)
  const { user } = useReader()
  const delayed = useShownRead(plays ? null : at({ delayed: true }), { live: true })
  const seen = delayed.data
  const isPlayer =
    plays || seen?.seats.some(({ speakers }) => speakers.some(({ guid }) => guid === user?.guid)) === true
  const present = useRead(isPlayer ? at({}) : null, { live: true })
  const isLoading = delayed.isLoading || present.isLoading
  return { address: at({}), flow: present.data ?? seen, isPlayer, isLoading }
}

function useView(props: ShownProps) {
  const { match: seen, tournament, division } = props
  const { user } = useReader()
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const people = usePeople(seen, tournament)
  const {
    address: flowAddress,
    flow,
    isPlayer,
    isLoading: isFlowLoading,
  } = useFlow(props, user != null && people.sideOf(user.guid) !== undefined)
  const own = useRead(
    isPlayer
      ? address('/tournaments/{tournament}/matches/{match}', { tournament, match: seen.number }, { division })
      : null,
    { live: true },
  ).data
  const match = own ?? seen
  const zone = whole?.timezone
  const { isLoading: isStreamLoading } = useStreams({ match, tournament })
  // Else what comes later moves the parts below it. (W18)
  const isLoading = isFlowLoading || people.isLoading || isStreamLoading
  const view = useMemo((): View => {
    const isPlanned = flow?.status === 'planned'
    return {
      match,
      tournament,
      division,
      people,
      isHidden,
      zone,
      isLoading,
      planned: isPlanned ? flow : undefined,
      session: isPlanned || flow?.status === 'void' ? undefined : flow,
    }
  }, [match, tournament, division, people, isHidden, zone, flow, isLoading])
  return { view, flowAddress, player: isPlayer && user ? user.guid : null }
}

/** A walkover has no games, unless some were played before it. */
const hasGames = (view: View) =>
  isBegun(view) && (view.match.games.length > 0 || ['score', 'draw', null].includes(view.match.outcome))

/** The panel of the players shows whose turn it is. */
const isChosen = ({ session }: View) => session?.status === 'running' && session.phase !== 'playing'

function Shown(props: ShownProps) {
  const { view, flowAddress, player } = useView(props)
  const whole = useTournament().data
  const values = useLiveValues(view)
  const corrections = useCorrections(view)
  // Once there, the parts stay: they are not asked for anew when a side becomes known.
  const [isReady, setReady] = useState(!view.isLoading)
  if (!isReady && !view.isLoading) setReady(true)
  return (
    <div className={styles.match}>
      {player !== null && (
        <Guarded>
          <Suspense fallback={<div className={styles.ownWait} />}>
            <OwnPanel view={view} address={flowAddress} user={player} />
          </Suspense>
        </Guarded>
      )}
      <Sides view={view} whole={whole} />
      {!(player !== null && isChosen(view)) && <Now view={view} song={values.song} isReady={isReady} />}
      <Announcer view={view} corrections={corrections} player={player} />
      {isReady ? <Below view={view} values={values} corrections={corrections} /> : <Blocks rows={24} />}
    </div>
  )
}

interface BelowProps {
  readonly view: View
  readonly values: LiveValues
  readonly corrections: readonly Corrected[]
}

function Below({ view, values, corrections }: BelowProps) {
  const notes = useScoreCorrections(view)
  const { session, planned, isHidden, tournament } = view
  const isOn = values.held.length > 0 && !isHidden
  const isOff = view.match.status === 'cancelled'
  return (
    <>
      {session !== undefined && <Choices view={view} session={session} />}
      <div className="two">
        <div className="stack">
          {isOn && <Live view={view} values={values} />}
          <Streams view={view} />
          {!isOn && !isOff && <Names view={view} />}
          {!isBegun(view) && !isOff && planned !== undefined && <PoolMaps planned={planned} tournament={tournament} />}
        </div>
        <Facts view={view} hasLineups={isOn} />
      </div>
      {hasGames(view) && <Sheets view={view} notes={notes} />}
      <Decisions view={view} corrections={corrections} />
    </>
  )
}
