import { Unreachable } from '../../../../infra/clients/http.ts'

/** What a media server's owners may know of a question that came to nothing; null where it did not. */
export async function failureOf(question: Promise<unknown>): Promise<string | null> {
  try {
    await question
    return null
  } catch (error) {
    if (error instanceof Unreachable) return error.message
    throw error
  }
}
