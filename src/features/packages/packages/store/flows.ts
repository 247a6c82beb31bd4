import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid } from '../../../../core/schema.ts'
import { flowRows, flowSessions } from '../../../flows/flowSessions/tables.ts'
import { flowPlans, flows, plannedFlows } from '../../../flows/flows/tables.ts'
import { anyJson, columnsOf, json, kind, name, ofTournament, person, personal, plain } from './kind.ts'

export const flowsKind = kind(
  'flows',
  columnsOf(flows, {
    ...{ guid: plain, tournamentGuid: ofTournament, name, basedOn: plain, seats: plain, bestOf: plain },
    ...{ definition: anyJson(), createdAt: plain, updatedAt: plain },
  }),
)

export const flowPlan = kind(
  'flowPlan',
  columnsOf(flowPlans, {
    ...{ tournamentGuid: ofTournament, revision: plain, defaultFlowGuid: plain, defaultPreset: plain },
  }),
  { order: ['revision'] },
)

export const plannedFlowsKind = kind(
  'plannedFlows',
  columnsOf(plannedFlows, {
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, bracketGuid: plain, round: plain },
    ...{ flowGuid: plain, preset: plain },
  }),
)

/** Its answers and its seed are secret, from the staff as well. */
const isSealed = sql`${flowSessions.status} not in ('over', 'void')`

/** Of a session that is not over, nothing but its record: neither its seed nor its rows. (P3) */
export const sessions = kind(
  'sessions',
  columnsOf(flowSessions, {
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, isCurrent: plain, isPublic: plain },
    ...{ status: plain, position: plain, shownPosition: plain, shownStatus: plain },
    seed: json(Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' }), {
      value: sql`case when ${isSealed} then null else encode(${flowSessions.seed}, 'hex') end`,
    }),
    teamGuids: plain,
    speakers: json(Type.Array(Type.Array(personal('id', Guid))), { people: '$[*][*]' }),
    ...{ flowGuid: plain, flowName: name, poolGuid: plain, poolName: name, viewDelaySeconds: plain, dueAt: plain },
    ...{ lapsesAt: plain, clockNumber: plain, isOverdue: plain, showsAt: plain, begunByGuid: person },
    ...{ createdAt: plain, updatedAt: plain, endedAt: plain, expiresAt: plain },
  }),
  {
    more: {
      sealed: {
        schema: Type.Boolean({ description: 'It is not over: its rows and its seed are secret.' }),
        value: isSealed,
      },
    },
  },
)

export const sessionRows = kind(
  'sessionRows',
  columnsOf(flowRows, {
    ...{ sessionGuid: plain, position: plain, tournamentGuid: ofTournament, kind: plain, step: plain, seat: plain },
    ...{ byGuid: person, onBehalf: plain, mapGuid: plain, data: anyJson(), at: plain },
    undoneBy: plain,
  }),
  {
    of: (tournament) => sql`${flowRows.sessionGuid} in (select ${flowSessions.guid} from ${flowSessions}
      where ${flowSessions.tournamentGuid} = ${tournament} and not ${isSealed})`,
    order: ['sessionGuid', 'position'],
  },
)
