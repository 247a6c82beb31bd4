import { useEffect, useRef } from 'react'
import { address } from '../../data/api.ts'
import type { ServiceCheck, ServiceHealth } from '../../data/generated.ts'
import { now } from '../../data/live.ts'
import { type Read, useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './health.module.css'
import { Numbers } from './numbers.tsx'
import { Requests } from './requests.tsx'

/** Whether the service is well: what is wrong and what to do first, then the numbers. */
export function AdminHealth() {
  const read = useRead(address('/admin/health', {}))
  useFreshness(read)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('admin.health')}</h1>
          {read.data && (
            <p role="status">
              {words('health.checked')} <Instant at={read.data.checkedAt} as="time" />
            </p>
          )}
        </div>
        <button type="button" className="btn" aria-disabled={read.isFetching} onClick={() => void read.refetch()}>
          {words('health.again')}
        </button>
      </div>
      <Loaded of={read} rows={8}>
        {(health) => (
          <>
            <Findings of={health} />
            <Requests />
            <Numbers of={health} />
            <Fine of={health} />
          </>
        )}
      </Loaded>
    </div>
  )
}

const oldMs = 30_000
const eachMs = 60_000

/** Asks again each minute, and when the reader comes back to the page. */
function useFreshness({ data, refetch }: Read<ServiceHealth>): void {
  const latest = useRef({ at: 0, refetch })
  latest.current = { at: data === undefined ? 0 : Date.parse(data.checkedAt), refetch }
  useEffect(() => {
    const renew = () => {
      if (document.visibilityState === 'visible' && now() - latest.current.at > oldMs) void latest.current.refetch()
    }
    const timer = setInterval(renew, eachMs)
    addEventListener('focus', renew)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', renew)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [])
}

function Findings({ of: { checks } }: { readonly of: ServiceHealth }) {
  const wrong = checks.filter(({ verdict }) => verdict !== 'ok')
  if (wrong.length === 0)
    return (
      <p className={`notice ${styles.well}`}>
        <StateIcon name="done" /> <strong>{words('health.well')}</strong>
      </p>
    )
  return (
    <Section title={words('health.wrong', { count: wrong.length })}>
      <ul className="lines">
        {wrong.map((check) => (
          <li key={check.what} className={styles.finding}>
            <Sign of={check} />
            <div>
              <p>
                <strong>{check.what}</strong>: {check.detail}
              </p>
              {check.advice !== null && (
                <p>
                  {check.advice.text}{' '}
                  <span className="muted">
                    {words('health.guide')} <span className="code">{guide}</span>, “{check.advice.section}”
                  </span>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const guide = 'docs/guide/operate.md'

function Sign({ of: { verdict } }: { readonly of: ServiceCheck }) {
  return (
    <span className={verdict === 'failure' ? styles.failure : styles.warning}>
      <StateIcon name="problem" />
      <span>{words(verdict === 'failure' ? 'health.failure' : 'health.warning')}</span>
    </span>
  )
}

/** What was looked at and is well. */
function Fine({ of: { checks } }: { readonly of: ServiceHealth }) {
  const fine = checks.filter(({ verdict }) => verdict === 'ok')
  return (
    <details className={styles.fine}>
      <summary>{words('health.fine', { count: fine.length })}</summary>
      <dl className="facts">
        {fine.map(({ what, detail }) => (
          <div key={what} className={styles.fact}>
            <dt>{what}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
