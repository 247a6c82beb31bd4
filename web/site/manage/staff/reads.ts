import type { StaffGroup, UserCard } from '../../../../client/generated.ts'
import type { Role } from '../rights.ts'

/** The staff, and what a grant or its end does to it. */

export function withRole(
  groups: readonly StaffGroup[],
  user: UserCard,
  role: Role,
  holds: boolean,
): readonly StaffGroup[] {
  const known = groups.some((group) => group.role === role)
  return (known ? groups : [...groups, { role, users: [] }]).map((group) => {
    if (group.role !== role) return group
    const others = group.users.filter(({ guid }) => guid !== user.guid)
    return { ...group, users: holds ? [...others, user] : others }
  })
}
