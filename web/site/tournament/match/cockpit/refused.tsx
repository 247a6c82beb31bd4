import { useEffect, useRef } from 'react'
import { ApiError } from '../../../data/api.ts'
import { useReader } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { Meanwhile, useRows } from '../own/meanwhile.tsx'
import styles from './cockpit.module.css'
import type { Table } from './ops.ts'

/** Why something was not done, and what another referee or a player did before. The own entry stays where it is. (W10) */
export function Refused({ view, session, ops }: Table) {
  const { user } = useReader()
  // While it is sent again, what happened before stays as it was said.
  const held = useRef(ops)
  if (!ops.isSending) held.current = ops
  const { error, seen } = held.current
  const rows = useRows(view, session, error !== null ? seen : null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null) place.current?.focus()
  }, [error])
  if (error === null) return null
  const isAnswered = error instanceof ApiError
  const isMoved = isAnswered && error.code === 'flow.moved'
  return (
    <div ref={place} tabIndex={-1} className={`notice notice-alert ${styles.refused}`} role="alert">
      <div className="push">
        <p className="strong">{words(isMoved ? 'cockpit.moved' : isAnswered ? 'own.not-counted' : 'own.unsent')}</p>
        {isAnswered && !isMoved && (
          <p>
            <bdi>{error.message}</bdi>
          </p>
        )}
        <Meanwhile view={view} rows={rows ?? []} player={{ user: user?.guid ?? '', at: null, seat: null }} />
      </div>
      <button type="button" className="btn" onClick={ops.reset}>
        {words('own.seen')}
      </button>
    </div>
  )
}
