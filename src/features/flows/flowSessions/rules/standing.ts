import { lapsesAt } from '../../../../engine/flows/due.ts'
import { type Machine, seatNumbers, speakersOf } from '../../../../engine/flows/machine.ts'
import { replayUntil } from '../../../../engine/flows/replay.ts'
import { statusOf } from '../../../../engine/flows/state.ts'
import type { SessionRecord, StoredStatus } from '../types.ts'

/** What follows from the log of a session and is stored beside it, so that it can be looked for. */

const dayMs = 86_400_000
/** Of a free session that is not public. (match-flows: FFA) */
const keptDays = 7

/** The record of a session once its log is this long. */
export function standingAt(session: SessionRecord, machine: Machine, now: Date): SessionRecord {
  const { clock } = machine
  const status = storedStatus(machine)
  const isOver = status === 'over' || status === 'void'
  const lapses = lapsesAt(machine)
  const isFleeting = session.matchGuid === null && !session.isPublic
  const standing: SessionRecord = {
    ...session,
    ...{ status, position: machine.position, speakers: seatNumbers(machine).map((seat) => speakersOf(machine, seat)) },
    dueAt: lapses === null || clock?.dueAt == null ? null : new Date(clock.dueAt),
    lapsesAt: lapses === null ? null : new Date(lapses),
    clockNumber: clock?.number ?? null,
    isOverdue: false,
    updatedAt: now,
    endedAt: isOver ? (session.endedAt ?? now) : null,
    expiresAt: isFleeting ? new Date(now.getTime() + keptDays * dayMs) : null,
  }
  return shownAt(standing, machine, now)
}

/** The same, with what outsiders see by now: rows that are as old as the delay. (match-flows: Spectators) */
export function shownAt(session: SessionRecord, machine: Machine, now: Date): SessionRecord {
  const delayMs = session.viewDelaySeconds * 1_000
  const shown = machine.rows.findLast(({ at }) => delayMs === 0 || at + delayMs <= now.getTime())?.position ?? 0
  const shownPosition = Math.max(session.shownPosition, shown)
  const next = machine.rows[shownPosition]
  if (shownPosition === 0) return { ...session, shownPosition, shownStatus: null, showsAt: dateOf(next?.at, delayMs) }
  const then = shownPosition === machine.position ? machine : replayUntil(machine.session, machine.rows, shownPosition)
  return { ...session, shownPosition, shownStatus: storedStatus(then), showsAt: dateOf(next?.at, delayMs) }
}

function dateOf(at: number | undefined, delayMs: number): Date | null {
  return at === undefined ? null : new Date(at + delayMs)
}

/** What has a log has begun. */
function storedStatus(machine: Machine): StoredStatus {
  const status = statusOf(machine)
  if (status === 'planned') throw new Error('a session with a log that is planned')
  return status
}
