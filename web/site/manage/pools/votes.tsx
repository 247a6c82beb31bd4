import { useState } from 'react'
import type { Tally, Votes } from '../../../../client/generated.ts'
import type { Address } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { Changed } from '../../parts/changed.tsx'
import { Failure } from '../../parts/loaded.tsx'
import styles from './pools.module.css'
import type { Suggestions } from './reads.ts'

/** How the reader votes, and how others did as far as the reader may see it. A vote is shown at once. (W9) */

export type Value = -1 | 0 | 1

const sides = [
  { value: 1, part: 'up', sign: '+' },
  { value: 0, part: 'neutral', sign: '±' },
  { value: -1, part: 'down', sign: '\u2212' },
] as const

interface ButtonsProps {
  /** The name of what is voted on. */
  readonly name: string
  readonly mine: Value | null
  readonly tally: Tally | null
  readonly isSending: boolean
  readonly error: Error | null
  /** null takes the vote back. */
  readonly vote: (value: Value | null) => void
  readonly again: () => void
}

function Buttons({ name, mine, tally, isSending, error, vote, again }: ButtonsProps) {
  return (
    <span className={styles.votes}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would have a legend in every line */}
      <span role="group" aria-label={words('poolers.vote-on', { name })} className="choices" aria-busy={isSending}>
        {sides.map(({ value, part, sign }) => (
          <button
            key={part}
            type="button"
            className={`btn ${styles.vote} ${isSending && mine === value ? styles.sending : ''}`}
            aria-pressed={mine === value}
            aria-label={
              tally === null
                ? words(`poolers.vote-${part}`)
                : words('poolers.vote-count', { side: words(`poolers.vote-${part}`), count: tally[part] })
            }
            title={words(`poolers.vote-${part}`)}
            onClick={() => vote(mine === value ? null : value)}
          >
            <span aria-hidden="true">{sign}</span>
            {tally !== null && (
              <Changed of={tally[part]} className="num">
                {tally[part]}
              </Changed>
            )}
          </button>
        ))}
      </span>
      {error !== null && <Failure error={error} again={again} isTrying={isSending} />}
    </span>
  )
}

/** Counts of a target whose voting is over, or that the reader does not vote on. */
export function TallyOf({ tally }: { readonly tally: Tally }) {
  return (
    <span className={`num ${styles.tally}`}>
      {sides.map(({ part, sign }) => (
        <span key={part}>
          <span className="unseen">{words(`poolers.vote-${part}`)} </span>
          <span aria-hidden="true">{sign}</span>
          {tally[part]}
        </span>
      ))}
    </span>
  )
}

interface Voted {
  readonly name: string
  readonly myVote: Value | null
  readonly tally: Tally | null
}

type Done = (known: Known, votes: Votes | null) => void

/** A vote is in the list at once; what one no longer sees after taking it back is read anew. */
export function noteVote(known: Known, list: Address<Suggestions>, guid: string, reply: Votes | null): void {
  known.renew(`${list.split('?')[0]}/${guid}/vote`)
  if (reply === null) {
    known.renew(list)
    return
  }
  const { myVote, tally } = reply
  known.change(list, (before) => ({
    ...before,
    suggestions: before.suggestions.map((each) => (each.guid === guid ? { ...each, myVote, tally } : each)),
  }))
}

const told = (value: Value | null, name: string) =>
  words(
    value === null ? 'poolers.voted-none' : `poolers.voted-${sides.find((side) => side.value === value)?.part ?? 'up'}`,
    {
      name,
    },
  )

export function SuggestionVote({
  guid,
  done,
  name,
  myVote,
  tally,
}: Voted & { readonly guid: string; readonly done: Done }) {
  const tournament = useTournamentId()
  const put = useWrite('PUT /tournaments/{tournament}/suggestions/{suggestion}/vote', (known, votes) =>
    done(known, votes),
  )
  const take = useWrite('DELETE /tournaments/{tournament}/suggestions/{suggestion}/vote', (known) => done(known, null))
  const params = { tournament, suggestion: guid }
  return <Voting name={name} myVote={myVote} tally={tally} put={put} take={take} params={params} />
}

export function PoolMapVote({
  pool,
  guid,
  done,
  name,
  myVote,
  tally,
}: Voted & { readonly pool: string; readonly guid: string; readonly done: Done }) {
  const tournament = useTournamentId()
  const at = '/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/vote'
  const put = useWrite(`PUT ${at}`, (known, votes) => done(known, votes))
  const take = useWrite(`DELETE ${at}`, (known) => done(known, null))
  const params = { tournament, pool, poolMap: guid }
  return <Voting name={name} myVote={myVote} tally={tally} put={put} take={take} params={params} />
}

interface Sending<Sent> {
  readonly send: (sent: Sent) => Promise<boolean>
  readonly isSending: boolean
  readonly error: Error | null
  readonly reset: () => void
}

interface VotingProps<Params> extends Voted {
  readonly put: Sending<{ readonly params: Params; readonly body: { readonly value: Value } }>
  readonly take: Sending<{ readonly params: Params }>
  readonly params: Params
}

function Voting<Params>({ name, myVote, tally, put, take, params }: VotingProps<Params>) {
  const [wanted, setWanted] = useState<Value | null>(myVote)
  const isSending = put.isSending || take.isSending
  const send = async (value: Value | null) => {
    setWanted(value)
    put.reset()
    take.reset()
    const isDone = await (value === null ? take.send({ params }) : put.send({ params, body: { value } }))
    if (isDone) say(told(value, name))
  }
  return (
    <Buttons
      name={name}
      mine={isSending ? wanted : myVote}
      tally={tally}
      isSending={isSending}
      error={put.error ?? take.error}
      vote={(value) => isSending || void send(value)}
      again={() => void send(wanted)}
    />
  )
}
