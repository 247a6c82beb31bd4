import { Problem } from '../../../../core/problem.ts'

/** The maximum number of tokens for a user on one day of UTC. (assistant: Operations) */
export const tokensPerDay = 30

const dayMs = 86_400_000

/** The day in UTC, as the database writes it. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** The user has reached the day's limit and must wait for the next day. (assistant: Operations) */
export function tooManyTokens(now: Date): Problem {
  const wait = Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000)
  return new Problem('limited', 'assistant.token_limit', `You may have ${tokensPerDay} such tokens a day.`, {
    headers: { 'retry-after': String(wait) },
  })
}
