import { type Static, Type } from 'typebox'
import { Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import type { Exclusion } from '../store/exclusions.ts'

const answer = nullable(Type.String(), 'What the user says to it; null where they have said nothing.')
const reason = Type.String({ examples: ['One of nine accounts that were made in the same hour.'] })

export const ExclusionView = Type.Object(
  {
    user: UserCard,
    reason,
    answer,
    answeredAt: nullable(Instant),
    excludedBy: nullable(UserCard, 'Null for somebody who has no account any more.'),
    createdAt: Instant,
  },
  { title: 'AwardExclusion', description: 'A user whose votes do not count, as managers see it.' },
)
type ExclusionView = Static<typeof ExclusionView>

/** The exclusion as the excluded user sees it. */
export const OwnExclusionView = Type.Object(
  { reason, answer, answeredAt: nullable(Instant) },
  { title: 'OwnAwardExclusion' },
)

export function ownExclusionView({
  reason: why,
  answer: said,
  answeredAt,
}: Exclusion): Static<typeof OwnExclusionView> {
  return { reason: why, answer: said, answeredAt: answeredAt === null ? null : formatInstant(answeredAt) }
}

/** The views of exclusions, with one query for the cards of all users. */
export async function exclusionViews(db: Db, exclusions: readonly Exclusion[]): Promise<ExclusionView[]> {
  const named = exclusions.flatMap(({ userGuid, excludedBy }) => [
    userGuid,
    ...(excludedBy === null ? [] : [excludedBy]),
  ])
  const facts = await listUserFacts(db, [...new Set(named)])
  return exclusions.map((exclusion) => {
    const user = facts.get(exclusion.userGuid)
    if (user === undefined) throw new Error('an exclusion is of nobody')
    const by = facts.get(exclusion.excludedBy ?? '')
    return {
      user: userCard(user),
      ...ownExclusionView(exclusion),
      excludedBy: by === undefined ? null : userCard(by),
      createdAt: formatInstant(exclusion.createdAt),
    }
  })
}
