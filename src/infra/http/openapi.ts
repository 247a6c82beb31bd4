import type { TObject, TSchema } from 'typebox'
import { isForPrograms, type Operation, parametersOf, successStatus } from '../../core/operation.ts'
import { exampleOf } from './examples.ts'
import { statusOfCode } from './statuses.ts'

/** The machine-readable description, derived from the very records that serve the requests. (D15) */

type Json = Record<string, unknown>

export function describeApi(operations: readonly Operation[]): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const entry = paths[path] ?? (operation.root ? { servers: [{ url: '/' }] } : {})
    paths[path] = { ...entry, [operation.method.toLowerCase()]: describe(operation, schemas) }
  }
  const tags = [...new Set(operations.map(tagOf))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Downbeat',
      version: '1.0.0',
      summary: 'Tournaments of competitive VR rhythm games',
      description:
        'Reads and changes of everything a tournament consists of. Errors are plain text unless `Accept` asks for `application/json` or `application/problem+json`; the `Problem-Code` header is stable, the wording is not.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    tags: tags.map((name) => ({ name, description: `Operations on ${name}.` })),
    paths,
    components: {
      schemas: {
        ...schemas.named,
        Error: {
          type: 'object',
          required: ['error'],
          properties: { error: { type: 'string', description: 'What to fix.' } },
        },
        OAuthError: {
          type: 'object',
          description: 'RFC 6749 §5.2.',
          required: ['error', 'error_description'],
          properties: { error: { type: 'string' }, error_description: { type: 'string' } },
        },
        Problem: {
          type: 'object',
          description: 'RFC 9457.',
          required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
            code: { type: 'string' },
            requestId: { type: 'string' },
          },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        session: { type: 'apiKey', in: 'cookie', name: 'downbeat_session' },
      },
    },
  }
}

function tagOf(operation: Operation): string {
  return operation.name.split('.')[0] ?? operation.name
}

function describe(operation: Operation, schemas: Schemas): Json {
  const isScoped = isForPrograms(operation.scope) && operation.scope !== 'public'
  return {
    operationId: operation.name,
    tags: [tagOf(operation)],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    'x-required-scopes': isScoped ? [operation.scope] : [],
    'x-allowed': operation.allow.who,
    security: securityOf(operation),
    ...parameters(operation, schemas),
    ...requestBody(operation, schemas),
    responses: { ...success(operation, schemas), ...failures(operation, schemas) },
  }
}

/** An empty requirement says that the call works without credentials. */
function securityOf(operation: Operation): Json[] {
  if (operation.scope === 'session') return [{ session: [] }]
  if (operation.scope === 'browser') return [{}, { session: [] }]
  return operation.scope === 'public' || operation.publicUnlessMe ? [{}, { bearer: [] }] : [{ bearer: [] }]
}

const parameterDescriptions: Readonly<Record<string, string>> = {
  tournament: 'GUID or short id of a tournament.',
  user: 'GUID, chat-platform ID or linked ranking ID of a user, or `@me`.',
  team: 'GUID or short id of a team.',
  member: 'GUID, chat-platform ID or linked ranking ID of a member of the team, or `@me`.',
  platform: 'Context id of a tournament platform.',
}

function parameters(operation: Operation, schemas: Schemas): Json {
  const inPath = parametersOf(operation.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: parameterDescriptions[name] ?? `The ${name}.`,
    schema: { type: 'string' },
  }))
  const all = [
    ...inPath,
    ...members(operation.query ?? (operation.method === 'GET' ? operation.parameters : undefined), 'query', schemas),
    ...members(operation.headers, 'header', schemas),
  ]
  // OpenAPI describes this header by the security requirement and forbids naming it as a parameter.
  const shown = all.filter((parameter) => parameter.name !== 'authorization')
  return shown.length === 0 ? {} : { parameters: shown }
}

function members(schema: TObject | undefined, place: 'query' | 'header', schemas: Schemas) {
  if (schema === undefined) return []
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties).map(([name, member]) => {
    const { description, ...rest } = schemas.place(member) as Json
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function requestBody(operation: Operation, schemas: Schemas): Json {
  if (operation.kind !== 'command') return {}
  const form = operation.method === 'GET' ? undefined : operation.parameters
  const schema = operation.body ?? form
  if (schema === undefined) return {}
  const type =
    form !== undefined || operation.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    requestBody: {
      required: operation.bodyOptional !== true,
      content: { [type]: { schema: schemas.place(schema), example: exampleOf(schema) } },
    },
  }
}

const successWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; no content.',
  302: 'Sent on to the address in `Location`.',
  303: 'Sent on to the address in `Location`.',
}

