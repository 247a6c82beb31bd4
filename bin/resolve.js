import { registerHooks } from 'node:module'

/**
 * Spares the start of a process what Node.js looks up for each of 9,000 imports: what lies there, whether it is a link, and what
 * kind of module its package says that it is. A plain relative address says all of that by itself.
 *
 * Drizzle's package.json has 130 kB of export rules besides, which are parsed anew for each import of its 250 modules, to find
 * that they are modules: its entries are looked up once.
 */
const entries = new Map()
const project = new URL('../', import.meta.url).href
const libraries = `${project}node_modules/`
const drizzle = `${libraries}drizzle-orm/`

/** Null where that has to be looked up. */
function formatOf(specifier, parent) {
  if (specifier.endsWith('.mjs')) return 'module'
  if (specifier.endsWith('.js')) return parent.startsWith(drizzle) ? 'module' : null
  const isOurs = parent.startsWith(project) && !parent.startsWith(libraries)
  return isOurs && specifier.endsWith('.ts') ? 'module-typescript' : null
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    if (specifier.startsWith('.')) {
      const format = formatOf(specifier, parentURL)
      if (format !== null) return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
    } else if (specifier === 'drizzle-orm' || specifier.startsWith('drizzle-orm/')) {
      const known = entries.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
      entries.set(specifier, known)
      return known
    }
    return next(specifier, context)
  },
})
