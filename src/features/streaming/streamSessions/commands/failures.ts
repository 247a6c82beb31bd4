import { Unreachable } from '../../../../infra/clients/http.ts'

/** Returns the result of a request to a media server or, if it failed, why; its owners may see the words. */
export async function outcomeOf<Result>(
  question: Promise<Result>,
): Promise<{ readonly result: Result | null; readonly failure: Unreachable | null }> {
  try {
    return { result: await question, failure: null }
  } catch (error) {
    if (error instanceof Unreachable) return { result: null, failure: error }
    throw error
  }
}
