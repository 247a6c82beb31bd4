import { createRequire } from 'node:module'

/**
 * Creates a value at the first call, and keeps it. Checks and serialisers are compiled into code, and most processes
 * use only a part of them: unused ones take neither memory nor time at the start.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined
  return () => {
    made ??= { thing: make() }
    return made.thing
  }
}

/**
 * Loads a package synchronously, for code that cannot wait for an `import()`. To be used within `lazily`, for large
 * packages that the service does not need at its start. The caller casts the result to the package's type.
 */
export const load: (name: string) => unknown = createRequire(import.meta.url)
