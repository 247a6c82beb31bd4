import type { TObject, TSchema } from 'typebox'
import Format from 'typebox/format'
import { readFlag } from '../../core/flags.ts'
import { invalid, type Problem } from '../../core/problem.ts'
import { type SchemaError, shapeOf } from '../../core/shape.ts'
import { cleanText } from '../../core/text.ts'
import { parseInstant } from '../../core/time.ts'
import type { Alike } from './misspelt-members.ts'

/**
 * Checks input against a schema and says in one sentence what to fix. It names the first fault from the top of the
 * request.
 */

export type Check = (value: unknown) => unknown

// Any ISO 8601 instant with a zone, including the epoch; the library's own check knows only one of its forms. (D7)
Format.Set('date-time', (text) => parseInstant(text).ok)

/** @throws Problem `request.invalid` */
export function bodyCheck(
  schema: TSchema,
  strict: boolean,
  findAlike: (value: unknown) => Alike | null = () => null,
): Check {
  const known = strict ? new Set(Object.keys((schema as TObject).properties ?? {})) : null
  const shape = shapeOf(schema)
  return (value) => {
    if (known !== null && isObject(value)) {
      const stranger = Object.keys(value).find((name) => !known.has(name))
      if (stranger !== undefined)
        throw invalid('request.unknown_member', `The body has an unknown member ${quote(stranger)}; remove it.`)
    }
    const alike = findAlike(value)
    if (alike !== null) throw misspelt(alike)
    if (!shape.check(value)) throw invalid('request.invalid', sentence('The body', shape.errors(value)))
    return value
  }
}

/** The problem for a misspelt member. (D80) */
function misspelt({ path, known }: Alike): Problem {
  const member = joined(path.map((part) => `/${String(part).replaceAll('/', '~1')}`).join(''))
  return invalid(
    'request.unknown_member',
    `The body's member ${quote(member)} is not known here; ${quote(known)} is: send that, or neither.`,
  )
}

/** Members from texts, converted to the numbers, booleans and lists that the schema requires; lists are JSON. */
export function valuesOfTexts(schema: TSchema, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const kinds = kindsOf(schema as TObject)
  const { properties = {} } = schema as Partial<TObject>
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const isJson = mayBeList(Object.hasOwn(properties, name) ? properties[name] : undefined)
      return [name, isJson ? fromJson(text) : fromText(text, kinds.get(name))]
    }),
  )
}

/** Whether a member may be a list, and no text; a form has it as JSON. */
export function mayBeList({
  type,
  anyOf = [],
}: {
  readonly type?: unknown
  readonly anyOf?: readonly TSchema[]
} = {}): boolean {
  return (
    type === 'array' || (anyOf.some(mayBeList) && !anyOf.some((part) => (part as { type?: unknown }).type === 'string'))
  )
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function kindsOf({ properties = {} }: TObject): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(properties).map(([name, member]) => [name, (member as { type?: unknown }).type]))
}

/** Names of the members that a schema knows, also of a schema combined from several. */
function membersOf(schema: TSchema | undefined): ReadonlySet<string> {
  const {
    properties = {},
    anyOf = [],
    allOf = [],
    oneOf = [],
  } = (schema ?? {}) as Partial<TObject> & {
    readonly anyOf?: readonly TSchema[]
    readonly allOf?: readonly TSchema[]
    readonly oneOf?: readonly TSchema[]
  }
  return new Set([
    ...Object.keys(properties),
    ...[...anyOf, ...allOf, ...oneOf].flatMap((part) => [...membersOf(part)]),
  ])
}

/**
 * A request for a preview is answered with a preview or a refusal, but never with the change itself. Other unknown
 * members are ignored (D9), but not `dryRun`, in any spelling, where a change would be carried out. (D60, D85)
 * @throws Problem `request.dry_run_unknown`
 */
export function previewCheck(
  schema: TSchema | undefined,
  subject: 'query' | 'body',
  knownElsewhere: TSchema | undefined,
): (value: unknown) => void {
  const known = membersOf(schema)
  const elsewhere = subject === 'query' ? 'body' : 'query'
  const hint = membersOf(knownElsewhere).has('dryRun')
    ? `give \`dryRun\` in the ${elsewhere}`
    : 'this operation has no preview'
  return (value) => {
    if (!isObject(value)) return
    const stranger = Object.keys(value).find((name) => asksForPreview(name) && !known.has(name))
    if (stranger === undefined) return
    const fix = known.has('dryRun') ? 'its name is `dryRun`' : hint
    throw invalid(
      'request.dry_run_unknown',
      `The ${subject}'s member ${quote(stranger)} is not known: ${fix}. Nothing was changed.`,
    )
  }
}

/** Members that make a change depend on the record being as its caller has last seen it. */
const conditions = ['revision', 'revisions', 'expectedUpdatedAt', 'expect'] as const

