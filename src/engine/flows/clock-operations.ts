import { conflict, invalid } from '../../core/problem.ts'
import { formatInstant } from '../../core/time.ts'
import { activePenalties, type Machine, seatNumbers, seatOf } from './machine.ts'
import type { Draft, Resumption } from './rows.ts'
import { type Caller, checkTime, isOver, seatsOf } from './seat-actions.ts'

/** Judges how referees set the clock, and the timeouts that seats call. (match-flows: Operations) */

export type ClockOp = 'pause' | 'resume' | 'extend' | 'set'

/**
 * Judges a change of the clock by a referee and returns its row.
 * @throws Problem `flow.over`, `flow.time_over`, `flow.wrong_action`, `clock.none`, `flow.act_invalid`
 */
export function judgeClock(
  machine: Machine,
  op: ClockOp,
  { seconds, resume }: { readonly seconds?: number | undefined; readonly resume?: Resumption | undefined },
  now: number,
): Draft {
  if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
  checkTime(machine, now)
  const { clock, pausedAt } = machine
  const number = clock?.number ?? null
  const row = (dueAt: number | null, remainingMs: number | null): Draft => ({
    kind: 'clock',
    data: {
      op,
      seconds: seconds ?? null,
      dueAt: written(dueAt),
      remainingMs,
      number,
      ...(op === 'resume' && resume !== undefined ? { resume } : {}),
    },
  })
  if (op === 'pause') {
    if (pausedAt !== null) throw conflict('flow.wrong_action', 'The session is paused already.')
    return row(null, clock?.dueAt == null ? null : Math.max(0, clock.dueAt - now))
  }
  if (op === 'resume') {
    const isDecided = machine.stuck === 'decided'
    if (pausedAt === null && !(isDecided && resume !== undefined)) {
      throw conflict(
        'flow.wrong_action',
        isDecided
          ? 'The maps decide the match: correct what was wrong, or give `resume: "play_on"`.'
          : 'The session is not paused.',
      )
    }
    return row(clock?.remainingMs == null ? null : now + clock.remainingMs, null)
  }
  if (seconds === undefined) throw invalid('flow.act_invalid', 'Give `seconds`.')
  if (clock === null) throw conflict('clock.none', 'No clock runs now.')
  const ms = seconds * 1_000
  if (clock.dueAt === null) return row(null, op === 'set' ? ms : (clock.remainingMs ?? 0) + ms)
  return row(op === 'set' ? now + ms : clock.dueAt + ms, null)
}

function written(at: number | null): string | null {
  return at === null ? null : formatInstant(new Date(at))
}

/**
 * Judges a timeout, by which a seat calls for more time.
 * @throws Problem `flow.over`, `flow.paused`, `flow.time_over`, `flow.not_your_turn`, `timeout.no_clock`,
 * `timeout.none_left`
 */
export function judgeTimeout(machine: Machine, seat: number | undefined, caller: Caller, now: number): Draft {
  if (isOver(machine)) throw conflict('flow.over', 'The session is over.')
  if (machine.pausedAt !== null) throw conflict('flow.paused', 'The session is paused; a referee resumes it.')
  checkTime(machine, now)
  const own = seatsOf(machine, caller.user)
  const calling = seat ?? own[0]
  if (
    calling === undefined ||
    !seatNumbers(machine).includes(calling) ||
    (!own.includes(calling) && !caller.isReferee)
  ) {
    throw conflict('flow.not_your_turn', 'Give as `seat` one that you speak for.')
  }
  const { clock } = machine
  if (clock === null || clock.dueAt === null || !machine.hasBegun) {
    throw conflict('timeout.no_clock', 'No clock runs now.')
  }
  const { count, seconds } = machine.flow.rules.timeouts
  const isLost = activePenalties(machine).some(
    (penalty) => penalty.type === 'lose_timeouts' && penalty.seat === calling,
  )
  if (isLost || seatOf(machine, calling).timeouts >= count) {
    throw conflict('timeout.none_left', 'The seat has no timeout left.')
  }
  const dueAt = formatInstant(new Date(clock.dueAt + seconds * 1_000))
  return { kind: 'timeout', seat: calling, onBehalf: !own.includes(calling), data: { dueAt, number: clock.number } }
}
