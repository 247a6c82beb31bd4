import type { TSchema } from 'typebox'
import type { Operation } from '../../core/operation.ts'
import type { Parameters } from './admission.ts'
import { problemsOf } from './outcomes.ts'
import type { ReplyExamples } from './reply-examples.ts'
import type { Schemas } from './schemas.ts'

/** What the description says of the answers of an operation. */

type Json = Record<string, unknown>

/** What the parts of the description are made with. */
export interface Parts {
  readonly schemas: Schemas
  readonly parameters: Parameters
  readonly examples: ReplyExamples
}

/** The first word of the name of an operation. */
export function tagOf(name: string): string {
  return name.split('.')[0] ?? name
}

/** By status. */
export function answersOf(operation: Operation, parts: Parts): Json {
  return { ...successes(operation, parts), ...failures(operation, parts) }
}

const successWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; no content.',
  302: 'Sent on to the address in `Location`.',
  303: 'Sent on to the address in `Location`.',
}

function successes(operation: Operation, parts: Parts): Json {
  const statuses = Object.keys(operation.reply).map(Number).filter(isSuccess)
  const answers = Object.fromEntries(statuses.map((status) => [status, success(operation, status, parts)]))
  // Linters miss a 2xx where there is none; the default stands for it.
  if (!statuses.some((status) => status < 300)) answers.default = { description: 'Any other answer is an error.' }
  if (operation.method === 'GET' && 200 in answers)
    answers[304] = { description: 'Not changed since the given `ETag`.' }
  return answers
}

function isSuccess(status: number): boolean {
  return status < 400
}

function success(operation: Operation, status: number, parts: Parts): Json {
  const schema = operation.reply[status] as TSchema
  if (status === 204 || status >= 300) return { description: wordsOf(schema) ?? successWords[status] ?? 'Done.' }
  return { description: successWords[status] ?? 'Done.', content: replyContent(operation, schema, parts) }
}

/** The record's own description of an answer, if it has one. */
function wordsOf(schema: TSchema | undefined): string | undefined {
  const { description } = (schema ?? {}) as { description?: string }
  return description
}

/** A schema with a name has its example itself. */
function replyContent({ name, contentType }: Operation, schema: TSchema, { schemas, examples }: Parts): Json {
  const isNamed = 'title' in schema
  const example = contentType === undefined && !isNamed ? { example: examples.of(schema, tagOf(name)) } : {}
  return { [contentType ?? 'application/json']: { schema: schemas.place(schema), ...example } }
}

/**
 * The refusals of an operation by status: the codes of its problems, and answers that the record declares itself, such as
 * a refusal in the form that a media server understands.
 */
function failures(operation: Operation, parts: Parts): Json {
  const { schemas, parameters } = parts
  const problems = problemsOf(operation, parameters)
  const declared = Object.keys(operation.reply)
    .map(Number)
    .filter((status) => !isSuccess(status))
  const statuses = [...new Set([...problems.keys(), ...declared])].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = problems.get(status)
      const reply = operation.reply[status]
      const words = wordsOf(reply)
      const told = codes === undefined ? [] : [`\`${[...codes].sort().join('`, `')}\``]
      return [
        status,
        {
          description: [...(words === undefined ? [] : [words]), ...told].join(' ') || 'Refused.',
          ...(codes === undefined ? {} : { headers: problemHeaders }),
          content: {
            ...(codes === undefined ? {} : contentOf(operation, status, schemas)),
            ...(reply === undefined ? {} : replyContent(operation, reply, parts)),
          },
        },
      ]
    }),
  )
}

/** The content types of an error. */
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

const problemHeaders = {
  'Problem-Code': { description: 'Stable code of the problem.', schema: { type: 'string' } },
  'Request-Id': { description: 'Name this when you report the problem.', schema: { type: 'string' } },
}
