import { getRouteApi } from '@tanstack/react-router'

/** What the address of a rehearsal says: its part. (W3) */

export const parts = ['evening', 'compare'] as const
export type Part = (typeof parts)[number]

export const from = '/manage/$tournament/rehearsal/$rehearsal'

export const route = getRouteApi(from)
