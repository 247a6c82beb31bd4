import { useState } from 'react'
import type { Match, StreamAssignment } from '../../../../client/generated.ts'
import type { StreamSession } from '../../data/generated.ts'
import { useAccess, useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { SideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { MatchState, State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { mayAssign } from '../rights.ts'
import { AssignDialog } from './assign-dialog.tsx'
import styles from './streams.module.css'

/** Who is to stream: for each match, and for the whole tournament. */

interface Props {
  readonly matches: readonly Match[]
  readonly assignments: readonly StreamAssignment[]
  readonly live: readonly StreamSession[]
}

const step = 20

export function Assignments({ matches, assignments, live }: Props) {
  const may = useMay()
  const zone = useTournament().data?.timezone
  const [shown, setShown] = useState(step)
  const [asked, ask] = useState<Match | 'all' | null>(null)
  const isLive = new Set(live.filter(({ test }) => !test).map(({ user }) => user.guid))
  const byMatch = Map.groupBy(assignments, ({ match }) => match?.guid ?? null)
  const whole = byMatch.get(null) ?? []
  const canAssign = may('streamAssignments.create')
  const button = (of: Match | 'all') =>
    canAssign && (
      <button type="button" className="btn" onClick={() => ask(of)}>
        {words('streams.assign')}…
        <span className="unseen">
          {' '}
          {of === 'all' ? words('streams.whole') : words('schedule.match', { number: of.number })}
        </span>
      </button>
    )
  return (
    <Section
      title={words('streams.assignments')}
      beside={<span className="muted">{words('streams.assign-hint')}</span>}
    >
      <ul className="lines">
        <li className={styles.match}>
          <p className="strong">{words('streams.whole')}</p>
          <People of={whole} isLive={isLive} />
          <div className="btns">{button('all')}</div>
        </li>
        {matches.slice(0, shown).map((match) => (
          <li key={match.guid} className={styles.match}>
            <div>
              <p>
                <span className="num">{match.number}</span> <SideName side={match.sides[0] as Match['sides'][number]} />{' '}
                <span className="muted">{words('home.against')}</span>{' '}
                <SideName side={match.sides[1] as Match['sides'][number]} />
              </p>
              <p className="small muted">
                <MatchState status={match.status} isShort />{' '}
                {match.scheduledAt !== null && <Instant at={match.scheduledAt} zone={zone} />}
              </p>
            </div>
            <People of={byMatch.get(match.guid) ?? []} isLive={isLive} />
            <div className="btns">{button(match)}</div>
          </li>
        ))}
      </ul>
      {matches.length === 0 && <Empty>{words('streams.no-matches')}</Empty>}
      {matches.length > shown && (
        <p>
          <button type="button" className="btn" onClick={() => setShown(shown + step)}>
            {words('list.more')}
          </button>
        </p>
      )}
      {asked !== null && (
        <AssignDialog
          match={asked === 'all' ? null : asked}
          assigned={asked === 'all' ? whole : (byMatch.get(asked.guid) ?? [])}
          zone={zone ?? 'UTC'}
          close={() => ask(null)}
        />
      )}
    </Section>
  )
}

function People({ of, isLive }: { readonly of: readonly StreamAssignment[]; readonly isLive: ReadonlySet<string> }) {
  if (of.length === 0) return <p className="muted">{words('streams.nobody')}</p>
  const sorted = of.toSorted((one, other) => (one.side ?? 3) - (other.side ?? 3) || one.slot - other.slot)
  return (
    <ul className={styles.people}>
      {sorted.map((each) => (
        <li key={each.guid}>
          <bdi className="strong">{each.user.preferredName}</bdi>{' '}
          <span className="muted">
            {words(`play.role-${each.role}`)}
            {each.side !== null && `, ${words('streams.side', { side: each.side })}`}
          </span>{' '}
          {isLive.has(each.user.guid) && (
            <State shape="running" tone="run">
              {words('play.on-air')}
            </State>
          )}
          <Cancel of={each} />
        </li>
      ))}
    </ul>
  )
}

function Cancel({ of: { guid, user, role, status } }: { readonly of: StreamAssignment }) {
  const tournament = useTournamentId()
  const roles = useAccess().data?.roles ?? []
  const cancel = useWrite('DELETE /tournaments/{tournament}/streamAssignments/{assignment}', (known) =>
    known.renew(`/tournaments/${tournament}/stream`),
  )
  if (!mayAssign(role, roles)) return null
  const name = user.preferredName
  return (
    <Danger
      label={words('streams.unassign')}
      title={words('streams.unassign-title', { name })}
      isPlain
      error={cancel.error}
      isSending={cancel.isSending}
      act={() => cancel.send({ params: { tournament, assignment: guid } })}
    >
      <p>{words(status === 'active' ? 'streams.unassign-active' : 'streams.unassign-planned', { name })}</p>
    </Danger>
  )
}
