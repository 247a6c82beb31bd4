import { statSync } from 'node:fs'
import { enableCompileCache, flushCompileCache, getCompileCacheDir, registerHooks } from 'node:module'
import './resolve.js'

// Before the first TypeScript is loaded, so that later starts find all of it compiled. That is why this is JavaScript.
enableCompileCache()

const cache = getCompileCacheDir()
if (cache !== undefined) returnCache(cache)
await import('../src/main.ts')

/**
 * Node.js keeps in memory whatever it has read from the cache until the cache is flushed, some 28 MB of small pieces. Once other
 * pieces lie between them, they are no use to the system; so they are given back again and again while modules are loaded, and
 * those that come next are read into the same place.
 *
 * A flush also writes what the cache lacks. Where it has written something (only that changes the folder), most is still to be
 * written: that is left to the end of the process, where nobody waits for it.
 */
function returnCache(folder) {
  const lookupsBetween = 200
  const changedAt = () => statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  let lookups = 0
  let isFilled = true
  registerHooks({
    resolve(specifier, context, next) {
      if (isFilled && ++lookups % lookupsBetween === 0) {
        const before = changedAt()
        flushCompileCache()
        isFilled = changedAt() === before
      }
      return next(specifier, context)
    },
  })
}
