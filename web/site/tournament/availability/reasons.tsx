import { words } from '../../data/words.ts'
import styles from './availability.module.css'
import { Said } from './differing.tsx'
import { type Answer, type Answers, alike, answerOf, isSameAnswer, type Slot, type Span } from './slots.ts'

/** The reasons that were given with answers, as the grid only marks them. */
export function Reasons({
  slots,
  answers,
  labelOf,
  change,
}: {
  readonly slots: readonly Slot[]
  readonly answers: Answers
  readonly labelOf: (span: Span) => string
  /** Null where nothing can be changed. */
  readonly change: ((answers: Answers) => void) | null
}) {
  const withReason = ({ key }: Slot): Answer | null => {
    const answer = answers[key] ?? null
    return answer?.reason === undefined ? null : answer
  }
  const spans = alike(slots, withReason, isSameAnswer)
  if (spans.length === 0) return null
  return (
    <div>
      <h3>{words('availability.reasons')}</h3>
      <ul className="lines">
        {spans.map((span) => {
          const label = labelOf(span)
          const without = answerOf(span.of.status, null)
          return (
            <li key={span.start} className={styles.given}>
              <span>{label}</span>
              <span>
                <Said of={span.of} />
              </span>
              {change !== null && (
                <button
                  type="button"
                  className="btn btn-quiet"
                  onClick={() => change(Object.fromEntries(span.slots.map(({ key }) => [key, without])))}
                >
                  {words('availability.no-reason')}
                  <span className="unseen"> {label}</span>
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
