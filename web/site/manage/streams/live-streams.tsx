import { lazy, Suspense, useState } from 'react'
import type { StreamAssignment, TournamentStream } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { StreamSession } from '../../data/generated.ts'
import { readNow } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Blocks, Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Face } from '../../parts/team.tsx'
import { Ago } from '../../parts/time.tsx'
import { healthWords, isWeak } from './problems.ts'
import type { Health } from './reads.ts'
import styles from './streams.module.css'

/** Who is live, tests among them: how well it comes in, a look at it, and the end of it. */

const LivePicture = lazy(() => import('../../parts/player.tsx').then((parts) => ({ default: parts.LivePicture })))

type Play = TournamentStream['play']

interface Props {
  readonly sessions: readonly StreamSession[]
  readonly streams: readonly TournamentStream[]
  readonly assignments: readonly StreamAssignment[]
  readonly health: ReadonlyMap<string, Health>
}

export function LiveStreams({ sessions, streams, assignments, health }: Props) {
  const [watched, watch] = useState<{ readonly user: string; readonly play: Play; readonly name: string } | null>(null)
  const playOf = ({ user, test }: StreamSession) => {
    const stream = streams.find((each) => each.user.guid === user.guid)
    return (test ? stream?.test?.play : stream?.play) ?? null
  }
  const open = async (session: StreamSession, play: Play) => {
    const { guid, preferredName } = session.user
    // A test is shown to those with a token alone. (S5)
    const token = session.test ? (await readNow(address('/users/@me/streamSettings', {}))).viewToken : null
    watch({ user: guid, name: preferredName, play: token === null ? play : withToken(play, token) })
  }
  return (
    <Section title={words('streams.live')}>
      {sessions.length === 0 && <Empty>{words('streams.nobody-live')}</Empty>}
      {watched !== null && (
        <Suspense fallback={<Blocks rows={4} />}>
          <LivePicture
            key={watched.user}
            play={watched.play}
            name={watched.name}
            onEnd={() => watch(null)}
            beside={() => null}
          />
        </Suspense>
      )}
      <ul className="lines">
        {sessions.map((session) => {
          const { guid, user, server, test, startedAt } = session
          const now = health.get(guid) ?? session.health
          const assignment = assignments.find((each) => each.guid === session.assignment)
          const play = playOf(session)
          return (
            <li key={guid} className={styles.stream}>
              <Face name={user.preferredName} picture={user.avatarUrl} />
              <div>
                <p>
                  <bdi className="strong">{user.preferredName}</bdi>{' '}
                  <State shape={test ? 'ready' : 'running'} tone={test ? 'quiet' : 'run'}>
                    {words(test ? 'streams.test' : 'play.on-air')}
                  </State>
                </p>
                <p className="small muted">
                  {assignment !== undefined && (
                    <>
                      {words(`play.role-${assignment.role}`)}
                      {assignment.match !== null && `, ${words('schedule.match', { number: assignment.match.number })}`}
                      {', '}
                    </>
                  )}
                  <bdi>{server.name}</bdi>, <Ago at={startedAt} />
                </p>
                <p className={now !== null && isWeak(now) ? styles.warning : 'small muted'}>
                  {now === null ? words('streams.no-health') : healthWords(now)}
                </p>
              </div>
              <div className="btns">
                {play !== null && Object.values(play).some((each) => each !== null) && (
                  <button type="button" className="btn" onClick={() => void open(session, play)}>
                    {words('streams.watch')}
                    <span className="unseen"> {user.preferredName}</span>
                  </button>
                )}
                <Cut session={session} />
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function withToken(play: Play, token: string): Play {
  const seen = (at: string | null) => {
    if (at === null) return null
    const url = new URL(at)
    url.searchParams.set('view', token)
    return url.href
  }
  return { whep: seen(play.whep), llhls: seen(play.llhls), hls: seen(play.hls) }
}

function Cut({ session: { guid, user, server, cut } }: { readonly session: StreamSession }) {
  const tournament = useTournamentId()
  const may = useMay()
  const [reason, setReason] = useState('')
  const write = useWrite('POST /tournaments/{tournament}/streamSessions/{streamSession}/cut', (known) =>
    known.renew(`/tournaments/${tournament}/stream`),
  )
  if (!may('streamSessions.cut')) return null
  if (cut === 'requested') return <span className="muted">{words('streams.cut-asked')}</span>
  const name = user.preferredName
  return (
    <Danger
      label={words('streams.cut')}
      title={words('streams.cut-title', { name })}
      isReady={reason.trim() !== ''}
      error={write.error}
      isSending={write.isSending}
      act={() => write.send({ params: { tournament, streamSession: guid }, body: { reason } })}
    >
      <p>{words('streams.cut-what', { name, server: server.name })}</p>
      <label className="field">
        <span className="strong">{words('streams.cut-reason')}</span>
        <input
          className="in"
          value={reason}
          maxLength={300}
          dir="auto"
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
    </Danger>
  )
}
