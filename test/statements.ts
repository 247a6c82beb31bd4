import pg from 'pg'
import { vi } from 'vitest'

/**
 * How many statements the service sends for a call, with what the call answers. Only those are counted that name one of the
 * tables. The service asks for itself beside it, at times of its own: of three tries, the one with the fewest counts.
 * @param call where answers are remembered, of something else in each round
 */
export async function countStatements<T>(
  tables: readonly string[],
  call: (round: 0 | 1 | 2) => Promise<T>,
): Promise<{ readonly statements: number; readonly answer: T }> {
  const named = new RegExp(`\\b(${tables.join('|')})\\b`)
  const tries = []
  for (const round of [0, 1, 2] as const) {
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    const answer = await call(round)
    const statements = queries.mock.calls.filter(([query]) => named.test(JSON.stringify(query))).length
    queries.mockRestore()
    tries.push({ statements, answer })
  }
  return tries.reduce((fewest, each) => (each.statements < fewest.statements ? each : fewest))
}
