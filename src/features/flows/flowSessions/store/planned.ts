import { and, eq, or, sql } from 'drizzle-orm'
import type { Flow } from '../../../../engine/flows/flow.ts'
import { findPreset } from '../../../../engine/flows/presets.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { roundKeyOf } from '../../../brackets/matches/rules.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { flowPlans, flows, plannedFlows } from '../../flows/tables.ts'

const matchGuid = sql.placeholder('matchGuid')
const bracketGuid = sql.placeholder('bracketGuid')
const round = sql.placeholder('round')

/** The most specific entry of the plan wins: match, then round, then bracket. */
const entry = statement('flow_sessions.planned', (orm) =>
  orm
    .select({ guid: plannedFlows.flowGuid, preset: plannedFlows.preset, name: flows.name, flow: flows.definition })
    .from(plannedFlows)
    .leftJoin(flows, eq(flows.guid, plannedFlows.flowGuid))
    .where(
      or(
        eq(plannedFlows.matchGuid, matchGuid),
        and(eq(plannedFlows.bracketGuid, bracketGuid), sql`coalesce(${plannedFlows.round} = ${round}::text, true)`),
      ),
    )
    .orderBy(sql`${plannedFlows.matchGuid} is null, ${plannedFlows.round} is null`)
    .limit(1),
)

const fallback = statement('flow_sessions.planned_for_all', (orm) =>
  orm
    .select({
      guid: flowPlans.defaultFlowGuid,
      preset: flowPlans.defaultPreset,
      name: flows.name,
      flow: flows.definition,
    })
    .from(flowPlans)
    .leftJoin(flows, eq(flows.guid, flowPlans.defaultFlowGuid))
    .where(eq(flowPlans.tournamentGuid, sql.placeholder('tournamentGuid'))),
)

export interface PlannedFlow {
  /** null for a preset. */
  readonly guid: string | null
  readonly name: string
  readonly flow: Flow
}

/** The planned flow of a match; null if no flow is planned. (match-flows: Plan) */
export async function findPlannedFlow(
  db: Db,
  match: Pick<MatchRecord, 'guid' | 'tournamentGuid' | 'bracketGuid' | 'section' | 'round'>,
): Promise<PlannedFlow | null> {
  const { guid, tournamentGuid } = match
  const [[named], [general]] = await Promise.all([
    entry(db, { matchGuid: guid, bracketGuid: match.bracketGuid, round: roundKeyOf(match) }),
    fallback(db, { tournamentGuid }),
  ])
  const planned = named ?? general
  if (planned === undefined) return null
  if (planned.preset !== null) {
    const preset = findPreset(planned.preset)
    return preset === undefined ? null : { guid: null, name: preset.title, flow: preset.flow }
  }
  const { guid: flowGuid, name, flow } = planned
  return name === null || flow === null ? null : { guid: flowGuid, name, flow }
}
