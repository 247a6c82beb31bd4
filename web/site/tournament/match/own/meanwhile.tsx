import { address } from '../../../data/api.ts'
import type { FlowRow } from '../../../data/generated.ts'
import { useRead } from '../../../data/queries.ts'
import { type WordId, words } from '../../../data/words.ts'
import { timeOf } from '../../../parts/time.tsx'
import { ownName } from '../people.ts'
import { poolMap, titleOf, type View } from '../view.ts'
import styles from './own.module.css'
import type { Player, Session } from './reader.ts'

/** What happened since a position: who did what, from the log. */

const shown = 6

export function Meanwhile({
  view,
  session,
  player,
  since,
}: {
  readonly view: View
  readonly session: Session
  readonly player: Player
  readonly since: number
}) {
  const { data } = useRead(
    session.session === null || since >= session.position
      ? null
      : address(
          '/tournaments/{tournament}/flow-sessions/{flowSession}/log',
          { tournament: view.tournament, flowSession: session.session },
          { after: since, limit: shown },
        ),
  )
  const rows = (data?.rows ?? []).filter(({ kind }) => kinds.has(kind))
  if (rows.length === 0) return null
  return (
    <ul className={styles.meanwhile}>
      {rows.map((row) => (
        <li key={row.position}>
          <bdi>{sentenceOf(row, view, player)}</bdi> <span className="muted">{timeOf(row.at)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Rows that have words of their own. */
const kinds = new Set([
  ...['roll', 'choose', 'protect', 'ban', 'pick', 'flair_pick', 'flair_ban', 'random', 'tiebreaker', 'lineup', 'ready'],
  ...['break', 'lapse', 'skip', 'scores', 'accept', 'claim', 'undo', 'clock', 'timeout', 'override', 'finish'],
])

function sentenceOf({ kind, by, seat, map, data }: FlowRow, view: View, { user }: Player): string {
  const team = view.session?.seats.find((each) => each.seat === seat)?.name
  const entry = poolMap(view, map)
  const { flair = '' } = data as { readonly flair?: string }
  const who =
    by === null
      ? (team ?? words('own.system'))
      : by.guid === user
        ? words('own.you')
        : team === undefined
          ? ownName(by)
          : words('own.who', { name: ownName(by), team })
  return words(`own.row-${kind}` as WordId, { who, flair, map: entry === undefined ? '' : titleOf(entry.map) })
}
