import { useId } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { cityOf, offsetOf, ownZone } from '../../parts/time.tsx'
import styles from './availability.module.css'
import { maxReason, type Status } from './slots.ts'

/** What is painted, and in which zone. */

interface Props {
  readonly accepted: AvailabilitySheet['acceptedStatuses']
  readonly status: Status | null
  readonly choose: (status: Status | null) => void
  /** Undefined where answers have no reasons: those of teams. */
  readonly reason: string | undefined
  readonly say: (reason: string) => void
}

export function Brushes({ accepted, status: chosen, choose, reason, say }: Props) {
  const id = useId()
  return (
    <>
      <fieldset className={styles.brushes}>
        <legend className="small muted">
          <span className={styles.byMouse}>{words('availability.how')}</span>
          <span className={styles.byFinger}>{words('availability.how-by-finger')}</span>
        </legend>
        {[...accepted, null].map((status) => (
          <label key={status ?? 'none'} className="choice">
            <input type="radio" name="brush" checked={chosen === status} onChange={() => choose(status)} />
            <span className={`${styles.sample} ${status === null ? '' : styles[status]}`} />
            {status === null ? words('availability.none') : words(`availability.${status}`)}
          </label>
        ))}
      </fieldset>
      {reason !== undefined && (
        <div className={`field ${styles.because}`}>
          <label htmlFor={id}>{words('availability.reason')}</label>
          <input
            id={id}
            className="in"
            dir="auto"
            autoComplete="off"
            maxLength={maxReason}
            value={reason}
            disabled={chosen === null}
            aria-describedby={`${id}h`}
            onChange={({ target }) => say(target.value)}
          />
          <p id={`${id}h`} className="small muted">
            {words('availability.reason-hint')}
          </p>
        </div>
      )}
    </>
  )
}

interface ZonesProps {
  readonly chosen: string
  /** The zone of the sheet. */
  readonly other: string
  /** The first and the last instant of the sheet. */
  readonly between: readonly [number, number]
  readonly choose: (zone: string) => void
}

export function Zones({ chosen, other, between, choose }: ZonesProps) {
  if (other === ownZone) return <span className="muted">{nameOf(ownZone, between)}</span>
  return (
    <fieldset className="choices">
      <legend className="unseen">{words('availability.zone')}</legend>
      {[ownZone, other].map((zone) => (
        <button key={zone} type="button" className="btn" aria-pressed={zone === chosen} onClick={() => choose(zone)}>
          {nameOf(zone, between)}
        </button>
      ))}
    </fieldset>
  )
}

/** A zone with its offset in those days, or both where clocks change in them. */
function nameOf(zone: string, [from, to]: readonly [number, number]): string {
  const [before, after] = [offsetOf(zone, from), offsetOf(zone, to)]
  const offsets = before === after ? before : words('availability.offsets', { before, after })
  return cityOf(zone) === before ? before : `${cityOf(zone)}, ${offsets}`
}
