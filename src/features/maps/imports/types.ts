import type { Choice, Difficulty, Reference, ToldMap, Wish } from '../catalogue/types.ts'
import type { MapSettingsInput } from '../pools/rules/maps.ts'

/** Many maps at once. (pools: Adding and importing) */

export const importStatuses = ['running', 'done', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

export const rowOutcomes = ['added', 'present', 'choice', 'missing', 'pending', 'rejected'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export const sourceKinds = ['text', 'playlist', 'pool'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** What a map brings along from the pool that it is taken from. */
export type CopiedSettings = Pick<MapSettingsInput, 'modifiers' | 'playerOptions' | 'options'> & {
  /** Of the flair: another tournament has flairs of its own. */
  readonly flairName: string | null
}

/** One map that is asked for, or a playlist of them, as it was read from the source. */
export interface ImportItem extends Wish {
  readonly input: string
  /** null where nothing could be read. */
  readonly reference: Reference | null
  /** Why nothing comes of it, as the code of a problem. */
  readonly fault: string | null
  readonly settings: CopiedSettings | null
  /** By a playlist, or by another pool of a map that the catalogue does not publish; kept for a map of that kind. (D71) */
  readonly told?: ToldMap | null
}

/** One reference of an import, as it was written, and what has become of it. */
export interface ImportRow {
  readonly index: number
  readonly input: string
  readonly outcome: RowOutcome
  /** The code of a problem. */
  readonly reason: string | null
  readonly mapGuid: string | null
  readonly poolMapGuid: string | null
  readonly choices: readonly Choice[]
}

export type DifficultyRule = 'ask' | 'highest' | Difficulty

export interface ImportRequest {
  readonly source: { readonly kind: SourceKind; readonly label: string | null }
  /** What is still to be looked up and added; nothing once it is finished. */
  readonly content: readonly ImportItem[]
  readonly difficulty: DifficultyRule
  readonly flairGuid: string | null
  readonly keepMissing: boolean
  readonly reason: string | null
}

export interface ImportJob {
  readonly guid: string
  readonly tournamentGuid: string
  readonly poolGuid: string
  readonly request: ImportRequest
  readonly dryRun: boolean
  readonly status: ImportStatus
  readonly rows: readonly ImportRow[]
  /** Why it failed as a whole: the code of a problem. */
  readonly reason: string | null
  readonly startedByGuid: string
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export type Counts = Readonly<Record<RowOutcome, number>>

/** Without what is asked for and its rows, of which there may be hundreds. */
export interface ListedImport extends Omit<ImportJob, 'request' | 'rows'> {
  readonly source: ImportRequest['source']
  readonly poolName: string
  readonly counts: Counts
}
