import type { CSSProperties } from 'react'
import { words } from '../../data/words.ts'
import { wholeOf } from '../../parts/numbers.ts'
import styles from './estimate.module.css'
import type { Answer, Question } from './estimate.tsx'

/** How long the evening takes: in words, as bars, and as a table of all that was found. */

interface Props {
  readonly body: Question
  readonly answer: Answer
}

type Scenario = Answer['scenarios'][number]

/** The answer in words, as it is also heard, with a bar below each sentence. */
export function Sentences({ body, answer: { scenarios } }: Props) {
  const longest = Math.max(...scenarios.map(({ hours }) => hours.p90), 0.01)
  return (
    <div className={styles.answer}>
      <p className="muted">{words('estimate.asked', { teams: body.teams, channels: body.channels })}</p>
      <ul className={styles.bars}>
        {scenarios.map((scenario) => (
          <li key={scenario.noShows}>
            <p>
              <span className="strong">{words('estimate.away', { count: scenario.noShows })}</span>{' '}
              {sentenceOf(scenario)}
            </p>
            <span
              className={styles.bar}
              style={
                {
                  '--half': scenario.hours.p50 / longest,
                  '--most': scenario.hours.p90 / longest,
                } as CSSProperties
              }
              aria-hidden="true"
            />
          </li>
        ))}
      </ul>
      <p className={`small muted ${styles.key}`} aria-hidden="true">
        <span className={styles.half} /> {words('estimate.half')}
        <span className={styles.most} /> {words('estimate.most')}
      </p>
    </div>
  )
}

/** All figures, and what they come from. */
export function Figures({ answer: { scenarios, basis, runs } }: Pick<Props, 'answer'>) {
  return (
    <div className={styles.answer}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is wider than the page */}
      <section className="wide-content" tabIndex={0} aria-label={words('estimate.table')}>
        <table className={`table ${styles.table}`}>
          <caption className="unseen">{words('estimate.table')}</caption>
          <thead>
            <tr>
              <th scope="col">{words('estimate.no-shows-short')}</th>
              <th scope="col">{words('estimate.matches')}</th>
              <th scope="col">{words('estimate.half')}</th>
              <th scope="col">{words('estimate.most')}</th>
              <th scope="col">{words('estimate.waits')}</th>
              <th scope="col">{words('estimate.longest-wait')}</th>
              <th scope="col">{words('estimate.back-to-back')}</th>
              <th scope="col">{words('estimate.on-channels')}</th>
            </tr>
          </thead>
          <tbody>
            {scenarios.map((scenario) => (
              <Row key={scenario.noShows} of={scenario} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="small muted">
        {words(`estimate.basis-${basis.durations}`, { count: basis.matches })} {words('estimate.runs', { count: runs })}
      </p>
    </div>
  )
}

function Row({ of: { noShows, matches, hours, waitMinutes, backToBacks, channels } }: { readonly of: Scenario }) {
  return (
    <tr>
      <th scope="row">{noShows}</th>
      <td>{spanOf(matches, wholeOf)}</td>
      <td>{lengthOf(hours.p50 * 60)}</td>
      <td>{lengthOf(hours.p90 * 60)}</td>
      <td>{spanOf(waitMinutes, lengthOf)}</td>
      <td>{lengthOf(waitMinutes.most)}</td>
      <td>{spanOf(backToBacks, wholeOf)}</td>
      <td>{channels.map((channel) => channel.matches).join(', ')}</td>
    </tr>
  )
}

function sentenceOf({ hours: { p50, p90 } }: Scenario): string {
  const [half, most] = [lengthOf(p50 * 60), lengthOf(p90 * 60)]
  return half === most ? words('estimate.always', { most }) : words('estimate.within', { half, most })
}

/** Both percentiles, or one where they are equal. */
function spanOf({ p50, p90 }: Scenario['hours'], show: (value: number) => string): string {
  const [half, most] = [show(p50), show(p90)]
  return half === most ? half : `${half} – ${most}`
}

/** Such as 4 h 10 min; to five minutes from an hour on, since an estimate is no more exact than that. */
function lengthOf(minutes: number): string {
  const exact = Math.round(minutes)
  if (exact < 60) return words('estimate.minutes', { minutes: exact })
  const rounded = Math.ceil(minutes / 5 - 0.1) * 5
  const [hours, left] = [Math.floor(rounded / 60), rounded % 60]
  return left === 0 ? words('estimate.hours', { hours }) : words('estimate.hours-minutes', { hours, minutes: left })
}
