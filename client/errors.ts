import type { ErrorPacket } from './packets.ts'

/** Why something did not come about: a refusal of the service, with the status and code of REST, or a lost connection. */
export class RealtimeError extends Error {
  /** As in REST; 0 where the service answered nothing. */
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

  /** Whether the same may work later. */
  get isTransient(): boolean {
    return this.status === 429 || this.status >= 500
  }
}

/** A failure on this side of the connection. */
export function localError(code: string, message: string): RealtimeError {
  return new RealtimeError({ status: 0, code, message })
}

/** Calls what users of the client gave it: where that fails, it keeps neither the client nor other listeners from working. */
export function callSafely(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
