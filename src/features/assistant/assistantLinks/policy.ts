import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'

/** Operators are the organiser, admins, coordinators and referees. (assistant) */
export function isOperator(actor: Actor): boolean {
  const { roles } = actor
  return (
    isOrganiser(actor) || roles.has('role:hcoordinator') || roles.has('role:coordinator') || roles.has('role:referee')
  )
}

export const operators: Policy = policy(
  'the organiser, admins, coordinators and referees of the tournament',
  isOperator,
)
