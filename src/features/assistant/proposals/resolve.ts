import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { unknownProposal } from './rules/standing.ts'
import { findProposal } from './store/proposals.ts'
import type { GameProposal } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    gameProposal: GameProposal
  }
}

/** Resolves `:gameProposal` in a path, within the match that precedes it. */
export const resolveGameProposal: Resolver = async ({ db, records }, value) => {
  const match = records.match as MatchRecord
  const record = isGuid(value) ? await findProposal(db, normaliseGuid(value)) : undefined
  if (record?.matchGuid !== match.guid) throw unknownProposal()
  return { record }
}
