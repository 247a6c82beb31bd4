import { type Policy, policy } from '../../../core/actor.ts'

/**
 * Users with `global:badges:manage`, which owners and developers have too, manage badges and awards. (badges:
 * conventions)
 */
export const badgeManagers: Policy = policy('owners, developers and managers of badges', (actor) =>
  actor.globalRoles.has('global:badges:manage'),
)
