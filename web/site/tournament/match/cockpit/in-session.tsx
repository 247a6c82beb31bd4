import type { FlowState } from '../../../../../client/generated.ts'
import type { Address } from '../../../data/api.ts'
import { Connected } from '../../../parts/connected.tsx'
import { Guarded } from '../../../parts/loaded.tsx'
import type { View } from '../view.ts'
import { Asked } from './asked.tsx'
import { Assistant, OpenAssistant } from './assistant.tsx'
import styles from './cockpit.module.css'
import { Draws } from './draws.tsx'
import { LiveNow } from './live-now.tsx'
import { Log } from './log.tsx'
import { Needs } from './needs.tsx'
import { useOps } from './ops.ts'
import { Penalties } from './penalties.tsx'
import { isOfPool, Pool } from './pool.tsx'
import { Proposals } from './proposals.tsx'
import { Refused } from './refused.tsx'
import { Rulings } from './rulings.tsx'
import { Scores } from './scores.tsx'
import { Steps } from './steps.tsx'
import { Turn } from './turn.tsx'

/** The session of a match: whose turn it is, the pool, the game, and what needs the referee. */

interface Props {
  readonly view: View
  readonly at: Address<FlowState>
  readonly session: FlowState
}

export function InSession({ view, at, session }: Props) {
  const ops = useOps(view, at, session)
  const table = { view, session, ops }
  const { match, tournament, people } = view
  const pool = (
    <Connected key="pool" className={styles.maps}>
      <Pool {...table} />
    </Connected>
  )
  const game = (
    <div key="game" className={styles.game}>
      <Connected>
        <Asked {...table} />
      </Connected>
      <Guarded>
        <LiveNow view={view} />
      </Guarded>
      <Connected>
        <Proposals match={match} tournament={tournament} people={people} at={at} />
      </Connected>
      <Connected>
        <Assistant match={match.guid} />
      </Connected>
      <Guarded>
        <Scores {...table} />
      </Guarded>
      <Connected>
        <OpenAssistant match={match.guid} isRunning={match.status === 'running'} />
      </Connected>
    </div>
  )
  return (
    <>
      <Connected>
        <Turn {...table} />
      </Connected>
      <Refused {...table} />
      <div className={styles.columns}>
        {/* What is to be done comes first, also where there is one column. */}
        {isChoosing(session) ? [pool, game] : [game, pool]}
        <Connected key="side" className={`stack ${styles.beside}`}>
          <Needs {...table} />
          <Steps flow={session.flow} now={session.turn?.step} />
          <Penalties {...table} />
          <Draws {...table} />
          <Rulings {...table} />
        </Connected>
        <div key="log" className={styles.happened}>
          <Log {...table} />
        </div>
      </div>
    </>
  )
}

const isChoosing = ({ turn, phase }: FlowState) => turn !== null && phase === 'choosing' && isOfPool(turn.action)
