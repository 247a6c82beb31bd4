import { useEffect, useRef, useState } from 'react'
import type { AssistantSession } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { warningText } from '../../parts/proposals/warnings.ts'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './assistant.module.css'
import { MatchName } from './matches.tsx'

/** The matches that are played by the assistant now: the state of each, and who has control. (AS5) */

export const sessionsAddress = (tournament: string) =>
  address('/tournaments/{tournament}/assistant/sessions', { tournament })

export function Sessions() {
  const tournament = useTournamentId()
  const sessions = useRead(sessionsAddress(tournament), { live: true })
  return (
    <Loaded of={sessions}>
      {({ sessions: all }) =>
        all.length === 0 ? (
          <Empty>{words('assistant.no-sessions')}</Empty>
        ) : (
          <ul className="lines">
            {all.map((session) => (
              <Session key={session.guid} session={session} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const shapes = {
  connecting: ['waiting', 'quiet'],
  connected: ['running', 'run'],
  reconnecting: ['problem', 'warning'],
  failed: ['problem', 'alert'],
  closed: ['off', 'quiet'],
} as const

/** Control ends by itself after 30 s. */
const renewMs = 10_000

function Session({ session }: { readonly session: AssistantSession }) {
  const {
    match = '',
    status = 'connecting',
    phase,
    controller = null,
    players = [],
    warnings = [],
    lastError = null,
    map,
  } = session
  const tournament = useTournamentId()
  const { user } = useReader()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const control = useWrite('POST /tournaments/{tournament}/matches/{match}/assistant/control', (known, changed) =>
    known.change(sessionsAddress(tournament), ({ sessions }) => ({
      sessions: sessions.map((each) => (each.guid === changed.guid ? changed : each)),
    })),
  )
  const resync = useWrite('POST /tournaments/{tournament}/matches/{match}/assistant/resync')
  const params = { tournament, match }
  const isOwn = controller !== null && controller.user.guid === user?.guid
  const renew = useRef(() => {})
  renew.current = () => void control.send({ params, body: { action: 'renew' } })
  const wasTaken = useRef(false)
  useEffect(() => {
    // Control that was taken elsewhere is renewed there.
    if (!isOwn || !wasTaken.current) return
    const timer = setInterval(() => renew.current(), renewMs)
    return () => clearInterval(timer)
  }, [isOwn])
  const take = (body: { readonly action: 'take' | 'takeover'; readonly reason?: string }) => {
    wasTaken.current = true
    return control.send({ params, body })
  }
  const missing = players.filter(({ connected }) => !connected)
  const [shape, tone] = shapes[status]
  const failure = control.error ?? resync.error
  return (
    <li className={styles.session}>
      <div>
        <p className="strong">
          <MatchName guid={match} />
        </p>
        <p className={styles.status}>
          <State shape={shape} tone={tone}>
            {words(`assistant.status-${status}`)}
          </State>
          <span>{words(`assistant.phase-${phase}`)}</span>
          {map !== null && <bdi className="muted">{map.name}</bdi>}
        </p>
        {missing.length > 0 && (
          <p className="muted">
            {words('assistant.not-there', {
              names: missing.map((player) => player.user?.preferredName ?? '').join(', '),
            })}
          </p>
        )}
        {lastError !== null && (
          <p className={styles.error}>
            <bdi>{lastError.message}</bdi> <Instant at={lastError.at} />
          </p>
        )}
        {warnings.length > 0 && (
          <ul className={styles.warnings}>
            {warnings.map(({ guid, code, user: about }) => (
              <li key={guid}>
                {warningText(code)}{' '}
                {about !== null && (
                  <bdi>{players.find((player) => player.user?.guid === about)?.user?.preferredName}</bdi>
                )}
              </li>
            ))}
          </ul>
        )}
        {failure !== null && (
          <Failure
            error={failure}
            again={() => {
              control.reset()
              resync.reset()
            }}
          />
        )}
      </div>
      <div className={styles.control}>
        <p>
          {controller === null ? (
            <span className="muted">{words('assistant.nobody-controls')}</span>
          ) : (
            <>
              {isOwn
                ? words('assistant.you-control')
                : words('assistant.controls', { name: controller.user.preferredName })}{' '}
              <span className="muted">
                {words('assistant.since-then')} <Instant at={controller.since} />
              </span>
            </>
          )}
        </p>
        <div className="btns">
          {may('assistant.control') &&
            (isOwn ? (
              <button
                type="button"
                className="btn"
                disabled={control.isSending}
                onClick={() => void control.send({ params, body: { action: 'release' } })}
              >
                {words('assistant.release')}
              </button>
            ) : (
              <button
                type="button"
                className="btn"
                disabled={control.isSending}
                onClick={() => (controller === null ? void take({ action: 'take' }) : setAsking(true))}
              >
                {words(controller === null ? 'assistant.take' : 'assistant.takeover')}
              </button>
            ))}
          {may('assistant.resync') && isOwn && (status === 'failed' || status === 'reconnecting') && (
            <button
              type="button"
              className="btn"
              disabled={resync.isSending}
              onClick={() => void resync.send({ params })}
            >
              {words('assistant.resync')}
            </button>
          )}
        </div>
      </div>
      {isAsking && controller !== null && (
        <Takeover
          name={controller.user.preferredName}
          close={() => setAsking(false)}
          error={control.error}
          take={(reason) => take({ action: 'takeover', reason })}
        />
      )}
    </li>
  )
}

interface TakeoverProps {
  readonly name: string
  readonly close: () => void
  readonly error: Error | null
  readonly take: (reason: string) => Promise<boolean>
}

/** Takes control from somebody: they are told, with the reason. */
function Takeover({ name, close, error, take }: TakeoverProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog title={words('assistant.takeover-title', { name })} close={close}>
      <Form error={error} onSubmit={async () => (await take(reason.trim())) && close()}>
        <p>{words('assistant.takeover-text')}</p>
        <TextValue
          name="reason"
          label={words('assistant.reason')}
          isRequired
          maxLength={200}
          value={reason}
          change={setReason}
        />
        <div className="btns">
          <button type="submit" className="btn btn-primary" disabled={reason.trim() === ''}>
            {words('assistant.takeover')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
