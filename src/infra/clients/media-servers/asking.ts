import { unexpected } from '../answers.ts'
import { type HttpAnswer, type HttpClient, Unreachable } from '../http.ts'
import type { ControlAddress } from './types.ts'

/** Requests to the control interfaces. Errors contain only the host, never addresses or credentials. */

interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash; variable parts are escaped. */
  readonly path: string
  /** Further statuses with a meaning, besides 200. */
  readonly meant?: readonly number[]
}

/** @throws Unreachable for any other status than 200 and `meant` */
export async function ask(
  http: HttpClient,
  control: ControlAddress,
  { method, path, meant = [] }: Asked,
): Promise<HttpAnswer> {
  const answer = await http.request({ method, url: `${control.url}${path}`, headers: authorization(control) })
  if (answer.status !== 200 && !meant.includes(answer.status)) throw unexpected(answer)
  return answer
}

/** The token of OvenMediaEngine is one text without a colon: a password without a user. */
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
 * All items of a list, page by page until one is not full; at most ten pages.
 *
 * @param page returns the items of the page with that number, from 0
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

/** Converts bits a second; null where the number is unknown, for which servers send 0. */
export function toKbps(bits: number | null): number | null {
  return bits === null ? null : positive(Math.round(bits / kilo))
}

/** The number of a server; null for 0 and for text that is no number, which servers send for unknown values. */
export function positive(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null
}

/** Like `positive`, for counts: no fractions. */
export function positiveInteger(value: unknown): number | null {
  const number = positive(value)
  return number === null ? null : Math.round(number)
}
