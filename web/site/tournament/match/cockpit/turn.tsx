import { useReader } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { Key } from '../../../parts/key.tsx'
import { State } from '../../../parts/state.tsx'
import { ClockOf, waitingWords } from '../own/waiting.tsx'
import { indexOf } from '../view.ts'
import styles from './cockpit.module.css'
import { countOf } from './needs.tsx'
import type { Table } from './ops.ts'

/** Whose turn it is with its clock, and what a referee does to the clock. */
export function Turn({ view, session, ops }: Table) {
  const { user } = useReader()
  const { turn, clock, status } = session
  const player = { user: user?.guid ?? '', at: null, seat: null }
  const side = turn?.seats.length === 1 ? indexOf(turn.seats[0] ?? null) : null
  const isOn = status === 'running' || status === 'paused'
  if (view.match.status === 'completed') return null
  const isTicking = clock?.dueAt != null && status === 'running'
  return (
    <section
      className={`${styles.turn} ${side === 0 ? styles.one : side === 1 ? styles.other : ''}`}
      aria-label={words('play.now')}
    >
      <p className={styles.whose}>
        {session.phase === 'over' ? (
          <State shape="done">{words('cockpit.over')}</State>
        ) : (
          <b>{waitingWords({ view, session, player })}</b>
        )}
        {turn?.game != null && <span className="muted"> {words('play.of-game', { game: turn.game })}</span>}
      </p>
      {isOn && countOf(session) > 0 && (
        <a href="#needs" className="plain">
          <State shape="problem" tone="alert">
            {words('cockpit.to-decide', { count: countOf(session) })}
          </State>
        </a>
      )}
      <p className={`num ${styles.clock}`}>{isOn && <ClockOf session={session} />}</p>
      {isOn && (
        <div className="btns">
          <button
            type="button"
            className="btn"
            data-key="p"
            aria-disabled={ops.isSending}
            onClick={() => void ops.send('clock', { op: status === 'paused' ? 'resume' : 'pause' })}
          >
            {words(status === 'paused' ? 'live.go-on' : 'cockpit.pause')} <Key of="p" />
          </button>
          <button
            type="button"
            className="btn"
            aria-disabled={ops.isSending || !isTicking}
            onClick={() => void ops.send('clock', { op: 'extend', seconds: 30 })}
          >
            {words('cockpit.extend', { seconds: 30 })}
          </button>
          <button
            type="button"
            className="btn"
            data-key="u"
            aria-disabled={ops.isSending || session.lastUndoable === null}
            onClick={() => void ops.send('undo', {})}
          >
            {words('cockpit.undo')} <Key of="u" />
          </button>
        </div>
      )}
    </section>
  )
}