/**
 * Refuses a condition in the query where the operation reads it in the body: ignored, it would let the change happen
 * regardless of what the caller has seen. (D60)
 * @throws Problem `request.condition_misplaced`
 */
export function conditionCheck(query: TSchema | undefined, body: TSchema | undefined): (value: unknown) => void {
  const misplaced = conditionsInBody(query, body)
  return (value) => {
    if (!isObject(value)) return
    const found = misplaced.find((name) => Object.hasOwn(value, name))
    if (found === undefined) return
    throw invalid(
      'request.condition_misplaced',
      `The query's member ${quote(found)} belongs in the body. Nothing was changed.`,
    )
  }
}

/** Conditions that an operation reads only in its body. */
export function conditionsInBody(query: TSchema | undefined, body: TSchema | undefined): readonly string[] {
  const [known, inBody] = [membersOf(query), membersOf(body)]
  return conditions.filter((name) => inBody.has(name) && !known.has(name))
}

function asksForPreview(name: string): boolean {
  return name.replaceAll(/[^a-z]/gi, '').toLowerCase() === 'dryrun'
}

/** Query values arrive as text: numbers and booleans are parsed where the schema requires them. */
export function queryCheck(schema: TObject): Check {
  const kinds = kindsOf(schema)
  const shape = shapeOf(schema)
  return (value) => {
    const read: Record<string, unknown> = {}
    for (const [name, text] of Object.entries(value as Record<string, unknown>)) {
      if (kinds.has(name)) read[name] = fromText(cleanMember(name, text), kinds.get(name))
    }
    if (!shape.check(read)) throw invalid('request.invalid', sentence('The query', shape.errors(read)))
    return read
  }
}

export function headersCheck(schema: TObject): Check {
  const shape = shapeOf(schema)
  return (value) => {
    if (!shape.check(value)) throw invalid('request.invalid', sentence('The request', shape.errors(value), 'header '))
    return value
  }
}

/** Cleaned like strings in bodies, so that a search text has the form of stored texts. (D9) */
function cleanMember(name: string, text: unknown): unknown {
  if (typeof text !== 'string') return text
  const cleaned = cleanText(text)
  if (!cleaned.ok) throw invalid('request.invalid', `The query's member ${quote(name)} ${cleaned.reason}.`)
  return cleaned.value
}

function fromText(text: unknown, type: unknown): unknown {
  if (typeof text !== 'string') return text
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return readFlag(text) ?? text
  return text
}

function sentence(subject: string, errors: readonly SchemaError[], what = ''): string {
  const error = errors.find((candidate) => !vague.has(candidate.keyword)) ?? errors[0]
  if (error === undefined) return `${subject} does not have the documented form.`
  if (error.keyword === 'required') {
    const [member] = error.params.requiredProperties
    return `${subject} lacks the ${what}member ${quote(joined(error.instancePath, member ?? ''))}.`.replace(
      'header member',
      'header',
    )
  }
  if (error.instancePath === '') return `${subject} ${fault(error)}.`
  return `${subject}'s ${what}member ${quote(joined(error.instancePath))} ${fault(error)}.`.replace(
    'header member',
    'header',
  )
}

/** Keywords whose failure only reports that a nested one failed. */
const vague: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'additionalProperties', 'not', 'if', 'boolean'])

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a GUID',
  'date-time': 'must be an ISO 8601 instant from 2020 or later with a time zone, such as 2026-05-01T18:00:00Z',
  uri: 'must be an absolute address',
  email: 'must be an e-mail address',
}

function fault(error: SchemaError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${[error.params.type].flat().map(article).join(' or ')}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.map(String).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'format':
      return formats[error.params.format] ?? `must have the form ${error.params.format}`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minItems':
      return `must have at least ${error.params.limit} items`
    case 'maxItems':
      return `must have at most ${error.params.limit} items`
    case 'minProperties':
      return `must have at least ${error.params.limit} members`
    case 'maxProperties':
      return `must have at most ${error.params.limit} members`
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${comparisons[error.params.comparison]} ${error.params.limit}`
    case 'uniqueItems':
      return 'must not hold the same item twice'
    case 'boolean':
      return 'is not known here; remove it'
    default:
      return 'does not have the documented form'
  }
}

const comparisons: Readonly<Record<string, string>> = { '<=': 'at most', '>=': 'at least', '<': 'below', '>': 'above' }

function article(type: string): string {
  if (type === 'null') return 'null'
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`
}

/** Writes `/teams/0/name` as `teams[0].name`. */
function joined(pointer: string, member = ''): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [...parts, member]
    .filter((part) => part !== '')
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')
}

function quote(text: string): string {
  return `"${text.slice(0, 60)}"`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
