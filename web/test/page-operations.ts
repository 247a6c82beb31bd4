import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { operations } from '../../src/app.ts'
import { readRouteTree } from '../route-tree.ts'

/** Which operations each page of the website calls or links to, read from its sources along the tree of routes. */

const root = path.join(import.meta.dirname, '../site')

/** A declaration at the top of a file: the file, and the name. */
type Place = `${string} ${string}`

interface Source {
  /** The text of each top-level declaration, by name. */
  readonly declared: ReadonlyMap<string, string>
  /** Where each imported name is declared. */
  readonly imported: ReadonlyMap<string, Place>
}

const from = (file: string, specifier: string) => path.posix.join(path.posix.dirname(file), specifier)

function readSource(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm)]
  const declared = starts.map(
    ({ index, 1: name = '' }, at) => [name, text.slice(index, starts[at + 1]?.index)] as const,
  )
  const imports = text.matchAll(/^import \{([^}]*)\} from '(\.[^']+\.tsx?)'/gm)
  const imported = [...imports].flatMap(([, names = '', specifier = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^\w+$/.test(name))
      .map((name): [string, Place] => [name, `${from(file, specifier)} ${name}`]),
  )
  return { declared: new Map(declared), imported: new Map(imported) }
}

const sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('generated.ts'))
    .map((file) => [file, readSource(file)]),
)

/** The texts of all declarations that a place uses, its own among them. What loads later counts. */
function textsFrom(first: Place): readonly string[] {
  const texts = new Map<Place, string>()
  const open = [first]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [file = '', name = ''] = place.split(' ')
    const source = sources.get(file)
    const text = source?.declared.get(name)
    if (texts.has(place) || source === undefined || text === undefined) continue
    texts.set(place, text)
    for (const [word] of text.matchAll(/(?<![.\w'"`-])[A-Za-z_]\w*/g)) {
      const target = source.declared.has(word) ? (`${file} ${word}` as const) : source.imported.get(word)
      if (target !== undefined) open.push(target)
    }
    for (const [, specifier = ''] of text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g)) {
      const later = from(file, specifier)
      for (const each of sources.get(later)?.declared.keys() ?? []) open.push(`${later} ${each}`)
    }
  }
  return [...texts.values()]
}

const segmentsOf = (address: string) => (address.split('?')[0] ?? '').split('/').filter((segment) => segment !== '')

/** The operation of a method and an address below `/api`; a part that is not known beforehand is `*`. */
export function operationOf(method: string, address: string): string | undefined {
  const asked = segmentsOf(address)
  const fits = operations.filter((operation) => {
    const own = segmentsOf(operation.path)
    return (
      operation.method === method &&
      own.length === asked.length &&
      own.every((segment, at) => segment.startsWith(':') || segment === asked[at])
    )
  })
  const fixed = (operationPath: string) =>
    segmentsOf(operationPath).filter((segment) => !segment.startsWith(':')).length
  return fits.toSorted((one, other) => fixed(other.path) - fixed(one.path))[0]?.name
}

/** A text whose `${…}` are `*`, also those inside one another. */
function withStars(text: string): string {
  const next = text.replace(/\$\{[^{}]*\}/g, '*')
  return next === text ? text : withStars(next)
}

/** The addresses in a text: of reads, of other requests, and of links to what the API answers. */
function addressesIn(declared: string): readonly (readonly [method: string, address: string])[] {
  const text = withStars(declared)
  const reads = text.matchAll(/address\(\s*'([^']+)'/g)
  const sent = text.matchAll(/(?:request(?:<[^(]*>)?\(\s*['`]|(?:fetch|ask)\(\s*['`]\/api)(\/[^'`]+)['`]([^)]*)/g)
  const written = text.matchAll(/'(POST|PUT|PATCH|DELETE) (\/[^']+)'/g)
  const linked = text.matchAll(/(?<!(?:fetch|ask)\()['"`]\/api(\/[^'"`]+)['"`]/g)
  const templates = [...text.matchAll(/`(\/[a-z][^`\s]*)`/g)].map(([, address = '']) => address)
  // What follows a whole segment is a query.
  const path = (address: string) => address.replace(/(?<=[^/])\*.*$/, '')
  return [
    ...[...reads].map(([, address = '']) => ['GET', address.replace(/\{\w+\}/g, '*')] as const),
    ...[...sent].map(([, address = '', more = '']) => {
      return [/method: '([A-Z]+)'/.exec(more)?.[1] ?? 'GET', path(address)] as const
    }),
    ...[...written].map(([, method = '', address = '']) => [method, address.replace(/\{\w+\}/g, '*')] as const),
    ...templates
      .filter((address) => operationOf('GET', path(address)))
      .map((address) => ['GET', path(address)] as const),
    ...[...linked].map(([, address = '']) => ['GET', path(address)] as const),
  ]
}

/** @throws Error for an address that no operation has */
function operationsFrom(place: Place): readonly string[] {
  const names = textsFrom(place)
    .flatMap(addressesIn)
    // The reference of the API is a page of the service; and the one function that sends knows no address.
    .filter(([, address]) => address !== '/docs/' && address !== '/api')
    .map(([method, address]) => {
      const name = operationOf(method, address)
      if (name === undefined) throw new Error(`${place} asks for ${method} ${address}, which no operation answers`)
      return name
    })
  return [...new Set(names)].toSorted()
}

export interface PageOperations {
  /** Such as `/t/:tournament/teams`. */
  readonly path: string
  readonly operations: readonly string[]
}

/** What the frame of every page calls: who reads, their notifications, signing in and out. */
export const frameOperations: readonly string[] = [
  ...new Set([...operationsFrom('chrome/frame.tsx Frame'), ...operationsFrom('data/queries.ts startReader')]),
].toSorted()

export const pageOperations: readonly PageOperations[] = readRouteTree().map(({ path: pagePath, components }) => {
  const all = components.flatMap(({ file, name }) => operationsFrom(`${file} ${name}`))
  // Every request may renew the token.
  return { path: pagePath, operations: [...new Set(all)].filter((name) => name !== 'sessions.token').toSorted() }
})
