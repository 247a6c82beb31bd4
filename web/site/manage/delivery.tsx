import type { UpdateDelivery } from '../../../client/generated.ts'
import { type WordId, words } from '../data/words.ts'
import { StateIcon } from '../parts/icon.tsx'
import styles from './delivery.module.css'

/** Where messages to a chat stand: of all of them, and of each. */

type Status = UpdateDelivery['status']

const icons = {
  none: 'off',
  pending: 'waiting',
  sending: 'running',
  delivered: 'done',
  failed: 'problem',
  removing: 'waiting',
  removal_failed: 'problem',
} as const satisfies Readonly<Record<Status, Parameters<typeof StateIcon>[0]['name']>>

export const isFailed = (status: Status) => status === 'failed' || status === 'removal_failed'
export const isUnderWay = (status: Status) => status === 'pending' || status === 'sending' || status === 'removing'

export function DeliveryState({ status }: { readonly status: Status }) {
  return (
    <span className={`${styles.state} ${isFailed(status) ? styles.failed : ''}`}>
      <StateIcon name={icons[status]} />
      {words(`delivery.is-${status}` as WordId)}
    </span>
  )
}

/** How many of its messages are in the chat; each of them where they differ; why the last attempt failed. */
export function DeliveryParts({ delivery: { status, parts, lastError } }: { readonly delivery: UpdateDelivery }) {
  const done = parts.filter((part) => part.status === 'delivered').length
  const isMixed = new Set(parts.map((part) => part.status)).size > 1
  return (
    <div className={styles.parts}>
      <p className={styles.all}>
        <DeliveryState status={status} />
        {parts.length > 1 && !status.startsWith('remov') && (
          <span className="muted"> {words('delivery.parts', { done, count: parts.length })}</span>
        )}
      </p>
      {isMixed && (
        <ol className={styles.list}>
          {parts.map((part) => (
            <li key={part.index}>
              <span className="muted">{words('delivery.part', { number: part.index + 1 })}</span>{' '}
              <DeliveryState status={part.status} />
            </li>
          ))}
        </ol>
      )}
      {parts.some(({ unconfirmed }) => unconfirmed === true) && (
        <p className="small muted">{words('delivery.unconfirmed')}</p>
      )}
      {lastError !== null && (
        <p className={isFailed(status) ? styles.failed : 'muted'}>
          <bdi>{lastError}</bdi>
        </p>
      )}
    </div>
  )
}
