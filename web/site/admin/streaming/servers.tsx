import { useState } from 'react'
import { address } from '../../data/api.ts'
import type { StreamServer, StreamServerTest } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { Secret } from '../../parts/secret.tsx'
import { State } from '../../parts/state.tsx'
import { Ago, Instant } from '../../parts/time.tsx'
import type { ShownSecret } from './page.tsx'
import { ServerForm } from './server-form.tsx'
import { liveAddress } from './sessions.tsx'
import styles from './streaming.module.css'

/** A media server: whether it answers, what can be done to it, and its new secret. */

export function NewSecret({ of: { server, secret }, close }: { readonly of: ShownSecret; readonly close: () => void }) {
  return (
    <div className="notice notice-warning" role="alert">
      <p className="push">
        {words('admin-streaming.secret-once', { name: server })} <Secret name={server} text={secret} />
      </p>
      <button type="button" className="btn" onClick={close}>
        {words('admin-streaming.secret-kept')}
      </button>
    </div>
  )
}

interface Props {
  readonly server: StreamServer
}

export function ServerLine({ server, rotated }: Props & { readonly rotated: (secret: ShownSecret) => void }) {
  const { guid, name, kind, ingest, previousSecretUntil, lastSeenAt, networks } = server
  const [isOpen, setOpen] = useState(false)
  const [tested, setTested] = useState<StreamServerTest | null>(null)
  const test = useWrite('POST /admin/streamServers/{streamServer}/test', (known, reply) => {
    setTested(reply)
    known.renew('/admin/streamServers')
  })
  const send = () => void test.send({ params: { streamServer: guid } })
  return (
    <li className={styles.server}>
      <div>
        <p>
          <bdi className="strong">{name}</bdi>{' '}
          <span className="muted">{kind === 'generic' ? words('admin-streaming.generic') : kind}</span>
        </p>
        <Health of={server} />
        <p className="small muted">
          {ingest.map(({ url }) => (
            <span key={url} className={`code ${styles.url}`}>
              {url}
            </span>
          ))}
        </p>
        <p className="small muted">
          {lastSeenAt === null ? (
            words('admin-streaming.never-seen')
          ) : (
            <>
              {words('admin-streaming.seen')} <Ago at={lastSeenAt} />
            </>
          )}
          {', '}
          {networks.length === 0 ? words('admin-streaming.any-network') : networks.join(', ')}
        </p>
        {previousSecretUntil !== null && (
          <p className="small">
            {words('admin-streaming.both')} <Instant at={previousSecretUntil} />
          </p>
        )}
        <div role="status">{tested !== null && <Tested of={tested} />}</div>
        {test.error && <Failure error={test.error} again={send} isTrying={test.isSending} />}
      </div>
      <div className="btns">
        {server.control !== null && (
          <button type="button" className="btn" aria-disabled={test.isSending} onClick={send}>
            {words('admin-streaming.test')}
            <span className="unseen"> {name}</span>
          </button>
        )}
        <button type="button" className="btn" onClick={() => setOpen(true)}>
          {words('admin-awards.change')}
          <span className="unseen"> {name}</span>
        </button>
        <Rotation server={server} rotated={rotated} />
        <Deletion server={server} />
      </div>
      {isOpen && (
        <Dialog title={<bdi>{name}</bdi>} close={() => setOpen(false)}>
          <ServerForm server={server} done={() => setOpen(false)} />
        </Dialog>
      )}
    </li>
  )
}

function Health({ of: { enabled, control, controlError, controlFailingSince } }: { readonly of: StreamServer }) {
  if (!enabled)
    return (
      <State shape="off" tone="quiet">
        {words('admin-streaming.disabled')}
      </State>
    )
  if (controlFailingSince !== null || controlError !== null)
    return (
      <div>
        <State shape="problem" tone="alert">
          {words('admin-streaming.failing')}
        </State>{' '}
        {controlFailingSince !== null && <Instant at={controlFailingSince} />}
        {controlError !== null && (
          <p className="small">
            <bdi className="code">{controlError}</bdi>
          </p>
        )}
      </div>
    )
  return (
    <State shape={control === null ? 'ready' : 'done'}>
      {words(control === null ? 'admin-streaming.no-control' : 'admin-streaming.answers')}
    </State>
  )
}

function Tested({ of: { ok, streams, durationMs, error } }: { readonly of: StreamServerTest }) {
  if (!ok)
    return (
      <p>
        <State shape="problem" tone="alert">
          {words('admin-streaming.test-failed')}
        </State>{' '}
        <bdi className="code small">{error}</bdi>
      </p>
    )
  return (
    <State shape="done">{words('admin-streaming.test-ok', { count: streams ?? 0, ms: Math.round(durationMs) })}</State>
  )
}

/** How many streams of a server are live, as far as the list was read. */
function useLive({ guid }: StreamServer): number {
  const pages = usePages(liveAddress)
  return (
    pages.data?.pages.flatMap((page) => page.streamSessions).filter(({ server }) => server.guid === guid).length ?? 0
  )
}

const graces = [0, 600, 3_600, 86_400] as const

function Rotation({ server, rotated }: Props & { readonly rotated: (secret: ShownSecret) => void }) {
  const { guid, name } = server
  const [grace, setGrace] = useState(3_600)
  const live = useLive(server)
  const rotate = useWrite('POST /admin/streamServers/{streamServer}/secret', (known, { secret }) => {
    rotated({ server: name, secret })
    known.renew('/admin/streamServers')
  })
  return (
    <Danger
      label={words('admin-streaming.rotate')}
      of={name}
      title={words('admin-streaming.rotate-title', { name })}
      isPlain={grace > 0}
      {...(grace === 0 && { typed: name })}
      error={rotate.error}
      isSending={rotate.isSending}
      act={() => rotate.send({ params: { streamServer: guid }, body: { graceSeconds: grace } })}
    >
      <p>{words(grace > 0 ? 'admin-streaming.rotate-what' : 'admin-streaming.rotate-now')}</p>
      <p>{words('admin-streaming.live-there', { count: live })}</p>
      <label className="field">
        <span className="strong">{words('admin-streaming.grace')}</span>
        <select className="in" value={grace} onChange={({ target }) => setGrace(Number(target.value))}>
          {graces.map((each) => (
            <option key={each} value={each}>
              {words('admin-streaming.grace-of', { minutes: each / 60 })}
            </option>
          ))}
        </select>
      </label>
    </Danger>
  )
}

function Deletion({ server }: Props) {
  const { guid, name } = server
  const live = useLive(server)
  const remove = useWrite('DELETE /admin/streamServers/{streamServer}', (known) => {
    const at = address('/admin/streamServers', {})
    known.change(at, (servers) => servers.filter((each) => each.guid !== guid))
    known.renew('/admin/streamSessions')
  })
  return (
    <Danger
      label={words('admin-awards.remove')}
      of={name}
      title={words('admin-awards.remove-title', { name })}
      typed={name}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { streamServer: guid } })}
    >
      <p>{words('admin-streaming.delete-what')}</p>
      <p>{words('admin-streaming.live-there', { count: live })}</p>
    </Danger>
  )
}
