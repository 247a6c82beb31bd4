import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { WithdrawalPolicy } from '../../../../engine/types.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { matches } from '../../matches/tables.ts'
import { bracketEntrants, brackets } from '../tables.ts'
import type { Bracket, BracketEntrant } from '../types.ts'

const columns = getTableColumns(brackets)
const guid = sql.placeholder('guid')

const byGuid = statement('brackets.by_guid', (orm) => orm.select(columns).from(brackets).where(eq(brackets.guid, guid)))

export async function findBracket(db: Db, guid: string): Promise<Bracket | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const locked = statement('brackets.lock', (orm) =>
  orm.select(columns).from(brackets).where(eq(brackets.guid, guid)).for('update'),
)

/**
 * Locks the bracket until the transaction ends, and reads its current state. Every change of a bracket and of its
 * matches takes this lock, so the changes happen one after the other. (additions: Divisions, brackets, matches)
 */
export async function lockBracket(tx: Tx, guid: string): Promise<Bracket | undefined> {
  return (await locked(tx, { guid }))[0]
}

const ofTournament = statement('brackets.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(brackets)
    .where(eq(brackets.tournamentGuid, guid))
    .orderBy(asc(brackets.divisionGuid), asc(brackets.order), asc(brackets.createdAt), asc(brackets.guid)),
)

/** By division, then by order; several brackets may have the same order. */
export async function listBrackets(db: Db, tournamentGuid: string): Promise<readonly Bracket[]> {
  return ofTournament(db, { guid: tournamentGuid })
}

const entrantColumns = {
  slot: bracketEntrants.slot,
  seed: bracketEntrants.seed,
  team: bracketEntrants.teamGuid,
  withdrawal: bracketEntrants.withdrawal,
}

const entrantsOf = statement('brackets.entrants', (orm) =>
  orm
    .select(entrantColumns)
    .from(bracketEntrants)
    .where(eq(bracketEntrants.bracketGuid, guid))
    .orderBy(asc(bracketEntrants.slot)),
)

/** By slot. */
export async function listEntrants(db: Db, bracketGuid: string): Promise<readonly BracketEntrant[]> {
  return entrantsOf(db, { guid: bracketGuid })
}

const entrantsInTournament = statement('brackets.entrants_of_tournament', (orm) =>
  orm
    .select({ bracketGuid: bracketEntrants.bracketGuid, ...entrantColumns })
    .from(bracketEntrants)
    .where(eq(bracketEntrants.tournamentGuid, guid))
    .orderBy(asc(bracketEntrants.bracketGuid), asc(bracketEntrants.slot)),
)

/** The entrants of all brackets; by slot in each bracket. */
export async function listEntrantsOfTournament(
  db: Db,
  tournamentGuid: string,
): Promise<readonly (BracketEntrant & { readonly bracketGuid: string })[]> {
  return entrantsInTournament(db, { guid: tournamentGuid })
}

const withdrawnOf = statement('brackets.withdrawn', (orm) =>
  orm
    .select({
      team: sql<string>`${bracketEntrants.teamGuid}`,
      policy: sql<WithdrawalPolicy>`${bracketEntrants.withdrawal}`,
    })
    .from(bracketEntrants)
    .where(and(eq(bracketEntrants.bracketGuid, guid), sql`${bracketEntrants.withdrawal} is not null`)),
)

/** The teams that have left the bracket, with the policy for their results. */
export async function listWithdrawn(db: Db, bracketGuid: string): Promise<ReadonlyMap<string, WithdrawalPolicy>> {
  return new Map((await withdrawnOf(db, { guid: bracketGuid })).map(({ team, policy }) => [team, policy]))
}

const toLeave = statement('brackets.to_leave', (orm) =>
  orm
    .select({ guid: bracketEntrants.bracketGuid })
    .from(bracketEntrants)
    .where(
      and(
        eq(bracketEntrants.teamGuid, guid),
        sql`(${bracketEntrants.withdrawal} is null or ${bracketEntrants.withdrawal} = any(${sql.placeholder('weaker')}::text[]))`,
      ),
    )
    .orderBy(asc(bracketEntrants.bracketGuid)),
)

/**
 * The brackets that a team is in and has not left, in the order in which they are locked. For `void`, also the brackets
 * that it has left with the policy `walkover`. (additions: D, rule 5)
 */
export async function listBracketsToLeave(
  db: Db,
  teamGuid: string,
  policy: WithdrawalPolicy,
): Promise<readonly string[]> {
  const weaker: readonly WithdrawalPolicy[] = policy === 'void' ? ['walkover'] : []
  return (await toLeave(db, { guid: teamGuid, weaker })).map((row) => row.guid)
}

