import { isUtf8 } from 'node:buffer'

/**
 * An update that cannot be read, or is not accepted. The message is the end of a sentence that begins with "the
 * update".
 */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/**
 * Reads the variable-length numbers, texts and values of updates. It does not trust their lengths: no memory is
 * allocated for bytes that are not there. (OV11)
 */
export class Bytes {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    const found = this.#bytes[this.#at]
    if (found === undefined) throw new Unreadable('ends in the middle')
    this.#at++
    return found
  }

  /** 0 to 2^53 - 1. */
  count(): number {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const part = this.byte()
      number += (part & 127) * scale
      if (number > Number.MAX_SAFE_INTEGER) throw new Unreadable('has a number that is too large')
      if (part < 128) return number
      if (scale > Number.MAX_SAFE_INTEGER) throw new Unreadable('has a number that is too long')
    }
  }

  text(): string {
    return Buffer.from(this.#slice()).toString('utf8')
  }

  /** Skips a value. Only JSON values are accepted. @returns the number of values that it consists of */
  value(deepest: number): number {
    switch (this.byte()) {
      case 126: // null
      case 121: // false
      case 120: // true
        return 1
      case 125:
        this.#signed()
        return 1
      case 124:
        return this.#finite(4, (at) => this.#view.getFloat32(at))
      case 123:
        return this.#finite(8, (at) => this.#view.getFloat64(at))
      case 119:
        this.#slice()
        return 1
      case 118:
        return this.#several(deepest, () => {
          if (this.text() === '__proto__') throw new Unreadable('has a name that is not allowed')
        })
      case 117:
        return this.#several(deepest, () => {})
      default:
        throw new Unreadable('has a value that JSON does not know')
    }
  }

  #several(deepest: number, before: () => void): number {
    if (deepest <= 0) throw new Unreadable('has a value that is nested too deeply')
    const claimed = this.count()
    let values = 1
    for (let index = 0; index < claimed; index++) {
      before()
      values += this.value(deepest - 1)
    }
    return values
  }

  #signed(): void {
    let part = this.byte()
    let number = part & 63
    for (let scale = 64; part >= 128; scale *= 128) {
      part = this.byte()
      number += (part & 127) * scale
      if (number > Number.MAX_SAFE_INTEGER || scale > Number.MAX_SAFE_INTEGER)
        throw new Unreadable('has a number that is too large')
    }
  }

  #finite(length: number, read: (at: number) => number): 1 {
    if (this.left < length) throw new Unreadable('ends in the middle')
    if (!Number.isFinite(read(this.#at))) throw new Unreadable('has a number that JSON does not know')
    this.#at += length
    return 1
  }

  #slice(): Uint8Array {
    const length = this.count()
    if (length > this.left) throw new Unreadable('ends in the middle')
    const found = this.#bytes.subarray(this.#at, this.#at + length)
    if (!isUtf8(found)) throw new Unreadable('has a text that is no UTF-8')
    this.#at += length
    return found
  }
}
