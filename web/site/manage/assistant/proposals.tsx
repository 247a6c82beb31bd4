import { useId, useState } from 'react'
import type { FlowWarning, GameProposal, Match, UserCard } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { sideName } from '../../parts/match.tsx'
import { wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './assistant.module.css'
import { Decide } from './decide.tsx'
import { MatchName, useMatch, usePeopleOf, useRunning } from './matches.tsx'
import { sessionsAddress, warningText } from './sessions.tsx'

/** What songs came to, and what waits for a decision. Nothing of it counts before it is accepted. (AS17, AS19) */

export const proposalsAddress = (tournament: string, match: string) =>
  address('/tournaments/{tournament}/matches/{match}/proposals', { tournament, match })

export function Proposals() {
  const tournament = useTournamentId()
  const running = useRunning()
  const sessions = useRead(sessionsAddress(tournament), { live: true })
  const matches = [
    ...new Set([
      ...(sessions.data?.sessions.flatMap(({ match }) => match ?? []) ?? []),
      ...(running.data?.matches.map(({ guid }) => guid) ?? []),
    ]),
  ]
  return (
    <Section title={words('assistant.proposals')}>
      <p className={`muted ${styles.text}`}>{words('assistant.proposals-text')}</p>
      <Loaded of={running} rows={2}>
        {() => matches.length === 0 && <p className="muted">{words('assistant.no-matches')}</p>}
      </Loaded>
      {matches.slice(0, 50).map((match) => (
        <OfMatch key={match} guid={match} />
      ))}
    </Section>
  )
}

function OfMatch({ guid }: { readonly guid: string }) {
  const tournament = useTournamentId()
  const { data, error, refetch } = useRead(proposalsAddress(tournament, guid), { live: true })
  const match = useMatch(guid)
  const people = usePeopleOf(match)
  if (error !== null && data === undefined) return <Failure error={error} again={() => void refetch()} />
  if (data === undefined) return null
  const open = data.proposals.filter(({ status }) => status === 'proposed' || status === 'collecting')
  const decided = data.proposals.find(({ status }) => status === 'accepted' || status === 'rejected')
  return (
    <article className={styles.match} id={`proposals-${guid}`}>
      <h3>
        <MatchName guid={guid} />
      </h3>
      {data.blockedBy.length > 0 && <Held by={data.blockedBy} people={people} />}
      {open.length === 0 && <p className="muted">{words('assistant.none-open')}</p>}
      {match !== undefined && open.map((proposal) => <Proposal key={proposal.guid} {...{ proposal, match, people }} />)}
      {decided !== undefined && (
        <p className="small muted">
          {words(decided.status === 'accepted' ? 'assistant.last-accepted' : 'assistant.last-rejected', {
            game: decided.game,
            name: decided.decidedBy?.preferredName ?? words('own.system'),
          })}
          {decided.reason !== null && <bdi> {decided.reason}</bdi>}
        </p>
      )}
    </article>
  )
}

/** Warnings of the flow that keep every result of this run from counting. */
function Held({ by, people }: { readonly by: readonly FlowWarning[]; readonly people: readonly UserCard[] }) {
  return (
    <div className="notice notice-warning">
      <div>
        <p className="strong">{words('assistant.held')}</p>
        <ul>
          {by.map(({ guid, code, user, name }) => (
            <li key={guid}>
              {warningText(code)} <bdi>{name ?? people.find((each) => each.guid === user)?.preferredName}</bdi>
            </li>
          ))}
        </ul>
        <p>{words('assistant.held-do')}</p>
      </div>
    </div>
  )
}

interface ProposalProps {
  readonly proposal: GameProposal
  readonly match: Match
  readonly people: readonly UserCard[]
}

function Proposal({ proposal, match, people }: ProposalProps) {
  const { guid, game, run, map, players, sides, winner, warnings, source, status, acceptAt, createdAt } = proposal
  const tournament = useTournamentId()
  const may = useMay()
  const id = useId()
  const [isDeciding, setDeciding] = useState<'accept' | 'correct' | 'reject' | null>(null)
  const change = (decided: GameProposal) => ({
    at: proposalsAddress(tournament, match.guid),
    in: (list: { readonly proposals: readonly GameProposal[] }) =>
      list.proposals.map((each) => (each.guid === decided.guid ? decided : each)),
  })
  const accept = useWrite(
    'POST /tournaments/{tournament}/matches/{match}/proposals/{gameProposal}/accept',
    (known, { proposal: decided }) => {
      const { at, in: replaced } = change(decided)
      known.change(at, (list) => ({ ...list, proposals: replaced(list) }))
    },
  )
  const reject = useWrite(
    'POST /tournaments/{tournament}/matches/{match}/proposals/{gameProposal}/reject',
    (known, { proposal: decided }) => {
      const { at, in: replaced } = change(decided)
      known.change(at, (list) => ({ ...list, proposals: replaced(list) }))
    },
  )
  const params = { tournament, match: match.guid, gameProposal: guid }
  const nameOf = (user: string) => people.find((each) => each.guid === user)?.preferredName ?? user
  const teams = match.sides.map(sideName)
  const error = accept.error ?? reject.error
  return (
    <section className={styles.proposal} aria-labelledby={id}>
      <h4 id={id}>
        {words('assistant.proposal', { game, run })} <bdi>{map.name}</bdi>
      </h4>
      <p className={styles.status}>
        <State shape={status === 'collecting' ? 'waiting' : 'ready'}>
          {words(`assistant.is-${status as 'proposed' | 'collecting'}`)}
        </State>
        <span className="muted">
          {words(`assistant.source-${source}`)} <Instant at={createdAt} />
        </span>
        {acceptAt !== null && (
          <span className={styles.warning}>
            {words('assistant.accepts-at')} <Instant at={acceptAt} />
          </span>
        )}
      </p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words('play.role-player')}</th>
            <th scope="col" className="n">
              {words('play.score')}
            </th>
            <th scope="col">{words('assistant.completion')}</th>
          </tr>
        </thead>
        <tbody>
          {players.map(({ userGuid, side, score, completion }) => (
            <tr key={userGuid}>
              <th scope="row">
                <bdi>{nameOf(userGuid)}</bdi> <bdi className="muted">{teams[side - 1]}</bdi>
              </th>
              <td className="n">{wholeOf(score)}</td>
              <td>{words(`assistant.completion-${completion}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {winner === null
          ? words('assistant.would-level')
          : words('assistant.would-win', {
              team: teams[winner - 1] ?? '',
              scores: sides.map(({ score }) => wholeOf(score)).join(' : '),
            })}
      </p>
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map(({ code, user }) => (
            <li key={`${code} ${user}`}>
              {warningText(code)} {user !== null && <bdi>{nameOf(user)}</bdi>}
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && isDeciding === null && (
        <div className="notice notice-alert" role="alert">
          <bdi>{error.message}</bdi>
        </div>
      )}
      {may('proposals.accept') && (
        <div className="btns">
          <button
            type="button"
            className="btn"
            disabled={accept.isSending || status !== 'proposed'}
            onClick={() => void accept.send({ params, body: {} })}
          >
            {words('assistant.accept')}
          </button>
          <button type="button" className="btn" onClick={() => setDeciding('correct')}>
            {words('assistant.correct')}…
          </button>
          <button type="button" className="btn btn-danger" onClick={() => setDeciding('reject')}>
            {words('assistant.reject')}…
          </button>
        </div>
      )}
      {isDeciding !== null && (
        <Decide
          kind={isDeciding === 'reject' ? 'reject' : 'correct'}
          proposal={proposal}
          nameOf={nameOf}
          people={people}
          error={error}
          close={() => {
            accept.reset()
            reject.reset()
            setDeciding(null)
          }}
          accept={(players, reason) => accept.send({ params, body: { players, reason } })}
          reject={(reason) => reject.send({ params, body: { reason } })}
        />
      )}
    </section>
  )
}
