import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ReviewedRequest } from '../../../client/generated.ts'
import { PlatformFrame } from '../chrome/platform-frame.tsx'
import type { OwnPlatform } from '../data/generated.ts'
import { requestStatuses, requestsAddress } from '../data/platforms.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useActKeys } from '../parts/act-keys.ts'
import { FollowedList } from '../parts/followed-list.tsx'
import { RequestDetail } from './detail.tsx'
import { RequestLine } from './line.tsx'
import styles from './review.module.css'

/** The queue of a platform: its requests by status, and the one that is open next to what was decided before. */

const route = getRouteApi('/review/$platform')

export function ReviewPage() {
  return (
    <PlatformFrame title={words('review.title')}>
      {(platform) => <Queue key={platform.guid} platform={platform} />}
    </PlatformFrame>
  )
}

const choices = [...requestStatuses, 'all'] as const

function Queue({ platform }: { readonly platform: OwnPlatform }) {
  const { contextId, name } = platform
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/review/$platform' })
  const chosen = choices.find((each) => each === search.status) ?? 'pending'
  const at = requestsAddress(contextId, chosen === 'all' ? undefined : chosen)
  const requests = useRead(at, { live: true }).data?.requests
  const listed = requests?.find(({ guid }) => guid === search.request)
  // What is open stays open when somebody else's decision takes it off the list.
  const [held, hold] = useState<ReviewedRequest | null>(null)
  const opened = listed ?? (held !== null && held.guid === search.request ? held : undefined)
  const [last, setLast] = useState<ReviewedRequest | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useActKeys(place, { other: stepByKey })
  const done = (decided: ReviewedRequest) => {
    setLast(decided)
    hold(decided)
    if (chosen === 'all' || requests === undefined) return
    const index = requests.findIndex(({ guid }) => guid === decided.guid)
    const others = requests.filter(({ guid }) => guid !== decided.guid)
    const next = others[Math.max(index, 0)] ?? others.at(-1)
    void navigate({
      search: ({ request: _before, ...rest }) => (next === undefined ? rest : { ...rest, request: next.guid }),
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <div ref={place} className="page stack">
      <div className="title">
        <div>
          <h1 data-title={`${words('review.requests')} · ${name}`}>{words('review.requests')}</h1>
          <p>{words('review.queue-intro', { name })}</p>
        </div>
        <Keys />
      </div>
      <nav className="choices" aria-label={words('review.filter')}>
        {choices.map((each) => (
          <Link
            key={each}
            from="/review/$platform"
            to="."
            search={each === 'pending' ? {} : { status: each }}
            className="btn"
            aria-current={each === chosen ? 'true' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            replace
          >
            {words(`review.status-${each}`)}
          </Link>
        ))}
      </nav>
      {last !== null && <Decided of={last} isAlone={search.request === undefined} />}
      <div className={`${styles.split} ${opened === undefined ? '' : styles.divided}`}>
        <div>
          {search.request !== undefined && requests !== undefined && opened === undefined && <Elsewhere />}
          <FollowedList at={at} itemsOf={(body) => body.requests} empty={words(`review.none-${chosen}`)}>
            {(items) => (
              <ul className="lines">
                {items.map((request) => (
                  <RequestLine
                    key={request.guid}
                    of={request}
                    isOpen={request.guid === search.request}
                    hasState={chosen === 'all'}
                    hold={hold}
                  />
                ))}
              </ul>
            )}
          </FollowedList>
        </div>
        {opened !== undefined && (
          <RequestDetail
            key={opened.guid}
            platform={platform}
            of={opened}
            isNext={last !== null}
            isListed={listed !== undefined || requests === undefined}
            done={done}
          />
        )}
      </div>
    </div>
  )
}

function Keys() {
  return (
    <p className={`small muted only-wide ${styles.keys}`}>
      <kbd>{'J'}</kbd> {words('review.key-next')} <kbd>{'K'}</kbd> {words('review.key-before')} <kbd>{'Enter'}</kbd>{' '}
      {words('review.key-open')}
    </p>
  )
}

/** J and K go to the next request and to the one before; where the list is hidden, they open it. */
function stepByKey(key: string, root: HTMLElement): boolean {
  if (key !== 'j' && key !== 'k') return false
  const links = [...root.querySelectorAll<HTMLElement>('[data-request]')]
  const focused = links.findIndex((link) => link.matches(':focus'))
  const at = focused === -1 ? links.findIndex((link) => link.getAttribute('aria-current') === 'true') : focused
  const next = at === -1 ? links.at(key === 'j' ? 0 : -1) : links[at + (key === 'j' ? 1 : -1)]
  if (next === undefined) return true
  if (next.offsetParent === null) next.click()
  else next.focus()
  return true
}

/** What the reader has decided last, and the way back to it. */
function Decided({ of, isAlone }: { readonly of: ReviewedRequest; readonly isAlone: boolean }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // A request that is open takes the focus itself.
    if (isAlone) line.current?.focus()
  }, [isAlone])
  return (
    <p ref={line} tabIndex={-1} className="notice" role="status">
      <span className="push">
        <bdi className="strong">{of.tournament.name}</bdi> {words(`review.became-${of.status}`)}
      </span>
      <Link
        from="/review/$platform"
        to="."
        search={{ status: of.status, request: of.guid }}
        className="btn"
        resetScroll={false}
      >
        {words('review.look-again')}
        <span className="unseen">{of.tournament.name}</span>
      </Link>
    </p>
  )
}

function Elsewhere() {
  return (
    <p className="notice">
      <span className="push">{words('review.elsewhere')}</span>
      <Link from="/review/$platform" to="." search={(before) => ({ ...before, status: 'all' })} className="btn">
        {words('review.status-all')}
      </Link>
    </p>
  )
}
