import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { words } from '../../../data/words.ts'
import { useNow } from '../../../parts/time.tsx'
import type { View } from '../view.ts'
import type { Deeds } from './deeds.ts'
import type { Player, Session } from './reader.ts'

/** For some seconds, the reader's own last choice can be taken back, where the flow allows it. (match-flows: Operations) */

const choices = new Set([
  ...['choose', 'protect', 'ban', 'pick', 'flair_pick', 'flair_ban', 'lineup', 'ready', 'accept', 'claim'],
])

interface Props {
  readonly view: View
  readonly session: Session
  readonly player: Player
  readonly deeds: Deeds
  readonly onDone: () => void
}

export function TakeBack({ view, session, player, deeds, onDone }: Props) {
  const time = useNow(1_000)
  const seconds = session.flow?.rules.selfUndoSeconds ?? 0
  const position = session.lastUndoable
  const isAsked = seconds > 0 && position !== null && player.seat !== null && session.status === 'running'
  // Also what was chosen before the page was loaded, or on another device.
  const { data } = useRead(
    !isAsked || session.session === null
      ? null
      : address(
          '/tournaments/{tournament}/flow-sessions/{flowSession}/log',
          { tournament: view.tournament, flowSession: session.session },
          { after: position - 1, limit: 10 },
        ),
  )
  const row = isAsked ? data?.rows.find((each) => each.position === position) : undefined
  // What was drawn since cannot be drawn again.
  const isDrawn = data?.rows.some((each) => 'draw' in each.data) === true
  const isOwn = !isDrawn && row?.by?.guid === player.user && !row.onBehalf && choices.has(row.kind)
  const left = row === undefined ? 0 : Math.ceil((Date.parse(row.at) + seconds * 1_000 - time) / 1_000)
  if (!isOwn || left <= 0) return null
  return (
    <button
      type="button"
      className="btn"
      aria-disabled={deeds.isSending}
      onClick={() => deeds.isSending || deeds.send({ kind: 'undo' }, session, onDone)}
    >
      {words('own.take-back', { left: Math.min(left, seconds) })}
    </button>
  )
}
