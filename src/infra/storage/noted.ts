import type { Storage } from './storage.ts'

/** A storage that notes what is put into it, for work that may have to be taken back. */
export function noted(storage: Storage): { readonly storage: Storage; readonly names: ReadonlySet<string> } {
  const names = new Set<string>()
  return {
    names,
    storage: {
      put(name, file, facts) {
        names.add(name)
        return storage.put(name, file, facts)
      },
      get: (name, range) => storage.get(name, range),
      head: (name) => storage.head(name),
      delete: (name) => storage.delete(name),
      list: (prefix) => storage.list(prefix),
    },
  }
}
