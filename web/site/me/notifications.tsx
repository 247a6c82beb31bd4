import { address } from '../data/api.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Empty, Failure, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { NotificationTitle } from '../parts/notification.tsx'
import { Section } from '../parts/section.tsx'
import { Ago } from '../parts/time.tsx'
import { WaitingPlace } from '../parts/waiting-place.tsx'
import styles from './notifications.module.css'

/** Everything that the reader was notified of; what is unread comes first. */
export function Notifications() {
  const newest = address('/users/@me/notifications', {}, { limit: 10 })
  const pages = usePages(address('/users/@me/notifications', {}, { limit: 50 }))
  // The bell in the bar follows the newest ones; with a new one the list is read again.
  const bell = useRead(newest, { live: true })
  const read = useWrite('POST /users/@me/notifications/read', (known, _reply, { body }) => {
    const guids = body instanceof FormData || body instanceof Blob ? undefined : body?.guids
    const now = new Date().toISOString()
    known.change(newest, (list) => ({
      ...list,
      notifications: list.notifications.map((each) =>
        each.readAt === null && (guids === undefined || guids.includes(each.guid)) ? { ...each, readAt: now } : each,
      ),
    }))
    known.renew('/users/@me/notifications')
  })
  const all = pages.data?.pages.flatMap(({ notifications }) => notifications)
  const unread = all?.filter(({ readAt }) => readAt === null) ?? []
  const hasNews = (bell.data?.notifications[0]?.guid ?? all?.[0]?.guid) !== all?.[0]?.guid
  return (
    <div className="page stack">
      <h1>{words('me.notifications')}</h1>
      {read.error && (
        <Failure
          error={read.error}
          again={() => void read.send({ params: {}, body: { all: true } })}
          isTrying={read.isSending}
        />
      )}
      {hasNews && (
        <p className="notice">
          <button type="button" className="btn" onClick={() => void pages.refetch()}>
            {words('notifications.new')}
          </button>
        </p>
      )}
      <Loaded of={{ data: all, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }} rows={8}>
        {(notifications) => (
          <Section
            title={words('notifications.count', { unread: unread.length })}
            beside={
              unread.length > 0 && (
                <button
                  type="button"
                  className="btn"
                  aria-disabled={read.isSending}
                  onClick={() => void read.send({ params: {}, body: { all: true } })}
                >
                  {words('notifications.read-all')}
                </button>
              )
            }
          >
            {notifications.length === 0 && <Empty>{words('who.no-notifications')}</Empty>}
            <ul className="lines">
              {[...unread, ...notifications.filter(({ readAt }) => readAt !== null)].map((each) => (
                <li key={each.guid} className={styles.line}>
                  <div>
                    <p className={each.readAt === null ? 'strong' : ''}>
                      <NotificationTitle notification={each} />
                    </p>
                    {each.body !== '' && (
                      <p className="muted" dir="auto">
                        {each.body}
                      </p>
                    )}
                    {each.type === 'claim.waiting' && <WaitingPlace of={each} />}
                  </div>
                  <span className="small muted">
                    <Ago at={each.createdAt} />
                  </span>
                  {each.readAt === null && (
                    <button
                      type="button"
                      className="btn btn-quiet"
                      aria-disabled={read.isSending}
                      aria-label={words('notifications.read-of', { title: each.title })}
                      onClick={() => void read.send({ params: {}, body: { guids: [each.guid] } })}
                    >
                      {words('notifications.read')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            <More of={pages} />
          </Section>
        )}
      </Loaded>
    </div>
  )
}
