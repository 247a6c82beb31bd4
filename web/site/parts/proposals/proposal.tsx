import { useId, useState } from 'react'
import type { DecidedProposal, GameProposal, Match, UserCard } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { sideName } from '../match.tsx'
import { wholeOf } from '../numbers.ts'
import { State } from '../state.tsx'
import { Instant } from '../time.tsx'
import { proposalsAddress } from './address.ts'
import { acceptPath, Decide } from './decide.tsx'
import styles from './proposals.module.css'
import { warningText } from './warnings.ts'

/** What one song came to. It becomes the result of its game when it is accepted. (AS19) */

interface Props {
  readonly proposal: GameProposal
  readonly match: Match
  readonly tournament: string
  readonly people: readonly UserCard[]
  readonly level: 3 | 4
  readonly onDecided: ((decided: DecidedProposal) => void) | undefined
}

export function Proposal({ proposal, match, tournament, people, level, onDecided }: Props) {
  const Heading = `h${level}` as const
  const { guid, game, run, map, players, sides, winner, warnings, source, status, acceptAt, createdAt } = proposal
  const may = useMay()
  const id = useId()
  const [isDeciding, setDeciding] = useState<'accept' | 'correct' | 'reject' | null>(null)
  const isOver = match.status === 'completed'
  const show = (known: Known, reply: DecidedProposal) => {
    known.change(proposalsAddress(tournament, match.guid), (list) => ({
      ...list,
      proposals: list.proposals.map((each) => (each.guid === reply.proposal.guid ? reply.proposal : each)),
    }))
    onDecided?.(reply)
  }
  const accept = useWrite(acceptPath, show)
  const reject = useWrite('POST /tournaments/{tournament}/matches/{match}/proposals/{gameProposal}/reject', show)
  const params = { tournament, match: match.guid, gameProposal: guid }
  const nameOf = (user: string) => people.find((each) => each.guid === user)?.preferredName ?? user
  const teams = match.sides.map(sideName)
  const error = accept.error ?? reject.error
  return (
    <section className={styles.proposal} aria-labelledby={id}>
      <Heading id={id}>
        {words('assistant.proposal', { game, run })} <bdi>{map.name}</bdi>
      </Heading>
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
      {isOver && <p>{words('assistant.match-over')}</p>}
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
            aria-disabled={accept.isSending || status !== 'proposed'}
            onClick={() => (isOver ? setDeciding('accept') : void accept.send({ params, body: {} }))}
          >
            {words('assistant.accept')}
            {isOver && '…'}
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
          kind={isDeciding}
          proposal={proposal}
          params={isOver ? params : null}
          nameOf={nameOf}
          people={people}
          error={error}
          close={() => {
            accept.reset()
            reject.reset()
            setDeciding(null)
          }}
          accept={(body) => accept.send({ params, body })}
          reject={(reason) => reject.send({ params, body: { reason } })}
        />
      )}
    </section>
  )
}
