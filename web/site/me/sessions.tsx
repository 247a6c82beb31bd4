import { address } from '../data/api.ts'
import type { SignIn } from '../data/generated.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { type Known, useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'
import { After, Empty, Failure, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Ago, Instant } from '../parts/time.tsx'
import { scopeWords } from './application-form.tsx'
import styles from './sessions.module.css'

/** Where the reader is signed in, what follows for them, and which applications act for them. */

const renewed = (known: Known) => {
  known.renew('/users/@me/sessions')
  known.renew('/realtime/connections')
}

const connectionsAddress = address('/realtime/connections', {})

export function Sessions() {
  useRead(connectionsAddress)
  const pages = usePages(address('/users/@me/sessions', {}, { limit: 50 }))
  const all = pages.data?.pages.flatMap(({ sessions }) => sessions)
  const applications = pages.data?.pages[0]?.applications ?? []
  return (
    <div className="page stack">
      <h1>{words('me.sessions')}</h1>
      <Loaded of={{ data: all, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }} rows={6}>
        {(sessions) => (
          <>
            <Section
              title={words('sessions.title')}
              beside={sessions.some(({ current }) => !current) && <EndOthers sessions={sessions} />}
            >
              <ul className="lines">
                {sessions.map((session) => (
                  <li key={session.guid} className={styles.line}>
                    <div>
                      <p className="strong">{deviceOf(session)}</p>
                      <p className="small muted">
                        {words('sessions.since')} <Instant at={session.createdAt} />, {words('sessions.seen')}{' '}
                        <Ago at={session.lastSeenAt} />
                      </p>
                    </div>
                    {session.current ? (
                      <State shape="ready">{words('sessions.this')}</State>
                    ) : (
                      <End guid={session.guid} name={deviceOf(session)} />
                    )}
                  </li>
                ))}
              </ul>
              <More of={pages} />
            </Section>
            <Section title={words('sessions.applications')}>
              {applications.length === 0 && <Empty>{words('sessions.no-applications')}</Empty>}
              <ul className="lines">
                {applications.map(({ clientId, name, scopes, grantedAt }) => (
                  <li key={clientId} className={styles.line}>
                    <div>
                      <p className="strong">
                        <bdi>{name}</bdi>
                      </p>
                      <ul className="small muted">
                        {scopes.map((scope) => (
                          <li key={scope}>{scopeWords(scope)}</li>
                        ))}
                      </ul>
                      <p className="small muted">
                        {words('sessions.granted')} <Instant at={grantedAt} />
                      </p>
                    </div>
                    <End guid={clientId} name={name} />
                  </li>
                ))}
              </ul>
            </Section>
          </>
        )}
      </Loaded>
      <After of={[{ data: all, error: pages.error }]}>
        <Connections />
      </After>
    </div>
  )
}

/** What a browser called itself, as its name and system. */
function deviceOf({ kind, userAgent }: SignIn): string {
  if (kind === 'client' || userAgent === null) return words('sessions.program')
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? userAgent.slice(0, 60)
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1]
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
  return [names[browser] ?? browser, system].filter((part) => part !== undefined).join(', ')
}

function End({ guid, name }: { readonly guid: string; readonly name: string }) {
  const end = useWrite('DELETE /users/@me/sessions/{session}', renewed)
  const send = () => void end.send({ params: { session: guid } })
  return (
    <>
      <button type="button" className="btn" aria-disabled={end.isSending} onClick={send}>
        {words('sessions.end')}
        <span className="unseen"> {name}</span>
      </button>
      {end.error && (
        <div className={styles.failed}>
          <Failure error={end.error} again={send} isTrying={end.isSending} />
        </div>
      )}
    </>
  )
}

function EndOthers({ sessions }: { readonly sessions: readonly SignIn[] }) {
  const end = useWrite('DELETE /users/@me/sessions/{session}', renewed)
  const others = sessions.filter(({ current }) => !current)
  const act = async () => {
    for (const { guid } of others) if (!(await end.send({ params: { session: guid } }))) return false
    return true
  }
  return (
    <Danger
      label={words('sessions.end-others')}
      title={words('sessions.end-others-title')}
      error={end.error}
      isSending={end.isSending}
      act={act}
    >
      <p>{words('sessions.end-others-text', { count: others.length })}</p>
    </Danger>
  )
}

function Connections() {
  const read = useRead(connectionsAddress)
  const close = useWrite('DELETE /realtime/connections/{connection}', renewed)
  return (
    <Section title={words('sessions.connections')}>
      {close.error && <Failure error={close.error} again={close.again} isTrying={close.isSending} />}
      <Loaded of={read} rows={2}>
        {(connections) =>
          connections.length === 0 ? (
            <Empty>{words('sessions.no-connections')}</Empty>
          ) : (
            <ul className="lines">
              {connections.map(({ guid, application, connectedAt, address: from, subscriptions }) => (
                <li key={guid} className={styles.line}>
                  <div>
                    <p>
                      {words(application === null ? 'sessions.website' : 'sessions.application')}{' '}
                      <span className="muted">{words('sessions.follows', { count: subscriptions })}</span>
                    </p>
                    <p className="small muted">
                      <span className="code">{from}</span>, {words('sessions.since')} <Instant at={connectedAt} />
                    </p>
                  </div>
                  <button
                    type="button"
                    className="btn btn-quiet"
                    aria-disabled={close.isSending}
                    onClick={() => void close.send({ params: { connection: guid } })}
                  >
                    {words('sessions.close')}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
