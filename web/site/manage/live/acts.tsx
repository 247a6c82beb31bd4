import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FlowState, Match, StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { BeginWith } from '../../parts/begin-with.tsx'
import { Key } from '../../parts/key.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { Ago } from '../../parts/time.tsx'
import { Walkover } from '../../parts/walkover.tsx'
import { Message } from '../message.tsx'
import { Assign } from './assign.tsx'
import { Call } from './call.tsx'
import { type ChannelOf, flowAddress } from './console.ts'
import styles from './live.module.css'
import { PutOnChannel } from './put-on-channel.tsx'
import { Reschedule } from './reschedule.tsx'

/** What can be done to the chosen match, each by a key. Only what the reader may do is there. (W2, W20) */

export interface Of {
  readonly match: Match
  readonly tournament: TournamentWithParts
}

interface Props extends Of {
  readonly id: string
  readonly flow: FlowState | undefined
  readonly channels: readonly ChannelOf[]
  readonly staff: readonly StaffGroup[]
}

const dialogs = { f: BeginWith, a: Assign, c: Call, t: Reschedule, l: PutOnChannel, w: Walkover } as const
type DialogKey = keyof typeof dialogs

export function Acts({ id, match, tournament, channels, staff }: Props) {
  const may = useMay()
  const [open, setOpen] = useState<DialogKey | null>(null)
  const isToCome = match.status !== 'running'
  const isReady = match.status === 'ready'
  const teams = match.sides.flatMap(({ team }) => (team === null ? [] : [{ team }]))
  const press = (key: DialogKey, name: string) => (
    <button type="button" className="btn" data-key={key} onClick={() => setOpen(key)}>
      {name}… <Key of={key} />
    </button>
  )
  const Open = open === null ? null : dialogs[open]
  return (
    <div id={id} className={styles.opened}>
      <div className="btns">
        {isReady && <Start match={match} tournament={tournament} />}
        {isReady && may('flowSessions.begin') && press('f', words('begin.choose'))}
        {isReady && may('matches.call') && press('c', words('live.call'))}
        {may('matches.update') && press('a', words('live.assign'))}
        {isToCome && may('matches.update') && press('t', words('live.move'))}
        {channels.length > 0 && may('channels.replaceQueue') && press('l', words('live.put'))}
        {teams.length > 0 && may('registration.message') && <Message teams={teams} />}
        <Link
          to={
            may('flowSessions.override') ? '/manage/$tournament/live/$match' : '/manage/$tournament/live/$match/caster'
          }
          params={{ tournament: tournament.id, match: match.guid }}
          className={match.status === 'running' ? 'btn btn-primary' : 'btn'}
          data-key="o"
        >
          {words(may('flowSessions.override') ? 'live.cockpit' : 'live.open')} <Key of="o" />
        </Link>
        {match.status !== 'waiting' && match.status !== 'locked' && may('matches.reportResult') && (
          <button type="button" className="btn btn-danger" data-key="w" onClick={() => setOpen('w')}>
            {words('live.walkover')}… <Key of="w" />
          </button>
        )}
      </div>
      {match.calledAt !== null && isReady && <Called at={match.calledAt} />}
      {teams.length > 0 && may('teams.takeWithdrawalBack') && (
        <p className={`small ${styles.teams}`}>
          {teams.map(({ team }) => (
            <Link
              key={team.guid}
              to="/manage/$tournament/teams/$team"
              params={{ tournament: tournament.id, team: team.id }}
            >
              <bdi>{words('live.team', { team: team.name })}</bdi>
            </Link>
          ))}
        </p>
      )}
      {match.notes !== null && match.notes !== '' && (
        <p className={styles.notes}>
          <bdi>{match.notes}</bdi>
        </p>
      )}
      {Open !== null && (
        <Open match={match} tournament={tournament} channels={channels} staff={staff} close={() => setOpen(null)} />
      )}
    </div>
  )
}

/** Begins the match: by the flow that is planned for it, or without one. */
function Start({ match, tournament }: Of) {
  const may = useMay()
  const params = { tournament: tournament.id, match: match.guid }
  const planned = useRead(flowAddress(tournament.id, match.guid), { live: true })
  const begin = useWrite('POST /tournaments/{tournament}/matches/{match}/flow')
  const start = useWrite('POST /tournaments/{tournament}/matches/{match}/start')
  const name = planned.data?.flow?.name
  const hasFlow = name !== undefined && may('flowSessions.begin')
  if (!hasFlow && !may('matches.start')) return null
  const of = hasFlow ? begin : start
  const isSending = begin.isSending || start.isSending
  return (
    <>
      {of.error !== null && <Failure error={of.error} again={of.again} isTrying={of.isSending} />}
      <button
        type="button"
        className="btn btn-primary"
        data-key="s"
        aria-disabled={isSending || planned.isPending}
        onClick={() => void (hasFlow ? begin.send({ params }) : start.send({ params }))}
      >
        {hasFlow ? <bdi>{words('live.start-by', { flow: name })}</bdi> : words('live.start')} <Key of="s" />
      </button>
    </>
  )
}

function Called({ at }: { readonly at: string }) {
  return (
    <p className="small muted">
      {words('live.called')} <Ago at={at} />
    </p>
  )
}
