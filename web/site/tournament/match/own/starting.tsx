import { useState } from 'react'
import { words } from '../../../data/words.ts'
import { Instant } from '../../../parts/time.tsx'
import type { Deeds } from './deeds.ts'
import styles from './own.module.css'
import type { Player, Session } from './reader.ts'

/** Before the first step: a side says that it is there, and may give a text of its own for the draws. (match-flows: Draws) */
export function Starting({
  session,
  player: { seat },
  deeds,
  zone,
  onDone,
}: {
  readonly session: Session
  readonly player: Player
  readonly deeds: Deeds
  readonly zone: string | undefined
  readonly onDone: () => void
}) {
  const [nonce, setNonce] = useState('')
  const own = session.seats.find((each) => each.seat === seat)
  const { commitment, nonces } = session.draws
  if (seat === null || own === undefined) return null
  const given = nonces[seat - 1] ?? null
  return (
    <>
      {session.startsAt !== null && (
        <p className="muted">
          {words('own.starts')} <Instant at={session.startsAt} zone={zone} as="time" />
        </p>
      )}
      {own.present ? (
        <p>{words('own.is-present')}</p>
      ) : (
        <div className={styles.confirm}>
          <button
            type="button"
            className={`btn btn-primary ${styles.send}`}
            aria-disabled={deeds.isSending}
            onClick={() =>
              deeds.isSending || deeds.send({ kind: 'act', body: { action: 'present', seat } }, session, onDone)
            }
          >
            {words(deeds.isSending ? 'own.sending' : 'own.do-present')}
          </button>
        </div>
      )}
      {commitment !== null && (
        <details className={styles.draws}>
          <summary>{words('own.draws')}</summary>
          <p className="muted">{words('own.draws-text')}</p>
          <p className={`code ${styles.commitment}`}>{commitment}</p>
          {given === null ? (
            <form
              className={styles.nonce}
              onSubmit={(event) => {
                event.preventDefault()
                if (!deeds.isSending)
                  deeds.send({ kind: 'act', body: { action: 'nonce', seat, nonce } }, session, onDone)
              }}
            >
              <label className="field">
                <span>{words('own.nonce')}</span>
                <input
                  className="in"
                  value={nonce}
                  maxLength={64}
                  pattern="[^,]+"
                  title={words('own.nonce-hint')}
                  required
                  autoComplete="off"
                  onChange={({ target }) => setNonce(target.value)}
                />
              </label>
              <button type="submit" className="btn" aria-disabled={deeds.isSending}>
                {words('own.give-nonce')}
              </button>
            </form>
          ) : (
            <p>
              {words('own.nonce-given')} <bdi className="code">{given}</bdi>
            </p>
          )}
        </details>
      )}
    </>
  )
}