const stoodIn = statement('brackets.stood_in', (orm) =>
  orm
    .select({ teamGuid: sql<string>`${bracketEntrants.teamGuid}`, guid: brackets.guid, name: brackets.name })
    .from(bracketEntrants)
    .innerJoin(brackets, eq(brackets.guid, bracketEntrants.bracketGuid))
    .where(
      sql`${bracketEntrants.teamGuid} = any(${sql.placeholder('guids')}::uuid[]) and ${bracketEntrants.withdrawal} is null`,
    )
    .orderBy(asc(brackets.guid)),
)

/** The brackets that each of these teams is in and has not left. */
export async function listBracketsOfTeams(
  db: Db,
  teamGuids: readonly string[],
): Promise<readonly (Pick<Bracket, 'guid' | 'name'> & { readonly teamGuid: string })[]> {
  return teamGuids.length === 0 ? [] : stoodIn(db, { guids: teamGuids })
}

/** @param policy null for a team that has returned */
export async function withdrawEntrant(
  tx: Tx,
  bracketGuid: string,
  teamGuid: string,
  policy: WithdrawalPolicy | null,
): Promise<void> {
  await tx.session.orm
    .update(bracketEntrants)
    .set({ withdrawal: policy })
    .where(and(eq(bracketEntrants.bracketGuid, bracketGuid), eq(bracketEntrants.teamGuid, teamGuid)))
}

/** Replaces all entrants of the bracket. */
export async function replaceEntrants(
  tx: Tx,
  { guid: bracketGuid, tournamentGuid }: Pick<Bracket, 'guid' | 'tournamentGuid'>,
  entrants: readonly BracketEntrant[],
): Promise<void> {
  const { orm } = tx.session
  await orm.delete(bracketEntrants).where(eq(bracketEntrants.bracketGuid, bracketGuid))
  await orm.execute(sql`
    insert into ${bracketEntrants} (tournament_guid, bracket_guid, slot, seed, team_guid, withdrawal)
    select ${tournamentGuid}::uuid, ${bracketGuid}::uuid, e.slot, e.seed, e.team, e.withdrawal
    from jsonb_to_recordset(${JSON.stringify(entrants)}::jsonb) as e (slot int, seed int, team uuid, withdrawal text)`)
}

export async function insertBracket(tx: Tx, bracket: Bracket): Promise<void> {
  await tx.session.orm.insert(brackets).values(bracket)
}

export type BracketChanges = Partial<
  Pick<Bracket, 'name' | 'order' | 'format' | 'settings' | 'status' | 'open' | 'started' | 'roundsMade' | 'ruling'>
>

/** Updates the bracket and raises its revision. Call under `lockBracket`. */
export async function updateBracket(tx: Tx, guid: string, changes: BracketChanges, now: Date): Promise<Bracket> {
  const [row] = await tx.session.orm
    .update(brackets)
    .set({ ...changes, revision: sql`${brackets.revision} + 1`, updatedAt: now })
    .where(eq(brackets.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated bracket was not returned')
  return row
}

const advance = statement('brackets.advance', (orm) =>
  orm
    .update(brackets)
    .set({
      status: sql`${sql.placeholder('status')}`,
      open: sql`${sql.placeholder('open')}`,
      started: sql`${sql.placeholder('started')}`,
      revision: sql`${sql.placeholder('revision')}`,
      updatedAt: sql`${sql.placeholder('updatedAt')}`,
    })
    .where(eq(brackets.guid, guid)),
)

/**
 * Saves the bracket's status, totals and revision after its matches changed. The caller has read the other columns
 * under the lock.
 */
export async function advanceBracket(tx: Tx, bracket: Bracket): Promise<void> {
  const { guid, status, open, started, revision, updatedAt } = bracket
  await advance(tx, { guid, status, open, started, revision, updatedAt })
}

/** Deletes the bracket with its entrants, matches and corrections. */
export async function deleteBracket(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(brackets).where(eq(brackets.guid, guid))
}

const listedOf = statement('brackets.listed', (orm) => {
  const tournament = sql.placeholder('tournamentGuid')
  const limit = sql.placeholder('limit')
  const places = sql`select from ${bracketEntrants} where ${bracketEntrants.tournamentGuid} = ${tournament} limit ${limit}`
  const played = sql`select from ${matches} where ${matches.tournamentGuid} = ${tournament} limit ${limit}`
  return orm.select({ total: sql<number>`count(*)::int` }).from(sql`((${places}) union all (${played})) listed`)
})

/** The number of entrants and matches in all brackets of a tournament, at most twice `limit`. */
export async function countListed(db: Db, tournamentGuid: string, limit: number): Promise<number> {
  return (await listedOf(db, { tournamentGuid, limit }))[0]?.total ?? 0
}
