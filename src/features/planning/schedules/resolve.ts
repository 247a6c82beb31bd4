import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownProposal } from './commands.ts'
import { findProposal } from './store.ts'
import type { Proposal } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    proposal: Proposal
  }
}

/** Resolves `:proposal` in a path, within the tournament named before it. */
export const resolveProposal: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findProposal(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid) throw unknownProposal()
  return { record }
}
