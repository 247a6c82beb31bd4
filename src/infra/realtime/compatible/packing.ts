/** MessagePack: loaded where somebody may come who speaks it. */
export interface Packing {
  pack(value: unknown): Uint8Array
  /** What bytes from outside hold, where that is an object of no more than a request needs; null for all else. */
  unpack(bytes: Uint8Array): Readonly<Record<string, unknown>> | null
}

/** Sizes that bytes claim are reserved before they are read. */
const most = { maxMapLength: 64, maxArrayLength: 64, maxStrLength: 16_384, maxBinLength: 0, maxExtLength: 0 }

export async function loadPacking(): Promise<Packing> {
  const { decode, encode } = await import('@msgpack/msgpack')
  return {
    pack: (value) => encode(value),
    unpack(bytes) {
      try {
        const value = decode(bytes, most)
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
      } catch {
        return null
      }
    },
  }
}
