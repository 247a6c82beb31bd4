import { ApiError } from '../../../data/api.ts'
import { words } from '../../../data/words.ts'
import type { View } from '../view.ts'
import type { Deeds } from './deeds.ts'
import { Meanwhile } from './meanwhile.tsx'
import styles from './own.module.css'
import type { Player, Session } from './reader.ts'

/** Why something was not done: what was refused, what did not arrive, and what others did before. (W10) */

interface Props {
  readonly view: View
  readonly session: Session
  readonly player: Player
  readonly deeds: Deeds
  /** When the reader chose what can be chosen no more. */
  readonly since: number | null
  readonly close: () => void
}

export function Refused({ view, session, player, deeds: { error, expect }, since, close }: Props) {
  const isAnswered = error instanceof ApiError
  if (error === null && since === null) return null
  // Whether something that did not arrive was carried out is seen from what happened since.
  const isUnsent = error !== null && !isAnswered && since === null
  const from = since ?? expect
  return (
    <div
      className={`notice ${isUnsent || error === null ? 'notice-warning' : 'notice-alert'} ${styles.refused}`}
      role="alert"
    >
      <div className="push">
        <p className="strong">
          {isUnsent
            ? words('own.unsent')
            : isAnswered && error.code !== 'flow.moved'
              ? words('own.not-counted')
              : words('own.moved')}
        </p>
        {isAnswered && error.code !== 'flow.moved' && (
          <p>
            <bdi>{error.message}</bdi>
            {error.requestId !== null && error.status >= 500 && (
              <span className="small muted"> {words('state.request', { id: error.requestId })}</span>
            )}
          </p>
        )}
        {!isUnsent && <Meanwhile view={view} session={session} player={player} since={from} />}
      </div>
      {!isUnsent && (
        <button type="button" className="btn" onClick={close}>
          {words('own.seen')}
        </button>
      )}
    </div>
  )
}
