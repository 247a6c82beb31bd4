import { Component, type ReactNode, useState } from 'react'
import { ApiError, Unreachable } from '../data/api.ts'
import { words } from '../data/words.ts'
import styles from './loaded.module.css'

/** The states of what is read: loading as blocks of the final size, failed with the service's words, loaded. (W17) */

interface Props<Body> {
  readonly of: {
    readonly data: Body | undefined
    readonly error: Error | null
    readonly isFetching: boolean
    refetch(): unknown
  }
  /** How many rows the loading part has. */
  readonly rows?: number
  /** Whether it begins with the heading of the page. */
  readonly hasTitle?: boolean
  /** The heading of a page whose own is part of what is loaded: shown until then, and above what failed. */
  readonly title?: string | undefined
  readonly children: (body: Body) => ReactNode
}

export function Loaded<Body>({ of, rows = 3, title, hasTitle = false, children }: Props<Body>) {
  const { data, error, refetch, isFetching } = of
  if (data !== undefined) return <>{children(data)}</>
  if (error !== null)
    return (
      <>
        {title !== undefined && <h1>{title}</h1>}
        <Failure error={error} again={() => void refetch()} isTrying={isFetching} />
      </>
    )
  return <Blocks rows={rows} title={title} hasTitle={hasTitle} />
}

/**
 * A part below others that are still coming and have no known length: it appears when they are there or have failed, and
 * does not move. (W18)
 */
export function After({
  of,
  rows = 0,
  children,
}: {
  readonly of: readonly { readonly data: unknown; readonly error: Error | null }[]
  /** How many rows there are until then. */
  readonly rows?: number
  readonly children: ReactNode
}) {
  if (of.every(({ data, error }) => data !== undefined || error !== null)) return <>{children}</>
  return rows > 0 && <Blocks rows={rows} />
}

interface BlocksProps {
  readonly rows: number
  /** Whether they begin with a block in place of the heading. */
  readonly hasTitle?: boolean
  /** The heading, where it is known. */
  readonly title?: string | undefined
}

export function Blocks({ rows, title, hasTitle = false }: BlocksProps) {
  return (
    <div className={styles.blocks} aria-busy="true">
      <span className="unseen">{words('state.loading')}</span>
      {title === undefined ? (
        hasTitle && <div className={styles.title} />
      ) : (
        <div className={`${styles.title} ${styles.named}`}>
          <h1>{title}</h1>
        </div>
      )}
      {Array.from({ length: rows }, (_, at) => at).map((at) => (
        <div key={at} className={styles.block} />
      ))}
    </div>
  )
}

/** A page whose own code is still on its way; it is shown late enough by itself. */
export function Pending({ title }: { readonly title?: string }) {
  return (
    <div className={`page ${styles.pending}`}>
      <Blocks rows={8} title={title} hasTitle />
    </div>
  )
}

export function Failure({
  error,
  again,
  isTrying = false,
}: {
  readonly error: Error
  readonly again: () => unknown
  readonly isTrying?: boolean
}) {
  return (
    <div className={`notice notice-alert ${styles.failure}`} role="alert">
      <Said error={error} />
      <button type="button" className="btn" onClick={() => again()} aria-disabled={isTrying}>
        {words('state.again')}
      </button>
    </div>
  )
}

/** Why something has failed, in the words of the answer. */
export function Said({ error }: { readonly error: Error }) {
  const count = useCount(error)
  const isAnswered = error instanceof ApiError
  return (
    // Another element for each error, so that the same message is said once more.
    <p key={count} className="push">
      <strong>{words(error instanceof Unreachable ? 'state.unreachable' : 'state.failed')}</strong>{' '}
      {isAnswered && <bdi>{error.message}</bdi>}
      {isAnswered && error.requestId !== null && (
        <span className="small muted"> {words('state.request', { id: error.requestId })}</span>
      )}
    </p>
  )
}

/** Counts the errors: two of them may have the same message. */
function useCount(error: Error): number {
  const [last, setLast] = useState({ error, count: 0 })
  if (last.error !== error) setLast({ error, count: last.count + 1 })
  return last.count
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className={`muted ${styles.empty}`}>{children}</p>
}

/** Keeps a part that fails from taking the page with it. */
export class Guarded extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Failure error={error} again={() => this.setState({ error: null })} />
  }
}
