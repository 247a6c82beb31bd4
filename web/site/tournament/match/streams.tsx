import { useState } from 'react'
import type { TournamentStream } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { askedFor, mayEmbed, Player, reloadFor } from '../../parts/player.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { ownName } from './people.ts'
import styles from './streams.module.css'
import { nameAt, type View } from './view.ts'

/** The streams of a match that can still be watched. */
export function useStreams({ match: { status }, tournament }: Pick<View, 'match' | 'tournament'>) {
  const isOver = status === 'completed' || status === 'cancelled'
  return useRead(isOver ? null : address('/tournaments/{tournament}/streams', { tournament }), { live: true })
}

/** The streams of the players. Nothing of another host is loaded before the reader asks for it. (W6) */
export function Streams({ view }: { readonly view: View }) {
  const { match } = view
  const read = useStreams(view)
  const streams = (read.data?.streams ?? [])
    .filter((each) => each.match?.guid === match.guid)
    .toSorted((one, other) => (one.side ?? 3) - (other.side ?? 3) || one.slot - other.slot)
  const [watched, setWatched] = useState(askedFor)
  const chosen = streams.find(({ user }) => user.guid === watched)
  if (streams.length === 0) return null
  return (
    <Section title={words('play.streams')}>
      {chosen !== undefined && (
        <Player key={chosen.user.guid} stream={chosen} name={ownName(chosen.user)} onEnd={() => setWatched(null)} />
      )}
      <ul className="lines">
        {streams.map((stream) => (
          <Line
            key={stream.user.guid}
            view={view}
            stream={stream}
            isWatched={stream === chosen}
            onWatch={() => {
              if (isElsewhere(stream) && !mayEmbed()) reloadFor(stream.user.guid)
              else setWatched(stream.user.guid)
            }}
          />
        ))}
      </ul>
    </Section>
  )
}

const isElsewhere = ({ live, fallback }: TournamentStream) => live !== true && fallback !== null

interface LineProps {
  readonly view: View
  readonly stream: TournamentStream
  readonly isWatched: boolean
  readonly onWatch: () => void
}

function Line({ view, stream, isWatched, onWatch }: LineProps) {
  const { user, side, live, fallback } = stream
  return (
    <li className={`${styles.line} ${side === 1 ? styles.one : side === 2 ? styles.other : ''}`}>
      <span className={styles.who}>
        <bdi className="strong">{ownName(user)}</bdi>
        <span className="muted">
          {side === null ? words(`play.role-${stream.role}`) : <bdi>{nameAt(view, side === 1 ? 0 : 1)}</bdi>}
        </span>
      </span>
      {live === true ? (
        <State shape="running" tone="run">
          {words('play.on-air')}
        </State>
      ) : live === false ? (
        <State shape="off" tone="quiet">
          {words('play.off-air')}
        </State>
      ) : (
        <span className="muted">{words('play.elsewhere')}</span>
      )}
      {(live === true || fallback !== null) && (
        <button type="button" className="btn" onClick={onWatch} aria-disabled={isWatched}>
          {words(isWatched ? 'play.watching' : 'play.watch-of', { name: ownName(user) })}
        </button>
      )}
    </li>
  )
}
