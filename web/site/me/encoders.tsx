import { address } from '../data/api.ts'
import type { EncoderSettings, StreamKey } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section } from '../parts/section.tsx'
import { Servers } from './servers.tsx'
import styles from './streaming.module.css'
import { TestPicture } from './test-picture.tsx'

/** What to put into an encoder for each media server, and what arrives there. */

export function Encoders({
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
        <label className={`field ${styles.choice}`}>
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
          const { encoders } = settings
          return (
            <>
              {encoders.length === 0 && <Empty>{words('streaming.no-servers')}</Empty>}
              {encoders.map((each) => (
                <Encoder key={`${each.server.guid} ${each.protocol}`} of={each} />
              ))}
              <Servers of={settings} renew={read.refetch} />
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
