import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { address } from '../../data/api.ts'
import type { StreamSession } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { StreamHealthOf } from '../../parts/stream-health.tsx'
import { Face } from '../../parts/team.tsx'
import { Ago, Instant } from '../../parts/time.tsx'
import styles from './streaming.module.css'

/** What is streamed now, tests among it, and what has ended. */

const route = getRouteApi('/admin/streaming')
const addressOf = (live: boolean) => address('/admin/streamSessions', {}, { limit: 50, live })
export const liveAddress = addressOf(true)

/** Servers are asked every 15 seconds, too. */
const everyMs = 15_000

export function Sessions() {
  const isEnded = route.useSearch().sessions === 'ended'
  const pages = usePages(addressOf(!isEnded))
  const found = pages.data?.pages.flatMap(({ streamSessions }) => streamSessions)
  const look = useEffectEvent(() => {
    if (!document.hidden) void pages.refetch()
  })
  useEffect(() => {
    const timer = setInterval(() => look(), everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Section
      title={words('admin-streaming.sessions')}
      beside={
        <div className="choices">
          {(['live', 'ended'] as const).map((each) => (
            <Link
              key={each}
              to="/admin/streaming"
              search={each === 'ended' ? { sessions: each } : {}}
              className="btn"
              aria-current={(each === 'ended') === isEnded ? 'true' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
              resetScroll={false}
            >
              {words(`admin-streaming.${each}`)}
            </Link>
          ))}
        </div>
      }
    >
      <Loaded of={{ ...pages, data: found }} rows={3}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty>{words(isEnded ? 'admin-streaming.ended-none' : 'admin-streaming.live-none')}</Empty>
          ) : (
            <>
              <ul className="lines">
                {sessions.map((session) => (
                  <Line key={session.guid} session={session} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function Line({ session }: { readonly session: StreamSession }) {
  const { user, server, protocol, test, startedAt, endedAt, endReason, cut, health } = session
  const name = user.preferredName ?? user.username
  return (
    <li className={styles.session}>
      <Face name={name} picture={user.avatarUrl} />
      <div>
        <p>
          <a href={`/u/${user.guid}`} className="plain strong">
            <bdi>{name}</bdi>
          </a>{' '}
          <span className="muted">
            <bdi>{server.name}</bdi>, {protocol}
            {test && `, ${words('admin-streaming.is-test')}`}
          </span>
        </p>
        {endedAt === null ? (
          <p>
            <State shape="running" tone="run">
              {words('admin-streaming.live')}
            </State>{' '}
            {words('streaming.since')} <Ago at={startedAt} />
            {cut !== null && <span className="muted"> {words(`admin-streaming.cut-${cut}`)}</span>}
          </p>
        ) : (
          <p className="muted">
            <Instant at={startedAt} /> – <Instant at={endedAt} />
            {endReason !== null && `: ${words(`admin-streaming.end-${endReason}`)}`}
          </p>
        )}
        {health !== null && endedAt === null && <StreamHealthOf of={health} />}
      </div>
      {endedAt === null && <Cut session={session} name={name} />}
    </li>
  )
}

function Cut({ session: { guid, health, test }, name }: { readonly session: StreamSession; readonly name: string }) {
  const [reason, setReason] = useState('')
  const cut = useWrite('POST /admin/streamSessions/{streamSession}/cut', (known) =>
    known.renew('/admin/streamSessions'),
  )
  return (
    <Danger
      label={words('admin-streaming.cut')}
      of={name}
      title={words('admin-streaming.cut-title', { name })}
      isReady={reason.trim() !== ''}
      error={cut.error}
      isSending={cut.isSending}
      act={() => cut.send({ params: { streamSession: guid }, body: { reason: reason.trim() } })}
    >
      <p>{words('admin-streaming.cut-what', { count: test ? 0 : (health?.readers ?? 0) })}</p>
      <TextValue
        name="reason"
        label={words('admin-awards.exclude-why')}
        value={reason}
        change={setReason}
        maxLength={500}
        isRequired
      />
    </Danger>
  )
}
