import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Guid, oneOf } from '../../../../core/schema.ts'
import { everRevealed } from '../../../../engine/flows/replay.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { type LoggedRow, listRows } from '../../../flows/flowSessions/store/rows.ts'
import { isPoolOpen } from '../../../flows/flowSessions/store/sessions.ts'
import { flowRows, flowSessions } from '../../../flows/flowSessions/tables.ts'
import { storedStatuses } from '../../../flows/flowSessions/types.ts'
import { isSecret, logRowView } from '../../../flows/flowSessions/views/row.ts'
import { BestOf, maxNameLength } from '../../../flows/flows/bodies/flow.ts'
import { flowPlans, flows, plannedFlows } from '../../../flows/flows/tables.ts'
import { BeginBody } from '../../../flows/play/bodies.ts'
import { maxName } from '../../../maps/pools/rules/settings.ts'
import { pools } from '../../../maps/pools/tables.ts'
import { like, nameUpTo, wordUpTo } from './bounds.ts'
import { Definition, RowData, rowKinds } from './flow-data.ts'
import { columnsOf, hexOf, kind, member, ofTournament, person, personal, plain, type Row, typed } from './kind.ts'
import { Round } from './pool-plans.ts'
import { mostActive } from './teams.ts'

const maxSeats = 16
const Seats = Type.Integer({ minimum: 2, maximum: maxSeats })
const Seat = Type.Integer({ minimum: 1, maximum: maxSeats })
const Preset = wordUpTo(64)
const Status = oneOf(storedStatuses)

export const flowsKind = kind(
  'flows',
  columnsOf(flows, {
    ...{ guid: plain, tournamentGuid: ofTournament, name: typed(nameUpTo(maxNameLength)), basedOn: typed(Preset) },
    ...{ seats: typed(Seats), bestOf: typed(like(BestOf)) },
    ...{ definition: typed(Definition), createdAt: plain, updatedAt: plain },
  }),
  { open: { members: ['guid', 'name', 'basedOn', 'seats', 'bestOf', 'definition', 'createdAt', 'updatedAt'] } },
)

export const flowPlan = kind(
  'flowPlan',
  columnsOf(flowPlans, {
    ...{ tournamentGuid: ofTournament, revision: plain, defaultFlowGuid: plain, defaultPreset: typed(Preset) },
  }),
  { order: ['revision'], open: { members: ['revision', 'defaultFlowGuid', 'defaultPreset'] } },
)

export const plannedFlowsKind = kind(
  'plannedFlows',
  columnsOf(plannedFlows, {
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, bracketGuid: plain, round: typed(Round) },
    ...{ flowGuid: plain, preset: typed(Preset) },
  }),
  {
    open: {
      members: ['matchGuid', 'bracketGuid', 'round', 'flowGuid', 'preset'],
      order: ['matchGuid', 'bracketGuid', 'round'],
    },
  },
)

/** Its answers and its seed are secret, from the staff as well. */
const isSealed = sql`${flowSessions.status} not in ('over', 'void')`

/** Everybody sees the log of a session as far as its view delay allows. (match-flows: Spectators) */
const seenPosition = sql`case when ${flowSessions.viewDelaySeconds} = 0 then ${flowSessions.position}
  else ${flowSessions.shownPosition} end`
const seenStatus = sql`case when ${seenPosition} = ${flowSessions.position} then ${flowSessions.status}
  else coalesce(${flowSessions.shownStatus}, ${flowSessions.status}) end`
const isSeen = sql`(${flowSessions.isPublic} and ${seenPosition} > 0
  and (${flowSessions.matchGuid} is not null or ${flowSessions.poolGuid} is null
    or exists (select from ${pools} where ${pools.guid} = ${flowSessions.poolGuid} and ${isPoolOpen})))`
const seenOfRow = sql`(select ${seenPosition} from ${flowSessions} where ${flowSessions.guid} = ${flowRows.sessionGuid})`

