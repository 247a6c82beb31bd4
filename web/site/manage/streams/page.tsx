import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Blocks, Loaded } from '../../parts/loaded.tsx'
import { Rest } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { Ago } from '../../parts/time.tsx'
import { Assignments } from './assignments.tsx'
import { Channels } from './channels.tsx'
import { LiveStreams } from './live-streams.tsx'
import { problemsOf } from './problems.ts'
import { useAssignments, useHealth, useOpenMatches, useServers, useSessions, useStreams } from './reads.ts'
import styles from './streams.module.css'

/** Who streams, how well, on which channel, and who is to stream next; what is wrong comes first. */
export function ManageStreams() {
  const sessions = useSessions()
  const streams = useStreams()
  const assignments = useAssignments()
  const matches = useOpenMatches()
  const servers = useServers()
  const health = useHealth()
  const open = sessions.data?.streamSessions ?? []
  const live = open.filter(({ endedAt }) => endedAt === null)
  const problems = problemsOf({
    servers: servers.data?.watch ?? [],
    assignments: assignments.data ?? [],
    sessions: open,
    health,
    matches: matches.data ?? [],
  })
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('manage.streams')}</h1>
          <p>
            {words('streams.summary', {
              live: live.filter(({ test }) => !test).length,
              tests: live.filter(({ test }) => test).length,
            })}
          </p>
        </div>
      </div>
      <Rest of={assignments.rest} />
      <Rest of={matches.rest} />
      {matches.data !== undefined && assignments.data !== undefined && sessions.data !== undefined && (
        <Section title={words('streams.problems', { count: problems.length })}>
          {problems.length === 0 ? (
            <p className={styles.fine}>
              <StateIcon name="done" /> {words('streams.no-problem')}
            </p>
          ) : (
            <ul className="lines">
              {problems.map(({ key, text, detail, since, tone }) => (
                <li key={key} className={`${styles.problem} ${styles[tone]}`}>
                  <StateIcon name="problem" />
                  <p>
                    <bdi className="strong">{text}</bdi> <bdi className="muted">{detail}</bdi>
                  </p>
                  <p className="muted small">
                    {since !== null && (
                      <>
                        {words('streams.since')} <Ago at={since} />
                      </>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
      <div className={styles.columns}>
        <Loaded of={sessions} rows={4}>
          {() => (
            <LiveStreams
              sessions={live}
              streams={streams.data?.streams ?? []}
              assignments={assignments.data ?? []}
              health={health}
            />
          )}
        </Loaded>
        <Channels matches={matches.data ?? []} />
      </div>
      {matches.data === undefined && matches.error === null ? (
        <Blocks rows={6} />
      ) : (
        <Loaded of={matches} rows={6}>
          {(all) => (
            <Loaded of={assignments} rows={6}>
              {(assigned) => <Assignments matches={all} assignments={assigned} live={live} />}
            </Loaded>
          )}
        </Loaded>
      )}
    </div>
  )
}
