import { useState } from 'react'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Field, Form } from '../../parts/form/form.tsx'
import { InstantInput } from '../../parts/form/instant.tsx'
import { Instant, ownZone } from '../../parts/time.tsx'
import styles from './manage.module.css'
import { deliveriesPath } from './reads.ts'

/** Sends everything from an instant on again; how much that is, is counted first. (W19) */

interface Counted {
  readonly since: string
  readonly replayed: number
  readonly nextSince: string | null
}

export function ReplaySince({ platform }: { readonly platform: string }) {
  const [since, setSince] = useState<string | null>(null)
  const [counted, setCounted] = useState<Counted | null>(null)
  const [sent, setSent] = useState<Counted | null>(null)
  const at = 'POST /tournament-platforms/{platform}/deliveries/replay' as const
  const count = useWrite(at, (_known, reply, { query }) => setCounted({ ...reply, since: query?.since ?? '' }))
  const replay = useWrite(at, (known, reply, { query }) => {
    setSent({ ...reply, since: query?.since ?? '' })
    setCounted(null)
    if (reply.nextSince !== null) setSince(reply.nextSince)
    known.renew(deliveriesPath(platform))
  })
  const params = { platform }
  const submit = () => {
    setSent(null)
    if (since !== null) void count.send({ params, query: { since, dryRun: true } })
  }
  const isCounted = counted !== null && counted.since === since
  return (
    <div className={styles.part}>
      <h3>{words('managing.replay-since')}</h3>
      <p className="muted">{words('managing.since-hint')}</p>
      <Form error={count.error} onSubmit={submit}>
        <div className={styles.fields}>
          <Field name="since" label={words('managing.since-when')}>
            {(of) => <InstantInput of={of} zone={ownZone} isRequired value={since} set={setSince} />}
          </Field>
          <button type="submit" className="btn" aria-disabled={count.isSending}>
            {words('managing.count')}
          </button>
        </div>
      </Form>
      <div role="status" className="btns">
        {isCounted && counted.replayed === 0 && <p className="muted">{words('managing.nothing-since')}</p>}
        {isCounted && counted.replayed > 0 && (
          <>
            <p>{words('managing.counted', { count: counted.replayed })}</p>
            <Danger
              label={words('managing.replay-all')}
              title={words('managing.replay-title', { count: counted.replayed })}
              error={replay.error}
              isSending={replay.isSending}
              act={() => replay.send({ params, query: { since: counted.since } })}
            >
              <p>
                {words('managing.replay-what', { count: counted.replayed })} <Instant at={counted.since} />.
              </p>
              {counted.nextSince !== null && (
                <p>
                  {words('managing.replay-rest')} <Instant at={counted.nextSince} />.
                </p>
              )}
              <p className="muted">{words('managing.replay-final')}</p>
            </Danger>
          </>
        )}
        {sent !== null && (
          <p>
            {words('managing.replayed', { count: sent.replayed })}{' '}
            {sent.nextSince !== null && words('managing.replay-more')}
          </p>
        )}
      </div>
    </div>
  )
}
