import { useState } from 'react'
import { words } from '../../data/words.ts'
import type { FormState } from '../../parts/form/use-form.ts'
import { dayOf } from '../../parts/time.tsx'
import type { Answering } from './answering.ts'
import styles from './availability.module.css'
import { copiedDay, copiedWeek, weeksOf } from './copying.ts'
import type { Grid } from './grid.ts'
import { Sending } from './sending.tsx'
import type { Answers, Slot } from './slots.ts'

/** What is done with all answers: they are sent, copied, and cleared. */

interface Props {
  readonly grid: Grid
  readonly slots: readonly Slot[]
  readonly zone: string
  readonly form: FormState<Answers>
  readonly answering: Answering
  /** The day that is being copied. */
  readonly copied: string | null
  readonly stopCopying: () => void
}

export function Foot({ grid, slots, zone, form, answering, copied, stopCopying }: Props) {
  const { values: answers, change } = form
  const weeks = weeksOf(grid)
  const [chosen, setWeek] = useState<number | null>(null)
  const week = chosen ?? weeks[0]?.number ?? 0
  const copyDay = (from: string) => {
    const others = grid.days.filter(({ key }) => key !== from)
    change(
      copiedDay(
        { grid, slots, answers },
        from,
        others.map(({ key }) => key),
      ),
    )
    stopCopying()
  }
  return (
    <div className={styles.foot}>
      <Sending answering={answering} isChanged={form.isChanged} />
      <div className="btns">
        {copied !== null && (
          <>
            <button type="button" className="btn" onClick={() => copyDay(copied)}>
              {words('availability.copy-day')}
            </button>
            <button type="button" className="btn btn-quiet" onClick={stopCopying}>
              {words('availability.stop-copying')}
            </button>
          </>
        )}
        {weeks.length > 1 && (
          <>
            <label className={styles.week}>
              {words('availability.week')}
              <select className="in" value={week} onChange={({ target }) => setWeek(Number(target.value))}>
                {weeks.map(({ number, days }) => (
                  <option key={number} value={number}>
                    {dayOf(new Date(days[0]?.at ?? 0).toISOString(), zone)}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" className="btn" onClick={() => change(copiedWeek({ grid, slots, answers }, week))}>
              {words('availability.copy-week')}
            </button>
          </>
        )}
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => change(Object.fromEntries(slots.map(({ key }) => [key, null])))}
        >
          {words('availability.clear')}
        </button>
      </div>
    </div>
  )
}
