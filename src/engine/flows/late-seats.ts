import { formatInstant } from '../../core/time.ts'
import type { PenaltyType } from './flow.ts'
import { activePenalties, type Machine, seatNumbers, seatOf } from './machine.ts'
import { guidOf } from './warnings.ts'

/**
 * A penalty that the rules propose for a late seat. A referee decides about it.
 * (match-flows: Replays, technical replays, penalties)
 */
export interface Proposal {
  /** Made from the content of the proposal, so that it is the same each time. */
  readonly guid: string
  readonly seat: number
  readonly type: PenaltyType
  readonly minutes: number
  /** When the seat was late enough. ISO 8601. */
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
      const guid = guidOf(machine.session, `late:${seat}:${type}:${afterMinutes}`)
      if (came < limit || isGiven || machine.dismissed.has(guid)) return []
      const at = formatInstant(new Date(limit))
      return [{ guid, seat, type, minutes: afterMinutes, at }]
    }),
  )
}

/** When the next proposal becomes due if no further seat comes, in milliseconds since 1970; null for never. */
export function nextProposalAt(machine: Machine, now: number): number | null {
  const { scheduledAt } = machine.start
  const isAwaited = seatNumbers(machine).some((seat) => seatOf(machine, seat).firstAt === null)
  if (scheduledAt === null || !isAwaited) return null
  const limits = machine.flow.rules.late.map(({ afterMinutes }) => Date.parse(scheduledAt) + afterMinutes * minuteMs)
  const ahead = limits.filter((limit) => limit > now)
  return ahead.length === 0 ? null : Math.min(...ahead)
}
