/**
 * The values that elements show and that conditions test. These functions are pure, never throw, and run in browsers as
 * old as Chromium 103. (OV2, OV20)
 */

export type Plain = string | number | boolean | null
export type Tree = Plain | { readonly [name: string]: Tree | undefined } | readonly Tree[]

/**
 * The value at a path such as `sides.0.team.name`; undefined if there is none. Only own members are read: no inherited
 * members, and not the length of a list. (OV2)
 * @param roots objects in which the first word of the path is looked up; the first object that has it is used
 */
export function readPath(
  roots: readonly { readonly [name: string]: Tree | undefined }[],
  path: string,
): Tree | undefined {
  const [first = '', ...rest] = path.split('.')
  let found: Tree | undefined = roots.find((root) => Object.hasOwn(root, first))?.[first]
  for (const word of rest) {
    if (typeof found !== 'object' || found === null) return undefined
    const isThere = Array.isArray(found)
      ? /^\d{1,2}$/.test(word) && Object.hasOwn(found, word)
      : Object.hasOwn(found, word)
    if (!isThere) return undefined
    found = (found as { readonly [name: string]: Tree | undefined })[word]
  }
  return found
}

export function isPlain(value: Tree | undefined): value is Plain {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** The text that is shown for a value. A value that is not plain, and a missing one, give an empty text. */
export function textOf(value: Tree | undefined): string {
  return value === null || !isPlain(value) ? '' : String(value)
}

/** The value as a number, also if it is written as text; null if it is no finite number. */
export function numberOf(value: Tree | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The value as milliseconds since 1970; null if it is no instant. */
export function instantOf(value: Tree | undefined): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : numberOf(value)
  return at === null || !Number.isFinite(at) || Math.abs(at) > 8.64e15 ? null : at
}
