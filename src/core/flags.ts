const values: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** A boolean as text, in every interface: `true`, `1`, `false` or `0`; undefined for any other text. (D83) */
export function readFlag(text: string): boolean | undefined {
  return values.get(text)
}
