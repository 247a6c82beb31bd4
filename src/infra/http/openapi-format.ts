import type { Format, Json, Members } from './sharing.ts'

/** What the parts of an OpenAPI document hold, and which of them may be components. */

const one = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const maps = ['properties', 'patternProperties', '$defs']

/** Where schemas hold schemas. */
export const schemaMembers: Members = Object.fromEntries([
  ...one.map((name) => [name, ['one', 'schema']] as const),
  ...lists.map((name) => [name, ['list', 'schema']] as const),
  ...maps.map((name) => [name, ['map', 'schema']] as const),
])

const nothing = () => ''

export const openapiFormat: Format = {
  document: { members: { paths: ['map', 'path'], components: ['one', 'components'] } },
  components: { members: { schemas: ['map', 'named'] }, wordOf: nothing },
  path: { members: { parameters: ['list', 'parameter'], '*': ['one', 'operation'] }, wordOf: nothing },
  operation: {
    members: { parameters: ['list', 'parameter'], requestBody: ['one', 'body'], responses: ['map', 'response'] },
    wordOf: ({ operationId }) => String(operationId),
  },
  parameter: {
    section: 'parameters',
    members: { schema: ['one', 'schema'] },
    namesOf: ({ name, in: place }) => [String(name), `${name}.${place}`],
    wordOf: ({ name }) => String(name),
  },
  body: { section: 'requestBodies', members: { content: ['map', 'media'] }, wordOf: nothing },
  response: {
    section: 'responses',
    members: { headers: ['map', 'header'], content: ['map', 'media'] },
    // OpenAPI allows a description beside a reference, but Scalar shows that of the component instead.
    namesOf: namesOfResponse,
    wordOf: () => 'Answer',
  },
  header: { section: 'headers', members: { schema: ['one', 'schema'] } },
  media: { members: { schema: ['one', 'schema'] }, wordOf: nothing },
  named: { members: schemaMembers },
  // Other members may stand beside a reference too, but fewer readers know of them.
  schema: { section: 'schemas', members: schemaMembers, beside: { examples: undefined } },
}

/**
 * The most frequent answer of a status is named after the status, others after the codes of their problems. Generated
 * clients make identifiers of these names.
 */
function namesOfResponse({ description }: Json, status: string): string[] {
  const codes = [...String(description).matchAll(/`(\w+\.\w+)`/g)].map(([, code = '']) => code)
  const own = codes.filter((code) => !/^(request|command|service)\./.test(code))
  const [first] = own.length > 0 ? own : codes
  return [`S${status}`, ...(first === undefined ? [] : [first, `${first}.${status}`])]
}
