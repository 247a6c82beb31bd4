import { type Page, type Position, toPage } from '../../../core/page.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { checkCompleted, countRecipients } from './rules/asking.ts'
import { draftOf } from './rules/draft.ts'
import { listPictures } from './store/pictures.ts'
import { listFinalRosters } from './store/rosters.ts'
import type { BadgeRequest } from './types.ts'
import { type BadgeRequestView, draftView, requestView } from './views.ts'

/** Requests as they are shown, in the order in which they are given. */
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

/** Recipients on a page: it ends early, with what it has, rather than show many times as many people as other lists. */
const mostNamed = 2_000

/** A page of requests, of rows that were read one beyond `limit`. */
export function pageOf(
  list: string,
  rows: readonly BadgeRequest[],
  limit: number,
  positionOf: (request: BadgeRequest) => Position,
): Page<BadgeRequest> {
  let named = 0
  const room = rows.findIndex(({ badges }) => {
    named += countRecipients(badges)
    return named > mostNamed
  })
  return toPage(list, rows, room < 0 ? limit : Math.min(limit, Math.max(1, room)), positionOf)
}

/**
 * What an organiser might ask for: badges for those who were placed. (B5)
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
