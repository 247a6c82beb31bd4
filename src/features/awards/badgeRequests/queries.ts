import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { cardBytes } from '../../people/users/views.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { checkCompleted, countRecipients, draftOf } from './rules.ts'
import { listPictures } from './store/pictures.ts'
import { listFinalRosters } from './store/rosters.ts'
import type { BadgeRequest } from './types.ts'
import { type BadgeRequestView, draftView, requestView } from './views.ts'

/** The views of requests, in the given order. */
export async function readRequests(
  db: Db,
  requests: readonly BadgeRequest[],
  mediaOrigin: string,
): Promise<BadgeRequestView[]> {
  const badges = requests.flatMap((request) => request.badges)
  const named = badges.flatMap(({ recipients }) => recipients.map(({ userGuid }) => userGuid))
  const [people, pictures] = await Promise.all([
    listUserFacts(db, [...named, ...requests.flatMap((one) => [one.createdBy ?? [], one.reviewedBy ?? []].flat())]),
    listPictures(
      db,
      badges.flatMap(({ mediaGuid }) => mediaGuid ?? []),
    ),
  ])
  return requests.map((request) => requestView(request, people, pictures, mediaOrigin))
}

/** The estimated size of a request's view, in bytes. Each recipient is shown as a card. */
export function bytesOf({ badges }: BadgeRequest): number {
  return countRecipients(badges) * cardBytes
}

/**
 * A proposal for the organiser's request: badges for everybody who was placed. (B5)
 * @throws Problem `tournament.not_completed`
 */
export async function readDraft(db: Db, tournament: Tournament) {
  checkCompleted(tournament)
  const badges = draftOf(tournament.name, await listFinalRosters(db, tournament))
  const people = await listUserFacts(
    db,
    badges.flatMap(({ recipients }) => recipients.map(({ userGuid }) => userGuid)),
  )
  return draftView(badges, people)
}
