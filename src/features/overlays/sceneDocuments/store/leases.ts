import { and, eq, gt, inArray, lt, notInArray, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayClientLeases } from '../tables.ts'

/** Leases of client IDs, with which users write into documents. (OV11) */

export interface Lease {
  readonly overlayGuid: string
  readonly generation: number
  readonly client: number
}

/** Returns false if the client ID is leased already. */
export async function insertLease(
  tx: Tx,
  lease: Lease & { readonly userGuid: string; readonly expiresAt: Date },
): Promise<boolean> {
  const made = await tx.session.orm
    .insert(overlayClientLeases)
    .values(lease)
    .onConflictDoNothing()
    .returning({ client: overlayClientLeases.client })
  return made.length > 0
}

const held = statement('overlay_client_leases.held', (orm) =>
  orm
    .select({ client: overlayClientLeases.client, userGuid: overlayClientLeases.userGuid })
    .from(overlayClientLeases)
    .where(
      and(
        eq(overlayClientLeases.overlayGuid, sql.placeholder('overlay')),
        eq(overlayClientLeases.generation, sql.placeholder('generation')),
        sql`${overlayClientLeases.userGuid} = any(${sql.placeholder('users')}::uuid[])`,
        gt(overlayClientLeases.expiresAt, sql.placeholder('now')),
      ),
    ),
)

/** Returns the leased client IDs of each user that have not expired. */
export async function listLeases(
  db: Db,
  which: {
    readonly overlay: string
    readonly generation: number
    readonly users: readonly string[]
    readonly now: Date
  },
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const byUser = new Map<string, Set<number>>(which.users.map((user) => [user, new Set()]))
  for (const { client, userGuid } of await held(db, { ...which, now: which.now })) byUser.get(userGuid)?.add(client)
  return byUser
}

/** Sets the end of leases. */
export async function setLeases(
  tx: Tx,
  {
    overlay,
    generation,
    clients,
  }: { readonly overlay: string; readonly generation: number; readonly clients: readonly number[] },
  expiresAt: Date,
): Promise<void> {
  await tx.session.orm
    .update(overlayClientLeases)
    .set({ expiresAt })
    .where(and(ofDocument(overlay, generation), inArray(overlayClientLeases.client, [...clients])))
}

/** Whether other clients have leases that end after a time. */
export async function areOthersLeased(
  tx: Tx,
  {
    overlay,
    generation,
    clients,
  }: { readonly overlay: string; readonly generation: number; readonly clients: readonly number[] },
  behind: Date,
): Promise<boolean> {
  const [found] = await tx.session.orm
    .select({ client: overlayClientLeases.client })
    .from(overlayClientLeases)
    .where(
      and(
        ofDocument(overlay, generation),
        notInArray(overlayClientLeases.client, [...clients]),
        gt(overlayClientLeases.expiresAt, behind),
      ),
    )
    .limit(1)
  return found !== undefined
}

/** Deletes the leases of a user beyond the maximum number, the earliest to end first. */
export async function trimLeases(
  tx: Tx,
  { overlay, generation, user }: { readonly overlay: string; readonly generation: number; readonly user: string },
  most: number,
): Promise<void> {
  const mine = and(ofDocument(overlay, generation), eq(overlayClientLeases.userGuid, user))
  const kept = tx.session.orm
    .select({ client: overlayClientLeases.client })
    .from(overlayClientLeases)
    .where(mine)
    .orderBy(sql`${overlayClientLeases.expiresAt} desc`, sql`${overlayClientLeases.client} desc`)
    .limit(most)
  await tx.session.orm.delete(overlayClientLeases).where(and(mine, notInArray(overlayClientLeases.client, kept)))
}

/** Deletes leases of earlier generations, and leases that ended before a time. */
export async function sweepLeases(tx: Tx, overlay: string, generation: number, ranOutBy: Date): Promise<void> {
  const mine = eq(overlayClientLeases.overlayGuid, overlay)
  await tx.session.orm
    .delete(overlayClientLeases)
    .where(
      and(
        mine,
        sql`(${lt(overlayClientLeases.generation, generation)} or ${lt(overlayClientLeases.expiresAt, ranOutBy)})`,
      ),
    )
}

function ofDocument(overlay: string, generation: number) {
  return and(eq(overlayClientLeases.overlayGuid, overlay), eq(overlayClientLeases.generation, generation))
}
