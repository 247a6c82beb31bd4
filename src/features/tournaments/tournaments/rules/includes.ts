import { type TSchema, Type } from 'typebox'
import type { Actor } from '../../../../core/actor.ts'
import { listEntries, readWords } from '../../../../core/list.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Tournament } from '../types.ts'

/**
 * Parts that the record of a tournament can be read with. Each belongs to a slice above this one, which registers it as
 * its feature's `includes`; until then the part is an empty list. (additions: Tournament record)
 */

export const includeWords = ['staff', 'teams', 'timeline', 'divisions', 'matches'] as const
export type IncludeWord = (typeof includeWords)[number]

/** One part: its form in the answer, and how it is read for a viewer, from whom it hides what they may not see. */
export interface Include {
  readonly schema: TSchema
  readonly load: (input: {
    readonly db: Db
    readonly actor: Actor
    readonly tournament: Tournament
    readonly now: Date
    /** Is told all that the part is made from; a reading with a part that tells nothing is not remembered. */
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
 * Reads the comma list of parts; each counts once.
 * @throws Problem `include.invalid`
 */
export function readIncludes(text: string | undefined): readonly IncludeWord[] {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  return readWords(named, includeWords, 'include', 'include.invalid')
}
