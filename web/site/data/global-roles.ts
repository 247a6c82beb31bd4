import { address } from './api.ts'
import type { AccountSummary } from './generated.ts'
import { useRead, useReader } from './queries.ts'

/** The global roles of the reader, which give the pages of administration. What a role may do is up to the service. (W2) */

export type GlobalRole = AccountSummary['globalRoles'][number]

/** Those that give a page of administration. */
export const administering: readonly GlobalRole[] = [
  'role:owner',
  'role:dev',
  'global:tournaments:manage',
  'global:badges:manage',
  'global:notices:manage',
]

/** Owners have every global role, developers all but theirs. (D24) */
export function hasRole(held: readonly GlobalRole[], role: GlobalRole): boolean {
  return held.includes(role) || held.includes('role:owner') || (role !== 'role:owner' && held.includes('role:dev'))
}

/** The reader's own record, in which their global roles are. Strangers have none, and are not asked for. */
export function useGlobalRoles() {
  const { user } = useReader()
  const read = useRead(address('/users/{user}', { user: '@me' }), { enabled: user != null })
  const roles = read.data?.permissions.flatMap(({ role, scope }) => (scope === 'global' ? [role as GlobalRole] : []))
  return { read, roles }
}
