import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../infra/db/personal-data.ts'
import { emit } from '../../infra/events/emit.ts'
import { endUsages } from '../../infra/media/usages.ts'
import { accessTokens, applications, authorizationCodes, consents, deviceRequests, grants } from '../tables.ts'

/**
 * A user's applications, consents, grants and access tokens, without secrets. Authorization codes and device requests
 * are left out: they live for minutes.
 */
export const oauthPersonalData = declarePersonalData({
  sections: {
    applications: rowsOf(applications, 'ownerGuid', {
      shows: ['clientId', 'name', 'imageUrl', 'type', 'scopes', 'redirectUris', 'createdAt', 'updatedAt'],
      order: ['createdAt', 'clientId'],
    }),
    consents: rowsOf(consents, 'userGuid', {
      shows: ['clientId', 'scopes', 'createdAt', 'updatedAt'],
      order: ['updatedAt', asc(consents.clientId)],
    }),
    grants: rowsOf(grants, 'userGuid', {
      shows: ['guid', 'clientId', 'scopes', 'createdAt', 'usedAt', 'revokedAt'],
    }),
    accessTokens: rowsOf(accessTokens, 'userGuid', {
      shows: [
        ...['jti', 'grantGuid', { signInGuid: accessTokens.sessionGuid }, 'scopes', 'issuedAt', 'expiresAt'],
        'revokedAt',
      ] as const,
      order: ['issuedAt', 'jti'],
    }),
  },
  forget: [
    deleteApplications,
    deleteRows(authorizationCodes, 'userGuid'),
    deleteRows(deviceRequests, 'userGuid'),
    deleteRows(grants, 'userGuid'),
    deleteRows(consents, 'userGuid'),
    deleteRows(accessTokens, 'userGuid'),
  ],
})

/** Deletes the user's applications and all grants to them; every process learns it immediately. (D17) */
async function deleteApplications(tx: Tx, { guid }: { readonly guid: string }, now: Date): Promise<void> {
  const rows = await tx.session.orm
    .delete(applications)
    .where(eq(applications.ownerGuid, guid))
    .returning({ clientId: applications.clientId })
  const deleted = rows.map(({ clientId }) => clientId)
  await endUsages(tx, deleted, now)
  for (const clientId of deleted) {
    emit(tx, { type: 'application.deleted', subject: clientId, actor: guid, rights: true })
  }
}
