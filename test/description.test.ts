import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { api, parts } from '../src/app.ts'
import type { Operation } from '../src/core/operation.ts'
import { describeApi } from '../src/infra/http/openapi.ts'
import { publishedText } from '../src/infra/http/openapi-sharing.ts'
import { expectDescribed } from './described.ts'
import { expectGenerated, rulesIn } from './generated.ts'
import { entryFor, readBook, readReferences } from './rule-book.ts'
import { lackingExamples, unshared, withoutExamples } from './unshared.ts'

/** As it is served. */
const published = publishedText(describeApi(api))

test('what is published is short, and says all that the records say', () => {
  expect(Buffer.byteLength(published)).toBeLessThan(1_400_000)
  const whole = JSON.parse(JSON.stringify(describeApi(api)))
  const shared = unshared(JSON.parse(published), whole)
  expect(Object.keys(shared.components.schemas ?? {})).toEqual(Object.keys(whole.components.schemas ?? {}))
  expect(withoutExamples(shared)).toEqual(withoutExamples(whole))
  expect(lackingExamples(shared, whole, shared)).toEqual([])
})

test('a public linter finds neither errors nor warnings in it', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: published, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

/** Whether a text is a sentence that says more than the name that it describes. */
function isOfHelp(name: string, text: unknown): boolean {
  if (typeof text !== 'string' || !/^[\p{Lu}`].*[.)]$/su.test(text)) return false
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const ofName = name.toLowerCase().replace(/[^a-z]/g, '')
  return (
    words.filter((word) => !ofName.includes(word) && !['the', 'a', 'an', 'of', 'operations', 'on'].includes(word))
      .length > 1
  )
}

test('every operation, parameter and tag is described by sentences that help', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of many forms; only its texts are read.
  const { paths, tags } = describeApi(api) as any
  const texts: [string, string, unknown][] = tags.map((tag: { name: string; description?: string }) => [
    `tag ${tag.name}`,
    tag.name,
    tag.description,
  ])
  expect(tags.map(({ name }: { name: string }) => name).sort()).toEqual(
    [...new Set(api.operations.map(({ name }) => name.split('.')[0]))].sort(),
  )
  for (const methods of Object.values<Record<string, Described>>(paths)) {
    for (const { operationId, summary, description, parameters = [] } of Object.values(methods)) {
      if (operationId === undefined) continue
      texts.push([operationId, operationId, summary], [`${operationId} at length`, operationId, description])
      for (const { name, description: told } of parameters) texts.push([`${operationId} ${name}`, name, told])
    }
  }
  expect(texts.filter(([, name, text]) => !isOfHelp(name, text)).map(([where, , text]) => [where, text])).toEqual([])
  expect(texts.length).toBeGreaterThan(600)
})

interface Described {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[]
}

type Node = Readonly<Record<string, unknown>>

/** The description of a schema with all `$ref` resolved, for a comparison with the schema itself. */
function resolved(node: unknown, schemas: Node): unknown {
  if (Array.isArray(node)) return node.map((item) => resolved(item, schemas))
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: string }
  if ($ref !== undefined) return resolved(schemas[$ref.slice('#/components/schemas/'.length)], schemas)
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => name !== 'examples')
      .map(([name, member]) => [name, resolved(member, schemas)]),
  )
}

/** A schema as JSON without examples, because the description has more examples. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (name, value) => (name === 'examples' ? undefined : value))
}

interface Content {
  readonly [type: string]: { readonly schema?: unknown }
}
interface Shown {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly 'x-allowed': string
  readonly parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: Node }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** The parts of an operation's record that the description lacks, by the name of the operation. */
function missing(operation: Operation, shown: Shown, schemas: Node): string[] {
  const found: string[] = []
  const check = (isThere: boolean, what: string) => {
    if (!isThere) found.push(`${operation.name}: ${what}`)
  }
  const same = (told: unknown, schema: unknown) => isDeepStrictEqual(resolved(told, schemas), plain(schema))
  check(shown.summary === operation.summary.replaceAll('`', ''), 'summary')
  check(shown.description === operation.description, 'description')
  check(shown.deprecated === (operation.deprecated !== undefined || undefined), 'deprecation')
  check(shown['x-allowed'] === operation.allow.who, 'who may')
  const parameter = (place: string, name: string) =>
    shown.parameters?.find((told) => told.in === place && told.name === name)
  for (const [, name = ''] of operation.path.matchAll(/:(\w+)/g))
    check(parameter('path', name) !== undefined, `:${name}`)
  const query = operation.query ?? (operation.method === 'GET' ? operation.parameters : undefined)
  for (const [place, members] of [
    ['query', query],
    ['header', operation.headers],
  ] as const) {
    for (const [name, schema] of Object.entries(members?.properties ?? {})) {
      // Security requirements and media types describe these.
      if (name === 'authorization' || name === 'accept') continue
      const told = parameter(place, name)
      check(told?.required === (members?.required?.includes(name) ?? false), `${place} ${name}`)
      const { description, ...rest } = plain(schema) as Node
      check(told?.description === description && same(told?.schema, rest), `schema of ${place} ${name}`)
    }
  }
  // For an uploaded file, the members of the body are fields of the form.
  const command = operation.kind === 'command' && operation.bodyType !== 'upload' ? operation : undefined
  const body = command?.body
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = shown.requestBody?.content ?? {}
  if (body !== undefined) check(same((json ?? form)?.schema, body), 'body')
  if ((body ?? command?.bodyType) !== undefined) {
    check(shown.requestBody?.required === (command?.bodyOptional !== true), 'whether the body may be left out')
  }
  for (const [status, schema] of Object.entries(operation.reply)) {
    const response = shown.responses[status]
    check(response !== undefined, `answer ${status}`)
    const { description } = plain(schema ?? {}) as { description?: string }
    const hasBody = Number(status) < 300 ? status !== '204' : Number(status) >= 400
    if (hasBody) {
      check(same(response?.content?.[operation.contentType ?? 'application/json']?.schema, schema), `body of ${status}`)
    }
    if (description !== undefined && Number(status) >= 300) {
      check(response?.description.includes(description) === true, `words of ${status}`)
    }
  }
  for (const [code, status] of Object.entries(operation.problems ?? {})) {
    check(shown.responses[status]?.description.includes(`\`${code}\``) === true, `${status} ${code}`)
  }
  for (const [status, refusal] of Object.entries(operation.refusals ?? {})) {
    const { anyOf = [] } = (shown.responses[status]?.content?.['application/json']?.schema ?? {}) as {
      anyOf?: unknown[]
    }
    check(
      anyOf.some((told) => same(told, refusal)),
      `what refusals of ${status} carry`,
    )
  }
  return found
}

test('whatever a record declares is described', () => {
  const { paths, components } = describeApi(api) as unknown as {
    paths: Readonly<Record<string, Readonly<Record<string, Shown>>>>
    components: { schemas: Node }
  }
  const shown = new Map(
    Object.values(paths).flatMap((methods) => Object.values(methods).map((told) => [told.operationId, told] as const)),
  )
  const lacking = api.operations.flatMap((operation) => {
    const told = shown.get(operation.name)
    return told === undefined ? [operation.name] : missing(operation, told, components.schemas)
  })
  expect(lacking).toEqual([])
  expect(shown.size).toBe(api.operations.length)
  // The refusal of a media server, in the server's own format.
  const hook = paths['/streaming/hooks/{mediaServer}']?.post
  expect(hook?.responses[403]?.description).toMatch(/^Refused\./)
  expect(hook?.responses[401]?.description).toMatch(/No credentials of the publisher were sent\..*`/)
})

/** All values of an example, each with the name of its member. */
function valuesOf(example: unknown, name = ''): [string, unknown][] {
  if (Array.isArray(example)) return example.flatMap((item) => valuesOf(item, name))
  if (typeof example !== 'object' || example === null) return [[name, example]]
  return Object.entries(example).flatMap(([member, value]) => valuesOf(value, member))
}

/** All records in an example, including the example itself. */
function recordsOf(example: unknown): Node[] {
  if (typeof example !== 'object' || example === null) return []
  const inside = Object.values(example).flatMap(recordsOf)
  return Array.isArray(example) ? inside : [example as Node, ...inside]
}

/** The order of times in a record that has several of them. */
const order: readonly (readonly string[])[] = [
  ['createdAt', 'publishedAt', 'updatedAt'],
  ['registrationOpensAt', 'registrationClosesAt', 'rosterLocksAt', 'startsAt', 'endsAt'],
  ['opensAt', 'closesAt'],
  ['scheduledAt', 'startedAt', 'completedAt'],
  ['requestedAt', 'decidedAt'],
  ['nominationsOpenAt', 'nominationsCloseAt', 'votingOpensAt', 'votingClosesAt'],
]

/** Members that a record in a state does not have yet. */
const tooEarly: Readonly<Record<string, readonly string[]>> = {
  draft: ['publishedAt', 'archivedAt', 'completedAt'],
  pending: ['decidedAt', 'decidedBy'],
  planned: ['startedAt', 'completedAt', 'endedAt'],
  ready: ['startedAt', 'completedAt', 'outcome'],
  running: ['completedAt', 'finishedAt', 'endedAt'],
  open: ['closedAt', 'endedAt'],
}

test('each schema has one coherent example, and answers without a schema of their own have one', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const document = describeApi(api) as any
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'all', components: document.components, paths: document.paths })
  const faults: string[] = []
  const look = (where: string, pointer: string, example: unknown) => {
    const isValid = ajv.getSchema(`all#${pointer}`)
    if (isValid?.(example) !== true) faults.push(`${where}: ${ajv.errorsText(isValid?.errors)}`)
    for (const [name, value] of valuesOf(example)) {
      if (value === name) faults.push(`${where}: nothing is said of ${name}`)
    }
    for (const record of recordsOf(example)) {
      for (const names of order) {
        const instants = names.map((name) => record[name]).filter((at) => typeof at === 'string')
        if (!isDeepStrictEqual(instants, [...instants].sort())) faults.push(`${where}: ${names} are out of order`)
      }
      for (const name of tooEarly[String(record.status)] ?? []) {
        if (record[name] !== undefined && record[name] !== null) faults.push(`${where}: ${record.status} with ${name}`)
      }
    }
  }
  const named: [string, { examples?: unknown[]; properties?: object }][] = Object.entries(document.components.schemas)
  for (const [title, { examples = [], properties }] of named) {
    if (['Error', 'OAuthError', 'Problem'].includes(title)) continue
    if (properties !== undefined && examples.length !== 1) faults.push(`${title}: has ${examples.length} examples`)
    for (const example of examples) look(title, `/components/schemas/${title}`, example)
  }
  for (const [path, methods] of Object.entries<Record<string, Shown>>(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const { example } = (content['application/json'] ?? {}) as { example?: unknown }
        if (example === undefined) continue
        const at = [path, method, 'responses', status, 'content', 'application/json', 'schema']
        const pointer = at.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
        look(`${operationId} ${status}`, `/paths/${encodeURI(pointer)}`, example)
      }
    }
  }
  expect(faults).toEqual([])
})

test('what is usual is told where it is not given', () => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const { paths } = describeApi(api) as any
  const limits = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'limit').map((limit) => [path, limit] as const),
    ),
  )
  for (const [path, limit] of limits) {
    const unusual: readonly (readonly [string, readonly [number, number]])[] = [
      ['/updates', [50, 25]],
      ['/log', [500, 200]],
      ['/registrations', [500, 25]],
    ]
    const [maximum, usual] = unusual.find(([end]) => path.endsWith(end))?.[1] ?? [100, 25]
    expect(limit, path).toMatchObject({ required: false, schema: { minimum: 1, maximum, default: usual } })
  }
  expect(limits.length).toBeGreaterThan(10)
})

