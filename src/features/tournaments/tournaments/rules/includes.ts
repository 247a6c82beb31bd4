import { type TSchema, Type } from 'typebox'
import type { Actor } from '../../../../core/actor.ts'
import { listEntries, readWords } from '../../../../core/list.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Services } from '../../../../services.ts'
import type { Tournament } from '../types.ts'

/**
 * The optional parts of a tournament's record. Each part belongs to the slice that registers it in its `includes`: the
 * rendered texts to this slice, the others to slices above it. A part that no slice registers is an empty list.
 * (additions: Tournament record)
 */

export const includeWords = ['staff', 'teams', 'timeline', 'divisions', 'matches', 'html'] as const
export type IncludeWord = (typeof includeWords)[number]

/** One part: its schema, and a function that reads what the viewer may see of it. */
export interface Include {
  readonly schema: TSchema
  readonly load: (input: {
    readonly db: Db
    readonly actor: Actor
    readonly tournament: Tournament
    readonly services: Services
    readonly now: Date
    /** Registers everything that the part depends on. An answer whose part registers nothing is not cached. */
    readonly depends: Depends
  }) => Promise<unknown>
}
export type Includes = Readonly<Partial<Record<IncludeWord, Include>>>

const nothingYet: Include = {
  schema: Type.Array(Type.Unknown()),
  load: async ({ tournament, depends }) => {
    depends(tournament.guid)
    return []
  },
}

export function includeOf(includes: Includes, word: IncludeWord): Include {
  return includes[word] ?? nothingYet
}

/**
 * Parses the comma-separated list of parts; duplicates are ignored.
 * @throws Problem `include.invalid`
 */
export function readIncludes(text: string | undefined): readonly IncludeWord[] {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  return readWords(named, includeWords, 'include', 'include.invalid')
}
