import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { webhookDeliveries as deliveries } from '../tables.ts'

/** What receivers were, or are to be, told of a user. It holds the user's card, and goes with the account. */
export const webhooksPersonalData = {
  sections: { platformMessages: listDeliveriesAbout },
  forget: deleteDeliveriesAbout,
}

async function listDeliveriesAbout(db: Db, userGuid: string, limit: number) {
  const rows = await db.session.orm
    .select({
      platformGuid: deliveries.platformGuid,
      event: deliveries.event,
      body: deliveries.body,
      status: deliveries.status,
      createdAt: deliveries.createdAt,
    })
    .from(deliveries)
    .where(eq(deliveries.userGuid, userGuid))
    .orderBy(desc(deliveries.createdAt), desc(deliveries.guid))
    .limit(limit)
  return rows.map(({ body, ...rest }) => ({ ...rest, message: JSON.parse(body) as object }))
}

async function deleteDeliveriesAbout(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(deliveries).where(eq(deliveries.userGuid, guid))
}
