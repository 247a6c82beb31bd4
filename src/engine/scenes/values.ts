/** What elements of a scene show and are judged by. Pure, total, and fit for browsers as old as Chromium 103. (OV2, OV20) */

export type Plain = string | number | boolean | null
export type Tree = Plain | { readonly [name: string]: Tree | undefined } | readonly Tree[]

/**
 * What stands at a path, such as `sides.0.team.name`; undefined where there is nothing. Only own members are walked: neither what
 * every object inherits nor the length of a list is there. (OV2)
 * @param roots what the first word of a path may name; of those with a word twice, the first that has it
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

/** As text is set: what is not plain, and what is not known, shows nothing. */
export function textOf(value: Tree | undefined): string {
  return value === null || !isPlain(value) ? '' : String(value)
}

/** null for what is no number, however it is written. */
export function numberOf(value: Tree | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Milliseconds since the epoch; null for what is no instant. */
export function instantOf(value: Tree | undefined): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : numberOf(value)
  return at === null || !Number.isFinite(at) || Math.abs(at) > 8.64e15 ? null : at
}
