import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '../data/api.ts'
import { type WordId, words } from '../data/words.ts'

/** Pages for what went wrong: unknown, not allowed, too often, broken. (W17) */

function FaultPage({
  title,
  text,
  children,
}: {
  readonly title: WordId
  readonly text: WordId
  readonly children?: React.ReactNode
}) {
  return (
    <div className="page stack">
      <div>
        <h1>{words(title)}</h1>
        <p className="prose">{words(text)}</p>
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
    </div>
  )
}

export function UnknownPage() {
  return <FaultPage title="fault.unknown" text="fault.unknown-text" />
}

function LimitedPage({ seconds, again }: { readonly seconds: number; readonly again: () => void }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <FaultPage title="fault.limited" text="fault.limited-text">
      <button type="button" className="btn btn-primary" disabled={left > 0} onClick={again}>
        {left > 0 ? words('fault.wait', { seconds: left }) : words('state.again')}
      </button>
    </FaultPage>
  )
}

/** The page for a record that cannot be shown, in the words of the answer. */
export function FaultOf({ error, again }: { readonly error: Error; readonly again: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <UnknownPage />
  if (error instanceof ApiError && error.status === 403)
    return <FaultPage title="fault.forbidden" text="fault.forbidden-text" />
  if (error instanceof ApiError && error.status === 429)
    return <LimitedPage seconds={error.retryAfter ?? 10} again={again} />
  return (
    <FaultPage
      title={error instanceof ApiError ? 'fault.broken' : 'fault.unreachable'}
      text={error instanceof ApiError ? 'fault.broken-text' : 'fault.unreachable-text'}
    >
      <button type="button" className="btn btn-primary" onClick={again}>
        {words('state.again')}
      </button>
    </FaultPage>
  )
}

export function CrashedPage({ error, reset }: ErrorComponentProps) {
  return <FaultOf error={error instanceof Error ? error : new Error(String(error))} again={reset} />
}
