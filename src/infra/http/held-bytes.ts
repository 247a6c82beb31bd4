/** Bytes up to this length are kept as text. */
const maxText = 32 * 1024

/** Bytes that are cached and sent many times. */
export interface HeldBytes {
  readonly body: Buffer
  /**
   * For few bytes: one character per byte. Text is written in one piece with the headers, which is faster than two, and
   * occupies no slab shared with other buffers.
   */
  readonly text: string | null
}

/** A record with bytes; bytes kept as text become a buffer when `body` is read. */
export function holding<T extends object>(bytes: Buffer, record: T): T & HeldBytes {
  if (bytes.length > maxText) return { ...record, body: bytes, text: null }
  const text = bytes.toString('latin1')
  return {
    ...record,
    text,
    get body() {
      return Buffer.from(text, 'latin1')
    },
  }
}
