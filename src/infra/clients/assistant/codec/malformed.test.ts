import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bytes, floats, head, heading, int, msg, parameters, str, varint } from '../../../../../test/wire-bytes.ts'
import { decode, encode, MalformedPacket } from './codec.ts'

const expectation = { tournament: 't1', hasJoined: true }
describe('bytes that are no packet', () => {
  test('are refused by the codec’s own error, which says nothing of them', () => {
    for (const bytes of [[0xff], [10, 5, 1], [0x0b, 0x0b], [7], str(1, 'x').slice(0, -1)]) {
      expect(() => decode(Uint8Array.from(bytes), expectation)).toThrow(new MalformedPacket('not protobuf'))
    }
  })

  test('no bytes do anything else', () => {
    const packets = [
      encode({ type: 'setMap', match: 'm', map: parameters }, heading),
      Uint8Array.from([...head, ...msg(9, int(1, 1), msg(15, msg(1, msg(1, str(1, 't1')))))]),
      Uint8Array.from([...head, ...msg(7, msg(1, str(1, 'u'), msg(15, floats(4, 1, 2, 3))))]),
    ]
    const changed = fc
      .tuple(fc.constantFrom(...packets), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }), fc.nat(400))
      .map(([packet, changes, length]) => {
        const bytes = packet.slice(0, Math.max(1, length))
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        return bytes
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), changed), (bytes) => {
        try {
          expect(decode(bytes, expectation)).toHaveProperty('type')
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPacket)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('packets within packets do not exhaust the stack', () => {
    let bytes: Bytes = []
    for (let depth = 0; depth < 300; depth++) bytes = msg(5, msg(2, bytes))
    expect(() => decode(Uint8Array.from(bytes), expectation)).toThrow(MalformedPacket)
  })

  test('up to 1 MiB is read, and 16 MiB before we have joined', () => {
    const mebibyte = 1024 * 1024
    const sized = (length: number) => {
      // One unknown field: a tag of two bytes, a length of four, and the content.
      const bytes = new Uint8Array(length)
      const start = [...varint(99 * 8 + 2), ...varint(length)]
      bytes.set([...varint(99 * 8 + 2), ...varint(length - start.length)])
      return bytes
    }
    expect(decode(sized(mebibyte), expectation)).toEqual({ type: 'other' })
    expect(() => decode(sized(mebibyte + 1), expectation)).toThrow(new MalformedPacket('too large'))
    expect(decode(sized(16 * mebibyte), { ...expectation, hasJoined: false })).toEqual({ type: 'other' })
    expect(() => decode(sized(16 * mebibyte + 1), { ...expectation, hasJoined: false })).toThrow(MalformedPacket)
  })
})
