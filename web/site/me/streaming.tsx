import { useState } from 'react'
import { address } from '../data/api.ts'
import type { StreamKey } from '../data/generated.ts'
import { useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'
import { TextField } from '../parts/form/fields.tsx'
import { Form } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Ago, Instant } from '../parts/time.tsx'
import { Encoders } from './encoders.tsx'
import styles from './streaming.module.css'

/** How the reader streams to a tournament: keys, what to put into the encoder, and whether it arrives. */

const keysAddress = address('/users/@me/streamKeys', {})

export function Streaming() {
  const { user } = useReader()
  const keys = useRead(keysAddress)
  const live = useRead(user ? address('/users/{user}/stream', { user: user.guid }) : null, { live: true })
  const [chosen, choose] = useState<string | null>(null)
  return (
    <div className="page stack">
      <div className="title">
        <div>
          <h1>{words('me.streaming')}</h1>
          <p role="status" className={styles.live}>
            {live.data?.live === true ? (
              <>
                <State shape="running" tone="run">
                  {words('streaming.live')}
                </State>{' '}
                {live.data.since !== null && (
                  <>
                    {words('streaming.since')} <Ago at={live.data.since} />
                  </>
                )}
              </>
            ) : (
              live.data !== undefined && <span className="muted">{words('streaming.not-live')}</span>
            )}
          </p>
        </div>
      </div>
      <Section title={words('streaming.keys')}>
        <Loaded of={keys} rows={2}>
          {(all) => (
            <>
              {all.length === 0 && <Empty>{words('streaming.no-keys')}</Empty>}
              <ul className="lines">
                {all.map((key) => (
                  <Key key={key.guid} of={key} />
                ))}
              </ul>
              <NewKey />
              {all.length > 0 && <Encoders keys={all} chosen={chosen ?? all.at(-1)?.guid ?? null} choose={choose} />}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  )
}

/** For how long a key may go on after it was replaced. */
const graceSeconds = 600

function Key({ of: { guid, label, key, lastFour, createdAt, lastUsedAt, expiresAt } }: { readonly of: StreamKey }) {
  const params = { streamKey: guid }
  const [isGentle, setGentle] = useState(false)
  const rotate = useWrite('POST /users/@me/streamKeys/{streamKey}/rotate', (known) => known.renew('/users/@me/stream'))
  const revoke = useWrite('DELETE /users/@me/streamKeys/{streamKey}', (known) => {
    known.change(keysAddress, (all) => all.filter((each) => each.guid !== guid))
    known.renew('/users/@me/stream')
  })
  return (
    <li className={styles.key}>
      <div>
        <p className="strong">
          <bdi>{label}</bdi>
        </p>
        <p>{key === null ? <span className="code">…{lastFour}</span> : <Secret name={label} text={key} />}</p>
        <p className="small muted">
          {words('streaming.made')} <Instant at={createdAt} as="day" />
          {lastUsedAt !== null && (
            <>
              , {words('streaming.used')} <Ago at={lastUsedAt} />
            </>
          )}
          {expiresAt !== null && (
            <>
              , {words('streaming.expires')} <Instant at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <div className="btns">
        {/* A key that ends has been replaced. */}
        {expiresAt === null && (
          <Danger
            label={words('streaming.rotate')}
            title={words('streaming.rotate-title', { name: label })}
            error={rotate.error}
            isSending={rotate.isSending}
            act={() => rotate.send({ params, ...(isGentle && { body: { graceSeconds } }) })}
          >
            <p>{words(isGentle ? 'streaming.rotate-gently' : 'streaming.rotate-what')}</p>
            <label className="choice">
              <input type="checkbox" checked={isGentle} onChange={({ target }) => setGentle(target.checked)} />
              {words('streaming.grace', { minutes: graceSeconds / 60 })}
            </label>
          </Danger>
        )}
        <Danger
          label={words('streaming.revoke')}
          title={words('streaming.revoke-title', { name: label })}
          error={revoke.error}
          isSending={revoke.isSending}
          act={() => revoke.send({ params })}
        >
          <p>{words('streaming.revoke-what')}</p>
        </Danger>
      </div>
    </li>
  )
}

function NewKey() {
  const form = useForm({ key: 'stream-key', saved: { label: '' } })
  const make = useWrite('POST /users/@me/streamKeys', (known, made) => {
    known.change(keysAddress, (all) => [...all, made])
    known.renew('/users/@me/stream')
    form.take()
  })
  return (
    <Form error={make.error} onSubmit={() => make.send({ params: {}, body: { label: form.values.label } })}>
      <div className={styles.new}>
        <TextField
          form={form}
          name="label"
          label={words('streaming.label')}
          hint={words('streaming.label-hint')}
          maxLength={40}
          isRequired
        />
        <button type="submit" className="btn" aria-disabled={make.isSending}>
          {words('streaming.make')}
        </button>
      </div>
    </Form>
  )
}
