import { useEffect, useRef, useState } from 'react'
import { signInAddress } from '../../data/queries.ts'
import { discard, sendAgain } from '../../data/reports/sender.ts'
import type { Report } from '../../data/reports/types.ts'
import { words } from '../../data/words.ts'
import { useAnnouncer } from '../announcer.tsx'
import { Danger } from '../danger.tsx'
import { Section } from '../section.tsx'
import { State } from '../state.tsx'
import { timeOf } from '../time.tsx'
import { ChangeReport } from './change-report.tsx'
import { Comparison } from './comparison.tsx'
import styles from './reports.module.css'
import { areHeld, useReports } from './use-reports.ts'
import { ValuesOf } from './values.tsx'

/**
 * The reports that are not sent, in their order, each with what can be done to it. Nothing where there is none. (W12)
 *
 * @param match GUID of the match that the page is about
 */
export function Unsent({ match }: { readonly match?: string }) {
  const { reports, isSignedOut } = useReports()
  const isShown = areHeld(reports)
  const announce = useAnnouncer<string>((pieces) => pieces.at(-1) ?? '')
  const count = isShown ? reports.length : 0
  const before = useRef(0)
  useEffect(() => {
    if (count !== before.current) announce(count === 0 ? words('reports.all-sent') : words('reports.count', { count }))
    before.current = count
  }, [count, announce])
  if (!isShown) return null
  const stopper = reports.find(({ refusal }) => refusal?.status === 409)
  return (
    <div className={styles.unsent}>
      <Section
        title={words('reports.count', { count })}
        beside={
          stopper !== undefined ? (
            <State shape="problem" tone="alert">
              {words('reports.stopped')}
            </State>
          ) : (
            !isSignedOut && <SendNow reports={reports} />
          )
        }
      >
        <p>{words(stopper !== undefined ? 'reports.decide' : isSignedOut ? 'reports.signed-out' : 'reports.wait')}</p>
        {isSignedOut && (
          <a className="btn" href={signInAddress()}>
            {words('who.sign-in')}
          </a>
        )}
        <ol className={styles.list}>
          {reports.map((report) => (
            <Line key={`${report.order} ${report.key}`} report={report} isHere={report.match === match} />
          ))}
        </ol>
      </Section>
    </div>
  )
}

/** The next attempt comes by itself, after a while. */
function SendNow({ reports }: { readonly reports: readonly Report[] }) {
  const next = reports.find(({ refusal }) => refusal === null)
  const [isBusy, setBusy] = useState(false)
  if (next === undefined) return null
  return (
    <button
      type="button"
      className="btn"
      aria-disabled={isBusy}
      onClick={() => {
        setBusy(true)
        void sendAgain(next).finally(() => setBusy(false))
      }}
    >
      {words('reports.now')}
    </button>
  )
}

interface LineProps {
  readonly report: Report
  /** The page is about its match. */
  readonly isHere: boolean
}

function Line({ report, isHere }: LineProps) {
  const { game, of, lines, isComplete, refusal, madeAt } = report
  const [isBusy, setBusy] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const isConflict = refusal?.status === 409 && refusal.theirs.some((each) => each !== null)
  const act = (work: () => Promise<void>) => {
    setBusy(true)
    void work().finally(() => setBusy(false))
  }
  const named = words('reports.game-of', { game, match: of })
  return (
    <li>
      <div className={styles.head}>
        <p className={styles.lines}>
          <b>{words('reports.game', { game })}</b>
          {!isConflict &&
            lines.map(({ who, name, values }) => (
              <span key={who}>
                <bdi>{name}</bdi> <ValuesOf of={values} />
              </span>
            ))}
          {isComplete === true && <span>{words('reports.rest-absent')}</span>}
          <span className="small muted">
            {!isHere && (
              <>
                <bdi>{of}</bdi>,{' '}
              </>
            )}
            {timeOf(new Date(madeAt).toISOString())}
          </span>
        </p>
        {refusal === null ? (
          <State shape="waiting" tone="warning">
            {words('reports.waits')}
          </State>
        ) : (
          <State shape="problem" tone="alert">
            {words(isConflict ? 'reports.other-result' : 'reports.refused')}
          </State>
        )}
        {!isConflict && (
          <div className={styles.acts}>
            {refusal !== null && (
              <button type="button" className="btn" aria-disabled={isBusy} onClick={() => act(() => sendAgain(report))}>
                {words('reports.again')}
                <span className="unseen"> {named}</span>
              </button>
            )}
            {lines.length > 0 && (
              <button type="button" className="btn" aria-disabled={isBusy} onClick={() => setChanging(true)}>
                {words('reports.change')}…<span className="unseen"> {named}</span>
              </button>
            )}
            <Danger
              label={words('reports.discard')}
              of={named}
              title={words('reports.discard-title', { game })}
              error={null}
              isSending={isBusy}
              act={async () => {
                await discard(report)
                return true
              }}
            >
              <p>{words('reports.discard-text')}</p>
            </Danger>
          </div>
        )}
      </div>
      {refusal !== null && (
        <p className={styles.why} role="alert">
          {isConflict ? words('reports.conflict') : <bdi>{refusal.message}</bdi>}
        </p>
      )}
      {isConflict && <Comparison report={report} refusal={refusal} isBusy={isBusy} act={act} />}
      {isChanging && <ChangeReport report={report} close={() => setChanging(false)} />}
    </li>
  )
}
