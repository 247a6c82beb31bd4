import { Fragment, useState } from 'react'
import type { WebhookDelivery } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import { Ago, Instant } from '../../parts/time.tsx'
import styles from './manage.module.css'
import { deliveriesPath } from './reads.ts'

/** A delivery: its state, its attempts and, when they are asked for, the bytes that are sent. */

interface Props {
  readonly platform: string
  readonly of: WebhookDelivery
}

const shapes = {
  pending: ['waiting', 'warning'],
  sending: ['running', 'run'],
  delivered: ['done', 'quiet'],
  failed: ['problem', 'alert'],
  stopped: ['off', 'alert'],
} as const

export function DeliveryLine({ platform, of }: Props) {
  const { guid, channel, event, status, attempts, createdAt, nextAttemptAt } = of
  const [isOpen, setOpen] = useState(false)
  const replay = useWrite('POST /tournament-platforms/{platform}/deliveries/{delivery}/replay', (known) =>
    known.renew(deliveriesPath(platform)),
  )
  const [shape, tone] = shapes[status]
  const title = words(`managing.event-${event}`)
  return (
    <li className={styles.delivery}>
      <div>
        <p className="strong">{title}</p>
        <p className="small muted">
          {words(`managing.channel-${channel}`)}, <Ago at={createdAt} />
        </p>
      </div>
      <div>
        <State shape={shape} tone={tone}>
          {words(`managing.delivery-${status}`)}
        </State>
        <p className="small muted">
          {words('managing.attempts', { count: attempts.length })}
          {nextAttemptAt !== null && (
            <>
              {' '}
              {words('managing.next')} <Instant at={nextAttemptAt} />
            </>
          )}
        </p>
      </div>
      <div>
        <button
          type="button"
          className="btn"
          aria-disabled={replay.isSending || status === 'sending'}
          onClick={() => void replay.send({ params: { platform, delivery: guid } })}
        >
          {words(status === 'pending' ? 'managing.send-now' : 'managing.replay')}
          <span className="unseen">{title}</span>
        </button>
        {replay.error !== null && (
          <p role="alert">
            <bdi>{replay.error.message || words('form.unreachable')}</bdi>
          </p>
        )}
      </div>
      <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="small">
          {words('managing.details')} <span className="unseen">{title}</span>
        </summary>
        {isOpen && <More platform={platform} of={of} />}
      </details>
    </li>
  )
}

function More({ platform, of: { guid, attempts } }: Props) {
  const read = useRead(address('/tournament-platforms/{platform}/deliveries/{delivery}', { platform, delivery: guid }))
  return (
    <>
      <dl className="facts">
        <dt className="code">{'webhook-id'}</dt>
        <dd className={`code ${styles.id}`}>{guid}</dd>

        {attempts.map(({ at, status, durationMs, error }) => (
          <Fragment key={at}>
            <dt>
              <Instant at={at} />
            </dt>
            <dd>
              {status !== null && words('managing.answered', { status })}{' '}
              {durationMs === null ? words('managing.no-answer') : words('managing.took', { ms: durationMs })}{' '}
              {error !== null && <bdi>{error}</bdi>}
            </dd>
          </Fragment>
        ))}
      </dl>
      <Loaded of={read} rows={3}>
        {({ body }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          <section className={`wide-content ${styles.snippet}`} tabIndex={0} aria-label={words('managing.body')}>
            <pre className={`code ${styles.body}`}>{body}</pre>
          </section>
        )}
      </Loaded>
    </>
  )
}
