import { Problem } from '../../../../core/problem.ts'

/** Tokens that a user may be given on a day of UTC. (assistant: Operations) */
export const tokensPerDay = 30

const dayMs = 86_400_000

/** The day of UTC, as the database writes it. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** Whoever has had a day's tokens waits for the next. (assistant: Operations) */
export function tooManyTokens(now: Date): Problem {
  const wait = Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000)
  return new Problem('limited', 'assistant.token_limit', `You may have ${tokensPerDay} such tokens a day.`, {
    headers: { 'retry-after': String(wait) },
  })
}
