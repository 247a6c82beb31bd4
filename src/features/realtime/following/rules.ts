import { readFlag } from '../../../core/flags.ts'
import { invalid } from '../../../core/problem.ts'
import type { StreamForm } from '../../../infra/realtime/doors/outgoing-stream.ts'

const maxWaitSeconds = 60
const fastestRate = 10

/** Server-sent events if the `Accept` header asks for them, as browsers do; otherwise lines of JSON. (RT15) */
export function readForm(accept: string | undefined): StreamForm {
  return /\btext\/event-stream\b/i.test(accept ?? '') ? 'sse' : 'ndjson'
}

/**
 * How long a poll waits, in milliseconds; null for a stream that stays open. (RT15)
 * @throws Problem `wait.invalid`
 */
export function readWait(wait: string | null, form: StreamForm): number | null {
  if (wait === null) return null
  if (form === 'sse') throw invalid('wait.invalid', '`wait` is for lines of JSON; leave it out for server-sent events.')
  const seconds = /^\d{1,2}$/.test(wait) ? Number(wait) : Number.NaN
  if (!(seconds <= maxWaitSeconds)) {
    throw invalid('wait.invalid', `\`wait\` must be a whole number of seconds from 0 to ${maxWaitSeconds}.`)
  }
  return seconds * 1000
}

/**
 * The maximum number of packets a second of an ephemeral topic; undefined for the default. (RT15, RT21)
 * @throws Problem `rate.invalid`
 */
export function readRate(rate: string | null): number | undefined {
  if (rate === null) return undefined
  const number = /^\d{1,2}$/.test(rate) ? Number(rate) : Number.NaN
  if (number >= 1 && number <= fastestRate) return number
  throw invalid('rate.invalid', `\`rate\` must be a whole number from 1 to ${fastestRate}.`)
}

/**
 * Reads a boolean option, in the same way on every door. (D83)
 * @throws Problem `topic.invalid`
 */
export function readOption(name: string, text: string | null): boolean {
  const flag = text === null ? false : readFlag(text)
  if (flag !== undefined) return flag
  throw invalid('topic.invalid', `The query’s member "${name}" must be true, false, 1 or 0.`)
}
