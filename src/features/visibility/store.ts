import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../infra/db/database.ts'
import { visibilityRequests as requests } from './tables.ts'
import type { Decision, VisibilityRequest } from './types.ts'

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

/** Submits a request, or an earlier one again: nothing is left of what was decided. */
export async function submitRequest(
  tx: Tx,
  tournamentGuid: string,
  platformGuid: string,
  now: Date,
): Promise<VisibilityRequest> {
  const fresh = { status: 'pending', requestedAt: now, reason: null, decidedAt: null, decidedByGuid: null } as const
  const [row] = await tx.session.orm
    .insert(requests)
    .values({ tournamentGuid, platformGuid, ...fresh })
    .onConflictDoUpdate({ target: [requests.tournamentGuid, requests.platformGuid], set: fresh })
    .returning()
  return returned(row)
}

export async function decideRequest(
  tx: Tx,
  guid: string,
  verdict: { readonly decision: Decision; readonly reason: string | null; readonly actorGuid: string },
  now: Date,
): Promise<VisibilityRequest> {
  const { decision, reason, actorGuid } = verdict
  const [row] = await tx.session.orm
    .update(requests)
    .set({ status: decision, reason, decidedAt: now, decidedByGuid: actorGuid })
    .where(eq(requests.guid, guid))
    .returning()
  return returned(row)
}

function returned(row: VisibilityRequest | undefined): VisibilityRequest {
  if (row === undefined) throw new Error('a written visibility request was not returned')
  return row
}
