import { and, asc, desc, eq, inArray, isNotNull, ne, notInArray, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { matches } from '../../brackets/matches/tables.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { scheduleProposals as proposals } from './tables.ts'
import type { Proposal } from './types.ts'

/** Schedule proposals that a user requested. They stay after the account is deleted. */
export const schedulesPersonalData = declarePersonalData({
  sections: {
    scheduleProposals: rowsOf(proposals, 'createdByGuid', {
      shows: ['guid', 'tournamentGuid', 'createdAt', 'appliedAt'],
    }),
  },
})

export type NewProposal = Pick<Proposal, 'tournamentGuid' | 'createdByGuid' | 'wish' | 'schedule' | 'digest'>

export async function insertProposal(tx: Tx, proposal: NewProposal, now: Date): Promise<Proposal> {
  const [row] = await tx.session.orm
    .insert(proposals)
    .values({ ...proposal, createdAt: now })
    .returning()
  if (row === undefined) throw new Error('an inserted proposal was not returned')
  return row
}

export async function findProposal(db: Db, guid: string): Promise<Proposal | undefined> {
  const [row] = await db.session.orm.select().from(proposals).where(eq(proposals.guid, guid))
  return row
}

/** Locks the proposal for the rest of the transaction, so that it is applied only once. */
export async function lockProposal(tx: Tx, guid: string): Promise<Proposal | undefined> {
  const [row] = await tx.session.orm.select().from(proposals).where(eq(proposals.guid, guid)).for('update')
  return row
}

export async function markApplied(tx: Tx, guid: string, now: Date): Promise<Proposal> {
  const [row] = await tx.session.orm
    .update(proposals)
    .set({ appliedAt: now })
    .where(eq(proposals.guid, guid))
    .returning()
  if (row === undefined) throw new Error('an applied proposal was not returned')
  return row
}

const kept = 20

/**
 * Deletes all but the newest few proposals of the tournament, as most proposals are only looked at and never applied.
 */
export async function deleteOldProposals(tx: Tx, { guid, tournamentGuid }: Proposal): Promise<void> {
  const { orm } = tx.session
  const newest = orm
    .select({ guid: proposals.guid })
    .from(proposals)
    .where(and(eq(proposals.tournamentGuid, tournamentGuid), ne(proposals.guid, guid)))
    .orderBy(desc(proposals.createdAt), desc(proposals.guid))
    .limit(kept - 1)
  await orm
    .delete(proposals)
    .where(
      and(eq(proposals.tournamentGuid, tournamentGuid), ne(proposals.guid, guid), notInArray(proposals.guid, newest)),
    )
}

const open: MatchRecord['status'][] = ['locked', 'waiting', 'ready', 'running']

/**
 * Lists the matches that are not over: all matches of these brackets, and all matches of the tournament that have a
 * time or are running.
 */
export async function listOpen(
  db: Db,
  tournamentGuid: string,
  bracketGuids: readonly string[],
): Promise<readonly MatchRecord[]> {
  return db.session.orm
    .select()
    .from(matches)
    .where(
      and(
        eq(matches.tournamentGuid, tournamentGuid),
        inArray(matches.status, open),
        or(
          isNotNull(matches.scheduledAt),
          eq(matches.status, 'running'),
          inArray(matches.bracketGuid, [...bracketGuids]),
        ),
      ),
    )
}

/** Lists the matches of a round in the order of their numbers. */
export async function listRound(
  db: Db,
  round: { readonly bracketGuid: string; readonly section: MatchRecord['section']; readonly number: number },
): Promise<readonly MatchRecord[]> {
  return db.session.orm
    .select()
    .from(matches)
    .where(
      and(
        eq(matches.bracketGuid, round.bracketGuid),
        eq(matches.section, round.section),
        eq(matches.round, round.number),
      ),
    )
    .orderBy(asc(matches.number))
}
