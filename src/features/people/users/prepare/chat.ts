import { unauthenticated, unavailable } from '../../../../core/problem.ts'
import { ChatRefused } from '../../../../infra/clients/chat.ts'
import { Unreachable } from '../../../../infra/clients/http.ts'

/** Says of a failed call to the chat platform what it means to the caller; rethrows what is a defect. */
export function chatProblem(error: unknown): never {
  if (error instanceof ChatRefused) {
    throw unauthenticated('chat.token_refused', 'The chat platform refuses this token; sign in there again.')
  }
  if (error instanceof Unreachable) {
    throw unavailable('chat.unreachable', 'The chat platform cannot be reached now; try again in a minute.')
  }
  throw error
}
