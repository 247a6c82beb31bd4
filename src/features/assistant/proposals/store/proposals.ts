import { and, desc, eq, getTableColumns, inArray, lte, or, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { flowSessions } from '../../../flows/flowSessions/tables.ts'
import { gameProposals } from '../tables.ts'
import type { GameProposal } from '../types.ts'

const columns = getTableColumns(gameProposals)
const guid = sql.placeholder('guid')
const open = inArray(gameProposals.status, ['collecting', 'proposed'])

const byGuid = statement('game_proposals.by_guid', (orm) =>
  orm.select(columns).from(gameProposals).where(eq(gameProposals.guid, guid)),
)

export async function findProposal(db: Db, proposalGuid: string): Promise<GameProposal | undefined> {
  return (await byGuid(db, { guid: proposalGuid }))[0]
}

const locked = statement('game_proposals.lock', (orm) =>
  orm.select(columns).from(gameProposals).where(eq(gameProposals.guid, guid)).for('no key update'),
)

/** Locks a proposal for a decision; after the locks of its bracket, its session and its play. */
export async function lockProposal(tx: Tx, proposalGuid: string): Promise<GameProposal | undefined> {
  return (await locked(tx, { guid: proposalGuid }))[0]
}

/** Locks a proposal and the match's other undecided ones, all in the same order to avoid deadlocks. */
export async function lockWithOthers(
  tx: Tx,
  { guid: own, matchGuid }: Pick<GameProposal, 'guid' | 'matchGuid'>,
): Promise<readonly GameProposal[]> {
  return tx.session.orm
    .select(columns)
    .from(gameProposals)
    .where(and(eq(gameProposals.matchGuid, matchGuid), or(eq(gameProposals.guid, own), open)))
    .orderBy(gameProposals.guid)
    .for('no key update')
}

const ofPlay = statement('game_proposals.of_play', (orm) =>
  orm.select(columns).from(gameProposals).where(eq(gameProposals.playGuid, guid)).for('no key update'),
)

export async function lockProposalOfPlay(tx: Tx, playGuid: string): Promise<GameProposal | undefined> {
  return (await ofPlay(tx, { guid: playGuid }))[0]
}

type Content = Omit<GameProposal, 'guid' | 'decidedBy' | 'decidedAt' | 'reason'>

export async function insertProposal(tx: Tx, proposal: Content): Promise<GameProposal> {
  const [row] = await tx.session.orm
    .insert(gameProposals)
    .values({ ...proposal })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted proposal was not returned')
  return row
}

type Changes = Partial<Omit<GameProposal, 'guid' | 'tournamentGuid' | 'matchGuid' | 'playGuid' | 'createdAt'>>

/** The caller must hold the lock of `lockProposal`. */
export async function updateProposal(tx: Tx, proposalGuid: string, changes: Changes): Promise<GameProposal> {
  const [row] = await tx.session.orm
    .update(gameProposals)
    .set(changes)
    .where(eq(gameProposals.guid, proposalGuid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated proposal was not returned')
  return row
}

/** A match's proposals, newest first; up to `limit` + 1, which shows whether there are more. */
export async function listProposals(
  db: Db,
  matchGuid: string,
  { after, limit }: { readonly after: MakingPosition | undefined; readonly limit: number },
): Promise<readonly GameProposal[]> {
  return db.session.orm
    .select(columns)
    .from(gameProposals)
    .where(and(eq(gameProposals.matchGuid, matchGuid), madeBefore(gameProposals, after)))
    .orderBy(desc(gameProposals.createdAt), desc(gameProposals.guid))
    .limit(limit + 1)
}

/** GUIDs of the matches' undecided proposals, in the order in which they are locked. */
export async function listOpenProposals(db: Db, matchGuids: readonly string[]): Promise<readonly string[]> {
  if (matchGuids.length === 0) return []
  const rows = await db.session.orm
    .select({ guid: gameProposals.guid })
    .from(gameProposals)
    .where(and(inArray(gameProposals.matchGuid, [...matchGuids]), open))
    .orderBy(gameProposals.guid)
  return rows.map((row) => row.guid)
}

/** GUIDs of the matches of flow sessions. */
export async function listMatchesOfSessions(db: Db, sessionGuids: readonly string[]): Promise<readonly string[]> {
  if (sessionGuids.length === 0) return []
  const rows = await db.session.orm
    .select({ match: flowSessions.matchGuid })
    .from(flowSessions)
    .where(inArray(flowSessions.guid, [...sessionGuids]))
  return rows.flatMap(({ match }) => match ?? [])
}

const now = sql`clock_timestamp()`
const atOnce = 64

/** GUIDs of the proposals that are due to accept themselves by the database clock, and the time until the next one. */
export async function findDueProposals(
  db: Db,
): Promise<{ readonly guids: readonly string[]; readonly nextMs: number | null }> {
  const isWaiting = and(eq(gameProposals.status, 'proposed'), sql`${gameProposals.acceptAt} is not null`)
  const [due, [next]] = await Promise.all([
    db.session.orm
      .select({ guid: gameProposals.guid })
      .from(gameProposals)
      .where(and(isWaiting, lte(gameProposals.acceptAt, now)))
      .orderBy(gameProposals.acceptAt)
      .limit(atOnce),
    db.session.orm
      .select({ ms: sql<number | null>`(extract(epoch from min(${gameProposals.acceptAt}) - ${now}) * 1000)::float8` })
      .from(gameProposals)
      .where(and(isWaiting, sql`${gameProposals.acceptAt} > ${now}`)),
  ])
  return { guids: due.map((row) => row.guid), nextMs: due.length === atOnce ? 0 : (next?.ms ?? null) }
}
