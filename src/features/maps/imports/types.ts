import type { Choice, Difficulty } from '../catalogue/types.ts'

/** Many maps at once. (pools: Adding and importing) */

export const importStatuses = ['running', 'done', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

export const rowOutcomes = ['added', 'present', 'choice', 'missing', 'pending', 'rejected'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export const sourceKinds = ['text', 'playlist', 'pool'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** One reference of an import, as it was written, and what has become of it. */
export interface ImportRow {
  readonly index: number
  readonly input: string
  readonly outcome: RowOutcome
  readonly reason: string | null
  readonly mapGuid: string | null
  readonly poolMapGuid: string | null
  readonly choices: readonly Choice[]
}

export interface ImportRequest {
  readonly source: { readonly kind: SourceKind; readonly label: string }
  /** What is to be read, in the form that the kind of source has. */
  readonly content: unknown
  readonly difficulty: 'ask' | 'highest' | Difficulty
  readonly flairGuid: string | null
  readonly keepMissing: boolean
  readonly reason: string | null
}
