import { words } from '../../../data/words.ts'
import { CopyButton } from '../../../parts/copy.tsx'
import { poolMap, type View } from '../view.ts'
import { MapLine } from './map-line.tsx'
import styles from './own.module.css'
import type { Player, Session } from './reader.ts'

/** The map that is to be played, and its players. */
export function Playing({
  view,
  session,
  player,
}: {
  readonly view: View
  readonly session: Session
  readonly player: Player
}) {
  const game = session.games.find((each) => each.game === session.turn?.game) ?? session.games.at(-1)
  const entry = poolMap(view, game?.map ?? null)
  const seat = player.seat ?? (player.at === null ? null : player.at + 1)
  const lineup = session.seats.find((each) => each.seat === seat)?.lineup ?? []
  const names = lineup.flatMap((user) => (user === null ? [] : (view.people.nameOf(user) ?? [])))
  if (entry === undefined) return null
  const { key } = entry.map
  return (
    <>
      <div className={styles.playing}>
        <MapLine of={entry} />
        {key !== null && (
          <p className={styles.key}>
            <span>
              {words('own.key')} <span className="code">{key}</span>
            </span>
            <CopyButton text={key} label={words('own.copy-key', { key })} />
          </p>
        )}
      </div>
      {names.length > 0 && (
        <p>
          {words('own.field')} <bdi className="strong">{names.join(', ')}</bdi>
        </p>
      )}
      <p className="muted">{words('own.play-text')}</p>
    </>
  )
}
