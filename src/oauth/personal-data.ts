import type { Tx } from '../infra/db/database.ts'
import { emit } from '../infra/events/emit.ts'
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
async function forgetUser(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  for (const clientId of await deleteAllOf(tx, guid)) {
    emit(tx, { type: 'application.deleted', subject: clientId, actor: guid })
  }
}
