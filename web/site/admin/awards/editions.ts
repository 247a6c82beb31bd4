import { getRouteApi } from '@tanstack/react-router'
import type { AwardCategory, Awards, Nominee } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'

/** What the pages of an edition share. */

export const route = getRouteApi('/admin/awards/$edition')

export const editionAddress = (edition: string) => address('/awards/{edition}', { edition })

export type Status = Awards['status']

type Phase = Exclude<Status, 'cancelled'>

/** The phases in their order. */
export const phases: readonly Phase[] = ['draft', 'nominating', 'shortlisting', 'voting', 'counting', 'published']

/** How far an edition has come; -1 for one that was cancelled. */
export const phaseOf = (status: Status): number => (status === 'cancelled' ? -1 : phases.indexOf(status))

/** Whether an edition is in a phase or beyond it. */
export const hasReached = (status: Status, phase: Phase): boolean => phaseOf(status) >= phases.indexOf(phase)

/** When nominations are merged into nominees. (awards: States of an edition) */
export const isMerging = (status: Status): boolean => status === 'nominating' || status === 'shortlisting'

export const standing = ({ nominees }: AwardCategory): readonly Nominee[] =>
  nominees?.filter(({ declined }) => !declined) ?? []

/** Whether a category can be voted in. (awards: States of an edition) */
export function isReady(category: AwardCategory): boolean {
  const { length } = standing(category)
  return length >= 2 && length <= category.shortlistSize
}

export const inOrder = (categories: readonly AwardCategory[]): readonly AwardCategory[] =>
  categories.toSorted((one, other) => one.order - other.order)
