import { createRequire } from 'node:module'

/**
 * Makes a thing when it is first asked for, and keeps it. Checks and serialisers are compiled into code, of which most
 * processes ever use a part: what nobody asks for takes neither memory nor time at the start.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined
  return () => {
    made ??= { thing: make() }
    return made.thing
  }
}

/**
 * Loads a package at once, for what cannot wait for an `import()`: within `lazily`, of packages that are large, and that a service
 * has no need of before somebody asks for something. Whoever loads it says of what type it is.
 */
export const load: (name: string) => unknown = createRequire(import.meta.url)
