import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { asksEverywhere, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { platforms } from '../../platforms/tables.ts'
import { visibilityDecisions as decisions, visibilityRequests as requests } from '../tables.ts'
import type { Standing, Verdict, VisibilityRequest } from '../types.ts'

const columns = getTableColumns(requests)

const standingsOf = statement('visibility.standings', (orm) =>
  orm
    .select({
      platform: {
        guid: platforms.guid,
        contextId: platforms.contextId,
        name: platforms.name,
        imageUrl: platforms.imageUrl,
        isSystem: platforms.isSystem,
      },
      request: columns,
    })
    .from(platforms)
    .leftJoin(
      requests,
      and(eq(requests.platformGuid, platforms.guid), eq(requests.tournamentGuid, sql.placeholder('tournamentGuid'))),
    )
    .orderBy(sql`${platforms.isSystem} desc`, sql`lower(${platforms.name})`, platforms.contextId),
)

/** Every platform with the tournament's request there: the system platform first, then the others by name. */
export async function listStandings(db: Db, tournamentGuid: string): Promise<Standing[]> {
  return standingsOf(db, { tournamentGuid })
}

/** Locks the tournament's request on a platform, if there is one. Call under `lockTournament`. */
export async function lockRequest(
  tx: Tx,
  tournamentGuid: string,
  platformGuid: string,
): Promise<VisibilityRequest | undefined> {
  const [row] = await tx.session.orm
    .select()
    .from(requests)
    .where(and(eq(requests.tournamentGuid, tournamentGuid), eq(requests.platformGuid, platformGuid)))
    .for('update')
  return row
}

const byGuid = statement('visibility.request_by_guid', (orm) =>
  orm
    .select(columns)
    .from(requests)
    .where(and(eq(requests.guid, sql.placeholder('guid')), eq(requests.platformGuid, sql.placeholder('platformGuid')))),
)

/** Finds a request of a platform. */
export async function findRequest(db: Db, platformGuid: string, guid: string): Promise<VisibilityRequest | undefined> {
  return (await byGuid(db, { platformGuid, guid }))[0]
}

const undecided = { reason: null, decidedAt: null, decidedByGuid: null }

/** Submits new requests, and earlier ones again without their old decisions. Returns them in no particular order. */
export async function submitRequests(
  tx: Tx,
  tournamentGuid: string,
  platformGuids: readonly string[],
  now: Date,
): Promise<VisibilityRequest[]> {
  if (platformGuids.length === 0) return []
  const fresh = { status: 'pending', requestedAt: now, ...undecided } as const
  return tx.session.orm
    .insert(requests)
    .values(platformGuids.map((platformGuid) => ({ tournamentGuid, platformGuid, ...fresh })))
    .onConflictDoUpdate({ target: [requests.tournamentGuid, requests.platformGuid], set: fresh })
    .returning()
}

/** Withdraws requests and clears their decisions. Returns them in no particular order. */
export async function withdrawRequests(tx: Tx, guids: readonly string[]): Promise<VisibilityRequest[]> {
  if (guids.length === 0) return []
  return tx.session.orm
    .update(requests)
    .set({ status: 'withdrawn', ...undecided })
    .where(inArray(requests.guid, [...guids]))
    .returning()
}

/**
 * Submits a request to a new platform for each active tournament that wants to be listed everywhere. Call under
 * `lockPlatformList`. Locks the tournaments in the usual order of several locks.
 * @returns the number of requests
 */
export async function submitToNewPlatform(tx: Tx, platformGuid: string, now: Date): Promise<number> {
  const { rowCount } = await tx.session.orm.execute(sql`
    insert into ${requests} (tournament_guid, platform_guid, status, requested_at)
    select t.guid, ${platformGuid}::uuid, 'pending', ${now.toISOString()}::timestamptz
    from (
      select ${tournaments.guid} from ${tournaments} where ${asksEverywhere(tournaments)}
      order by ${tournaments.guid} for share
    ) t`)
  return rowCount ?? 0
}

/** Saves the decision in the request and in its history. */
export async function decideRequest(
  tx: Tx,
  guid: string,
  { decision, reason, actorGuid }: Verdict,
  now: Date,
): Promise<VisibilityRequest> {
  const decided = { reason, decidedAt: now, decidedByGuid: actorGuid }
  const [[row]] = await Promise.all([
    tx.session.orm
      .update(requests)
      .set({ status: decision, ...decided })
      .where(eq(requests.guid, guid))
      .returning(),
    tx.session.orm.insert(decisions).values({ requestGuid: guid, decision, ...decided }),
  ])
  if (row === undefined) throw new Error('a decided visibility request was not returned')
  return row
}
