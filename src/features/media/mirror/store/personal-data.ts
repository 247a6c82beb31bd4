import { inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData } from '../../../../infra/db/personal-data.ts'
import { dropObjects } from '../../../../infra/media/objects/drop.ts'
import { remotePictures } from '../../../../infra/media/tables.ts'
import type { User } from '../../../people/users/types.ts'
import { chatPicturesOf } from '../rules.ts'
import { keyOf } from './pictures.ts'

/** The mirrored pictures of a user, whose addresses may identify the user. */
export const mirrorPersonalData = declarePersonalData({ forget: [forgetPictures] })

/** Deletes the user's current picture and all earlier ones of the chat account immediately, not at the next sweep. (D35, M22) */
async function forgetPictures(
  tx: Tx,
  user: Pick<User, 'avatarUrl' | 'chatAvatarUrl' | 'chatPlatformId'>,
): Promise<void> {
  const ofAccount = chatPicturesOf(user)
  const { address, url } = remotePictures
  const forgotten = await tx.session.orm
    .delete(remotePictures)
    .where(
      or(
        inArray(address, [user.avatarUrl, user.chatAvatarUrl ?? ''].map(keyOf)),
        ofAccount === null
          ? undefined
          : sql`left(${url}, 100) ~>=~ ${ofAccount} and left(${url}, 100) ~<~ ${`${ofAccount}~`}`,
      ),
    )
    .returning({ digest: sql<string | null>`encode(${remotePictures.digest}, 'hex')` })
  await dropObjects(
    tx,
    forgotten.flatMap(({ digest }) => digest ?? []),
  )
}
