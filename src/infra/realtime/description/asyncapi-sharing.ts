import { schemaMembers } from '../../http/openapi-format.ts'
import { type Format, type Json, share } from '../../http/sharing.ts'

/** What the parts of an AsyncAPI document hold, and which of them may be components. */
const format: Format = {
  document: { members: { channels: ['map', 'channel'], components: ['one', 'components'] } },
  components: { members: { schemas: ['map', 'named'], messages: ['map', 'message'] }, wordOf: () => '' },
  channel: { members: { 'x-query': ['map', 'schema'] } },
  message: { members: { payload: ['one', 'named'] } },
  named: { members: schemaMembers },
  schema: { section: 'schemas', members: schemaMembers, beside: { examples: undefined } },
}

/** Characters of an example that its reader would rather make of the schema. */
const longExample = 300

type Records = Readonly<Record<string, Json>>

/** The published description: parts that `describeRealtime` repeats are written once. */
export function sharedRealtime(description: Json): Json {
  const components = description.components as Readonly<Record<string, Records>>
  const messages = changed(components.messages as Records, (message) => briefly(message, description))
  const secured = Object.values(description.operations as Records).find(({ security }) => security !== undefined)
  const credentials = { operationTraits: { credentials: { security: secured?.security } } }
  const whole = {
    ...description,
    operations: changed(description.operations as Records, ({ security, ...operation }) =>
      JSON.stringify(security) === JSON.stringify(secured?.security) && security !== undefined
        ? { ...operation, traits: [{ $ref: '#/components/operationTraits/credentials' }] }
        : { ...operation, ...(security === undefined ? {} : { security }) },
    ),
    components: { ...components, ...(secured === undefined ? {} : credentials), messages },
  }
  return share(whole, format)
}

/** The text that is served. */
export function publishedRealtime(description: Json): string {
  return JSON.stringify(sharedRealtime(description))
}

/** Without the usual type of content, and without a long example: it is made of the schema's own examples. */
function briefly({ contentType, examples, ...message }: Json, { defaultContentType }: Json): Json {
  return {
    ...message,
    ...(contentType === defaultContentType ? {} : { contentType }),
    ...(JSON.stringify(examples).length > longExample ? {} : { examples }),
  }
}

function changed(records: Records, change: (record: Json) => Json): Records {
  return Object.fromEntries(Object.entries(records).map(([name, record]) => [name, change(record)]))
}
