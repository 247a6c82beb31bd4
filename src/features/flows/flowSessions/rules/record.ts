import { type Machine, seatNumbers, speakersOf } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import { statusOf } from '../../../../engine/flows/state.ts'
import { lapsesAt } from '../../../../engine/flows/system-rows.ts'
import type { SessionRecord, StoredStatus } from '../types.ts'

/** The GUID in the text of the draws of a session. A copy goes on with that of the session that drew first. (match-flows: Draws) */
export function drawnAsOf({ guid, drawnAs }: Pick<SessionRecord, 'guid' | 'drawnAs'>): string {
  return drawnAs ?? guid
}

/** The columns of a session that are computed from its log. */
export type Followed = Pick<
  SessionRecord,
  | 'status'
  | 'position'
  | 'shownPosition'
  | 'shownStatus'
  | 'speakers'
  | 'dueAt'
  | 'lapsesAt'
  | 'clockNumber'
  | 'isOverdue'
  | 'showsAt'
  | 'updatedAt'
  | 'endedAt'
  | 'expiresAt'
>

/** A free session that is not public is deleted this long after its last use. (match-flows: FFA) */
const restMs = 7 * 24 * 3_600_000

export function recordOf(
  before: Omit<SessionRecord, keyof Followed> & Partial<Followed>,
  machine: Machine,
  now: Date,
): Followed {
  const status = storedStatus(machine)
  const isLive = status === 'running' || status === 'paused'
  const lapse = lapsesAt(machine)
  const { clock } = machine
  const shown = shownOf(before, machine, now)
  return {
    status,
    position: machine.position,
    ...shown,
    speakers: seatNumbers(machine).map((seat) => speakersOf(machine, seat)),
    dueAt: lapse === null || clock?.dueAt == null ? null : new Date(clock.dueAt),
    lapsesAt: lapse === null ? null : new Date(lapse),
    clockNumber: clock?.number ?? null,
    isOverdue: lapse !== null && clock?.dueAt != null && clock.dueAt <= now.getTime(),
    updatedAt: now,
    endedAt: isLive ? null : (before.endedAt ?? now),
    expiresAt: before.matchGuid === null && !before.isPublic ? new Date(now.getTime() + restMs) : null,
  }
}

export function storedStatus(machine: Machine): StoredStatus {
  const status = statusOf(machine)
  if (status === 'planned') throw new Error('a session that is stored has begun')
  return status
}

type Shown = Pick<SessionRecord, 'shownPosition' | 'shownStatus' | 'showsAt'>

/**
 * The last row that outsiders see, computed from the view delay. (match-flows: Spectators, and who can still qualify)
 */
export function shownOf(
  { viewDelaySeconds }: Pick<SessionRecord, 'viewDelaySeconds'>,
  machine: Machine,
  now: Date,
): Shown {
  if (viewDelaySeconds === 0) {
    return { shownPosition: machine.position, shownStatus: storedStatus(machine), showsAt: null }
  }
  const delayMs = viewDelaySeconds * 1_000
  const shown = machine.rows.filter(({ at }) => at + delayMs <= now.getTime())
  const next = machine.rows[shown.length]
  return {
    shownPosition: shown.length,
    shownStatus: shown.length === 0 ? null : storedStatus(replay(machine.session, shown, machine.drawnAs)),
    showsAt: next === undefined ? null : new Date(next.at + delayMs),
  }
}
