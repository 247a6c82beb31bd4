import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { expectGenerated, type Rule, rulesIn } from './generated.ts'

/**
 * Which endpoint of the authorization server makes which check, read from the sources: from the function of the
 * endpoint along every call. The result is docs/generated/oauth-checks.md.
 */

const root = path.join(import.meta.dirname, '../src/oauth')

/** The start of an endpoint's code: a file, and a declaration in it. */
type Place = `${string} ${string}`

/** The token endpoint looks up its grants in a table, so each grant is listed here too. */
const endpoints: Readonly<Record<string, readonly Place[]>> = {
  authorize: ['authorize/routes.ts ask'],
  decide: ['authorize/routes.ts decide'],
  'token by code': ['token/routes.ts exchange', 'token/exchange.ts byCode'],
  'token by refresh token': ['token/routes.ts exchange', 'token/exchange.ts byRefreshToken'],
  'token by device code': ['token/routes.ts exchange', 'token/exchange.ts byDeviceCode'],
  'device authorization': ['device/routes.ts begin'],
  'device page': ['device/routes.ts show'],
  'device decision': ['device/routes.ts decide'],
  revoke: ['token/routes.ts revoke'],
  introspect: ['token/routes.ts introspection'],
}

interface Source {
  /** The text of each top-level declaration, by name. */
  readonly declared: ReadonlyMap<string, string>
  /** Where each imported name is declared. */
  readonly imported: ReadonlyMap<string, Place>
}

function readSource(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
    // Removes spread syntax, which looks like access to a member.
    .replaceAll('...', ' ')
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm)]
  const declared = starts.map(
    ({ index, 1: name = '' }, at) => [name, text.slice(index, starts[at + 1]?.index)] as const,
  )
  const imports = text.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)
  const imported = [...imports].flatMap(([, names = '', from = '']) => {
    const place = path.posix.join(path.posix.dirname(file), from)
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^\w+$/.test(name))
      .map((name): [string, Place] => [name, `${place} ${name}`])
  })
  return { declared: new Map(declared), imported: new Map(imported) }
}

const sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => [file, readSource(file)]),
)

/** All declarations of the authorization server that are called from these places, including the places themselves. */
function reachable(places: readonly Place[]): ReadonlySet<Place> {
  const reached = new Set<Place>()
  const open = [...places]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [file = '', name = ''] = place.split(' ')
    const source = sources.get(file)
    const text = source?.declared.get(name)
    if (reached.has(place) || source === undefined || text === undefined) continue
    reached.add(place)
    for (const [, called = ''] of text.matchAll(/(?<![.\w])(\w+)\(/g)) {
      const target = source.declared.has(called) ? (`${file} ${called}` as const) : source.imported.get(called)
      if (target !== undefined) open.push(target)
    }
  }
  return reached
}

interface Check extends Rule {
  readonly file: string
}

const checks: readonly Check[] = [...sources.keys()]
  .filter((file) => file.startsWith('checks/'))
  .flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const rules = new Map(rulesIn(text).map((rule) => [rule.name, rule.words]))
    const functions = [...text.matchAll(/^export (?:async )?function (\w+)/gm)]
    return functions.map(([, name = '']) => ({ file, name, words: rules.get(name) ?? '' }))
  })

const reached = Object.values(endpoints).map(reachable)
const isMade = ({ file, name }: Check, by: ReadonlySet<Place>) => by.has(`${file} ${name}`)
/** The source in parentheses at the end of a rule's sentence. */
const sourceOf = ({ words }: Check) => /\(([^()]*(?:RFC \d+|\bD\d+|rest-interface)[^()]*)\)$/.exec(words)?.[1] ?? ''

test('every place that an endpoint begins at exists, and no endpoint is left out', () => {
  const places = Object.values(endpoints).flat()
  for (const place of places) {
    const [file = '', name = ''] = place.split(' ')
    expect(sources.get(file)?.declared.has(name), place).toBe(true)
  }
  const routes = ['authorize/routes.ts', 'token/routes.ts', 'device/routes.ts']
  const operations = routes.flatMap((file) =>
    [...(sources.get(file)?.declared ?? [])]
      .filter(([, text]) => /= (command|query)\(/.test(text))
      .map(([name]): Place => `${file} ${name}`),
  )
  expect(operations.filter((operation) => !places.includes(operation))).toEqual([])
})

test('every check says in words what it holds, and where that is written', () => {
  expect(checks.length).toBeGreaterThan(25)
  const unsaid = checks.filter((check) => sourceOf(check) === '' || check.words.startsWith('('))
  expect(unsaid.map(({ file, name }) => `${file} ${name}`)).toEqual([])
})

test('every check is made by some endpoint', () => {
  const unused = checks.filter((check) => !reached.some((by) => isMade(check, by)))
  expect(unused.map(({ file, name }) => `${file} ${name}`)).toEqual([])
})

test('the committed table of checks and endpoints is that of the sources', () => {
  const rows = checks.map((check) => {
    const marks = reached.map((by) => (isMade(check, by) ? '✓' : ''))
    return `| \`${check.name}\` | ${sourceOf(check)} | ${marks.join(' | ')} |`
  })
  const head = ['check', 'source', ...Object.keys(endpoints)]
  const text = [
    '# Checks of the authorization server',
    '',
    'Checks × endpoints: ✓ where the endpoint’s code makes the check, itself or through what it calls. What each check says',
    'stands in [rules.md](rules.md), under `oauth/checks`. Generated; do not edit.',
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n')
  expectGenerated('oauth-checks.md', text)
})
