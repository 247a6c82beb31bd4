import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import { findPreset, type Preset } from '../../../engine/flows/presets.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { findFlow } from './store.ts'
import type { FlowRecord } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    flow: FlowRecord
    preset: Preset
  }
}

/** Resolves `:flow` in an address: a GUID, in the tournament that the address names before it. */
export const resolveFlow: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findFlow(db, normaliseGuid(value)) : undefined
  if (record?.tournamentGuid !== tournament.guid) throw unknownFlow()
  return { record }
}

/** Resolves `:preset` in an address: the name of a preset. */
export const resolvePreset: Resolver = async (_context, value) => {
  const record = findPreset(value)
  if (record === undefined) throw missing('flow.preset_unknown', 'There is no such preset.')
  return { record }
}

export function unknownFlow() {
  return missing('flow.unknown', 'There is no such flow in this tournament.')
}
