import { conflict, type Problem, unavailable } from '../../../../core/problem.ts'
import type { Failure } from './machine.ts'

/** The maximum number of open sessions of a tournament, and of a process. (assistant: Records) */
export const maxOfTournament = 50
export const maxOfProcess = 100

export function checkRoom(open: number): void {
  if (open >= maxOfTournament) {
    throw conflict('assistant.too_many_sessions', `A tournament has at most ${maxOfTournament} open sessions.`)
  }
}

export function failureOf({ code, message, data }: Problem): Failure {
  return { code, message, ...(data === undefined ? {} : { data }) }
}

/** The problem for a failure of a session: 503 for a timeout, else 409. */
export function problemOf({ code, message, data }: Failure): Problem {
  if (code === 'assistant.timeout') return unavailable(code, message)
  return conflict(code, message, data)
}
