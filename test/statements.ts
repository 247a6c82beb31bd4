import pg from 'pg'
import { vi } from 'vitest'

/**
 * The number of statements that the service sends for a call, and the response. Only statements that name one of the
 * tables count, and none by which a job looks for what is due. Followers of the log send statements too, so the lowest
 * number of three rounds counts.
 * @param call must read another record in each round where responses are cached
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
    const sent = queries.mock.calls.map(([query]) => JSON.stringify(query))
    const statements = sent.filter((text) => named.test(text) && !text.includes('clock_timestamp()')).length
    queries.mockRestore()
    tries.push({ statements, answer })
  }
  return tries.reduce((fewest, each) => (each.statements < fewest.statements ? each : fewest))
}
