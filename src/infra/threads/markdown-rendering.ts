import { hash } from 'node:crypto'
import { LruCache } from '../lru-cache.ts'
import { LastingThread } from './lasting.ts'
import type { GivenTexts } from './markdown-thread.ts'

/** Maximum bytes of all cached HTML. */
const maxCachedBytes = 24 * 1024 * 1024
/** Texts that the thread gets at once have at most this many characters together, unless it is a single text. */
const maxBatch = 8_000

interface Missing {
  readonly key: string
  readonly text: string
}

/**
 * Renders stored Markdown to HTML in a thread, because a hostile text of the maximum length takes tens of milliseconds.
 * HTML is cached by its text, so that a record which is read again and again is rendered once. (D36)
 *
 * Each tournament has a line of its own, and the lines take turns: a tournament with thousands of texts delays the
 * texts of another one by a single batch.
 */
export class MarkdownRendering {
  readonly #mediaOrigin: string
  readonly #thread = new LastingThread<GivenTexts, readonly string[]>(new URL('./markdown-thread.ts', import.meta.url))
  readonly #cached = new LruCache<string>(maxCachedBytes)
  /** Texts that are being rendered, by line and text: concurrent requests for one text render it once. */
  readonly #running = new Map<string, Promise<string>>()
  /** The last batch of each line. */
  readonly #lines = new Map<string, Promise<unknown>>()

  constructor(mediaOrigin: string) {
    this.#mediaOrigin = mediaOrigin
  }

  /**
   * Returns the HTML of each text, in their order; null for null.
   * @param line GUID of the tournament or other record that the texts belong to
   */
  async render(texts: readonly (string | null)[], line: string): Promise<(string | null)[]> {
    const keys = texts.map((text) => (text === null ? null : keyOf(text)))
    const known = new Map<string, string | Promise<string>>()
    const missing: Missing[] = []
    for (const [index, key] of keys.entries()) {
      if (key === null || known.has(key)) continue
      const html = this.#cached.get(key) ?? this.#running.get(`${line} ${key}`)
      if (html === undefined) missing.push({ key, text: texts[index] ?? '' })
      known.set(key, html ?? '')
    }
    for (const batch of batchesOf(missing)) {
      for (const [key, html] of this.#renderBatch(batch, line)) known.set(key, html)
    }
    return Promise.all(keys.map((key) => (key === null ? null : (known.get(key) ?? null))))
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #renderBatch(batch: readonly Missing[], line: string): (readonly [key: string, html: Promise<string>])[] {
    const texts = batch.map(({ text }) => text)
    const asked = this.#inLine(line, () => this.#thread.ask({ texts, mediaOrigin: this.#mediaOrigin }))
    return batch.map(({ key }, index) => {
      const running = `${line} ${key}`
      const html = asked
        .then((answered) => {
          const made = answered[index] ?? ''
          this.#cached.keep(key, made, 2 * made.length)
          return made
        })
        .finally(() => this.#running.delete(running))
      this.#running.set(running, html)
      return [key, html] as const
    })
  }

  /** Does the work after all earlier work of the line. */
  async #inLine<T>(line: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#lines.get(line)
    const mine = (async () => {
      await earlier?.catch(() => {})
      return work()
    })()
    this.#lines.set(line, mine)
    try {
      return await mine
    } finally {
      if (this.#lines.get(line) === mine) this.#lines.delete(line)
    }
  }
}

function keyOf(text: string): string {
  return hash('sha256', text, 'base64')
}

function batchesOf(missing: readonly Missing[]): Missing[][] {
  const batches: Missing[][] = []
  let length = 0
  for (const each of missing) {
    const batch = batches.at(-1)
    if (batch === undefined || length + each.text.length > maxBatch) {
      batches.push([each])
      length = each.text.length
    } else {
      batch.push(each)
      length += each.text.length
    }
  }
  return batches
}
