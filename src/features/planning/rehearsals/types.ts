import type { Faults } from '../../../infra/outbox/types.ts'

/** What a rehearsal is made of: the tournament as it is then, or a package that somebody sent. (R1) */
export const rehearsalSources = ['now', 'package'] as const
export type RehearsalSource = (typeof rehearsalSources)[number]

/** A tournament that rehearses another one. (R1) */
export interface Rehearsal {
  /** Also of its tournament. */
  readonly guid: string
  /** Short id of its tournament. */
  readonly id: string
  readonly name: string
  /** GUID of the tournament that it rehearses. */
  readonly of: string
  readonly source: RehearsalSource
  /** Whether everything that was played was taken back when it was made. */
  readonly isReset: boolean
  /** What all draws come from. */
  readonly seed: string
  /** GUIDs of its teams that do not appear, by seed and short id. */
  readonly noShows: readonly string[]
  /**
   * GUIDs of its teams that the qualifier or their ranks told apart when it was made, the strongest first. It is not
   * shown. (R4)
   */
  readonly strongest: readonly string[]
  readonly createdBy: string
  readonly createdAt: Date
  /** Where its clock began. */
  readonly beginsAt: Date
  /** The last change of anything in it, or its making. */
  readonly lastUsedAt: Date
  readonly clock: RehearsalClock
  /** How the receivers of what is recorded answer, by kind. (R3) */
  readonly faults: Faults
}

/** The clock of a rehearsal. (R2) */
export interface RehearsalClock {
  readonly base: Date
  /** By the real clock. */
  readonly at: Date
  /** How many of its seconds pass in a real one, while it is not paused. */
  readonly rate: number
  readonly isPaused: boolean
  /** What it shows. */
  readonly now: Date
}