/** Of a session that is not over, nothing but its record: neither its seed nor its rows. (P3) */
export const sessions = kind(
  'sessions',
  columnsOf(flowSessions, {
    ...{ guid: plain, tournamentGuid: ofTournament, matchGuid: plain, isCurrent: plain, isPublic: plain },
    ...{ status: typed(Status), position: plain, shownPosition: plain, shownStatus: typed(Status) },
    seed: member({
      impersonal: 'digest',
      schema: Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' }),
      value: sql`case when ${isSealed} then null else encode(${flowSessions.seed}, 'hex') end`,
    }),
    // Without the seed it says nothing, and it may be a GUID that packages without names must not tell.
    drawnAs: member({
      impersonal: 'digest',
      schema: { ...Guid, description: 'The GUID that its draws are made with, where it is not its own.' },
    }),
    teamGuids: typed(Type.Array(Guid, { maxItems: maxSeats })),
    speakers: typed(Type.Array(Type.Array(personal('id', Guid), { maxItems: mostActive }), { maxItems: maxSeats }), {
      people: '$[*][*]',
    }),
    ...{
      flowGuid: plain,
      flowName: typed(nameUpTo(maxNameLength)),
      poolGuid: plain,
      poolName: typed(nameUpTo(maxName)),
    },
    ...{ viewDelaySeconds: typed(like(BeginBody.properties.viewDelaySeconds)), dueAt: plain },
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
    open: {
      members: [
        ...['guid', 'matchGuid', 'isPublic', 'status', 'position', 'flowGuid', 'flowName', 'poolGuid', 'poolName'],
        ...['viewDelaySeconds', 'drawnAs', 'createdAt', 'endedAt', 'sealed'],
      ],
      rows: () => isSeen,
      values: {
        status: { value: seenStatus },
        position: { value: seenPosition },
        endedAt: { value: sql`case when ${seenStatus} in ('over', 'void') then ${flowSessions.endedAt} end` },
        sealed: { value: sql`${seenStatus} not in ('over', 'void')` },
      },
    },
    // A session that was not over begins anew.
    brings: {
      columns: ({ seed }) => ({ seed: hexOf(String(seed)) }),
      without: ({ sealed }) => sealed === true,
      // Its draws were made with the GUID that it had first, also if it is the copy of a copy.
      kept: ({ guid, drawnAs = null }, { isCopy }) => ({ drawnAs: isCopy ? (drawnAs ?? guid) : drawnAs }),
      lacks: {
        // With another one, its draws would seem to be forged: without it, the session is left out.
        seed: ({ guid, sealed }, { seeds }) => (sealed === true ? null : seeds.get(String(guid))),
        isCurrent: ({ guid }, { currentSessions }) => currentSessions.has(String(guid)),
        shownPosition: ({ position }) => position,
        shownStatus: ({ status }) => status,
      },
    },
  },
)

export const sessionRows = kind(
  'sessionRows',
  columnsOf(flowRows, {
    ...{ sessionGuid: plain, position: plain, tournamentGuid: ofTournament, kind: typed(oneOf(rowKinds)) },
    ...{ step: typed(wordUpTo(16)), seat: typed(Seat) },
    ...{ byGuid: person, onBehalf: plain, mapGuid: plain, data: typed(RowData), at: plain },
    undoneBy: plain,
  }),
  {
    of: (tournament, { variant }) => sql`${flowRows.sessionGuid} in (select ${flowSessions.guid} from ${flowSessions}
      where ${flowSessions.tournamentGuid} = ${tournament} and ${variant === 'public' ? isSeen : sql`not ${isSealed}`})`,
    order: ['sessionGuid', 'position'],
    open: {
      members: [
        ...[
          'sessionGuid',
          'position',
          'kind',
          'step',
          'seat',
          'byGuid',
          'onBehalf',
          'mapGuid',
          'data',
          'at',
          'undoneBy',
        ],
      ],
      rows: () => sql`${flowRows.position} <= ${seenOfRow}`,
      values: {
        undoneBy: { value: sql`case when ${flowRows.undoneBy} <= ${seenOfRow} then ${flowRows.undoneBy} end` },
      },
      seen: seenRow,
    },
  },
)

/** What was chosen in secret, until all have answered. (match-flows: Flow, secret) */
async function seenRow(row: Row, db: Db): Promise<Row> {
  const { position, sessionGuid, kind: rowKind, step, seat, byGuid, onBehalf, mapGuid, data, at, undoneBy } = row
  const logged = {
    position,
    kind: rowKind,
    step,
    seat,
    by: byGuid,
    onBehalf,
    map: mapGuid,
    data,
    undoneBy,
  } as LoggedRow
  if (!isSecret(logged)) return row
  const guid = sessionGuid as string
  const rows = await listRows(db, guid, 0, await findSeenPosition(db, guid))
  const revealed = everRevealed(guid, rows)
  if (revealed.has(logged.position)) return row
  const viewer = { seats: [], revealed, position: rows.length, users: new Map(), names: new Map() }
  const seen = logRowView({ ...logged, at: (at as Date).getTime() }, viewer)
  return { ...row, mapGuid: seen.map, data: seen.data }
}

async function findSeenPosition(db: Db, session: string): Promise<number> {
  const { rows } = await db.session.orm.execute<{ position: number }>(
    sql`select ${seenPosition} as position from ${flowSessions} where ${flowSessions.guid} = ${session}`,
  )
  return rows[0]?.position ?? 0
}
