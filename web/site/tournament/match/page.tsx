import { getRouteApi } from '@tanstack/react-router'
import { memo, useMemo, useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { Blocks, Loaded } from '../../parts/loaded.tsx'
import { useSpoilers } from '../../parts/spoilers.tsx'
import { useTournament } from '../reads.ts'
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
import { Streams } from './streams.tsx'
import { Strip } from './strip.tsx'
import { isBegun, type View } from './view.ts'

/** One match for those who watch: before it, while it is played, and after it. */

/** What live values do not change is not drawn anew with each of them. */
const [Sides, Choices, Sheets, Names, Facts] = [memo(Board), memo(Strip), memo(Games), memo(Lineups), memo(Around)]

const route = getRouteApi('/t/$tournament/m/$division/$number')

export function MatchPage() {
  const { tournament, division, number } = route.useParams()
  const read = useRead(
    address('/tournaments/{tournament}/matches/{match}', { tournament, match: number }, { division, delayed: true }),
    { live: true, delayed: true },
  )
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page">
      <Loaded of={read} rows={24}>
        {(match) => <Shown key={match.guid} match={match} tournament={tournament} division={division} />}
      </Loaded>
    </div>
  )
}

interface ShownProps {
  readonly match: Match
  readonly tournament: string
  readonly division: string
}

function useView({ match, tournament, division }: ShownProps): View {
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const flowRead = useRead(
    address('/tournaments/{tournament}/matches/{match}/flow', { tournament, match: match.guid }, { delayed: true }),
    { live: true, delayed: true },
  )
  const flow = flowRead.data
  const people = usePeople(match, tournament)
  const zone = whole?.timezone
  const isLoading = flowRead.isLoading || people.isLoading
  return useMemo(() => {
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
}

/** A walkover has no games, unless some were played before it. */
const hasGames = (view: View) =>
  isBegun(view) && (view.match.games.length > 0 || ['score', 'draw', null].includes(view.match.outcome))

function Shown(props: ShownProps) {
  const view = useView(props)
  const whole = useTournament().data
  const values = useLiveValues(view)
  const corrections = useCorrections(view)
  // Once there, the parts stay: they are not asked for anew when a side becomes known.
  const [isReady, setReady] = useState(!view.isLoading)
  if (!isReady && !view.isLoading) setReady(true)
  return (
    <div className={styles.match}>
      <Sides view={view} whole={whole} />
      <Now view={view} song={values.song} isReady={isReady} />
      <Announcer view={view} corrections={corrections} />
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
