import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Agent } from 'undici'
import { agentOf } from './agent.ts'
import { unexpected } from './answers.ts'
import { joinedHeaders, Unreachable } from './http.ts'
import { connectorWithin, OutOfReach, type Reach } from './internet.ts'
import { whyUnreachable } from './webhook.ts'

/**
 * Downloads from addresses of users: one deadline over everything, a bounded body, no redirects, no credentials. (D34)
 */

export interface DownloadClient {
  /** @throws Unreachable for anything except a whole answer with status 200 */
  get(url: string): Promise<string>
  /**
   * Writes the answer into a new file without reading it.
   * @throws Unreachable for anything except a whole answer with status 200; the file is then deleted
   */
  save(url: string, file: string): Promise<void>
  /** Waits for running requests, which end by their deadline. */
  close(): Promise<void>
}

export interface DownloadClientOptions extends Reach {
  readonly userAgent: string
  /** Whether http addresses are allowed. */
  readonly allowHttp: boolean
  /** The value of the `Accept` header. */
  readonly accept?: string
  /** The time from the call until the last byte of the answer. */
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** The maximum of simultaneous connections to one origin. */
  readonly connections: number
}

export function createDownloadClient(options: DownloadClientOptions): DownloadClient {
  const { userAgent, allowHttp, timeoutMs, maxBodyBytes, connections } = options
  const { accept = 'application/json, text/csv;q=0.9, */*;q=0.1' } = options
  const outgoing = agentOf({
    connections,
    connect: connectorWithin(options, timeoutMs),
    maxResponseSize: maxBodyBytes,
    // The deadline of the whole request replaces these two timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  async function ask(agent: Agent, url: URL, signal: AbortSignal) {
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) throw new OutOfReach()
    return agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept, 'user-agent': userAgent },
      signal,
    })
  }

  async function download(agent: Agent, url: URL, signal: AbortSignal): Promise<string> {
    const answer = await ask(agent, url, signal)
    const text = await answer.body.text()
    if (answer.statusCode === 200) return text
    const headers = joinedHeaders(answer.headers)
    throw unexpected({ host: url.host, status: answer.statusCode, headers, text, json: () => null })
  }

  async function save(agent: Agent, url: URL, file: string, signal: AbortSignal): Promise<void> {
    const answer = await ask(agent, url, signal)
    if (answer.statusCode !== 200) {
      // Destroying the body emits an error, which is ignored.
      answer.body.on('error', () => {}).destroy()
      const headers = joinedHeaders(answer.headers)
      throw unexpected({ host: url.host, status: answer.statusCode, headers, text: '', json: () => null })
    }
    // The agent's limit does not apply to a body that is read as a stream.
    let bytes = 0
    const bounded = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBodyBytes) throw new Unreachable('too_large', url.host)
        yield chunk
      }
    }
    try {
      await pipeline(answer.body, bounded, createWriteStream(file, { flags: 'wx', mode: 0o640 }), { signal })
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
  }

  async function within<T>(
    address: string,
    work: (agent: Agent, url: URL, deadline: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const url = new URL(address)
    const agent = await outgoing.get()
    const deadline = AbortSignal.timeout(timeoutMs)
    return work(agent, url, deadline).catch((error: unknown) => {
      if (error instanceof Unreachable) throw error
      throw deadline.aborted ? new Unreachable('timeout', url.host) : whyUnreachable(error, url.host)
    })
  }

  return {
    get: (address) => within(address, download),
    save: (address, file) => within(address, (agent, url, deadline) => save(agent, url, file, deadline)),
    close: () => outgoing.close(),
  }
}
