import type { ReactNode } from 'react'
import type { DecidedProposal, FlowWarning, Match, UserCard } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Failure } from '../loaded.tsx'
import { proposalsAddress } from './address.ts'
import { Proposal } from './proposal.tsx'
import { warningText } from './warnings.ts'

/** What the songs of a match came to: what waits for a decision, what holds it, and the last decision. (AS17, AS19) */

interface Props {
  readonly match: Match
  readonly tournament: string
  /** The members of both teams. */
  readonly people: readonly UserCard[]
  /** Whether it says that nothing waits. */
  readonly isAlways?: boolean
  /** Where warnings are settled. */
  readonly toSettle: ReactNode
  /** What a decision has changed, for other parts of the page. */
  readonly onDecided?: (decided: DecidedProposal) => void
  /** Around all of it, where there is anything. */
  readonly frame?: (content: ReactNode) => ReactNode
}

export function ProposalsOf(props: Props) {
  const { match, tournament, people, isAlways = false, toSettle, onDecided, frame = (content) => content } = props
  const { data, error, refetch } = useRead(proposalsAddress(tournament, match.guid), { live: true })
  if (error !== null && data === undefined) return isAlways && <Failure error={error} again={() => void refetch()} />
  if (data === undefined) return null
  const open = data.proposals.filter(({ status }) => status === 'proposed' || status === 'collecting')
  const decided = data.proposals.find(({ status }) => status === 'accepted' || status === 'rejected')
  const isHeld = data.blockedBy.length > 0 && (isAlways || open.length > 0)
  if (!isAlways && open.length === 0 && decided === undefined) return null
  return frame(
    <>
      {isHeld && <Held by={data.blockedBy} people={people} toSettle={toSettle} />}
      {open.length === 0 && <p className="muted">{words('assistant.none-open')}</p>}
      {open.map((proposal) => (
        <Proposal
          key={proposal.guid}
          {...{ proposal, match, tournament, people, onDecided }}
          level={isAlways ? 4 : 3}
        />
      ))}
      {decided !== undefined && (
        <p className="small muted">
          {words(decided.status === 'accepted' ? 'assistant.last-accepted' : 'assistant.last-rejected', {
            game: decided.game,
            name: decided.decidedBy?.preferredName ?? words('own.system'),
          })}
          {decided.reason !== null && <bdi> {decided.reason}</bdi>}
        </p>
      )}
    </>,
  )
}

/** Warnings of the flow that keep every result of this run from counting. */
function Held({
  by,
  people,
  toSettle,
}: {
  readonly by: readonly FlowWarning[]
  readonly people: readonly UserCard[]
  readonly toSettle: ReactNode
}) {
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
        <p>
          {words('assistant.held-do')} {toSettle}
        </p>
      </div>
    </div>
  )
}
