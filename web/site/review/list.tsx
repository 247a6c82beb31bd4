import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { OwnPlatform } from '../data/generated.ts'
import { mayManage, requestsAddress, useOwnPlatforms } from '../data/platforms.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { FindForm } from '../parts/find-form.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { State } from '../parts/state.tsx'
import { Face } from '../parts/team.tsx'
import styles from './review.module.css'

/** The platforms that the reader reviews, and what waits on each. */

const route = getRouteApi('/review')
type Search = ReturnType<typeof route.useSearch>

export function ReviewList() {
  return (
    <SignedIn title={words('review.title')} why={words('review.sign-in')}>
      {() => <Own />}
    </SignedIn>
  )
}

/** How many platforms a page has: what waits on these is followed. */
const onPage = 12

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
          platforms.length === 0 ? <Empty>{words('review.no-platform')}</Empty> : <Platforms all={platforms} />
        }
      </Loaded>
    </div>
  )
}

/** Those on which something waits come first; many platforms are searched, and shown by pages. */
function Platforms({ all }: { readonly all: readonly OwnPlatform[] }) {
  const { q = '', page } = route.useSearch()
  const found = all
    .filter(({ name, contextId }) => [name, contextId].some((text) => text.toLowerCase().includes(q.toLowerCase())))
    .toSorted((one, other) => Number(other.waiting > 0) - Number(one.waiting > 0))
  const last = Math.max(1, Math.ceil(found.length / onPage))
  const at = Math.min(Math.max(Math.trunc(Number(page ?? 1)) || 1, 1), last)
  const shown = found.slice((at - 1) * onPage, at * onPage)
  return (
    <div>
      {all.length > onPage && <Find q={q} found={found} />}
      {found.length === 0 ? (
        <Empty>{words('review.no-hit')}</Empty>
      ) : (
        <ul className="lines">
          {shown.map((platform) => (
            <Line key={platform.guid} of={platform} />
          ))}
        </ul>
      )}
      {last > 1 && <Pages at={at} last={last} />}
    </div>
  )
}

function Find({ q, found }: { readonly q: string; readonly found: readonly OwnPlatform[] }) {
  const navigate = useNavigate({ from: '/review' })
  const waiting = found.filter((platform) => platform.waiting > 0).length
  return (
    <div className={styles.search}>
      <FindForm
        q={q}
        label={words('review.find')}
        find={(text) => void navigate({ search: text === '' ? {} : { q: text } })}
      />
      <p className="muted" role="status">
        {words('review.found', { count: found.length, waiting })}
      </p>
    </div>
  )
}

function Line({ of }: { readonly of: OwnPlatform }) {
  const { name, imageUrl, contextId, role } = of
  return (
    <li className={styles.platform}>
      <Face name={name} picture={imageUrl} isTeam />
      <div>
        <Link to="/review/$platform" params={{ platform: contextId }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
        <p className="small muted">{words(`review.role-${role}`)}</p>
      </div>
      <Waiting of={of} />
      {mayManage(of) && (
        <Link to="/platforms/$platform/manage" params={{ platform: contextId }} className="btn">
          {words('managing.title')}
          <span className="unseen">{name}</span>
        </Link>
      )}
    </li>
  )
}

function Pages({ at, last }: { readonly at: number; readonly last: number }) {
  const to = (page: number) => (before: Search) =>
    ({ ...before, page: page === 1 ? undefined : String(page) }) as Search
  return (
    <nav className={styles.pages} aria-label={words('review.pages-of-list')}>
      {at > 1 && (
        <Link to="/review" search={to(at - 1)} className="btn" rel="prev">
          {words('review.page-before')}
        </Link>
      )}
      <span className="muted">{words('review.page-of', { at, last })}</span>
      {at < last && (
        <Link to="/review" search={to(at + 1)} className="btn" rel="next">
          {words('review.page-next')}
        </Link>
      )}
    </nav>
  )
}

/** What the list of requests says now, where all that wait are on its first page. */
function Waiting({ of: { contextId, waiting } }: { readonly of: OwnPlatform }) {
  const { data } = useRead(requestsAddress(contextId, 'pending'), { live: true })
  const known = data?.requests.length ?? 0
  const count = data === undefined || data.nextCursor !== null ? Math.max(waiting, known) : known
  return (
    <State shape={count === 0 ? 'done' : 'waiting'} tone={count === 0 ? 'quiet' : 'warning'}>
      {words('review.waits', { count })}
    </State>
  )
}
