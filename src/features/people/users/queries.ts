import type { Db } from '../../../infra/db/database.ts'
import { loadParts, loadPublicParts, type ProfileAsking, type ProfileParts } from './rules/profile-parts.ts'
import { listHeldRoles } from './store/roles.ts'
import { listUserFacts, listUsersByGuid } from './store/users.ts'
import type { HeldRole, User, UserFacts } from './types.ts'
import { accountSummary, ownDetail, publicDetail } from './views.ts'

/** The public profile of a user, with the parts that other slices own. */
export async function readPublicProfile(db: Db, user: User, parts: ProfileParts, asking: ProfileAsking) {
  const [roles, loaded] = await Promise.all([
    listHeldRoles(db, [user.guid], true),
    loadParts(parts, 'everybody', db, user, asking),
  ])
  return { ...publicDetail(user, rolesOf(user, roles)), ...loaded }
}

/** A user's profile as they see it themselves, with the parts that other slices own. */
export async function readOwnProfile(db: Db, user: User, parts: ProfileParts, asking: ProfileAsking) {
  const [roles, facts, loaded] = await Promise.all([
    listHeldRoles(db, [user.guid], false),
    listUserFacts(db, [user.guid]),
    loadParts(parts, 'user', db, user, asking),
  ])
  return { ...ownDetail(user, factsOf(user, facts), rolesOf(user, roles)), ...loaded }
}

/** A user's account as administrators see it, with the parts that other slices own. */
export async function readAccount(db: Db, user: User, parts: ProfileParts, asking: ProfileAsking) {
  const [roles, facts, loaded] = await Promise.all([
    listHeldRoles(db, [user.guid], false),
    listUserFacts(db, [user.guid]),
    loadParts(parts, 'administrators', db, user, asking),
  ])
  return { ...accountSummary(user, factsOf(user, facts), rolesOf(user, roles)), ...loaded }
}

/** Returns accounts in the order of the GUIDs, without accounts that were deleted in the meantime. */
export async function readAccountSummaries(
  db: Db,
  guids: readonly string[],
  parts: ProfileParts,
  asking: ProfileAsking,
) {
  const [users, facts, roles, loaded] = await Promise.all([
    listUsersByGuid(db, guids),
    listUserFacts(db, guids),
    listHeldRoles(db, guids, false),
    loadPublicParts(
      parts,
      'administrators',
      db,
      guids.map((guid) => ({ guid })),
      asking,
    ),
  ])
  const byGuid = new Map(users.map((user) => [user.guid, user]))
  const shown = guids.map((guid) => byGuid.get(guid)).filter((user) => user !== undefined)
  return shown.map((user) => ({
    ...accountSummary(user, factsOf(user, facts), rolesOf(user, roles)),
    ...loaded.get(user.guid),
  }))
}

function rolesOf({ guid }: User, roles: ReadonlyMap<string, readonly HeldRole[]>): readonly HeldRole[] {
  return roles.get(guid) ?? []
}

function factsOf({ guid }: User, facts: ReadonlyMap<string, UserFacts>): UserFacts {
  const found = facts.get(guid)
  if (found === undefined) throw new Error('a user has no facts')
  return found
}
