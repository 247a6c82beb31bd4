import type { AssistantSession } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { warningText } from '../proposals/warnings.ts'
import { State } from '../state.tsx'
import { Instant } from '../time.tsx'
import styles from './assistant.module.css'

const shapes = {
  connecting: ['waiting', 'quiet'],
  connected: ['running', 'run'],
  reconnecting: ['problem', 'warning'],
  failed: ['problem', 'alert'],
  closed: ['off', 'quiet'],
} as const

interface Props {
  readonly session: AssistantSession
  /** The page has a line for each player, too. */
  readonly hasPlayers?: boolean
}

/** Whether the assistant is away. What is known of the song is of before. */
export const isAway = ({ status }: AssistantSession): boolean => status === 'reconnecting' || status === 'failed'

/** How the connection of a session does, how far it is with its song, and what is wrong. (AS10, AS12) */
export function SessionState({ session, hasPlayers = false }: Props) {
  const { status = 'connecting', phase, players = [], warnings = [], lastError = null, map } = session
  const [shape, tone] = shapes[status]
  const missing = players.filter(({ connected }) => !connected)
  return (
    <>
      <p className={styles.status}>
        <State shape={shape} tone={tone}>
          {words(`assistant.status-${status}`)}
        </State>
        {!isAway(session) && <span>{words(`assistant.phase-${phase}`)}</span>}
        {map !== null && <bdi className="muted">{map.name}</bdi>}
      </p>
      {missing.length > 0 && !hasPlayers && (
        <p className="muted">
          {words('assistant.not-there', {
            names: missing.map((player) => player.user?.preferredName ?? '').join(', '),
          })}
        </p>
      )}
      {lastError !== null && (
        <p className={styles.error}>
          <bdi>{lastError.message}</bdi> <Instant at={lastError.at} as="time" />
        </p>
      )}
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map(({ guid, code, user: about, at }) => (
            <li key={guid}>
              {warningText(code)}{' '}
              {about !== null && (
                <bdi>{players.find((player) => player.user?.guid === about)?.user?.preferredName}</bdi>
              )}{' '}
              <span className="muted">
                <Instant at={at} as="time" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
