import { Unreachable } from '../../../../infra/clients/http.ts'

/** What came of a question to a media server, and what its owners may know of one that came to nothing. */
export async function outcomeOf<Result>(
  question: Promise<Result>,
): Promise<{ readonly result: Result | null; readonly failure: string | null }> {
  try {
    return { result: await question, failure: null }
  } catch (error) {
    if (error instanceof Unreachable) return { result: null, failure: error.message }
    throw error
  }
}
