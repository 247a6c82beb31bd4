import { Problem } from '../src/core/problem.ts'

/** The problem that a rule throws, or null; any other error fails the test. */
export function problemOf(work: () => unknown): Problem | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

export function codeOf(work: () => unknown): string | null {
  return problemOf(work)?.code ?? null
}
