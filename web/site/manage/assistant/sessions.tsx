import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Control } from '../../parts/assistant/control.tsx'
import { sessionsAddress } from '../../parts/assistant/sessions.ts'
import { SessionState } from '../../parts/assistant/state.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import styles from './assistant.module.css'
import { MatchName } from './matches.tsx'

/** The matches that are played by the assistant now: the state of each, and who has control. (AS5) */
export function Sessions() {
  const tournament = useTournamentId()
  const sessions = useRead(sessionsAddress(tournament), { live: true })
  return (
    <Loaded of={sessions}>
      {({ sessions: all }) =>
        all.length === 0 ? (
          <Empty>{words('assistant.no-sessions')}</Empty>
        ) : (
          <ul className="lines">
            {all.map((session) => (
              <li key={session.guid} className={styles.session}>
                <div>
                  <p className="strong">
                    <MatchName guid={session.match ?? ''} />
                  </p>
                  <SessionState session={session} />
                </div>
                <Control session={session} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
