import { registerHooks } from 'node:module'

/**
 * Drizzle's package.json has 130 kB of export rules, which Node.js parses anew for each import of its 250 modules, to find
 * that they are modules: half of what the start of a process costs. Its entries are looked up once; its own modules import
 * each other by plain relative addresses.
 */
const entries = new Map()
const own = /\/node_modules\/drizzle-orm\//

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'drizzle-orm' || specifier.startsWith('drizzle-orm/')) {
      const known = entries.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
      entries.set(specifier, known)
      return known
    }
    const { parentURL = '' } = context
    if (specifier.startsWith('.') && specifier.endsWith('.js') && own.test(parentURL)) {
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    return next(specifier, context)
  },
})
