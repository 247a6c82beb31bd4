import { useEffect, useEffectEvent } from 'react'
import type { StreamSettings } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { StreamHealthOf } from '../parts/stream-health.tsx'
import { Ago, Instant } from '../parts/time.tsx'
import styles from './streaming.module.css'

/** Whether the media servers answer, and what they say of what the reader sends. */

type Watched = StreamSettings['watch'][number]

/** Servers are asked every 15 seconds, too. */
const everyMs = 15_000

export function Servers({ of, renew }: { readonly of: StreamSettings; readonly renew: () => unknown }) {
  const { watch } = of
  const look = useEffectEvent(() => {
    if (!document.hidden) renew()
  })
  useEffect(() => {
    const timer = setInterval(() => look(), everyMs)
    return () => clearInterval(timer)
  }, [])
  if (watch.length === 0) return null
  return (
    <Section title={words('streaming.servers')} level={3}>
      <ul className="lines">
        {watch.map((each) => (
          <li key={each.server.guid} className={styles.server}>
            <span className="strong">
              <bdi>{each.server.name}</bdi>
            </span>
            <ServerState of={each} />
            <Arriving of={each} minimum={of.encoders.find(({ server }) => server.guid === each.server.guid)?.minimum} />
          </li>
        ))}
      </ul>
      <p className="muted">{words('streaming.test', { minutes: Math.floor(of.testAllowance.secondsLeft / 60) })}</p>
    </Section>
  )
}

function ServerState({ of: { state, failing } }: { readonly of: Watched }) {
  if (state === 'failing')
    return (
      <div>
        <State shape="problem" tone="alert">
          {words('streaming.server-failing')}
        </State>{' '}
        {failing?.since != null && (
          <>
            {words('streaming.failing-since')} <Instant at={failing.since} />
          </>
        )}
        {failing !== null && <p className="small muted">{words(`streaming.failing-${failing.reason}`)}</p>}
        {failing?.error != null && (
          <p className="small muted">
            <bdi className="code">{failing.error}</bdi>
          </p>
        )}
      </div>
    )
  if (state === 'unknown')
    return (
      <State shape="waiting" tone="quiet">
        {words('streaming.server-unknown')}
      </State>
    )
  return <State shape="done">{words('streaming.server-reachable')}</State>
}

interface Arrives {
  readonly of: Watched
  readonly minimum: StreamSettings['encoders'][number]['minimum'] | undefined
}

function Arriving({ of: { live }, minimum }: Arrives) {
  if (live == null) return <span className="muted">{words('streaming.off')}</span>
  const { test, since, health } = live
  return (
    <div role="status">
      <p>
        <State shape="running" tone="run">
          {words(test ? 'streaming.test-live' : 'streaming.live')}
        </State>{' '}
        {words('streaming.since')} <Ago at={since} />
      </p>
      {health === null ? (
        <p className="small muted">{words('streaming.no-health')}</p>
      ) : (
        <StreamHealthOf of={health} minimum={minimum} />
      )}
    </div>
  )
}
