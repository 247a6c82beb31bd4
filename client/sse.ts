/** Parses server-sent events from chunks of text. */

export interface StreamEvent {
  /** Undefined when the event has no id. */
  readonly id: string | undefined
  readonly data: string
}

export class EventParser {
  /** The beginning of an incomplete line. */
  #rest = ''
  #data: string[] = []
  #id: string | undefined

  push(text: string): StreamEvent[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#read(line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  #read(line: string): StreamEvent[] {
    if (line !== '') {
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (name === 'data') this.#data.push(value)
      else if (name === 'id') this.#id = value
      return []
    }
    // An empty line ends an event; further empty lines keep the connection alive.
    const events = this.#data.length === 0 ? [] : [{ id: this.#id, data: this.#data.join('\n') }]
    this.#data = []
    this.#id = undefined
    return events
  }
}

/** All events, until the stream ends or fails. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const parser = new EventParser()
  const decoder = new TextDecoder()
  // Some browsers cannot iterate over streams.
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    yield* parser.push(decoder.decode(value, { stream: true }))
  }
}
