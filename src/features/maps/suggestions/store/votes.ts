import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { mapVotes } from '../tables.ts'
import type { Tally, Target, Vote, VoteValue } from '../types.ts'

function isOn(target: Target): SQL {
  return 'suggestionGuid' in target
    ? eq(mapVotes.suggestionGuid, target.suggestionGuid)
    : eq(mapVotes.poolMapGuid, target.poolMapGuid)
}

const { userGuid, value, votedAt, changes } = mapVotes

/** Above the number of poolers of any tournament. */
const maxVotes = 1_000

/** Returns all votes on a target, latest first. */
export async function listVotes(db: Db, target: Target): Promise<Vote[]> {
  return db.session.orm
    .select({ userGuid, value, votedAt, changes })
    .from(mapVotes)
    .where(isOn(target))
    .orderBy(desc(votedAt), desc(mapVotes.guid))
    .limit(maxVotes)
}

const tallied = statement('votes.tallied', (orm) =>
  orm
    .select({
      target: sql<string>`coalesce(${mapVotes.suggestionGuid}, ${mapVotes.poolMapGuid})`,
      up: sql<number>`count(*) filter (where ${value} = 1)::int`,
      neutral: sql<number>`count(*) filter (where ${value} = 0)::int`,
      down: sql<number>`count(*) filter (where ${value} = -1)::int`,
      mine: sql<VoteValue | null>`max(${value}) filter (where ${userGuid} = ${sql.placeholder('userGuid')}::uuid)`,
    })
    .from(mapVotes)
    .where(
      sql`${mapVotes.suggestionGuid} = any(${sql.placeholder('guids')}::uuid[])
        or ${mapVotes.poolMapGuid} = any(${sql.placeholder('guids')}::uuid[])`,
    )
    .groupBy(sql`1`),
)

/** The tally of all votes, and the vote of one user. */
export interface Counted {
  readonly tally: Tally
  readonly mine: VoteValue | null
}

const none: Counted = { tally: { up: 0, neutral: 0, down: 0 }, mine: null }

/** Returns a lookup by the GUID of the suggestion or of the map in its pool. */
export async function countVotes(db: Db, guids: readonly string[], ofUser: string): Promise<(guid: string) => Counted> {
  const rows = guids.length === 0 ? [] : await tallied(db, { guids, userGuid: ofUser })
  const counted = new Map(
    rows.map(({ target, up, neutral, down, mine }) => [target, { tally: { up, neutral, down }, mine }]),
  )
  return (guid) => counted.get(guid) ?? none
}

interface Cast {
  readonly userGuid: string
  readonly value: VoteValue
  readonly now: Date
}

/** Returns whether the vote was new or changed. */
export async function castVote(
  tx: Tx,
  target: Target,
  { userGuid: voter, value: wanted, now }: Cast,
): Promise<boolean> {
  const on = 'suggestionGuid' in target ? mapVotes.suggestionGuid : mapVotes.poolMapGuid
  const rows = await tx.session.orm
    .insert(mapVotes)
    .values({ ...target, userGuid: voter, value: wanted, votedAt: now })
    .onConflictDoUpdate({
      target: [on, mapVotes.userGuid],
      set: { value: wanted, votedAt: now, changes: sql`${mapVotes.changes} + 1` },
      setWhere: sql`${mapVotes.value} <> ${wanted}`,
    })
    .returning({ guid: mapVotes.guid })
  return rows.length > 0
}

/** Returns whether there was a vote. */
export async function deleteVote(tx: Tx, target: Target, voter: string): Promise<boolean> {
  const rows = await tx.session.orm
    .delete(mapVotes)
    .where(and(isOn(target), eq(mapVotes.userGuid, voter)))
    .returning({ guid: mapVotes.guid })
  return rows.length > 0
}