function success(operation: Operation, schemas: Schemas): Json {
  const status = successStatus(operation)
  const description = successWords[status] ?? 'Done.'
  if (status === 204) return { [status]: { description } }
  // Linters miss a 2xx where there is none; the default stands for it.
  if (status === 302 || status === 303)
    return { [status]: { description }, default: { description: 'Any other answer is an error.' } }
  const schema = operation.reply[status] as TSchema
  const type = operation.contentType ?? 'application/json'
  const content = {
    [type]: { schema: schemas.place(schema), ...(operation.contentType ? {} : { example: exampleOf(schema) }) },
  }
  const revalidated = operation.kind === 'query' ? { 304: { description: 'Not changed since the given `ETag`.' } } : {}
  return { [status]: { description, content }, ...revalidated }
}

/** Every status that the operation may answer, with the codes behind it. */
function failures(operation: Operation, schemas: Schemas): Json {
  const codes = new Map<number, Set<string>>()
  const add = (code: string) => {
    const status = statusOfCode(code, operation)
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  for (const code of codesOf(operation)) add(code)
  if (operation.missingTokenOfMe) codes.set(400, (codes.get(400) ?? new Set()).add('token.missing'))
  return Object.fromEntries(
    [...codes]
      .sort(([a], [b]) => a - b)
      .map(([status, of]) => [
        status,
        failure(`\`${[...of].sort().join('`, `')}\``, contentOf(operation, status, schemas)),
      ]),
  )
}

function codesOf(operation: Operation): string[] {
  const { scope, kind } = operation
  const codes = Object.keys(operation.problems ?? {})
  const resolved = parametersOf(operation.path).filter((name) => name in parameterDescriptions)
  codes.push('request.limited', 'service.failed', 'service.unavailable', ...resolved.map((name) => `${name}.unknown`))
  if (scope === 'session') codes.push('token.missing', 'request.cross_site')
  else if (isForPrograms(scope) && scope !== 'public') codes.push('token.missing', 'token.invalid', 'scope.missing')
  if (operation.allow.open !== true) codes.push('role.missing')
  if (operation.query !== undefined || operation.headers !== undefined) codes.push('request.invalid')
  if (kind === 'command' && operation.body !== undefined) {
    codes.push('request.invalid', 'request.malformed', 'request.too_large', 'request.unsupported_type')
    if (operation.strict) codes.push('request.unknown_member')
  }
  return codes
}

/** In which forms an error comes. */
function contentOf({ errors, refusals }: Operation, status: number, schemas: Schemas): Json {
  if (errors === 'oauth') return { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } }
  if (errors === 'page') return { 'text/html': { schema: { type: 'string' } } }
  const error = { $ref: '#/components/schemas/Error' }
  const refusal = refusals?.[status]
  return {
    'text/plain': { schema: { type: 'string' }, example: 'One sentence that says what to fix.' },
    'application/json': { schema: refusal === undefined ? error : { anyOf: [schemas.place(refusal), error] } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  }
}

function failure(description: string, content: Json): Json {
  return {
    description,
    headers: {
      'Problem-Code': { description: 'Stable code of the problem.', schema: { type: 'string' } },
      'Request-Id': { description: 'Name this when you report the problem.', schema: { type: 'string' } },
    },
    content,
  }
}

/** Members of a schema that hold values, which may look like schemas. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** Schemas that have a title stand once, under it; all others where they are used. */
class Schemas {
  readonly named: Record<string, unknown> = {}
  readonly #sources = new Map<string, string>()

  place(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.place(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const { title } = schema as { title?: unknown }
    if (typeof title !== 'string') return this.#members(schema)
    const source = JSON.stringify(schema)
    const known = this.#sources.get(title)
    if (known !== undefined && known !== source) throw new Error(`two different schemas are called ${title}`)
    if (known === undefined) {
      this.#sources.set(title, source)
      this.named[title] = this.#members(schema)
    }
    return { $ref: `#/components/schemas/${title}` }
  }

  #members(schema: object): Json {
    return Object.fromEntries(
      Object.entries(schema).map(([name, member]) => [name, values.has(name) ? member : this.place(member)]),
    )
  }
}
