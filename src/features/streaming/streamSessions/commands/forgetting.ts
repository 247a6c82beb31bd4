import type { Tx } from '../../../../infra/db/database.ts'
import type { User } from '../../../people/users/types.ts'
import { endStreams } from './ending.ts'

/** Ends the streams of a user who deletes their account. Their streams for a tournament stay in its list. (S3) */
export async function forgetStreams(tx: Tx, { guid }: Pick<User, 'guid'>, now: Date): Promise<void> {
  await endStreams(tx, { user: guid }, { reason: 'account_closed', actor: guid, now })
}
