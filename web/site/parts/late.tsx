import type { TournamentWithParts } from '../../../client/generated.ts'
import { useLateness } from '../data/horizon.ts'
import { words } from '../data/words.ts'
import { StateIcon } from './icon.tsx'
import styles from './late.module.css'
import { timeInWords } from './lateness.ts'

/** Says on public pages that results come late here, to everybody. (V4) */
export function Late({
  tournament,
  isStaff,
}: {
  readonly tournament: TournamentWithParts | undefined
  readonly isStaff: boolean
}) {
  const seconds = useLateness(tournament)
  if (seconds === 0) return null
  return (
    <p className={`notice ${styles.late}`}>
      <StateIcon name="waiting" />
      <span>
        {seconds === null ? words('late.some') : words('late.by', { time: timeInWords(seconds) })}
        {isStaff && <span className="muted"> {words('late.staff')}</span>}
      </span>
    </p>
  )
}
