import { useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import type { Writes } from '../../data/generated.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Failure } from '../../parts/loaded.tsx'
import { Instant } from '../../parts/time.tsx'
import { eveningOf, minutesBetween } from './lateness.ts'
import { lengthOf } from './lengths.ts'
import styles from './rehearsal.module.css'

/** How long the evening was to take, how long it took, and how long it takes by the estimate, next to each other. (R5) */

interface Props {
  readonly matches: readonly Match[]
  /** How many teams do not come. */
  readonly absent: number
}

export function Hours({ matches, absent }: Props) {
  const { planned, played, atOnce, teams } = eveningOf(matches)
  const mayEstimate = useMay()('estimates.make')
  return (
    <dl className={styles.evening}>
      <div>
        <dt>{words('rehearse.hours-planned')}</dt>
        {planned === null ? (
          <dd>{words('rehearse.hours-untimed')}</dd>
        ) : (
          <dd>
            <Span {...planned} />
            <span className="small muted">
              {words('rehearse.hours-last', { length: lengthOf(minutesBetween(planned.from, planned.to)) })}
            </span>
          </dd>
        )}
      </div>
      {played !== null && (
        <div>
          <dt>{words('rehearse.hours-played')}</dt>
          <dd>
            <Span {...played} />
            <span className="small muted">
              {words('rehearse.hours-last', { length: lengthOf(minutesBetween(played.from, played.to)) })}
              {played.over !== null && (
                <>
                  <br />
                  {words('rehearse.hours-over', { length: lengthOf(minutesBetween(played.from, played.over)) })}
                </>
              )}
            </span>
          </dd>
        </div>
      )}
      {mayEstimate && teams - absent > 1 && (
        <Estimated teams={teams} noShows={absent} channels={Math.min(Math.max(atOnce, 1), mostAtOnce)} />
      )}
    </dl>
  )
}

/** An estimate is made for so many matches at once. */
const mostAtOnce = 16

function Span({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <span className={styles.figure}>
      <Instant at={from} as="time" /> – <Instant at={to} as="time" />
      <br />
    </span>
  )
}

const at = 'POST /tournaments/{tournament}/estimate'
type Question = Pick<Writes[typeof at]['body'], 'teams' | 'noShows' | 'channels'>
type Scenario = Writes[typeof at]['reply']['scenarios'][number]

/** Of the rehearsal, with its brackets and lengths, since these may be what is tried. */
function Estimated(asked: Question) {
  const tournament = useTournamentId()
  const [found, setFound] = useState<Scenario | null>(null)
  const estimate = useWrite(at, (_known, { scenarios }) => setFound(scenarios[0] ?? null))
  const ask = () => void estimate.send({ params: { tournament }, body: asked })
  return (
    <div>
      <dt>{words('rehearse.hours-estimated')}</dt>
      <dd>
        <span role="status">
          {estimate.isSending && <span className="muted">{words('rehearse.hours-asking')}</span>}
          {!estimate.isSending && found !== null && <Figures of={found} atOnce={asked.channels} />}
        </span>
        {found === null && !estimate.isSending && estimate.error === null && (
          <button type="button" className="btn" onClick={ask}>
            {words('rehearse.hours-ask')}
          </button>
        )}
        {estimate.error !== null && <Failure error={estimate.error} again={ask} isTrying={estimate.isSending} />}
      </dd>
    </div>
  )
}

function Figures({ of: { hours }, atOnce }: { readonly of: Scenario; readonly atOnce: number }) {
  const [half, most] = [hours.p50, hours.p90].map((length) => lengthOf(Math.round(length * 60)))
  return (
    <>
      <span className={styles.figure}>{words('rehearse.hours-half', { half: half ?? '' })}</span>
      <br />
      <span className="small muted">
        {half === most
          ? words('rehearse.hours-nearly', { atOnce })
          : words('rehearse.hours-most', { most: most ?? '', atOnce })}
      </span>
    </>
  )
}
