import { useId, useState } from 'react'
import type { WebhookTestResult } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form } from '../../parts/form/form.tsx'
import { State } from '../../parts/state.tsx'
import styles from './manage.module.css'
import { deliveriesPath, webhookEvents } from './reads.ts'

/** Sends a sample of an event at once, and shows what each receiver answered. */

interface Props {
  readonly platform: string
  /** Whether there is an address to send to. */
  readonly isSet: boolean
}

type Results = Readonly<Record<'chat' | 'custom', WebhookTestResult | null>>

export function TryOut({ platform, isSet }: Props) {
  const id = useId()
  const [event, setEvent] = useState<(typeof webhookEvents)[number]>('visibility_requested')
  const [results, setResults] = useState<Results | null>(null)
  const test = useWrite('POST /tournament-platforms/{platform}/webhooks/test', (known, reply) => {
    setResults(reply)
    // A receiver that takes the sample gets at once what waited for it.
    known.renew(deliveriesPath(platform))
  })
  const submit = () => {
    setResults(null)
    return test.send({ params: { platform }, body: { event } })
  }
  return (
    <div className={styles.part}>
      <h3>{words('managing.test')}</h3>
      {isSet ? (
        <Form error={test.error} onSubmit={submit}>
          <div className={styles.fields}>
            <div className="field">
              <label htmlFor={id}>{words('managing.test-event')}</label>
              <select
                id={id}
                className="in"
                value={event}
                onChange={({ target }) => setEvent(target.value as typeof event)}
              >
                {webhookEvents.map((name) => (
                  <option key={name} value={name}>
                    {words(`managing.event-${name}`)}
                  </option>
                ))}
              </select>
            </div>
            <button type="submit" className="btn" aria-disabled={test.isSending}>
              {words('managing.test-send')}
            </button>
          </div>
          <p className="small muted">{words('managing.test-hint')}</p>
          <div role="status">
            {results !== null && (
              <ul className="lines">
                {(['chat', 'custom'] as const).map((channel) => {
                  const result = results[channel]
                  return result && <Result key={channel} channel={channel} of={result} />
                })}
              </ul>
            )}
          </div>
        </Form>
      ) : (
        <p className="muted">{words('managing.test-first')}</p>
      )}
    </div>
  )
}

function Result({ channel, of }: { readonly channel: keyof Results; readonly of: WebhookTestResult }) {
  const { ok, status, durationMs, error } = of
  return (
    <li className={styles.result}>
      <span>{words(`managing.channel-${channel}`)}</span>
      <State shape={ok ? 'done' : 'problem'} tone={ok ? 'run' : 'alert'}>
        {words(ok ? 'managing.test-taken' : 'managing.test-refused')}
      </State>
      <span className="muted">
        {status !== null && words('managing.answered', { status })} {words('managing.took', { ms: durationMs })}
      </span>
      {error !== null && <bdi>{error}</bdi>}
    </li>
  )
}
