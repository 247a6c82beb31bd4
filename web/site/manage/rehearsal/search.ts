import { getRouteApi } from '@tanstack/react-router'

/** What the address of a rehearsal says: its part, and which of its messages are shown. (W3) */

export const parts = ['evening', 'outside', 'compare'] as const
export type Part = (typeof parts)[number]

export interface RehearsalSearch {
  readonly part?: string
  readonly kind?: string
  readonly status?: string
}

export const from = '/manage/$tournament/rehearsal/$rehearsal'

export const route = getRouteApi(from)
