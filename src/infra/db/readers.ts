import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { ConnectionSession, type Session } from './session.ts'

export interface ReadersOptions {
  readonly settings: pg.ClientConfig
  readonly count: number
  /** Called when a connection is lost. */
  readonly onLost: () => void
  readonly onError: (error: Error) => void
  readonly onStatement?: ((answered: unknown) => void) | undefined
  /** The session to use while none of these connections works. */
  readonly substitute?: { readonly session: Session }
}

/** Pipelined connections, used in turn; each is replaced when it breaks. */
export class Readers {
  readonly #options: ReadersOptions
  readonly #sessions: ConnectionSession[] = []
  #next = 0
  #closing = false

  private constructor(options: ReadersOptions) {
    this.#options = options
  }

  static async open(options: ReadersOptions): Promise<Readers> {
    const readers = new Readers(options)
    await Promise.all(Array.from({ length: options.count }, (_, index) => readers.#connect(index)))
    return readers
  }

  get session(): Session {
    for (let turn = 0; turn < this.#sessions.length; turn++) {
      const session = this.#takeTurn()
      if (!session.isBroken) return session
    }
    return this.#options.substitute?.session ?? this.#takeTurn()
  }

  #takeTurn(): ConnectionSession {
    this.#next = (this.#next + 1) % this.#sessions.length
    return this.#sessions[this.#next] as ConnectionSession
  }

  async #connect(index: number): Promise<void> {
    const client = new pg.Client({ ...this.#options.settings, pipeline: true })
    const session = new ConnectionSession(client, this.#options)
    client.on('error', (error) => {
      this.#options.onError(error)
      void this.#replace(index, client)
    })
    await client.connect()
    this.#sessions[index] = session
    if (this.#closing) await client.end()
  }

  async #replace(index: number, broken: pg.Client): Promise<void> {
    await broken.end().catch(() => {})
    for (let delay = 50; !this.#closing; delay = Math.min(delay * 2, 2_000)) {
      try {
        return await this.#connect(index)
      } catch (error) {
        this.#options.onError(error as Error)
        await setTimeout(delay)
      }
    }
  }

  async close(): Promise<void> {
    this.#closing = true
    await Promise.all(this.#sessions.map((session) => (session.client as pg.Client).end()))
  }
}
