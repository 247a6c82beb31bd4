import { memo, useDeferredValue, useMemo } from 'react'
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
import { type Table, useOps } from './ops.ts'
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
  const whole = useMemo(
    (): Table => ({ view, session, ops: { ...ops, send: ops.from(session) } }),
    [view, session, ops],
  )
  // No press waits until all columns are drawn: what is not chosen from follows in pieces, and acts on what it shows.
  const later = useDeferredValue(whole)
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
      <Game of={later} at={at} />
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
        <Side key="side" of={later} />
        <div key="log" className={styles.happened}>
          <Log {...later} />
        </div>
      </div>
    </>
  )
}

interface LaterProps {
  readonly of: Table
}

const Game = memo(function Game({ of: table, at }: LaterProps & Pick<Props, 'at'>) {
  const { match, tournament, people } = table.view
  return (
    <>
      <Guarded>
        <LiveNow view={table.view} />
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
    </>
  )
})

const Side = memo(function Side({ of: table }: LaterProps) {
  const { session } = table
  return (
    <Connected className={`stack ${styles.beside}`}>
      <Needs {...table} />
      <Steps flow={session.flow} now={session.turn?.step} />
      <Penalties {...table} />
      <Draws {...table} />
      <Rulings {...table} />
    </Connected>
  )
})

const isChoosing = ({ turn, phase }: FlowState) => turn !== null && phase === 'choosing' && isOfPool(turn.action)
