import type { Format, Json, Kind, Part } from './sharing.ts'

/** Names of shared components. They are unique, also for readers that ignore case. */
export class Names {
  readonly #format: Format
  readonly #taken: Set<string>

  constructor(components: Readonly<Record<string, Json>>, format: Format) {
    this.#format = format
    const named = Object.entries(components).flatMap(([section, all]) =>
      Object.keys(all).map((name) => keyOf(section, name)),
    )
    this.#taken = new Set(named)
  }

  give(part: Part): string {
    const { section = '' } = this.#format[part.kind] as Kind
    const candidates = this.#candidates(part)
    const last = candidates.at(-1) as string
    const numbered = (number: number) => (/\d$/.test(last) ? `${last}-${number}` : `${last}${number}`)
    let name = candidates.find((each) => !this.#taken.has(keyOf(section, each)) && !global.has(each))
    for (let number = 2; name === undefined; number++) {
      if (!this.#taken.has(keyOf(section, numbered(number)))) name = numbered(number)
    }
    this.#taken.add(keyOf(section, name))
    return name
  }

  #candidates(part: Part): readonly string[] {
    const { namesOf } = this.#format[part.kind] as Kind
    const [member, holder] = commonest(part)
    const own = namesOf?.(wholeOf(part), member) ?? []
    if (own.length > 0) return own
    const words = [...wordsIn(member), ...(holder === undefined ? [] : this.#wordsFor(holder))]
    const [inner = 'Part', outer = ''] = words
    return [inner, ...(outer === '' || inner.startsWith(outer) ? [] : [`${outer}${inner}`])]
  }

  /** Words for the part and those that hold it, the innermost first. */
  #wordsFor(part: Part): string[] {
    const { wordOf } = this.#format[part.kind] as Kind
    const [member, holder] = part.places[0] ?? ['']
    const own = wordsIn(wordOf === undefined ? member : wordOf(wholeOf(part)))
    return [...own, ...(holder === undefined ? [] : this.#wordsFor(holder))]
  }
}

/** Names that would clash with names of the language in generated clients. */
const global: ReadonlySet<string> = new Set(['Array', 'Blob', 'Date', 'File', 'Number', 'Object', 'Record', 'String'])

function keyOf(section: string, name: string): string {
  return `${section}/${name}`.toLowerCase()
}

function wholeOf({ body, core }: Part): Json {
  return core === undefined ? body : { ...wholeOf(core), ...body }
}

/** The name that most places have for the part, and the first of them. */
function commonest(part: Part): readonly [string, Part | undefined] {
  const places = part.places.flatMap((place) => (place[0] === '' ? place[1].places : [place]))
  const byName = Map.groupBy(places, ([name]) => name)
  const [first] = [...byName.values()].sort((a, b) => b.length - a.length)
  return first?.[0] ?? ['', undefined]
}

/** Members that say how a schema is made, not what it is about. */
const structural: ReadonlySet<string> = new Set([
  ...['items', 'anyOf', 'oneOf', 'allOf', 'schema', 'additionalProperties', 'propertyNames', 'not', 'if', 'then'],
  ...['else', 'parameters', 'responses', 'content'],
])

/** The name as one word with a capital letter; nothing where it says nothing. */
function wordsIn(name: string): string[] {
  if (structural.has(name)) return []
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.length === 0 ? [] : [words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')]
}
