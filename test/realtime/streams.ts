import type { Caller, Harness } from '../harness.ts'
import { Copies, type Packet } from './copies.ts'

/** A stream of `GET /events` from the client's side. */
export interface Stream extends AsyncDisposable {
  readonly copies: Copies
  /** All received characters. */
  readonly text: () => string
  /** The number of received characters, without comments. */
  readonly bytes: () => number
  /** Resolves when the service has ended it. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export interface StreamOptions {
  readonly as?: Caller | null
  readonly form?: 'ndjson' | 'sse'
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** The copies of an earlier stream that this one continues. */
  readonly copies?: Copies
}

export function eventsPath(topics: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  return `/events?${new URLSearchParams([...topics.map((topic): [string, string] => ['topic', topic]), ...Object.entries(query)])}`
}

/** @throws Error for a refused request */
export async function openStream(
  api: Pick<Harness, 'url'>,
  topics: readonly string[],
  options: StreamOptions = {},
): Promise<Stream> {
  const { as = null, form = 'ndjson', query = {}, headers = {} } = options
  const abort = new AbortController()
  const response = await fetch(`${api.url}/api${eventsPath(topics, query)}`, {
    headers: {
      accept: form === 'sse' ? 'text/event-stream' : 'application/x-ndjson',
      ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
      ...headers,
    },
    signal: abort.signal,
  })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`no stream: ${response.status} ${response.headers.get('problem-code')} ${await response.text()}`)
  }
  const { copies = new Copies() } = options
  const steps = new Steps(copies)
  let text = ''
  let signs = 0
  const read = async () => {
    let rest = ''
    const separator = form === 'sse' ? '\n\n' : '\n'
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += chunk
      rest += chunk
      const parts = rest.split(separator)
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const packet = form === 'sse' ? readEvent(part) : part === '' ? null : JSON.parse(part)
        if (packet !== null) steps.take(packet)
        else signs += part.length + separator.length
      }
    }
  }
  const ended = read().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error
  })
  // An error is reported to callers that wait for the end; without them it is no unhandled rejection.
  ended.catch(() => {})
  const close = async () => {
    abort.abort()
    await ended
  }
  return { copies, text: () => text, bytes: () => text.length - signs, ended, close, [Symbol.asyncDispose]: close }
}

/**
 * Applies the packets of a step when the last one has come, which has the position; an interrupted step is sent again.
 */
export class Steps {
  readonly #copies: Copies
  readonly #open: Packet[] = []

  constructor(copies: Copies) {
    this.#copies = copies
  }

  take(packet: Packet): void {
    this.#open.push(packet)
    if (packet.since === undefined) return
    for (const each of this.#open.splice(0)) this.#copies.take(each)
  }
}

/** (HTML: server-sent events) */
export function readEvent(block: string) {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''))
  }
  const data = fields.get('data')
  if (data === undefined) return null
  const packet = JSON.parse(data)
  if (packet.type !== fields.get('event')) throw new Error('an event is not named by its type')
  const since = fields.get('id')
  return since === undefined ? packet : { ...packet, since }
}
