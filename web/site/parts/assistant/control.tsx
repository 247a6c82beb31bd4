import { useEffect, useRef, useState } from 'react'
import type { AssistantSession } from '../../../../client/generated.ts'
import { useReader } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../dialog.tsx'
import { TextValue } from '../form/fields.tsx'
import { Form } from '../form/form.tsx'
import { Failure } from '../loaded.tsx'
import { Instant } from '../time.tsx'
import styles from './assistant.module.css'
import { tellSession } from './sessions.ts'

/** Who gives the commands of a session. (AS5) */

/** Control ends by itself after 30 s. */
const renewMs = 10_000

/** Whether the reader gives the commands. */
export function useIsOwn(session: AssistantSession | undefined): boolean {
  const { user } = useReader()
  return session?.controller != null && session.controller.user.guid === user?.guid
}

export function Control({ session }: { readonly session: AssistantSession }) {
  const { match = '', status = 'connecting', controller = null } = session
  const tournament = useTournamentId()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const control = useWrite('POST /tournaments/{tournament}/matches/{match}/assistant/control', (known, changed) =>
    tellSession(known, tournament, changed),
  )
  const resync = useWrite('POST /tournaments/{tournament}/matches/{match}/assistant/resync')
  const params = { tournament, match }
  const isOwn = useIsOwn(session)
  const renew = useRef(() => {})
  renew.current = () => void control.send({ params, body: { action: 'renew' } })
  useEffect(() => {
    if (!isOwn) return
    const timer = setInterval(() => renew.current(), renewMs)
    return () => clearInterval(timer)
  }, [isOwn])
  const take = (body: { readonly action: 'take' | 'takeover'; readonly reason?: string }) =>
    control.send({ params, body })
  const failure = control.error ?? resync.error
  return (
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
              {words('assistant.since-then')} <Instant at={controller.since} as="time" />
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
              aria-disabled={control.isSending}
              onClick={() => void control.send({ params, body: { action: 'release' } })}
            >
              {words('assistant.release')}
            </button>
          ) : (
            <button
              type="button"
              className="btn"
              aria-disabled={control.isSending}
              onClick={() => (controller === null ? void take({ action: 'take' }) : setAsking(true))}
            >
              {words(controller === null ? 'assistant.take' : 'assistant.takeover')}
            </button>
          ))}
        {may('assistant.resync') && isOwn && (status === 'failed' || status === 'reconnecting') && (
          <button
            type="button"
            className="btn"
            aria-disabled={resync.isSending}
            onClick={() => void resync.send({ params })}
          >
            {words('assistant.resync')}
          </button>
        )}
      </div>
      {failure !== null && (
        <Failure
          error={failure}
          again={control.error === null ? resync.again : control.again}
          isTrying={control.isSending || resync.isSending}
        />
      )}
      {isAsking && controller !== null && (
        <Takeover
          name={controller.user.preferredName}
          close={() => setAsking(false)}
          error={control.error}
          take={(reason) => take({ action: 'takeover', reason })}
        />
      )}
    </div>
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
          <button type="submit" className="btn btn-primary" aria-disabled={reason.trim() === ''}>
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
