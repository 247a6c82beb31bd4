import { address } from '../../data/api.ts'

export const proposalsAddress = (tournament: string, match: string) =>
  address('/tournaments/{tournament}/matches/{match}/proposals', { tournament, match })
