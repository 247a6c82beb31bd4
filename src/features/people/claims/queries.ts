import type { Db } from '../../../infra/db/database.ts'
import { digestOf } from '../../../infra/secrets.ts'
import { listUserFacts } from '../users/store/users.ts'
import { conflictsOf, statusOf, unknownClaimLink } from './rules.ts'
import { findLinkBySecret, findPlaceholder } from './store/claims.ts'
import { listPlaces } from './store/places.ts'
import { claimPreview } from './views.ts'

/** What the user would become by the link. @throws Problem `claim.unknown` */
export async function readClaim(db: Db, userGuid: string, token: string, now: Date) {
  const link = await findLinkBySecret(db, digestOf(token))
  if (link === undefined || statusOf(link, now) !== 'open') throw unknownClaimLink()
  const [placeholder, facts, places, own] = await Promise.all([
    findPlaceholder(db, link.placeholderGuid),
    listUserFacts(db, [link.placeholderGuid]),
    listPlaces(db, link.placeholderGuid),
    listPlaces(db, userGuid),
  ])
  const shown = facts.get(link.placeholderGuid)
  if (placeholder === undefined || placeholder.chatPlatformId !== '' || shown === undefined) throw unknownClaimLink()
  return claimPreview(shown, places, conflictsOf(places, own), link)
}
