import { Link } from '@tanstack/react-router'
import type { OwnPlatform } from '../data/generated.ts'
import { mayManage, requestsAddress, useOwnPlatforms } from '../data/platforms.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { State } from '../parts/state.tsx'
import { Face } from '../parts/team.tsx'
import styles from './review.module.css'

/** The platforms that the reader reviews, and what waits on each. */
export function ReviewList() {
  return (
    <SignedIn title={words('review.title')} why={words('review.sign-in')}>
      {() => <Own />}
    </SignedIn>
  )
}

/** For longer lists it is not asked what waits on each. */
const mostCounted = 12

function Own() {
  const read = useOwnPlatforms()
  return (
    <div className="page stack">
      <div className="title">
        <div>
          <h1>{words('review.title')}</h1>
          <p>{words('review.intro')}</p>
        </div>
      </div>
      <Loaded of={read} rows={4}>
        {(platforms) =>
          platforms.length === 0 ? (
            <Empty>{words('review.no-platform')}</Empty>
          ) : (
            <ul className="lines">
              {platforms.map((platform) => (
                <li key={platform.guid} className={styles.platform}>
                  <Face name={platform.name} picture={platform.imageUrl} isTeam />
                  <div>
                    <Link to="/review/$platform" params={{ platform: platform.contextId }} className="plain strong">
                      <bdi>{platform.name}</bdi>
                    </Link>
                    <p className="small muted">{words(`review.role-${platform.role}`)}</p>
                  </div>
                  {platforms.length <= mostCounted ? <Waiting of={platform} /> : <span />}
                  {mayManage(platform) && (
                    <Link to="/platforms/$platform/manage" params={{ platform: platform.contextId }} className="btn">
                      {words('managing.title')}
                      <span className="unseen">{platform.name}</span>
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}

function Waiting({ of: { contextId } }: { readonly of: OwnPlatform }) {
  const { data } = useRead(requestsAddress(contextId, 'pending'), { live: true })
  if (data === undefined) return <span />
  const count = data.requests.length
  const hasMore = data.nextCursor !== null
  return (
    <State shape={count === 0 ? 'done' : 'waiting'} tone={count === 0 ? 'quiet' : 'warning'}>
      {hasMore ? words('review.waits-more', { count }) : words('review.waits', { count })}
    </State>
  )
}
