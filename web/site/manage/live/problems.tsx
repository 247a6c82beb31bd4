import { useState } from 'react'
import type { FlowState, StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import { useMatchCodes, useMay } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Key } from '../../parts/key.tsx'
import { sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { Walkover } from '../../parts/walkover.tsx'
import { Assign } from './assign.tsx'
import { clockOf } from './clock.ts'
import styles from './live.module.css'
import type { Problem } from './problems.ts'

/** What needs somebody now, the oldest first, with the act that helps. */

interface Props {
  readonly problems: readonly Problem[]
  readonly tournament: TournamentWithParts
  readonly flows: ReadonlyMap<string, FlowState>
  readonly staff: readonly StaffGroup[]
  readonly choose: (match: string) => void
}

export function Problems({ problems, flows, ...shared }: Props) {
  return (
    <Section
      title={
        problems.length === 0 ? (
          <State shape="done" tone="quiet">
            {words('live.no-problems')}
          </State>
        ) : (
          <State shape="problem" tone="alert">
            {words('live.problems', { count: problems.length })}
          </State>
        )
      }
      beside={
        <span className="small muted only-wide">
          <Key of="J" /> <Key of="K" /> {words('live.keys')}
        </span>
      }
    >
      {problems.length > 0 && (
        <table className={`table ${styles.problems}`}>
          <caption className="unseen">{words('live.problems-caption')}</caption>
          <thead className="unseen">
            <tr>
              <th scope="col">{words('match.match')}</th>
              <th scope="col">{words('live.problem')}</th>
              <th scope="col">{words('live.detail')}</th>
              <th scope="col">{words('match.since')}</th>
              <th scope="col">{words('live.act')}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map((problem) => (
              <Line
                key={`${problem.match.guid} ${problem.kind} ${problem.since} ${problem.seat}`}
                problem={problem}
                flow={flows.get(problem.match.guid)}
                {...shared}
              />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

interface LineProps extends Omit<Props, 'problems' | 'flows'> {
  readonly problem: Problem
  readonly flow: FlowState | undefined
}

/** What helps against a problem, where one press of a button is not enough. */
const helps = {
  late: ['matches.reportResult', 'live.walkover', Walkover],
  referee: ['matches.update', 'live.assign', Assign],
} as const

function Line({ problem, tournament, flow, staff, choose }: LineProps) {
  const { match, kind, since } = problem
  const may = useMay()
  const codeOf = useMatchCodes()
  const [isOpen, setOpen] = useState(false)
  const [needs, word, Help] = kind === 'late' || kind === 'referee' ? helps[kind] : []
  const show = () => {
    choose(match.guid)
    const head = document.querySelector<HTMLElement>(`[data-match="${match.guid}"]`)
    head?.scrollIntoView({ block: 'center' })
    head?.focus()
  }
  return (
    <tr>
      <td className={`code strong ${styles.code}`}>{codeOf(match)}</td>
      <th scope="row" className="strong">
        {words(`live.is-${kind}` as WordId)}
      </th>
      <td className="muted">
        <Detail problem={problem} />
      </td>
      <td className="muted nowrap">
        {since !== null && (
          <>
            {words('match.since')} <Instant at={since} as="time" />
          </>
        )}
      </td>
      <td>
        <div className={`btns ${styles.acts}`}>
          {kind === 'paused' && flow?.session != null && (
            <GoOn tournament={tournament} flow={flow} match={match.guid} />
          )}
          {word !== undefined && may(needs) && (
            <button type="button" className="btn" onClick={() => setOpen(true)}>
              {words(word)}…<OfMatch code={codeOf(match)} />
            </button>
          )}
          <button type="button" className="btn" onClick={show}>
            {words('live.show')}
            <OfMatch code={codeOf(match)} />
          </button>
        </div>
        {isOpen && Help !== undefined && (
          <Help match={match} tournament={tournament} staff={staff} close={() => setOpen(false)} />
        )}
      </td>
    </tr>
  )
}

const OfMatch = ({ code }: { readonly code: string }) => (
  <span className="unseen"> {words('match.of', { number: code })}</span>
)

function Detail({ problem: { match, kind, seat, game, leftMs, stuck, count } }: { readonly problem: Problem }) {
  const side = seat === undefined ? undefined : match.sides[seat - 1]
  const name = side === undefined ? undefined : sideName(side)
  const both = match.sides.map(sideName).join(` ${words('match.against')} `)
  switch (kind) {
    case 'paused':
      return (
        <bdi>
          {name === undefined ? both : words('live.turn-of', { team: name })}
          {leftMs !== undefined && <>, {words('live.left', { time: clockOf(leftMs) })}</>}
        </bdi>
      )
    case 'claim':
      return <bdi>{words('live.claim-of', { team: name ?? '', game: game ?? 0 })}</bdi>
    case 'stuck':
      return <>{words(`play.stuck-${stuck}` as WordId)}</>
    case 'warning':
      return <bdi>{words('live.warnings', { count: count ?? 1 })}</bdi>
    case 'forfeit':
      return <bdi>{words('live.late-team', { team: name ?? '' })}</bdi>
    default:
      return <bdi>{both}</bdi>
  }
}

/** Lets the clock of a session run again. */
function GoOn({
  tournament,
  flow,
  match,
}: {
  readonly tournament: TournamentWithParts
  readonly flow: FlowState
  readonly match: string
}) {
  const may = useMay()
  const { send, isSending, error } = useWrite(
    'POST /tournaments/{tournament}/flow-sessions/{flowSession}/clock',
    (known) => known.renew(`/tournaments/${tournament.id}/matches/${match}/flow`),
  )
  // Speakers may set it too, to take a timeout.
  if (!may('flowSessions.override')) return null
  return (
    <>
      {error !== null && (
        <span className={styles.fault} role="alert">
          {error.message}
        </span>
      )}
      <button
        type="button"
        className="btn"
        aria-disabled={isSending}
        onClick={() =>
          void send({
            params: { tournament: tournament.id, flowSession: flow.session as string },
            body: { expect: flow.position, op: 'resume' },
          })
        }
      >
        {words('live.go-on')}
      </button>
    </>
  )
}
