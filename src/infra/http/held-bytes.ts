/** Bytes up to this length are kept as text. */
const largestText = 32 * 1024

/** Bytes that are kept, to be sent many times. */
export interface HeldBytes {
  readonly body: Buffer
  /**
   * Of few bytes: a character for each. It leaves in one piece with the headers, which is faster than two, and takes no slab that it
   * shares with others.
   */
  readonly text: string | null
}

/** A record with bytes; those that are kept as text become a buffer when they are asked for. */
export function holding<T extends object>(bytes: Buffer, record: T): T & HeldBytes {
  if (bytes.length > largestText) return { ...record, body: bytes, text: null }
  const text = bytes.toString('latin1')
  return {
    ...record,
    text,
    get body() {
      return Buffer.from(text, 'latin1')
    },
  }
}
