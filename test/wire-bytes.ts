import type { Parameters } from '../src/infra/clients/assistant/messages.ts'

/**
 * Packets of the assistant's wire format, written by hand after the numbers in docs/assistant/wire.md and without the
 * generated code, so that code and tests cannot have the same mistake.
 */

export type Bytes = readonly number[]

export function varint(value: number | bigint): Bytes {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

export const delimited = (field: number, bytes: Bytes): Bytes => [
  ...varint(field * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
]
export const int = (field: number, value: number | bigint): Bytes => [...varint(field * 8), ...varint(value)]
export const str = (field: number, value: string): Bytes => delimited(field, [...new TextEncoder().encode(value)])
export const msg = (field: number, ...parts: readonly Bytes[]): Bytes => delimited(field, parts.flat())
export const floatBytes = (value: number): Bytes => [...new Uint8Array(new Float32Array([value]).buffer)]
export const float = (field: number, value: number): Bytes => [...varint(field * 8 + 5), ...floatBytes(value)]
export const double = (field: number, value: number): Bytes => [
  ...varint(field * 8 + 1),
  ...new Uint8Array(new Float64Array([value]).buffer),
]
export const floats = (field: number, ...values: readonly number[]): Bytes =>
  delimited(field, values.flatMap(floatBytes))

export const heading = { token: 'secret', id: 'p1', from: 'me', tournament: 't1' }
export const head: Bytes = [...str(1, 'secret'), ...str(2, 'p1'), ...str(3, 'me')]
export const hash = 'ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12'
export const level = `custom_level_${hash.toUpperCase()}`

export const parameters: Parameters = {
  hash,
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  name: 'Song',
  modifiers: ['NoFail', 'SuperFastSong'],
  playerOptions: ['LeftHanded', 'ArcsHapticFeedback'],
  disablePause: true,
  disableFail: false,
  disableScoreSubmission: true,
  showScoreboard: true,
  disableCustomNotesOnStream: true,
  target: 900_000,
  attempts: 3,
}
/** GameplayParameters of the same map; `sync` is placed between the last switches. */
export const written = (sync: Bytes = []): readonly Bytes[] => [
  msg(1, str(1, 'Song'), str(2, level), msg(3, str(1, 'Standard')), int(4, 4)),
  msg(2, int(6, 1 + 1024)),
  msg(3, int(1, 1 + 262_144)),
  int(4, 3),
  int(5, 1),
  int(6, 1),
  int(8, 1),
  int(9, 1),
  sync,
  int(11, 900_000),
]
export const map = (guid: string): readonly Bytes[] => [str(1, guid), msg(2, ...written())]
