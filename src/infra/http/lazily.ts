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
