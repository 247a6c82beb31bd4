import { Link } from '@tanstack/react-router'
import type { Rehearsal, RehearsalMessage } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { type WordId, words } from '../../data/words.ts'
import { FollowedList } from '../../parts/followed-list.tsx'
import { StateIcon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './rehearsal.module.css'
import { from, type RehearsalSearch, route } from './search.ts'

/** What would have left the rehearsal, as it would be sent. All of it may be written by anybody, and is shown as text. (R3) */

const kinds = ['chat', 'notification', 'push', 'lookup'] as const
const statuses = ['sent', 'waiting', 'failed'] as const

const icons = { sent: 'done', waiting: 'waiting', failed: 'problem' } as const

export function Outbox({ rehearsal: { of, guid } }: { readonly rehearsal: Rehearsal }) {
  const search = route.useSearch()
  const kind = kinds.find((each) => each === search.kind)
  const status = statuses.find((each) => each === search.status)
  const at = address(
    '/tournaments/{tournament}/rehearsals/{rehearsal}/outbox',
    { tournament: of, rehearsal: guid },
    { ...(kind !== undefined && { kind }), ...(status !== undefined && { status }), limit: 25 },
  )
  const isFiltered = kind !== undefined || status !== undefined
  return (
    <Section title={words('rehearse.outbox')}>
      <p className="muted">{words('rehearse.outbox-what')}</p>
      <div className={styles.filters}>
        <Filter name="kind" values={kinds} value={kind} label={words('rehearse.filter-kind')} />
        <Filter name="status" values={statuses} value={status} label={words('rehearse.filter-status')} />
      </div>
      <FollowedList
        key={at}
        at={at}
        itemsOf={({ messages }) => messages}
        rows={8}
        empty={words(isFiltered ? 'rehearse.outbox-none-such' : 'rehearse.outbox-none')}
      >
        {(messages) => (
          <ul className="lines">
            {messages.map((message) => (
              <Line key={message.guid} message={message} />
            ))}
          </ul>
        )}
      </FollowedList>
    </Section>
  )
}

interface FilterProps {
  readonly name: 'kind' | 'status'
  readonly values: readonly string[]
  readonly value: string | undefined
  readonly label: string
}

function Filter({ name, values, value, label }: FilterProps) {
  const search: RehearsalSearch = route.useSearch()
  const { [name]: _before, ...others } = search
  return (
    <nav className="choices" aria-label={label}>
      {[undefined, ...values].map((each) => (
        <Link
          key={each ?? 'all'}
          from={from}
          to="."
          search={each === undefined ? others : { ...others, [name]: each }}
          className="btn"
          aria-current={each === value ? 'true' : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
          replace
          resetScroll={false}
        >
          {words(`rehearse.${name}-${each ?? 'all'}` as WordId)}
        </Link>
      ))}
    </nav>
  )
}

function Line({ message: { kind, at, to, subject, body, status, attempts } }: { readonly message: RehearsalMessage }) {
  return (
    <li className={styles.message}>
      <div className={styles.head}>
        <span className="strong">{words(`rehearse.kind-${kind}` as WordId)}</span>
        <bdi className={styles.subject}>{subject}</bdi>
        <span className={`${styles.state} ${status === 'failed' ? styles.alarm : 'muted'}`}>
          <StateIcon name={icons[status]} /> {words(`rehearse.status-${status}` as WordId)}
        </span>
        <span className="muted">
          <Instant at={at} />
        </span>
      </div>
      <p className="small muted">
        {words('rehearse.to')} <bdi>{to}</bdi>
        {attempts.length > 0 && (
          <>
            {' '}
            · {words('rehearse.attempts', { count: attempts.length })}{' '}
            {attempts.map((attempt) => (
              <span key={attempt.at} className="nowrap">
                {words('rehearse.after', { seconds: Math.round((Date.parse(attempt.at) - Date.parse(at)) / 1_000) })}{' '}
                <span className="num">{attempt.status}</span>{' '}
              </span>
            ))}
          </>
        )}
      </p>
      <details>
        <summary className="small">
          {words('rehearse.body')}
          <span className="unseen"> {subject}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is wider than the page */}
        <pre className={styles.body} tabIndex={0} dir="auto">
          {readable(body)}
        </pre>
      </details>
    </li>
  )
}

/** JSON in lines; all else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
