import { address } from '../../../data/api.ts'
import type { FlowRow } from '../../../data/generated.ts'
import { useRead } from '../../../data/queries.ts'
import { type WordId, words } from '../../../data/words.ts'
import { timeOf } from '../../../parts/time.tsx'
import { ownName } from '../people.ts'
import { type Named, poolMap, titleOf, type View } from '../view.ts'
import styles from './own.module.css'
import type { Player, Session } from './reader.ts'

/** What happened since a position: who did what, from the log. */

const shown = 6

/** @param since null where nothing is asked for */
export function useRows({ tournament }: View, session: Session, since: number | null): readonly FlowRow[] | undefined {
  const isAsked = session.session !== null && since !== null && since < session.position
  const { data } = useRead(
    !isAsked
      ? null
      : address(
          '/tournaments/{tournament}/flow-sessions/{flowSession}/log',
          { tournament, flowSession: session.session as string },
          { after: since, limit: shown },
        ),
  )
  return isAsked ? data?.rows.filter(({ kind }) => kindsInWords.has(kind)) : undefined
}

export function Meanwhile({
  view,
  rows,
  player,
}: {
  readonly view: View
  readonly rows: readonly FlowRow[]
  readonly player: Player
}) {
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
export const kindsInWords = new Set([
  ...['roll', 'choose', 'protect', 'ban', 'pick', 'flair_pick', 'flair_ban', 'random', 'tiebreaker', 'lineup', 'ready'],
  ...[
    'break',
    'lapse',
    'skip',
    'scores',
    'accept',
    'claim',
    'claim_cancelled',
    'technical',
    'penalty',
    'undo',
    'clock',
  ],
  ...['timeout', 'override', 'finish', 'present', 'nonce', 'map_told', 'result_told', 'reopened', 'void'],
])

export function sentenceOf({ kind, by, seat, map, data }: FlowRow, view: Named, { user }: Player): string {
  const team = view.session?.seats.find((each) => each.seat === seat)?.name
  const entry = poolMap(view, map)
  const { flair = '', op = '' } = data as { readonly flair?: string; readonly op?: string }
  const who =
    by === null
      ? (team ?? words('own.system'))
      : by.guid === user
        ? words('own.you')
        : team === undefined
          ? ownName(by)
          : words('own.who', { name: ownName(by), team })
  const row = kind === 'clock' && (op === 'pause' || op === 'resume') ? `clock-${op}` : kind
  // A secret choice does not say its map.
  const said = map === null && (kind === 'ban' || kind === 'protect') ? `${kind}-secret` : row
  return words(`own.row-${said}` as WordId, { who, flair, map: entry === undefined ? '' : titleOf(entry.map) })
}
