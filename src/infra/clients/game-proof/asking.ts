import { unexpected } from '../answers.ts'
import { type HttpAnswer, type HttpClient, Unreachable } from '../http.ts'

/** Several requests to a platform with the same proof, all within one deadline. */
export class Asking {
  readonly #http: HttpClient
  readonly #deadline: AbortSignal

  constructor(http: HttpClient, timeoutMs: number) {
    this.#http = http
    this.#deadline = AbortSignal.timeout(timeoutMs)
  }

  /** @throws Unreachable */
  async ask(request: Parameters<HttpClient['request']>[0]): Promise<HttpAnswer> {
    try {
      return await this.#http.request({ ...request, signal: this.#deadline })
    } catch (error) {
      if (this.#deadline.aborted) throw new Unreachable('timeout', new URL(request.url).host)
      throw error
    }
  }
}

/**
 * Whether the platform has accepted the request.
 * @throws Unreachable when the status says neither
 */
export function isAccepted(answer: HttpAnswer): boolean {
  if (answer.status >= 200 && answer.status < 300) return true
  if ([400, 401, 403, 422].includes(answer.status)) return false
  throw unexpected(answer)
}

/** The address of a picture that can be given to browsers, or null. */
export function pictureOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' && href.length <= 2_000 ? href : null
}
