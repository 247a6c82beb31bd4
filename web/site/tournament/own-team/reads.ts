import { address } from '../../data/api.ts'

/** What stands in the way of the place of the reader's team. */
export const eligibilityAddress = (tournament: string) =>
  address('/tournaments/{tournament}/registration-eligibility', { tournament })
