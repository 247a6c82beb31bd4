export interface RankingClient {
  profile(id: string): Promise<null>
}
export function createRankingClients(_: object): { a: RankingClient; b: RankingClient } {
  const c = { profile: async () => null }
  return { a: c, b: c }
}
