import { Agent } from 'undici'
import { unexpected } from './answers.ts'
import { joinedHeaders, Unreachable } from './http.ts'
import { connectorWithin, OutOfReach, type Reach } from './internet.ts'
import { whyUnreachable } from './webhook.ts'

/** Texts from wherever users say: one deadline over everything, a bounded body, no redirects, no credentials. (D34) */

export interface DownloadClient {
  /** @throws Unreachable for anything but a whole answer with status 200 */
  get(url: string): Promise<string>
  /** Lets requests under way finish, which the deadline bounds. */
  close(): Promise<void>
}

export interface DownloadClientOptions extends Reach {
  readonly userAgent: string
  /** Whether addresses may be http. */
  readonly allowHttp: boolean
  /** From the call until the last byte of the answer. */
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** To one origin at the same time. */
  readonly connections: number
}

export function createDownloadClient(options: DownloadClientOptions): DownloadClient {
  const { userAgent, allowHttp, timeoutMs, maxBodyBytes, connections } = options
  const agent = new Agent({
    connections,
    connect: connectorWithin(options, timeoutMs),
    maxResponseSize: maxBodyBytes,
    // The deadline of a request covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  async function download(url: URL, signal: AbortSignal): Promise<string> {
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) throw new OutOfReach()
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: 'application/json, text/csv;q=0.9, */*;q=0.1', 'user-agent': userAgent },
      signal,
    })
    const text = await answer.body.text()
    if (answer.statusCode === 200) return text
    const headers = joinedHeaders(answer.headers)
    throw unexpected({ host: url.host, status: answer.statusCode, headers, text, json: () => null })
  }

  return {
    async get(address) {
      const url = new URL(address)
      const deadline = AbortSignal.timeout(timeoutMs)
      return download(url, deadline).catch((error: unknown) => {
        if (error instanceof Unreachable) throw error
        throw deadline.aborted ? new Unreachable('timeout', url.host) : whyUnreachable(error, url.host)
      })
    },
    close: () => agent.close(),
  }
}
