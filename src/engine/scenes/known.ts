import type { Test } from './conditions.ts'
import type { SceneElement } from './document.ts'
import { argumentFault, fieldsOf } from './formatter-fields.ts'
import { type BindablePath, paths } from './paths/paths.ts'
import { type Fault, pointerTo } from './soundness.ts'

/**
 * Formatters and paths that a document names must exist, and formatters get arguments that they take: a mistyped one
 * would show nothing, or something else than was meant, which would be noticed only on air. This applies to what is written; stored documents may have been made for another version.
 * (OV2, OV3)
 */

const known: ReadonlyMap<string, BindablePath> = new Map(paths.map((each) => [each.path, each]))

/** The paths in items of lists, whichever list it is. */
const knownItems: ReadonlyMap<string, BindablePath> = new Map(
  paths.flatMap((each) => {
    const segments = each.path.split('.')
    return segments.flatMap((segment, index) =>
      segment === '{n}' ? [[['item', ...segments.slice(index + 1)].join('.'), each] as const] : [],
    )
  }),
)

/** What a path leads to; undefined if it can lead to nothing. */
function pathAt(path: string): BindablePath | undefined {
  const [root = '', ...rest] = path.split('.')
  if (root === 'index') return rest.length === 0 ? { path, type: 'number', words: '' } : undefined
  const all = root === 'item' ? knownItems : known
  let at = root
  for (const segment of rest) {
    const { type, most } = all.get(at) ?? {}
    const isIndex = type === 'list' && /^\d+$/.test(segment)
    if (isIndex && most != null && Number(segment) >= most) return undefined
    const next = `${at}.${segment}`
    at = isIndex ? `${at}.{n}` : all.has(next) ? next : `${at}.{name}`
  }
  const isItem = at === 'item' || at.endsWith('.{n}')
  return all.get(at) ?? (isItem ? { path, type: 'object', words: '' } : undefined)
}

/** The names of an element that stand for nothing. */
export function strangersIn({ type, bindings, conditions, props }: SceneElement): Fault[] {
  const faults: Fault[] = []
  const refuse = (pointer: string, name: string) =>
    faults.push({ pointer, words: `is ${JSON.stringify(name)}, which is no path of the data` })
  for (const [id, { path, format = [] }] of Object.entries(bindings ?? {})) {
    if (pathAt(path) === undefined) refuse(pointerTo('bindings', id, 'path'), path)
    for (const [index, { name, args = [] }] of format.entries()) {
      const place = pointerTo('bindings', id, 'format', String(index))
      const fields = fieldsOf(name)
      if (fields === undefined)
        faults.push({ pointer: `${place}/name`, words: `is ${JSON.stringify(name)}, which is no formatter` })
      else
        for (const [at, given] of args.entries()) {
          const words = argumentFault(fields[at], given)
          if (words !== null) faults.push({ pointer: `${place}/args/${at}`, words })
        }
    }
  }
  for (const [id, { when }] of Object.entries(conditions ?? {})) {
    for (const [pointer, path] of pathsOf(when, pointerTo('conditions', id, 'when'))) {
      if (pathAt(path) === undefined) refuse(pointer, path)
    }
  }
  const source = type === 'list' ? props?.source : undefined
  if (typeof source === 'string' && pathAt(source)?.type !== 'list')
    faults.push({ pointer: pointerTo('props', 'source'), words: `is ${JSON.stringify(source)}, which is no list` })
  return faults
}

/** The paths that a test reads, by their pointers. */
function pathsOf(test: Test, pointer: string): (readonly [pointer: string, path: string])[] {
  if ('all' in test) return test.all.flatMap((each, index) => pathsOf(each, `${pointer}/all/${index}`))
  if ('any' in test) return test.any.flatMap((each, index) => pathsOf(each, `${pointer}/any/${index}`))
  return 'not' in test ? pathsOf(test.not, `${pointer}/not`) : [[`${pointer}/path`, test.path]]
}
