/** MessagePack; loaded only where the compatible protocol is enabled. */
export interface Packing {
  pack(value: unknown): Uint8Array
  /** Decodes untrusted bytes; null unless they hold an object that is no larger than a request needs. */
  unpack(bytes: Uint8Array): Readonly<Record<string, unknown>> | null
}

/** The library reserves the sizes that the bytes claim before it reads them. */
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
