/** The clock of a rehearsal, as it was read. (R2) */
export interface Clock {
  /** Its instant when it was read. */
  readonly instant: Date
  /** By the clock of the process. */
  readonly readAt: Date
  /** How many of its seconds pass in a real one; 0 while it is paused. */
  readonly pace: number
}

/** The instant of a clock at a real one. */
export function instantOf({ instant, readAt, pace }: Clock, real: Date): Date {
  return new Date(instant.getTime() + Math.round((real.getTime() - readAt.getTime()) * pace))
}

/** When a clock shows an instant, unless it is changed before; null for never. */
export function realOf(clock: Clock, instant: Date): Date | null {
  const ms = instant.getTime() - clock.instant.getTime()
  if (ms <= 0) return clock.readAt
  return clock.pace === 0 ? null : new Date(clock.readAt.getTime() + Math.ceil(ms / clock.pace))
}
