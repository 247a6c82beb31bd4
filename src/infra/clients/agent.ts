import type { Agent } from 'undici'

/** The connection pool of outgoing requests. */
export interface OutgoingAgent {
  /**
   * The agent of the HTTP library. Await it before the deadline of a request begins, because the first call loads the
   * library.
   */
  get(): Promise<Agent>
  /** Waits for running requests. */
  close(): Promise<void>
}

let loading: Promise<typeof import('undici')> | undefined

/** Loads the library with the first request: it needs 3 MB, which a service without outgoing requests saves. */
export function loadUndici(): Promise<typeof import('undici')> {
  loading ??= import('undici')
  return loading
}

/** An agent that is created with the first request. */
export function agentOf(options: Agent.Options): OutgoingAgent {
  let made: Promise<Agent> | undefined
  let isClosed = false

  async function make(): Promise<Agent> {
    const { Agent } = await loadUndici()
    return new Agent(options)
  }

  async function refuse(): Promise<never> {
    const { errors } = await loadUndici()
    throw new errors.ClientClosedError()
  }

  return {
    get() {
      if (isClosed && made === undefined) return refuse()
      made ??= make()
      return made
    },
    async close() {
      isClosed = true
      // Callers that asked for the agent earlier get it before it is closed.
      await (await made)?.close()
    },
  }
}
