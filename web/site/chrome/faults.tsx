import { useIsFetching } from '@tanstack/react-query'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, Unreachable } from '../data/api.ts'
import { missingPart, renew } from '../data/renewal.ts'
import { type WordId, words } from '../data/words.ts'
import styles from './faults.module.css'
import { KeptList } from './kept-list.tsx'

/** Pages for what went wrong: unknown, not allowed, too often, not connected, broken. (W17) */

function FaultPage({
  title,
  text,
  told,
  after,
  children,
}: {
  readonly title: WordId
  readonly text: WordId
  /** What the service said. */
  readonly told?: ReactNode
  readonly after?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className="page stack">
      <div className={styles.what}>
        <h1>{words(title)}</h1>
        <p className="prose">{words(text)}</p>
        {told}
      </div>
      <div className="btns">
        {children}
        <Link to="/" className="btn">
          {words('fault.home')}
        </Link>
        <Link to="/search" className="btn">
          {words('search.title')}
        </Link>
      </div>
      {after}
    </div>
  )
}

export function UnknownPage() {
  return <FaultPage title="fault.unknown" text="fault.unknown-text" />
}

export function ForbiddenPage({ told }: { readonly told?: ReactNode }) {
  return <FaultPage title="fault.forbidden" text="fault.forbidden-text" told={told} />
}

/** The page is shown in place of what has no answer, so that a read without one is what it tries again. */
function Again({ again }: { readonly again: () => void }) {
  const isTrying = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  return (
    <button type="button" className="btn btn-primary" onClick={again} aria-disabled={isTrying}>
      {words('state.again')}
    </button>
  )
}

/** Asks again by itself when the time is over; each refusal counts anew. */
function LimitedPage({ error, again }: { readonly error: ApiError; readonly again: () => void }) {
  const [left, setLeft] = useState(0)
  const [counted, setCounted] = useState<ApiError | null>(null)
  if (counted !== error) {
    setCounted(error)
    setLeft(Math.max(1, error.retryAfter ?? 10))
  }
  const asking = useRef(again)
  asking.current = again
  useEffect(() => {
    if (left === 0) return asking.current()
    const timer = setTimeout(setLeft, 1_000, left - 1)
    return () => clearTimeout(timer)
  }, [left])
  return (
    <FaultPage title="fault.limited" text="fault.limited-text">
      <button type="button" className="btn btn-primary" aria-disabled={left > 0} onClick={again}>
        {left > 0 ? words('fault.wait', { seconds: left }) : words('state.again')}
      </button>
    </FaultPage>
  )
}

/** What was read is asked for again by itself, once the service answers. */
function UnreachablePage({ again }: { readonly again: () => void }) {
  return (
    <FaultPage title="fault.unreachable" text="fault.unreachable-text" after={<KeptList />}>
      <Again again={again} />
    </FaultPage>
  )
}

/** The page for a record that cannot be shown, in the words of the answer. */
export function FaultOf({ error, again }: { readonly error: Error; readonly again: () => void }) {
  if (error instanceof Unreachable) return <UnreachablePage again={again} />
  if (error.message === missingPart) return <UnreachablePage again={() => void renew()} />
  if (!(error instanceof ApiError))
    return (
      <FaultPage title="fault.crashed" text="fault.crashed-text">
        <Again again={again} />
      </FaultPage>
    )
  const { status, message, requestId } = error
  if (status === 404) return <UnknownPage />
  if (status === 429) return <LimitedPage error={error} again={again} />
  const told = (
    <p className="muted">
      <bdi>{message}</bdi> {requestId !== null && words('state.request', { id: requestId })}
    </p>
  )
  if (status === 403) return <ForbiddenPage told={told} />
  return (
    <FaultPage title="fault.broken" text="fault.broken-text" told={told}>
      <Again again={again} />
    </FaultPage>
  )
}

export function CrashedPage({ error, reset }: ErrorComponentProps) {
  return <FaultOf error={error instanceof Error ? error : new Error(String(error))} again={reset} />
}
