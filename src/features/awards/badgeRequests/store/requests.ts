import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { isGuid } from '../../../../core/ids.ts'
import { isCursorInstant, type MakingPosition, type Position } from '../../../../core/page.ts'
import { formatInstant } from '../../../../core/time.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { badgeRequests } from '../tables.ts'
import type { BadgeRequest, RequestStatus } from '../types.ts'

const { tournamentGuid: _of, ...own } = getTableColumns(badgeRequests)
const columns = { ...own, tournament: { guid: tournaments.guid, id: tournaments.id, name: tournaments.name } }

function select(db: Db) {
  return db.session.orm
    .select(columns)
    .from(badgeRequests)
    .innerJoin(tournaments, eq(tournaments.guid, badgeRequests.tournamentGuid))
}

export async function findRequest(db: Db, guid: string): Promise<BadgeRequest | undefined> {
  const [row] = await select(db).where(eq(badgeRequests.guid, guid))
  return row
}

/** Locks a request until the transaction ends. If the tournament is locked too, it is locked first. */
export async function lockRequest(tx: Tx, guid: string): Promise<BadgeRequest | undefined> {
  const [row] = await select(tx).where(eq(badgeRequests.guid, guid)).for('update', { of: badgeRequests })
  return row
}

/** Whether the tournament has a pending request. */
export async function hasPending(db: Db, tournamentGuid: string): Promise<boolean> {
  const rows = await db.session.orm
    .select({ guid: badgeRequests.guid })
    .from(badgeRequests)
    .where(and(eq(badgeRequests.tournamentGuid, tournamentGuid), eq(badgeRequests.status, 'pending')))
  return rows.length > 0
}

/** The number of the tournament's requests, whatever their status. */
export async function countOf(tx: Tx, tournamentGuid: string): Promise<number> {
  return tx.session.orm.$count(badgeRequests, eq(badgeRequests.tournamentGuid, tournamentGuid))
}

type NewRequest = Pick<
  typeof badgeRequests.$inferInsert,
  'tournamentGuid' | 'status' | 'message' | 'badges' | 'createdBy' | 'createdAt' | 'updatedAt'
>

export async function insertRequest(tx: Tx, request: NewRequest): Promise<BadgeRequest> {
  const [row] = await tx.session.orm.insert(badgeRequests).values(request).returning({ guid: badgeRequests.guid })
  return load(tx, row?.guid ?? '')
}

type RequestChanges = Partial<
  Pick<
    typeof badgeRequests.$inferInsert,
    'status' | 'message' | 'badges' | 'reason' | 'reviewedBy' | 'decidedAt' | 'updatedAt'
  >
>

export async function updateRequest(tx: Tx, guid: string, changes: RequestChanges): Promise<BadgeRequest> {
  await tx.session.orm.update(badgeRequests).set(changes).where(eq(badgeRequests.guid, guid))
  return load(tx, guid)
}

async function load(tx: Tx, guid: string): Promise<BadgeRequest> {
  const request = await findRequest(tx, guid)
  if (request === undefined) throw new Error('a request for badges is gone that was just written')
  return request
}

/** A tournament's requests, newest first; up to `limit` + 1. */
export async function listOfTournament(
  db: Db,
  tournamentGuid: string,
  { after, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<BadgeRequest[]> {
  return select(db)
    .where(and(eq(badgeRequests.tournamentGuid, tournamentGuid), madeBefore(badgeRequests, after)))
    .orderBy(desc(badgeRequests.createdAt), desc(badgeRequests.guid))
    .limit(limit + 1)
}

/** The position at which the list of all requests continues. `isOver` is 0 for pending requests, which come first. */
export type WaitingPosition = readonly [isOver: 0 | 1, madeAt: string, guid: string]

export function waitingPosition({ status, createdAt, guid }: BadgeRequest): WaitingPosition {
  return [status === 'pending' ? 0 : 1, formatInstant(createdAt), guid]
}

export function isWaitingPosition(position: Position): position is WaitingPosition {
  const [isOver, madeAt, guid, ...rest] = position
  const isKnown = isOver === 0 || isOver === 1
  return isKnown && isCursorInstant(madeAt) && typeof guid === 'string' && isGuid(guid) && rest.length === 0
}

const isOver = sql`(${badgeRequests.status} <> 'pending')`

/** Requests of all tournaments: pending ones first, oldest first; up to `limit` + 1. */
export async function listAll(
  db: Db,
  {
    statuses,
    after,
    limit,
  }: {
    readonly statuses?: readonly RequestStatus[] | undefined
    readonly after?: WaitingPosition | undefined
    readonly limit: number
  },
): Promise<BadgeRequest[]> {
  return select(db)
    .where(and(among(statuses), behind(after)))
    .orderBy(asc(isOver), asc(badgeRequests.createdAt), asc(badgeRequests.guid))
    .limit(limit + 1)
}

/** The condition repeats the expression of the index, so that pending requests are found without reading the others. */
function among(statuses: readonly RequestStatus[] | undefined): SQL | undefined {
  if (statuses === undefined) return undefined
  const wanted = sql`${badgeRequests.status} = any(${sql.param([...statuses])}::text[])`
  const isOneSided = statuses.every((status) => (status === 'pending') === (statuses[0] === 'pending'))
  return isOneSided ? sql`${wanted} and ${isOver} = ${statuses[0] !== 'pending'}` : wanted
}

function behind(position: WaitingPosition | undefined): SQL | undefined {
  if (position === undefined) return undefined
  const [over, madeAt, guid] = position
  return sql`(${isOver}, ${badgeRequests.createdAt}, ${badgeRequests.guid}) > (${over === 1}, ${madeAt}::timestamptz, ${guid}::uuid)`
}

export const badgesColumn: MediaColumn = {
  table: badgeRequests,
  key: badgeRequests.guid,
  column: badgeRequests.badges,
}

/** The names of requests for managers of media: those of their tournaments. */
export async function listNamed(db: Db, guids: readonly string[]) {
  return db.session.orm
    .select({ guid: badgeRequests.guid, name: tournaments.name, tournamentGuid: tournaments.guid })
    .from(badgeRequests)
    .innerJoin(tournaments, eq(tournaments.guid, badgeRequests.tournamentGuid))
    .where(sql`${badgeRequests.guid} = any(${sql.param([...guids])}::uuid[])`)
}
