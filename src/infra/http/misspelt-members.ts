import type { TSchema } from 'typebox'
import type { CommandOperation } from '../../core/operation.ts'

/**
 * Unknown members of a body are ignored (D9), except one that can only be a misspelt known member: where a known member
 * with a similar name exists and is not given, such as `badgeGuid` for `badge`, the body is refused. Otherwise the
 * caller would get a success although the member was dropped. Members that the operation's answers contain are still
 * ignored: a record that was read may be sent back as a whole. (D80)
 */

/** The parts of a schema that are used here. */
interface Part {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly additionalProperties?: unknown
}

/** The place of an unknown member, as members and indices from the top, and the known member that it resembles. */
export interface Alike {
  readonly path: readonly (string | number)[]
  readonly known: string
}

/** Whether a body of the operation may have such a member. */
export function mayHaveAlike({ body, strict, verbatim, bodyType }: Checked): boolean {
  const isRead = bodyType === undefined || ['multipart', 'upload', 'jsonOrUpload'].includes(bodyType)
  return isRead && !strict && !verbatim && Object.keys((body as Part | undefined)?.properties ?? {}).length > 0
}

type Checked = Pick<CommandOperation, 'body' | 'strict' | 'verbatim' | 'bodyType'>

/** @returns a function that finds the first such member of a body; null for none */
export function alikeFinder(body: TSchema, reply: CommandOperation['reply']): (value: unknown) => Alike | null {
  let answered: ReadonlySet<string> | undefined
  return (value) => {
    const found = findIn(body, value, [])
    if (found === null) return null
    // Few bodies have one, so the schemas of answers are searched only when the first one comes.
    answered ??= namesIn(Object.values(reply))
    const names = answered
    return found.find(({ path }) => !names.has(String(path.at(-1)))) ?? null
  }
}

interface Members {
  readonly known: ReadonlySet<string>
  /** Known names by their stem. */
  readonly byStem: ReadonlyMap<string, readonly string[]>
}

const remembered = new WeakMap<object, Members>()

function membersOf(properties: Readonly<Record<string, TSchema>>): Members {
  const before = remembered.get(properties)
  if (before !== undefined) return before
  const names = Object.keys(properties)
  const byStem = new Map(
    [...Map.groupBy(names, stemOf)].flatMap(([stem, alike]) => (stem === '' ? [] : [[stem, alike] as const])),
  )
  const members = { known: new Set(names), byStem }
  remembered.set(properties, members)
  return members
}

const ending = /(guids?|ids?|identifiers?|s)$/

/**
 * The stem of a name. Names are alike that differ only in case, in `_` and `-`, or in an ending that gives the form in
 * which a record is named.
 */
export function stemOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '').replace(ending, '')
}

/** A longer name is no misspelling. */
const maxNameLength = 64

function findIn(schema: TSchema, value: unknown, path: readonly (string | number)[]): Alike[] | null {
  if (typeof value !== 'object' || value === null) return null
  const { properties, items, additionalProperties } = onlyShape(schema)
  if (Array.isArray(value)) {
    if (items === undefined || !mayHold(items)) return null
    return joined(value.map((item, index) => findIn(items, item, [...path, index])))
  }
  if (properties === undefined) return null
  const { known, byStem } = membersOf(properties)
  const found = Object.entries(value).map(([name, member]): Alike[] | null => {
    const own = known.has(name) ? properties[name] : undefined
    if (own !== undefined) return findIn(own, member, [...path, name])
    // With `additionalProperties` the schema's own check decides.
    if (additionalProperties !== undefined || name.length > maxNameLength) return null
    const alike = byStem.get(stemOf(name)) ?? []
    const [meant] = alike
    return meant === undefined || alike.some((one) => Object.hasOwn(value, one))
      ? null
      : [{ path: [...path, name], known: meant }]
  })
  return joined(found)
}

function joined(found: readonly (Alike[] | null)[]): Alike[] | null {
  const all = found.filter((one) => one !== null).flat()
  return all.length === 0 ? null : all
}

function mayHold(schema: TSchema): boolean {
  const { properties, items } = onlyShape(schema)
  return properties !== undefined || items !== undefined
}

/**
 * The only form of a schema, or nothing where several forms are possible, since it is not known which one is meant. A
 * form that may be null counts as one form.
 */
function onlyShape(schema: TSchema): Part {
  const { anyOf } = schema as Part
  if (anyOf === undefined) return schema as Part
  const forms = anyOf.filter((one) => (one as { readonly type?: unknown }).type !== 'null')
  const [only] = forms
  return forms.length === 1 && only !== undefined ? onlyShape(only) : {}
}

/** Names of all members that values of these schemas may have, at any depth. */
function namesIn(schemas: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<object>()
  const waiting = [...schemas]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    for (const [keyword, inner] of Object.entries(part)) {
      if (keyword === 'properties') for (const name of Object.keys(inner)) names.add(name)
      waiting.push(inner)
    }
  }
  return names
}
