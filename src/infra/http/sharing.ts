import { Names } from './sharing-names.ts'

/**
 * Moves equal parts of a description to its components and puts references in their places. A reader that resolves the
 * references gets the same document.
 */

export type Json = Readonly<Record<string, unknown>>

/** How members hold parts, and of which kind. The member `*` stands for all members. */
export type Members = Readonly<Record<string, readonly ['one' | 'list' | 'map', string]>>

/** What a kind of part holds, and how it is shared. */
export interface Kind {
  readonly members: Members
  /** Section of the components. Parts without a section stay where they are. */
  readonly section?: string
  /**
   * Members that may be written beside a reference, so that parts which differ only in them share a component. They are
   * removed in this order. The component gets the given value, because the member is required.
   */
  readonly beside?: Readonly<Record<string, unknown>>
  /** Names for the component, the best first. Without it, the members that hold the part name it. */
  readonly namesOf?: (part: Json, member: string) => readonly string[]
  /** The word for such a part in the names of what it holds; without it, the name of the member that holds it. */
  readonly wordOf?: (part: Json) => string
}

/** The kinds of parts of a format. The kind `document` is the whole. */
export type Format = Readonly<Record<string, Kind>>

/** A part of the document; all parts that are equal are one. */
export class Part {
  readonly kind: string
  readonly id: number
  /** The part, with parts in place of what it holds. */
  readonly body: Json
  /** The part that the reference leads to, if the body is written beside a reference. */
  readonly core: Part | undefined
  /** The parts in the body, with the names of their members. */
  readonly held: readonly (readonly [string, Part])[]
  /** The parts that contain this one, with the names of their members. Equal parts count once. */
  readonly places: (readonly [string, Part])[] = []

  constructor(kind: string, id: number, body: Json, core: Part | undefined) {
    this.kind = kind
    this.id = id
    this.body = body
    this.core = core
    this.held = [...(core === undefined ? [] : [['', core] as const]), ...partsIn(body, '')]
  }

  /** Stands for the part in the key by which equal parts are found. */
  toJSON(): string {
    return `part ${this.id}`
  }
}

function partsIn(value: unknown, name: string): (readonly [string, Part])[] {
  if (value instanceof Part) return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item) => partsIn(item, name))
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => partsIn(member, key)) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The document with its equal parts among the components. */
export function share(document: Json, format: Format): Json {
  const found = new Parts(format)
  const whole = found.of('document', document)
  const components = (document.components ?? {}) as Readonly<Record<string, Json>>
  const names = new Names(components, format)
  const shared = worthSharing(found.all, format)
  const named = new Map(shared.map((part) => [part, names.give(part)]))
  const sectionOf = ({ kind }: Part) => format[kind]?.section as string

  const written = ({ body, core }: Part): Json => {
    const own = changed(body) as Json
    return core === undefined ? own : { ...(placed(core) as Json), ...own }
  }
  const placed = (part: Part): unknown => {
    const name = named.get(part)
    return name === undefined ? written(part) : { $ref: `#/components/${sectionOf(part)}/${name}` }
  }
  const changed = (value: unknown): unknown => {
    if (value instanceof Part) return placed(value)
    if (Array.isArray(value)) return value.map(changed)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member)]))
  }

  const complete = (part: Part): Json => {
    const own = written(part)
    return '$ref' in own ? own : { ...format[part.kind]?.beside, ...own }
  }

  const made = written(whole)
  const own = (made.components ?? {}) as Readonly<Record<string, Json>>
  const bySection = Map.groupBy(shared, sectionOf)
  const sections = [...new Set([...Object.keys(own), ...bySection.keys()])].map((section) => {
    const parts = bySection.get(section) ?? []
    return [section, { ...own[section], ...Object.fromEntries(parts.map((part) => [named.get(part), complete(part)])) }]
  })
  return { ...made, components: Object.fromEntries(sections) }
}

/** The parts of a document, each before those that hold it. */
class Parts {
  readonly #format: Format
  readonly #known = new Map<string, Part>()

  constructor(format: Format) {
    this.#format = format
  }

  get all(): readonly Part[] {
    return [...this.#known.values()]
  }

  of(kind: string, source: Json): Part {
    const { beside = {}, members } = this.#format[kind] as Kind
    const apart = Object.keys(beside).find((member) => member in source && Object.keys(source).length > 1)
    if (apart !== undefined) {
      const { [apart]: value, ...rest } = source
      return this.#part(kind, { [apart]: value }, this.of(kind, rest))
    }
    const entries = Object.entries(source).map(([key, value]): [string, unknown] => {
      const [form, inner] = members[key] ?? members['*'] ?? []
      if (inner === undefined) return [key, value]
      const part = (item: unknown) => (isObject(item) ? this.of(inner, item) : item)
      if (form === 'list' && Array.isArray(value)) return [key, value.map(part)]
      if (form !== 'map' || !isObject(value)) return [key, part(value)]
      return [key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, part(item)]))]
    })
    return this.#part(kind, Object.fromEntries(entries), undefined)
  }

  #part(kind: string, body: Json, core: Part | undefined): Part {
    const members = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))
    const text = `${kind} ${core?.id ?? ''} ${JSON.stringify(members)}`
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const part = new Part(kind, this.#known.size, body, core)
    for (const [name, each] of part.held) each.places.push([name, part])
    this.#known.set(text, part)
    return part
  }
}

/** The usual length of a reference and of a component's name, in characters. */
const [referenceSize, nameSize] = [44, 10]

/** The parts whose sharing makes the document shorter, those with the most places first. */
function worthSharing(parts: readonly Part[], format: Format): Part[] {
  const may = new Set(
    parts.filter(({ kind, body, core }) => format[kind]?.section !== undefined && !('$ref' in (core?.body ?? body))),
  )
  const ownSizes = parts.map(({ body, held }) =>
    held.reduce((sum, [, part]) => sum - JSON.stringify(part).length, JSON.stringify(body).length),
  )
  const sizes: number[] = []
  const copies: number[] = []
  const shared = new Set<Part>()
  // Sharing a part changes the sizes of the parts around it and the copies of those inside it, so each round decides again.
  for (let round = 0; round < 4; round++) {
    for (const { id, held } of parts) {
      const inside = held.map(([, part]) => (shared.has(part) ? referenceSize : (sizes[part.id] ?? 0)))
      sizes[id] = inside.reduce((sum, size) => sum + size, ownSizes[id] ?? 0)
    }
    for (const part of parts.toReversed()) {
      const each = part.places.map(([, holder]) => (shared.has(holder) ? 1 : (copies[holder.id] ?? 1)))
      const count = each.reduce((sum, times) => sum + times, 0)
      copies[part.id] = Math.max(1, count)
      const saved = (count - 1) * (sizes[part.id] ?? 0) - count * referenceSize - nameSize
      if (may.has(part) && saved > 0) shared.add(part)
      else shared.delete(part)
    }
  }
  return [...shared].sort((a, b) => (copies[b.id] ?? 0) - (copies[a.id] ?? 0) || a.id - b.id)
}
