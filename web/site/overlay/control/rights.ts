import type { Overlay } from '../../../../client/generated.ts'
import { useReader } from '../../data/queries.ts'
import { useAccess, useMay } from '../../data/tournament.ts'

/** The roles that control overlays besides those who publish them. (overlays) */
const controlling: readonly string[] = [
  'role:hcoordinator',
  'role:coordinator',
  'role:caster',
  'role:host',
  'role:referee',
]

/**
 * What the reader may do with an overlay. `access.read` tells what they may do with some overlays of the tournament; who
 * edits this one, without a role, is in its record. (W2)
 */
export function useOverlayRights({ editors = [] }: Pick<Overlay, 'editors'>) {
  const { data, error } = useAccess()
  const may = useMay()
  const { user } = useReader()
  const mayEdit = may('overlays.createToken') || editors.some(({ guid }) => guid === user?.guid)
  const hasRole = data?.roles.some((role) => controlling.includes(role)) === true
  return { mayEdit, mayControl: mayEdit || hasRole, isKnown: data !== undefined || error !== null }
}
