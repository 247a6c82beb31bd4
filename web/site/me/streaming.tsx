import { useState } from 'react'
import { address } from '../data/api.ts'
import type { EncoderSettings, StreamKey } from '../data/generated.ts'
import { useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Danger } from '../parts/danger.tsx'
import { TextField } from '../parts/form/fields.tsx'
import { Form } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Ago, Instant } from '../parts/time.tsx'
import styles from './streaming.module.css'
import { TestPicture } from './test-picture.tsx'

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
          <p role="status">
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
              <span className="muted">{words('streaming.off')}</span>
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

function Key({ of: { guid, label, key, lastFour, createdAt, lastUsedAt, expiresAt } }: { readonly of: StreamKey }) {
  const params = { streamKey: guid }
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
        <Danger
          label={words('streaming.rotate')}
          title={words('streaming.rotate-title', { name: label })}
          error={rotate.error}
          isSending={rotate.isSending}
          act={() => rotate.send({ params })}
        >
          <p>{words('streaming.rotate-what')}</p>
        </Danger>
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
          maxLength={50}
          isRequired
        />
        <button type="submit" className="btn" disabled={make.isSending}>
          {words('streaming.make')}
        </button>
      </div>
    </Form>
  )
}

function Encoders({
  keys,
  chosen,
  choose,
}: {
  readonly keys: readonly StreamKey[]
  readonly chosen: string | null
  readonly choose: (key: string) => void
}) {
  const read = useRead(chosen === null ? null : address('/users/@me/streamSettings', {}, { streamKey: chosen }))
  return (
    <Section title={words('streaming.encoder')} level={3}>
      {keys.length > 1 && (
        <label className="field">
          <span>{words('streaming.for-key')}</span>
          <select className="in" value={chosen ?? ''} onChange={({ target }) => choose(target.value)}>
            {keys.map(({ guid, label }) => (
              <option key={guid} value={guid}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      <Loaded of={read} rows={4}>
        {(settings) => {
          const { encoders, testAllowance } = settings
          return (
            <>
              {encoders.length === 0 && <Empty>{words('streaming.no-servers')}</Empty>}
              {encoders.map((each) => (
                <Encoder key={`${each.server.guid} ${each.protocol}`} of={each} />
              ))}
              {encoders.length > 0 && (
                <p className="muted">
                  {words('streaming.test', { minutes: Math.floor(testAllowance.secondsLeft / 60) })}
                </p>
              )}
              {encoders.length > 0 && <TestPicture of={settings} renew={() => read.refetch()} />}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Encoder({ of: { server, protocol, serverField, keyField, minimum } }: { readonly of: EncoderSettings }) {
  return (
    <dl className={styles.encoder}>
      <dt className="strong">
        <bdi>{server.name}</bdi>, {protocol.toUpperCase()}
      </dt>
      <dd className="muted">{words('streaming.minimum', minimum)}</dd>
      <dt>{words('streaming.server-field')}</dt>
      <dd>
        {/* The key is a part of the address of some protocols. */}
        {keyField === '' ? (
          <Secret name={words('streaming.server-field')} text={serverField} />
        ) : (
          <>
            <span className="code">{serverField}</span>{' '}
            <CopyButton text={serverField} label={words('streaming.copy-server')} isQuiet />
          </>
        )}
      </dd>
      <dt>{words('streaming.key-field')}</dt>
      <dd>
        {keyField === null || keyField === '' ? (
          <span className="muted">{words('streaming.stays-empty')}</span>
        ) : (
          <Secret name={words('streaming.key-field')} text={keyField} />
        )}
      </dd>
    </dl>
  )
}
