import { type Policy, policy } from '../../../core/actor.ts'

/** Whoever holds `global:badges:manage`, owners and developers among them, manages badges and awards. (badges: conventions) */
export const badgeManagers: Policy = policy('owners, developers and managers of badges', (actor) =>
  actor.globalRoles.has('global:badges:manage'),
)