test('what a token is needed for, and what a change leaves as it is, is told in words', () => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const { paths, components } = describeApi(api) as any
  const card = paths['/users/{user}/card'].get
  expect(card.security).toContainEqual({})
  expect(card.description).toMatch(/`@me` needs a token.* 401/)
  expect(card.responses[401].description).toBe('`token.missing`')
  const put = paths['/tournaments/{tournament}/qualifier'].put
  expect(put.description).toMatch(/members of `settings` are merged/)
  const { settings } = components.schemas.QualifierInput.properties
  expect([settings.description, settings.required]).toEqual([expect.stringMatching(/left out stays/), undefined])
})

test.each<[string, string, number, string | null, boolean]>([
  ['GET', '/api/tournaments/spring-cup', 200, null, true],
  ['HEAD', '/api/tournaments/spring-cup', 404, 'tournament.unknown', true],
  ['GET', '/api/users/%40me/sessions', 401, 'token.missing', true],
  ['GET', '/.well-known/jwks.json', 304, null, true],
  ['GET', '/device', 400, 'device_code.unknown', true],
  // Problems of any request, and of unknown addresses.
  ['POST', '/api/tournaments', 400, 'request.malformed', true],
  ['GET', '/api/nothing', 404, 'route.unknown', true],
  // A status and codes that the description lacks.
  ['GET', '/api/tournaments/spring-cup', 201, null, false],
  ['GET', '/api/tournaments/spring-cup', 404, 'team.unknown', false],
  ['GET', '/api/tournaments/spring-cup', 403, 'role.missing', false],
  ['GET', '/api/tournaments/spring-cup', 404, null, false],
  ['GET', '/.well-known/jwks.json', 404, 'key.unknown', false],
])('of %s %s the answer %i %s is told: %s', (method, address, status, code, isTold) => {
  const check = () => expectDescribed(method, address, status, code)
  if (isTold) expect(check).not.toThrow()
  else expect(check).toThrow('which its description lacks')
})

