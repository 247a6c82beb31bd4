import type { TObject } from 'typebox'
import { isForPrograms, type Operation, parametersOf, takesKey, textTypes } from '../../core/operation.ts'
import { scopesFor } from '../../core/scopes.ts'
import { keyPattern } from '../idempotency/sending.ts'
import type { Parameters } from './admission.ts'
import { exampleOf } from './examples.ts'
import { answersOf, type Parts, tagOf } from './openapi-answers.ts'
import { problemsOfAnyRequest } from './outcomes.ts'
import { type ExampleWords, ReplyExamples } from './reply-examples.ts'
import { Schemas } from './schemas.ts'
import { statusOfCode } from './statuses.ts'
import { mayBeList } from './validate.ts'

/** The machine-readable description, derived from the very records that serve the requests. (D15) */

type Json = Record<string, unknown>

/** Whole sentences by the first word of the names of operations, in the order in which they are shown. */
export type Tags = Readonly<Record<string, string>>

/** Everything that the description is made of. */
export interface Api {
  /** How to begin, and what holds for all operations; in Markdown. */
  readonly guide: string
  readonly operations: readonly Operation[]
  readonly parameters: Parameters
  readonly tags: Tags
  readonly exampleWords: ExampleWords
}

/** Everything is written out where it stands. `sharedApi` makes of it what is published. */
export function describeApi({ guide, operations, parameters, tags, exampleWords }: Api): Json {
  const examples = new ReplyExamples(exampleWords)
  const schemas = new Schemas((schema) => examples.of(schema, ''))
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(operation, { schemas, parameters, examples }),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Downbeat',
      version: '1.0.0',
      summary: 'Tournaments of competitive VR rhythm games',
      description: guide,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    'x-problems-of-any-request': ofAnyRequest(),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
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
        viewToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ovt_…',
          description:
            'View token of an overlay, in place of an access token: it has no user, and shows that overlay alone.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'downbeat_session' },
      },
    },
  }
}

function ofAnyRequest(): Json {
  return Object.fromEntries(
    Object.entries(problemsOfAnyRequest).map(([code, kind]) => [code, statusOfCode(code, kind, undefined)]),
  )
}

function describe(operation: Operation, parts: Parts): Json {
  const { schemas } = parts
  const { scope, kind } = operation
  const isScoped = isForPrograms(scope) && scope !== 'public'
  return {
    operationId: operation.name,
    ...(operation.root ? { servers: [{ url: '/' }] } : {}),
    ...(operation.alsoAtRoot ? { servers: [{ url: '/api' }, { url: '/' }] } : {}),
    tags: [tagOf(operation.name)],
    // Plain text, unlike descriptions.
    summary: operation.summary.replaceAll('`', ''),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    'x-required-scopes': isScoped ? scopesFor(scope, kind) : [],
    'x-allowed': operation.allow.who,
    security: securityOf(operation),
    ...parametersIn(operation, parts),
    ...requestBody(operation, schemas),
    responses: answersOf(operation, parts),
  }
}

/** An empty requirement says that the call works without credentials. */
function securityOf(operation: Operation): Json[] {
  if (operation.scope === 'session') return [{ session: [] }]
  if (operation.scope === 'browser') return [{}, { session: [] }]
  const views = operation.takesViewToken ? [{ viewToken: [] }] : []
  const open = operation.scope === 'public' || operation.publicUnlessMe ? [{}] : []
  return [...open, { bearer: [] }, ...views]
}

function parametersIn(operation: Operation, { schemas, parameters }: Parts): Json {
  const inPath = parametersOf(operation.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: descriptionOf(parameters, name),
    schema: { type: 'string' },
  }))
  const all = [
    ...inPath,
    ...members(operation.query ?? (operation.method === 'GET' ? operation.parameters : undefined), 'query', schemas),
    ...members(operation.headers, 'header', schemas),
    ...(takesKey(operation) ? [idempotencyKey] : []),
  ]
  // OpenAPI describes these headers by security requirements and media types, and forbids naming them as parameters.
  const shown = all.filter(({ name }) => name !== 'authorization' && name !== 'accept')
  return shown.length === 0 ? {} : { parameters: shown }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your own for this sending. Sent again with the same key within a day, the command is not carried out again: the first answer comes again, with the header `Idempotent-Replayed`; where it had a secret, `command.told_once` comes instead.',
  schema: { type: 'string', pattern: keyPattern.source },
}

/** @throws Error for a parameter that no slice describes */
function descriptionOf(parameters: Parameters, name: string): string {
  const parameter = parameters[name]
  if (parameter === undefined) throw new Error(`no slice describes the parameter :${name}`)
  return parameter.description
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
  if (operation.kind === 'command' && operation.bodyType === 'raw') {
    return { requestBody: { required: true, content: { '*/*': {} } } }
  }
  if (operation.bodyType === 'file' || operation.bodyType === 'text') {
    const { holds } = operation
    const told = holds === undefined ? {} : { schema: schemas.place(holds), example: exampleOf(holds) }
    const types = operation.bodyType === 'text' ? textTypes : ['application/json']
    return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, told])) } }
  }
  if (schema === undefined) return {}
  if (operation.bodyType === 'upload') {
    return { requestBody: { required: true, content: withFile(schema as TObject, schemas) } }
  }
  const type =
    form !== undefined || operation.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    requestBody: {
      required: operation.bodyOptional !== true,
      content: {
        [type]: { schema: schemas.place(schema), example: exampleOf(schema) },
        ...(operation.bodyType === 'multipart' || operation.bodyType === 'jsonOrUpload'
          ? withFile(schema as TObject, schemas)
          : {}),
      },
    },
  }
}

/** The members of the body that fit into fields, beside the file; lists are JSON. */
function withFile({ properties }: TObject, schemas: Schemas): Json {
  const fields = Object.entries(properties).filter(
    ([, member]) => mayBeList(member) || ('type' in member && member.type !== 'object'),
  )
  const lists = fields
    .filter(([, member]) => mayBeList(member))
    .map(([name]) => [name, { contentType: 'application/json' }])
  const encoding = lists.length === 0 ? {} : { encoding: Object.fromEntries(lists) }
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  const placed = Object.fromEntries(fields.map(([name, member]) => [name, schemas.place(member)]))
  return {
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file, ...placed } },
      ...encoding,
    },
  }
}
