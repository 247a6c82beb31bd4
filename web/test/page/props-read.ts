import { type ElementType, elementTypes } from '../../../src/engine/scenes/document.ts'
import { sampleOf, samplePresets } from '../../../src/engine/scenes/samples/samples.ts'
import { propsOf } from '../../../src/engine/scenes/schema/props.ts'
import type { JsonSchema } from '../../../src/engine/scenes/schema/values.ts'
import { painterOf } from '../../overlay/draw/painters.ts'
import { Joined } from '../../overlay/model/joined.ts'
import type { Props } from '../../overlay/model/props.ts'

/** The props that painters read, found by drawing examples of everything that the schema allows. */

const examples: Readonly<Record<string, unknown>> = {
  color: '#112233',
  guid: '00000000-0000-4000-8000-000000000001',
  path: 'games',
}

/** An example that the schema allows. */
function exampleOf(schema: JsonSchema): unknown {
  if (schema.$ref !== undefined) return examples[schema.$ref.slice('#/$defs/'.length)]
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.maximum ?? 1
    case 'array':
      return Array.from({ length: Math.max(3, schema.minItems ?? 0) }, () => exampleOf(schema.items ?? {}))
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]),
      )
    default:
      return 'sans'
  }
}

/** One example with every member, and one more for each enum value of a member. */
function variantsOf(type: ElementType): Props[] {
  const whole = exampleOf(propsOf[type]) as Props
  const words = Object.entries(propsOf[type].properties ?? {}).flatMap(([name, member]) =>
    (member.enum ?? []).map((word) => ({ ...whole, [name]: word })),
  )
  return [whole, ...words]
}

function watched(props: Props, prefix: string, read: Set<string>): Props {
  return new Proxy(props, {
    get(target, name) {
      const found = target[String(name)]
      const isRecord = typeof found === 'object' && found !== null && !Array.isArray(found)
      if (isRecord) return watched(found as Props, `${prefix}${String(name)}.`, read)
      read.add(prefix + String(name))
      return found
    },
  })
}

/** By type; nested members are written with a dot. */
export function propsRead(): Readonly<Record<string, readonly string[]>> {
  const all = elementTypes.map((type): [string, readonly string[]] => {
    const read = new Set<string>()
    for (const preset of samplePresets) {
      const joined = new Joined()
      const { data, control, live } = sampleOf(preset, Date.now())
      const canvas = { width: 400, height: 300, background: 'transparent' as const }
      Object.assign(joined, { data, control, values: live, document: { schemaVersion: 1, canvas, scenes: {} } })
      const reading = joined.reading(Date.now())
      if (reading === null) throw new Error('a sample lacks something')
      const context = { reading, items: [], media: location.origin, isStill: true, fonts: new Map(), isMuted: false }
      for (const props of variantsOf(type)) {
        const painter = painterOf(type, [])
        painter.update(watched(props, '', read), context, { width: 400, height: 300 })
        painter.destroy?.()
      }
    }
    return [type, [...read].sort()]
  })
  return Object.fromEntries(all)
}
