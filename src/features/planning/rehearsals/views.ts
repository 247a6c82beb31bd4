import { Type } from 'typebox'
import { Guid, Instant } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { expiryOf } from './rules.ts'
import type { Rehearsal } from './types.ts'

export const RehearsalView = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id of its tournament.', examples: ['rehearsal-5f0c8a520b3e4a0e9c65'] }),
    name: Type.String({ examples: ['Dry run of Friday'] }),
    of: Guid,
    createdBy: UserCard,
    createdAt: Instant,
    expiresAt: Type.String({
      ...Instant,
      description: 'It is deleted then, unless something in it is changed before.',
    }),
  },
  { title: 'Rehearsal' },
)

export function rehearsalView({ guid, id, name, of, createdAt, lastUsedAt }: Rehearsal, by: UserFacts) {
  const expiresAt = formatInstant(expiryOf(lastUsedAt))
  return { guid, id, name, of, createdBy: userCard(by), createdAt: formatInstant(createdAt), expiresAt }
}
