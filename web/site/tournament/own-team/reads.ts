import { address } from '../../data/api.ts'

/** What keeps the reader's team from its place. */
export const eligibilityAddress = (tournament: string) =>
  address('/tournaments/{tournament}/registration-eligibility', { tournament })
