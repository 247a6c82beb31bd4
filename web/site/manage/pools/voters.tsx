import type { Tally, Vote } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { State } from '../../parts/state.tsx'
import { Ago } from '../../parts/time.tsx'
import styles from './pools.module.css'

/** Who voted how, as far as the reader may see it. */

const parts = { '1': 'up', '0': 'neutral', '-1': 'down' } as const

interface Props {
  readonly votes: readonly Vote[] | undefined
  readonly tally: Tally | null
}

export function Voters({ votes, tally }: Props) {
  if (tally === null) return <p className="small muted">{words('poolers.votes-hidden')}</p>
  if (votes === undefined || votes.length === 0) return <p className="small muted">{words('poolers.no-votes')}</p>
  return (
    <ul className="lines">
      {votes.map(({ user, value, votedAt, plays }) => (
        <li key={user.guid} className={styles.fact}>
          <span className="push">
            <bdi>{user.preferredName}</bdi>
            {plays === true && (
              <>
                {' '}
                <State shape="problem" tone="warning">
                  {words('poolers.plays')}
                </State>
              </>
            )}
          </span>
          <span>{words(`poolers.vote-${parts[String(value) as keyof typeof parts]}`)}</span>
          <span className="small muted">
            <Ago at={votedAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
