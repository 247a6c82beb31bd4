import { type Static, type TSchema, Type } from 'typebox'
import { type GlobalRole, globalRoles, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import { oneOf } from '../../../core/schema.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { globalRolesHere } from './rules.ts'
import type { RoleHolder } from './types.ts'

export const TournamentRoleName = oneOf(tournamentRoles, { description: 'A role in a tournament.' })

const globalWords: Readonly<Record<GlobalRole, string>> = {
  'role:owner': 'Owns the service: may do everything, and appoints owners and developers.',
  'role:dev': 'Develops the service: may do everything but appoint owners and developers.',
  'global:tournaments:manage': 'Manages every tournament as its organiser does, and reviews the main listing.',
  'global:users:read': 'Reads accounts of users.',
  'global:badges:manage': 'Manages badges and awards.',
  'global:notices:manage': 'Manages the notices of the site.',
}

const tournamentWords: Readonly<Record<TournamentRole, string>> = {
  'role:admin': 'Runs the tournament beside its organiser.',
  'role:staff': 'Keeps texts, images, timeline and updates of the tournament.',
  'role:coordinator': 'Schedules matches and reports their results.',
  'role:hcoordinator': 'Leads the coordinators; appoints coordinators and referees.',
  'role:pooler': 'Works on the map pools.',
  'role:hpooler': 'Leads the poolers and appoints them.',
  'role:caster': 'Comments on matches.',
  'role:hcaster': 'Leads casters and hosts and appoints them.',
  'role:host': 'Hosts broadcasts.',
  'role:referee': 'Referees matches and reports their results.',
}

function described<S extends TSchema>(role: S) {
  return Type.Array(Type.Object({ role, description: Type.String({ examples: [globalWords['role:dev']] }) }))
}

/** All roles and permissions, grouped by where they apply. (rest-interface: Users; D24) */
export const RoleCatalogue = Type.Object(
  { global: described(oneOf(globalRoles)), tournament: described(oneOf(tournamentRoles)) },
  { title: 'RoleCatalogue', description: 'Roles and permissions by where they hold.' },
)

export const roleCatalogue: Static<typeof RoleCatalogue> = {
  global: globalRoles.map((role) => ({ role, description: globalWords[role] })),
  tournament: tournamentRoles.map((role) => ({ role, description: tournamentWords[role] })),
}

const staffRoles = ['organiser', ...tournamentRoles] as const

const StaffMember = Type.Object(
  {
    ...UserCard.properties,
    plays: Type.Optional(
      Type.Boolean({
        description: 'For the organiser, admins and head poolers: works on the pools, and plays in a registered team.',
      }),
    ),
  },
  { title: 'StaffMember' },
)

/** The staff of a tournament, grouped by role. (additions: Tournament record) */
export const Staff = Type.Array(
  Type.Object(
    { role: oneOf(staffRoles), users: Type.Array(StaffMember) },
    { title: 'StaffGroup', description: 'The users who hold a role in a tournament.' },
  ),
)

/**
 * Lists the organiser first, then the holders of each role: roles in a fixed order, holders in the order of granting.
 * Roles without holders are left out.
 * @param playing the poolers who also play; empty if the viewer may not know
 */
export function staffView(
  organiserGuid: string,
  holders: readonly RoleHolder[],
  facts: ReadonlyMap<string, UserFacts>,
  playing: ReadonlySet<string> = new Set(),
): Static<typeof Staff> {
  const everybody = [{ userGuid: organiserGuid, role: 'organiser' as const }, ...holders]
  const groups = staffRoles.map((role) => ({
    role,
    users: everybody
      .filter((holder) => holder.role === role)
      .map(({ userGuid }) => facts.get(userGuid))
      .filter((user) => user !== undefined)
      .map((user) => ({ ...userCard(user), ...(playing.has(user.guid) ? { plays: true } : {}) })),
  }))
  return groups.filter(({ users }) => users.length > 0)
}

export const Access = Type.Object(
  {
    roles: Type.Array(oneOf(['organiser', ...tournamentRoles, ...globalRolesHere]), {
      description: 'What the caller is in this tournament; implied global roles included.',
    }),
    operations: Type.Array(Type.String({ examples: ['access.staff'] }), {
      description:
        'Names of the operations of this tournament that the caller may use, for at least some of its records.',
    }),
  },
  { title: 'TournamentAccess', description: 'What the caller may do in a tournament.' },
)
