import type { ErrorPacket } from './packets.ts'

/**
 * A failed request: a refusal of the service with the status and code of REST, a lost connection, or a refusal by the
 * client itself, such as a packet that is too large.
 */
export class RealtimeError extends Error {
  /** As in REST; 0 without an answer of the service. */
  readonly status: number
  /** Stable, unlike the message. */
  readonly code: string
  readonly data: unknown
  readonly retryAfterMs: number | undefined

  constructor({ status, code, message, data, retryAfterMs }: Omit<ErrorPacket, 'type' | 'id'>) {
    super(message)
    this.name = 'RealtimeError'
    this.status = status
    this.code = code
    this.data = data
    this.retryAfterMs = retryAfterMs
  }

  /** Whether another attempt may succeed. */
  get isTransient(): boolean {
    return this.status === 429 || this.status >= 500
  }
}

/** A failure in the client or its connection. */
export function localError(code: string, message: string): RealtimeError {
  return new RealtimeError({ status: 0, code, message })
}

/**
 * Calls a function of the client's user. An error of it is thrown later, so that it affects neither the client nor
 * other listeners.
 */
export function callSafely(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
