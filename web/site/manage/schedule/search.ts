import { getRouteApi } from '@tanstack/react-router'

/** What the address of the page says: its view, the match that is open, the proposal that is looked at. (W3) */

export interface PlanSearch {
  readonly view?: string
  /** The GUID of the match that is open. */
  readonly match?: string
  /** The GUID of a proposal; `new` to ask for one. */
  readonly proposal?: string
}

export const route = getRouteApi('/manage/$tournament/schedule')

export const from = '/manage/$tournament/schedule'

/** The search of the address with another value of one member; undefined removes it. */
export function searchWith(search: PlanSearch, name: keyof PlanSearch, value: string | undefined): PlanSearch {
  const { [name]: _before, ...others } = search
  return value === undefined ? others : { ...others, [name]: value }
}
