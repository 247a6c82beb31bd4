import type { Agent } from 'undici'

/** Whom requests go out by. */
export interface OutgoingAgent {
  /** The library's own; to be awaited before the deadline of a request begins, for at first it is loaded. */
  get(): Promise<Agent>
  /** Lets requests under way finish. */
  close(): Promise<void>
}

let loading: Promise<typeof import('undici')> | undefined

/** Loaded with the first request: it is 3 MB, which a service that asks nobody has no need of. */
export function loadUndici(): Promise<typeof import('undici')> {
  loading ??= import('undici')
  return loading
}

/** An agent that is made with the first request. */
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
      // Whoever asked before waits for it, too, and comes first.
      await (await made)?.close()
    },
  }
}
