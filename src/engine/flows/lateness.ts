import { formatInstant } from '../../core/time.ts'
import type { PenaltyType } from './flow.ts'
import { activePenalties, type Machine, seatNumbers, seatOf } from './machine.ts'

/** What the rules propose for a seat that comes late; referees decide. (match-flows: Replays, technical replays, penalties) */
export interface Proposal {
  /** Made from what it says, so that it is the same whenever it is worked out. */
  readonly key: string
  readonly seat: number
  readonly type: PenaltyType
  readonly minutes: number
  /** When it came to that. ISO 8601. */
  readonly at: string
}

const minuteMs = 60_000

export function lateProposals(machine: Machine, now: number): readonly Proposal[] {
  const { scheduledAt } = machine.start
  if (scheduledAt === null) return []
  const due = Date.parse(scheduledAt)
  return seatNumbers(machine).flatMap((seat) =>
    machine.flow.rules.late.flatMap(({ afterMinutes, type }): readonly Proposal[] => {
      const limit = due + afterMinutes * minuteMs
      const came = seatOf(machine, seat).firstAt ?? now
      const isGiven = activePenalties(machine).some((penalty) => penalty.seat === seat && penalty.type === type)
      if (came < limit || isGiven) return []
      const at = formatInstant(new Date(limit))
      return [{ key: `late:${seat}:${type}:${afterMinutes}`, seat, type, minutes: afterMinutes, at }]
    }),
  )
}

/** When something more is proposed, if no seat comes until then; null for never. */
export function nextProposalAt(machine: Machine, now: number): number | null {
  const { scheduledAt } = machine.start
  const isAwaited = seatNumbers(machine).some((seat) => seatOf(machine, seat).firstAt === null)
  if (scheduledAt === null || !isAwaited) return null
  const limits = machine.flow.rules.late.map(({ afterMinutes }) => Date.parse(scheduledAt) + afterMinutes * minuteMs)
  const ahead = limits.filter((limit) => limit > now)
  return ahead.length === 0 ? null : Math.min(...ahead)
}