/** The rules and policies with their sentences, and the entries of the rule book with the code that cites them. */
test('the committed index of rules is that of the sources', () => {
  const root = path.join(import.meta.dirname, '../src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /(^|\/)(rules|policy|checks)(\.ts$|\/[\w-]+\.ts$)/.test(file) && !file.endsWith('.test.ts'))
    .sort()
  const sections = files.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const rows = rulesIn(text).map(({ name, words }) => `| \`${name}\` | ${words} |`)
    return `## ${file}\n\n| rule | in words |\n|---|---|\n${rows.join('\n')}\n`
  })
  const book = readBook()
  const citing = Map.groupBy(
    readReferences(book).filter(({ file, place }) => place !== null && !/\.test\.|^test\//.test(file)),
    (reference) => `${reference.area}.md#${anchorOf(entryFor(book, reference) ?? '')}`,
  )
  const linkTo = (file: string) => `[${file.replace(/^src\//, '')}](../../${file})`
  const entries = [...book.areas].flatMap(([area, each]) =>
    [...each.keys()].map((heading) => {
      const address = `${area}.md#${anchorOf(heading)}`
      const found = [...new Set(citing.get(address)?.map(({ file }) => file))]
      const name = /^[A-Z]{1,2}\d+$/.test(heading) ? heading : `${area}: ${heading}`
      return `| [${name}](../rules/${address}) | ${found.map(linkTo).join(', ') || 'tests alone'} |`
    }),
  )
  expectGenerated(
    'rules.md',
    `# Rules\n\nEvery rule stands in one function, with its source. Generated; do not edit.\n\n${sections.join('\n')}
## By entry of the rule book\n\n| rule | cited by |\n|---|---|\n${entries.join('\n')}\n`,
  )
  expect(sections.length).toBeGreaterThan(5)
})

/** The anchor of a heading, as Markdown renderers on the web create it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

const eventsIntroduction =
  'What the event log tells, by slice. Everybody who may see what an event happened to may be told that a public member has changed; the rest is for staff alone. Generated; do not edit.'

/** The emitted events, from the tables of the slices. */
test('the committed index of events is that of the sources', () => {
  const sections = parts.flatMap(({ name, events }) => {
    if (events === undefined) return []
    const rows = Object.entries(events).map(([type, { subject, isPublic, members = {} }]) => {
      const named = (audience: string) =>
        Object.keys(members)
          .filter((member) => members[member] === audience)
          .map((member) => `\`${member}\``)
          .join(' ')
      return `| \`${type}\` | ${subject ?? '–'} | ${named('public') || (isPublic ? 'itself' : '–')} | ${named('private') || '–'} |`
    })
    return [`## ${name}\n\n| event | happens to | public | private |\n|---|---|---|---|\n${rows.join('\n')}\n`]
  })
  expectGenerated('events.md', `# Events\n\n${eventsIntroduction}\n\n${sections.join('\n')}`)
})
