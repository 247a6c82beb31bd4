import type { Tx } from '../infra/db/database.ts'
import { emit } from '../infra/events/emit.ts'
import { endUsages } from '../infra/media/usages.ts'
import { deleteAllOf, listApplicationsOf, listConsentsOf, listGrantsOf, listTokensOf } from './store/personal-data.ts'

/** What the authorization server keeps about a user, and lets go of with their account. */
export const oauthPersonalData = {
  sections: {
    applications: listApplicationsOf,
    consents: listConsentsOf,
    grants: listGrantsOf,
    accessTokens: listTokensOf,
  },
  forget: forgetUser,
}

/** Their applications end for everybody, on every process at once. (D17) */
async function forgetUser(tx: Tx, { guid }: { readonly guid: string }, now: Date): Promise<void> {
  const deleted = await deleteAllOf(tx, guid)
  await endUsages(tx, deleted, now)
  for (const clientId of deleted) {
    emit(tx, { type: 'application.deleted', subject: clientId, actor: guid, rights: true })
  }
}
