import { type CommandOperation, type Operation, parametersOf, type QueryOperation } from '../src/core/operation.ts'

/**
 * Generates the types of the client from the records of the operations: bodies of topics and reads, and inputs and
 * results of commands.
 */

/** The parts of our schemas that types can express. */
interface Schema {
  readonly title?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

const introduction = `// biome-ignore-all format: generated
/**
 * What topics show, and what commands take and answer. Made of the records of the operations by \`npm run generate\`; do not
 * edit.
 */
`

export function clientTypes(operations: readonly Operation[], types = new Types()): string {
  const topics = operations.filter(isTopic).map((operation) => {
    const body = types.of(operation.reply[200] ?? {}, 2)
    return `${comment(operation.summary, 2)}  readonly '${template(operation.path)}': ${body}\n`
  })
  const commands = operations.filter(isCommand).map((operation) => commandType(operation, types))
  // The client needs this type for its own user, even when no topic contains it.
  if (!types.named.has('UserCard')) throw new Error('no topic and no command shows a UserCard')
  const named = [...types.named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return [
    introduction,
    `/** Bodies, by the topics' names. */\nexport interface Topics {\n${topics.join('')}}\n`,
    `/** Commands, by their names. */\nexport interface Commands {\n${commands.join('')}}\n`,
    ...named,
  ].join('\n')
}

const introductionOfReads = `// biome-ignore-all format: generated
/** What requests take and answer. Made of the records of the operations by \`npm run generate\`; do not edit. */
`

/** The types of all reads and writes, for the website. What the client knows already comes from there. */
export function readTypes(operations: readonly Operation[]): string {
  const types = new Types()
  clientTypes(operations, types)
  const known = new Set(types.named.keys())
  const reads = operations.filter(isRead).map((operation) => readType(operation, types))
  const writes = operations.filter(isWrite).map((operation) => writeType(operation, types))
  const own = [...types.named].filter(([name]) => !known.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const interfaces = [
    `/** GETs, by their paths. */\nexport interface Reads {\n${reads.join('')}}\n`,
    `/** All other requests, by their methods and paths. */\nexport interface Writes {\n${writes.join('')}}\n`,
    ...own.map(([, text]) => text),
  ].join('\n')
  const withoutComments = interfaces.replace(/\/\*.*?\*\//gs, '')
  const used = [...known].filter((name) => new RegExp(`\\b${name}\\b`).test(withoutComments)).toSorted()
  return `${introductionOfReads}import type {\n${used.map((name) => `  ${name},\n`).join('')}} from '../../../client/generated.ts'\n\n${interfaces}`
}

function isTopic(operation: Operation): operation is QueryOperation {
  return operation.kind === 'query' && operation.live !== undefined
}

/** Whether a GET of it is answered with JSON. */
function isRead(operation: Operation): operation is QueryOperation {
  const reply: Schema | undefined = operation.kind === 'query' ? operation.reply[200] : undefined
  return operation.method === 'GET' && reply !== undefined && reply.type !== 'string'
}

function isCommand(operation: Operation): operation is CommandOperation {
  return operation.kind === 'command' && operation.socket === true
}

/** Whether a page of the website may send it: no page for people, and nothing for other servers. */
function isWrite(operation: Operation): operation is CommandOperation {
  return (
    operation.kind === 'command' &&
    operation.method !== 'GET' &&
    operation.bodyType !== 'form' &&
    operation.ownCredentials !== true
  )
}

function template(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function readType({ path, query, reply, summary }: QueryOperation, types: Types): string {
  const asked = query === undefined ? 'Record<never, never>' : types.of(query, 4)
  return [
    `${comment(summary, 2)}  readonly '${template(path)}': {\n`,
    `    readonly query: ${asked}\n`,
    `    readonly body: ${types.of(reply[200] ?? {}, 4)}\n`,
    '  }\n',
  ].join('')
}

function writeType(operation: CommandOperation, types: Types): string {
  const { method, path, query, summary } = operation
  return [
    `${comment(summary, 2)}  readonly '${method} ${template(path)}': {\n`,
    `    readonly query: ${query === undefined ? 'Record<never, never>' : types.of(query, 4)}\n`,
    `    readonly body: ${bodyType(operation, types)}\n`,
    `    readonly reply: ${resultType(operation, types)}\n`,
    '  }\n',
  ].join('')
}

/** What is sent; bytes and text are not described by types. */
function bodyType({ body, bodyOptional, bodyType: kind }: CommandOperation, types: Types): string {
  if (kind === 'raw' || kind === 'text' || kind === 'file') return 'unknown'
  const described = body === undefined ? [] : [types.of(body, 4)]
  return [...described, ...(body === undefined || bodyOptional ? ['undefined'] : [])].join(' | ')
}

function resultType({ reply }: CommandOperation, types: Types): string {
  const results = Object.entries(reply).map(([status, schema]) => (status === '204' ? 'null' : types.of(schema, 4)))
  return [...new Set(results)].join(' | ')
}

function commandType(operation: CommandOperation, types: Types): string {
  const { name, path, query, summary } = operation
  const params = parametersOf(path).map((parameter) => `readonly ${parameter}: string | number`)
  return [
    `${comment(summary, 2)}  readonly '${name}': {\n`,
    `    readonly params: ${params.length === 0 ? 'Record<never, never>' : `{ ${params.join('; ')} }`}\n`,
    `    readonly query: ${query === undefined ? 'Record<never, never>' : types.of(query, 4)}\n`,
    `    readonly body: ${bodyType(operation, types)}\n`,
    `    readonly result: ${resultType(operation, types)}\n`,
    '  }\n',
  ].join('')
}

/** Converts JSON Schema to type text; a schema with a title is written once, under that title. */
class Types {
  readonly named = new Map<string, string>()
  readonly #sources = new Map<string, string>()

  of(schema: Schema, indent: number): string {
    const { title } = schema
    if (title === undefined) return this.#text(schema, indent)
    const source = JSON.stringify(schema)
    const known = this.#sources.get(title)
    if (known !== undefined && known !== source) throw new Error(`two different schemas are called ${title}`)
    if (known === undefined) {
      this.#sources.set(title, source)
      const text = this.#text(schema, 0)
      const declaration = text.startsWith('{\n')
        ? `export interface ${title} ${text}`
        : `export type ${title} = ${text}`
      this.named.set(title, `${comment(schema.description, 0)}${declaration}\n`)
    }
    return title
  }

  #text(schema: Schema, indent: number): string {
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
    if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((each) => this.of(each, indent)))].join(' | ')
    const kinds = [schema.type ?? 'unknown'].flat()
    return kinds.map((kind) => this.#ofKind(kind, schema, indent)).join(' | ')
  }

  #ofKind(kind: string, schema: Schema, indent: number): string {
    if (kind === 'object') return this.#object(schema, indent)
    if (kind === 'array') {
      const { items = {} } = schema
      return `readonly ${isUnion(items) || items.type === 'array' ? `(${this.of(items, indent)})` : this.of(items, indent)}[]`
    }
    if (kind === 'integer') return 'number'
    if (['string', 'number', 'boolean', 'null', 'unknown'].includes(kind)) return kind
    throw new Error(`no type is known for the schema ${JSON.stringify(schema)}`)
  }

  #object(schema: Schema, indent: number): string {
    const { properties = {}, required = [], additionalProperties } = schema
    const inner = indent + 2
    const members = Object.entries(properties).map(([name, member]) => {
      const mark = required.includes(name) ? '' : '?'
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
      const about = member.title === undefined ? comment(member.description, inner) : ''
      return `${about}${' '.repeat(inner)}readonly ${key}${mark}: ${this.of(member, inner)}\n`
    })
    const open = typeof additionalProperties === 'object' ? this.of(additionalProperties, inner) : undefined
    if (members.length === 0) return `Readonly<Record<string, ${open ?? 'unknown'}>>`
    if (open !== undefined) throw new Error(`members with and without names: ${JSON.stringify(schema)}`)
    return `{\n${members.join('')}${' '.repeat(indent)}}`
  }
}

function isUnion({ title, enum: values, anyOf, type }: Schema): boolean {
  return title === undefined && [values, anyOf, type].some((parts) => Array.isArray(parts) && parts.length > 1)
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
}

function comment(text: unknown, indent: number): string {
  return typeof text === 'string' ? `${' '.repeat(indent)}/** ${text.replaceAll('*/', '* /')} */\n` : ''
}
