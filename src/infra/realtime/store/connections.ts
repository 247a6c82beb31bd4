import { and, desc, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../db/database.ts'
import { listenerName } from '../../events/wake.ts'
import { connections, connectionProcesses as processes } from '../tables.ts'

export type HeldConnection = typeof connections.$inferSelect

/** A process that was not seen for so long has no connections any more. */
const gone = sql.raw(`interval '15 seconds'`)

const isAlive = gt(processes.seenAt, sql`now() - ${gone}`)

/**
 * Connections of a process that was killed a moment ago do not count: its clients reconnect immediately, and would
 * exceed their limits together with their old connections.
 */
const isConnected = sql`${listenerName} || ${processes.guid} in
  (select application_name from pg_stat_activity where datname = current_database())`

/** Notes that the process is alive; deletes processes that are not, with their connections. */
export async function saveProcess(tx: Tx, guid: string): Promise<void> {
  const { orm } = tx.session
  const seenAt = sql`now()`
  await orm.insert(processes).values({ guid, seenAt }).onConflictDoUpdate({ target: processes.guid, set: { seenAt } })
  await orm.delete(processes).where(lt(processes.seenAt, sql`now() - 4 * ${gone}`))
}

export async function deleteProcess(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(processes).where(eq(processes.guid, guid))
}

export async function saveConnections(tx: Tx, held: readonly HeldConnection[]): Promise<void> {
  if (held.length === 0) return
  await tx.session.orm
    .insert(connections)
    .values([...held])
    .onConflictDoUpdate({ target: connections.guid, set: { subscriptions: sql`excluded.subscriptions` } })
}

export async function deleteConnections(tx: Tx, guids: readonly string[]): Promise<void> {
  if (guids.length > 0) await tx.session.orm.delete(connections).where(inArray(connections.guid, [...guids]))
}

const ofUser = statement('connections.of_user', (orm) =>
  orm
    .select({ connection: connections })
    .from(connections)
    .innerJoin(processes, eq(processes.guid, connections.processGuid))
    .where(and(eq(connections.userGuid, sql.placeholder('user')), isAlive))
    .orderBy(desc(connections.connectedAt), desc(connections.guid))
    .limit(sql.placeholder('limit')),
)

/** The newest first. */
export async function listConnectionsOf(db: Db, user: string, limit: number): Promise<readonly HeldConnection[]> {
  return (await ofUser(db, { user, limit })).map(({ connection }) => connection)
}

export async function findConnectionOf(db: Db, userGuid: string, guid: string): Promise<HeldConnection | undefined> {
  const [row] = await db.session.orm
    .select()
    .from(connections)
    .where(and(eq(connections.userGuid, userGuid), eq(connections.guid, guid)))
  return row
}

/** The holders to count: users and view tokens by GUID, applications by id. */
interface Asked {
  readonly holders: readonly string[]
  readonly clients: readonly string[]
}

/** The number of sockets and streams that each holder and each application has in other processes, by GUID or id. */
export async function countElsewhere(
  db: Db,
  processGuid: string,
  { holders, clients }: Asked,
): Promise<ReadonlyMap<string, { readonly socket: number; readonly stream: number }>> {
  const elsewhere = (column: typeof connections.userGuid | typeof connections.clientId, whose: readonly string[]) =>
    db.session.orm
      .select({
        of: column,
        socket: sql<number>`count(*) filter (where ${connections.door} = 'socket')`.mapWith(Number),
        stream: sql<number>`count(*) filter (where ${connections.door} <> 'socket')`.mapWith(Number),
      })
      .from(connections)
      .innerJoin(processes, eq(processes.guid, connections.processGuid))
      .where(and(inArray(column, [...whose]), ne(connections.processGuid, processGuid), isAlive, isConnected))
      .groupBy(column)
  const rows = await Promise.all([
    holders.length === 0 ? [] : elsewhere(connections.userGuid, holders),
    clients.length === 0 ? [] : elsewhere(connections.clientId, clients),
  ])
  return new Map(rows.flat().map(({ of, ...counts }) => [of ?? '', counts]))
}

/**
 * Connections above the maximum of their holder or, for sockets, of their application, counted over all processes. The
 * order is the same for every process.
 * @param asked the holders and the applications of all connections that the caller checks
 */
export async function listExcess(
  db: Db,
  { holders, clients }: Asked,
  most: { readonly ofHolder: { readonly socket: number; readonly stream: number }; readonly ofApplication: number },
): Promise<ReadonlySet<string>> {
  const { guid, processGuid, userGuid, clientId, door, connectedAt } = connections
  const placeIn = (column: typeof userGuid | typeof clientId) =>
    sql`row_number() over (partition by ${column}, ${door} = 'socket' order by ${connectedAt}, ${guid})`
  const { rows } = await db.session.orm.execute<{ guid: string }>(sql`
    select p.guid from (
      select ${guid}, ${clientId}, ${door} = 'socket' as is_socket,
        ${placeIn(userGuid)} as of_holder, ${placeIn(clientId)} as of_application
      from ${connections} join ${processes} on ${processes.guid} = ${processGuid}
      where (${userGuid} = any(${sql.param([...holders])}::uuid[]) or ${clientId} = any(${sql.param([...clients])}::text[]))
        and ${isAlive} and ${isConnected}
    ) p
    where p.of_holder > case when p.is_socket then ${most.ofHolder.socket}::int else ${most.ofHolder.stream}::int end
      or (p.is_socket and p.client_id is not null and p.of_application > ${most.ofApplication}::int)`)
  return new Set(rows.map((row) => row.guid))
}
