import { getRouteApi, Link } from '@tanstack/react-router'
import { memo, useRef } from 'react'
import type { FlowState, TournamentWithParts } from '../../../../../client/generated.ts'
import type { Address } from '../../../data/api.ts'
import { useKept } from '../../../data/keeping.ts'
import { words } from '../../../data/words.ts'
import { useActKeys } from '../../../parts/act-keys.ts'
import { AlsoOpen } from '../../../parts/also-open.tsx'
import { Connected } from '../../../parts/connected.tsx'
import { Guarded, Loaded } from '../../../parts/loaded.tsx'
import { matchLink } from '../../../parts/match.tsx'
import { SentState } from '../../../parts/reports/count.tsx'
import { Unsent } from '../../../parts/reports/unsent.tsx'
import { useRoundNames } from '../../../parts/rounds.ts'
import { Instant } from '../../../parts/time.tsx'
import { nameAt, type View } from '../view.ts'
import { Assistant, OpenAssistant } from './assistant.tsx'
import { ByHand } from './by-hand.tsx'
import styles from './cockpit.module.css'
import { Corrections } from './corrections.tsx'
import { Ended } from './ended.tsx'
import { InSession } from './in-session.tsx'
import { LiveNow } from './live-now.tsx'
import { OfStaff, type Present, usePresent } from './present.tsx'
import { Proposals } from './proposals.tsx'
import { useSent } from './reporting.ts'
import { Score } from './score.tsx'
import { Waiting } from './waiting.tsx'

/** One match for its referee: everything that happens in it, and every way on, on one screen. */

const route = getRouteApi('/manage/$tournament/live/$match')

export function Cockpit() {
  return <CockpitOf match={route.useParams().match} />
}

/** @param match GUID */
export function CockpitOf({ match }: { readonly match: string }) {
  return <OfStaff match={match}>{(loaded) => <OfMatch {...loaded} />}</OfStaff>
}

function OfMatch(props: Present) {
  const { match, tournament } = props
  const { at, read, view, addresses } = usePresent(props)
  useKept('cockpit', `${nameAt(view, 0)} : ${nameAt(view, 1)}`, addresses)
  useSent(view, at)
  const roundOf = useRoundNames()
  const place = useRef<HTMLDivElement>(null)
  useActKeys(place)
  return (
    <div ref={place} className={styles.cockpit}>
      <Head
        match={match.guid}
        context={words('match.context', { number: match.number, round: roundOf(match) })}
        bestOf={match.bestOf}
        scheduledAt={match.scheduledAt}
        id={tournament.id}
        timezone={tournament.timezone}
        number={match.number}
        division={view.division}
      />
      <Score view={view} tournament={tournament} />
      <Unsent match={match.guid} />
      <Loaded of={read} rows={16}>
        {(flow) => <Phase view={view} at={at} flow={flow} tournament={tournament} />}
      </Loaded>
      <Connected>{match.status === 'running' && <Corrections view={view} />}</Connected>
    </div>
  )
}

interface HeadProps {
  readonly id: string
  readonly timezone: string
  readonly division: string
  /** GUID. */
  readonly match: string
  readonly number: number
  readonly context: string
  readonly bestOf: number
  readonly scheduledAt: string | null
}

/** What does not change while the match is played. */
const Head = memo(function Head({ id, timezone, division, match, number, context, bestOf, scheduledAt }: HeadProps) {
  return (
    <header className={styles.head}>
      <Link to="/manage/$tournament/live" params={{ tournament: id }} activeOptions={{ exact: true }}>
        {words('manage.live')}
      </Link>
      <p className="strong">{context}</p>
      <p className="muted">
        {words('match.best-of', { games: bestOf })}
        {scheduledAt !== null && (
          <>
            , <Instant at={scheduledAt} zone={timezone} />
          </>
        )}
      </p>
      <Guarded>
        <AlsoOpen tournament={id} page="cockpit" record={match} className={styles.also} />
      </Guarded>
      <SentState />
      <Link to="/manage/$tournament/live/$match/caster" params={{ tournament: id, match }} className="btn">
        {words('caster.title')}
      </Link>
      <Link {...matchLink(id, division, number)} className="btn">
        {words('cockpit.public')}
      </Link>
    </header>
  )
})

interface PhaseProps {
  readonly view: View
  readonly at: Address<FlowState>
  readonly flow: FlowState
  readonly tournament: TournamentWithParts
}

function Phase({ view, at, flow, tournament }: PhaseProps) {
  const { match, session } = view
  if (match.status === 'completed' || match.status === 'cancelled')
    return (
      <>
        <Connected>
          <Ended view={view} />
          {session === undefined && (
            <Proposals match={match} tournament={view.tournament} people={view.people} at={at} />
          )}
        </Connected>
        {session !== undefined && <InSession view={view} at={at} session={session} />}
      </>
    )
  if (match.status !== 'running')
    return (
      <Connected>
        <Waiting view={view} planned={flow} tournament={tournament} />
      </Connected>
    )
  if (session === undefined || session.status === 'over')
    return (
      <>
        <Guarded>
          <LiveNow view={view} />
        </Guarded>
        <Connected>
          <Proposals match={match} tournament={view.tournament} people={view.people} at={at} />
        </Connected>
        <Connected>
          <Assistant match={match.guid} />
        </Connected>
        <ByHand view={view} />
        <Connected>
          <OpenAssistant match={match.guid} isRunning />
        </Connected>
      </>
    )
  return <InSession view={view} at={at} session={session} />
}
