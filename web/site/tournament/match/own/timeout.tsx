import { useState } from 'react'
import { words } from '../../../data/words.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import type { Deeds } from './deeds.ts'
import type { Session } from './reader.ts'

/** A side may stop the clock for a while, as often as the rules say. */
export function Timeout({
  session,
  seat,
  deeds,
  onDone,
}: {
  readonly session: Session
  readonly seat: number
  readonly deeds: Deeds
  readonly onDone: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  const left = session.seats.find((each) => each.seat === seat)?.timeoutsLeft ?? 0
  const seconds = session.flow?.rules.timeouts.seconds ?? 0
  if (session.phase === 'starting' || session.clock?.dueAt == null || left === 0) return null
  const close = () => setAsking(false)
  return (
    <>
      <button
        type="button"
        className="btn"
        aria-disabled={deeds.isSending}
        onClick={() => deeds.isSending || setAsking(true)}
      >
        {words('own.timeout', { left })}
      </button>
      {isAsking && (
        <Dialog title={words('own.timeout-title')} close={close}>
          <p>{words('own.timeout-text', { seconds, left })}</p>
          <div className="btns">
            <button
              type="button"
              className="btn btn-primary"
              onClick={() => {
                close()
                deeds.send({ kind: 'timeout', body: { seat } }, session, onDone)
              }}
            >
              {words('own.timeout-do')}
            </button>
            <button type="button" className="btn" onClick={close}>
              {words('danger.cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
