import type { Resolver } from '../../infra/http/admission.ts'
import type { Tournament } from '../tournaments/types.ts'
import { unknownDivision } from './commands.ts'
import { findDivision } from './store.ts'
import type { Division } from './types.ts'

declare module '../../core/operation.ts' {
  interface Resources {
    division: Division
  }
}

/** `:division` in an address, by GUID or short id, in the tournament that stands before it. (D6) */
export const resolveDivision: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = await findDivision(db, tournament.guid, value)
  if (record === undefined) throw unknownDivision()
  return { record }
}
