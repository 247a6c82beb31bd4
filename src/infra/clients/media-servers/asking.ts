import { unexpected } from '../answers.ts'
import { type HttpAnswer, type HttpClient, Unreachable } from '../http.ts'
import type { ControlAddress } from './types.ts'

/** Asking the control interfaces. Errors name the host alone: addresses and credentials stay here. */

interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash; what is variable in it has been escaped. */
  readonly path: string
  /** Statuses that mean something beside 200. */
  readonly meant?: readonly number[]
}

/** @throws Unreachable for a status that is neither 200 nor meant */
export async function ask(
  http: HttpClient,
  control: ControlAddress,
  { method, path, meant = [] }: Asked,
): Promise<HttpAnswer> {
  const answer = await http.request({ method, url: `${control.url}${path}`, headers: authorization(control) })
  if (answer.status !== 200 && !meant.includes(answer.status)) throw unexpected(answer)
  return answer
}

/** OvenMediaEngine's token is one text without a colon of its own: a password without a user. */
function authorization({ user, password }: ControlAddress): Record<string, string> {
  if (user === null && password === null) return {}
  const credentials = user === null ? password : `${user}:${password ?? ''}`
  return { authorization: `Basic ${Buffer.from(credentials ?? '').toString('base64')}` }
}

export function invalidAnswer({ host, status }: HttpAnswer): Unreachable {
  return new Unreachable('invalid_answer', host, { status })
}

const longest = 10

/**
 * Pages until one is not full; as many as fit into ten.
 *
 * @param page what is on the page of that number, from 0
 */
export async function allPages<T>(
  size: number,
  page: (number: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (let number = 0; number < longest; number++) {
    const items = await page(number)
    all.push(...items)
    if (items.length < size) break
  }
  return all
}

const kilo = 1_000

/** From bits a second; null where there are none, since servers say 0 for what they do not know. */
export function toKbps(bits: number | null): number | null {
  return bits === null ? null : positive(Math.round(bits / kilo))
}

/** Numbers of servers may be 0, or text, for what they do not know. */
export function positive(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null
}

/** As `positive`, for counts of things: no fractions. */
export function positiveInteger(value: unknown): number | null {
  const number = positive(value)
  return number === null ? null : Math.round(number)
}
