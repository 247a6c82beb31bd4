import type { StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import styles from './overview.module.css'

/** How many take part, and how many help. */
export function Numbers({
  tournament: { counts, capacity },
  staff,
}: {
  readonly tournament: TournamentWithParts
  readonly staff: readonly StaffGroup[] | undefined
}) {
  const people = new Set(staff?.flatMap(({ users }) => users.map(({ guid }) => guid)))
  const numbers = [
    [counts.registered, words('manage.number-registered', { capacity: capacity ?? 0 })],
    [counts.qualified, words('manage.number-qualified', { count: counts.qualified })],
    [counts.teams - counts.registered, words('manage.number-unregistered')],
    [counts.players, words('manage.number-players', { count: counts.players })],
    [staff === undefined ? '–' : people.size, words('manage.number-staff')],
  ] as const
  return (
    <dl className={styles.numbers}>
      {numbers.map(([number, name]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{number}</dd>
        </div>
      ))}
    </dl>
  )
}
