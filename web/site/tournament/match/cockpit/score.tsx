import type { TournamentWithParts } from '../../../../../client/generated.ts'
import { words } from '../../../data/words.ts'
import { Changed } from '../../../parts/changed.tsx'
import { indexes } from '../people.ts'
import { isBegun, nameAt, sideAt, type View } from '../view.ts'
import styles from './cockpit.module.css'

/** Both sides with the score, in one line. */
export function Score({ view, tournament }: { readonly view: View; readonly tournament: TournamentWithParts }) {
  const { session } = view
  const points = (at: 0 | 1) => (isBegun(view) ? (sideAt(view, at).score ?? 0) : '–')
  const left = (at: 0 | 1) => {
    const seat = session?.seats.find((each) => each.seat === at + 1)
    const rules = session?.flow?.rules
    const hasNone = rules !== undefined && rules.replays.rule === 'none' && rules.timeouts.count === 0
    return seat === undefined || hasNone
      ? ''
      : words('cockpit.left', { replays: seat.replaysLeft, timeouts: seat.timeoutsLeft })
  }
  const title = `${nameAt(view, 0)} : ${nameAt(view, 1)}`
  return (
    <h1 className={styles.score} data-title={`${title} · ${tournament.name}`}>
      {indexes.map((at) => (
        <span key={at} className={`${styles.side} ${at === 0 ? styles.one : styles.other}`}>
          <bdi className={styles.name}>{nameAt(view, at)}</bdi>
          <span className={`small muted ${styles.left}`}>{left(at)}</span>
          <Changed of={points(at)} className={`num ${styles.points}`}>
            {points(at)}
          </Changed>
          {at === 0 && <span className="unseen"> {words('play.to')} </span>}
        </span>
      ))}
    </h1>
  )
}
