import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Parser } from '@asyncapi/parser'
import { expect, test } from 'vitest'
import { checkAnswer, checkPacket } from '../../../../test/realtime/packets-check.ts'
import { unshared } from '../../../../test/unshared.ts'
import { api, documentTopics, ephemeralTopics, operations } from '../../../app.ts'
import { exampleOf } from '../../http/examples.ts'
import { closeCodes } from '../doors/closing.ts'
import { incoming, outgoing } from '../doors/packets.ts'
import { describeRealtime } from './asyncapi.ts'
import { publishedRealtime } from './asyncapi-sharing.ts'
import { commandsIn, topicsIn } from './catalogue.ts'
import { referencePage } from './reference-page.ts'
import { conducts, endings, errors, resyncs } from './reference-words.ts'

const here = {
  ephemeral: ephemeralTopics,
  documents: documentTopics,
  publicUrl: 'http://127.0.0.1:3001',
  socketUrl: 'ws://127.0.0.1:48522',
}
// biome-ignore lint/suspicious/noExplicitAny: a document of many forms, into which the tests look.
const description = describeRealtime({ ...api, ...here }) as any
const { channels, components } = description

/** As it is served. */
const published = publishedRealtime(description)

/** The example that a reader makes of a schema, by following its references. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
function exampleIn(schema: any): unknown {
  if (schema.$ref !== undefined) return exampleIn(components.schemas[schema.$ref.split('/').at(-1)])
  const { examples, default: usual, const: only, enum: values, anyOf, allOf, properties, items } = schema
  if ([examples, usual, only, values].some((given) => given !== undefined)) return exampleOf(schema)
  if (anyOf !== undefined) return exampleIn(anyOf[0])
  if (allOf !== undefined) return Object.assign({}, ...allOf.map(exampleIn))
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, exampleIn(member)]))
  }
  if (items === undefined) return exampleOf(schema)
  return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => exampleIn(items))
}

test('what is published is short, and says all that the records say', () => {
  expect(Buffer.byteLength(published)).toBeLessThan(680_000)
  const { operations: read, components: own, ...rest } = unshared(JSON.parse(published), description)
  // What the format says of traits and of the usual type of content.
  const traits = JSON.parse(published).components.operationTraits
  const withTraits = Object.entries<Record<string, unknown>>(read as Record<string, Record<string, unknown>>).map(
    ([name, { traits: named, ...operation }]) => [
      name,
      { ...(named === undefined ? {} : traits.credentials), ...operation },
    ],
  )
  const contentType = description.defaultContentType
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const messages = Object.entries<any>(own.messages as object).map(([name, message]) => {
    const { examples } = components.messages[name]
    if (message.examples !== undefined) return [name, { contentType, ...message }]
    // Long ones are made of the schemas: of the member that is not the same in all such packets.
    const { properties = {} } = message.payload.allOf?.[1] ?? {}
    const [{ payload }] = examples
    for (const long of ['body', 'states'].filter((member) => member in properties && member in payload)) {
      const { patternProperties } = properties[long]
      const made =
        patternProperties === undefined ? exampleIn(components.messages[name].payload.allOf[1].properties[long]) : null
      if (made !== null) expect(made, name).toEqual(payload[long])
    }
    return [name, { contentType, ...message, examples }]
  })
  const whole = {
    ...rest,
    operations: Object.fromEntries(withTraits),
    components: { ...own, messages: Object.fromEntries(messages) },
  }
  expect(whole).toEqual(JSON.parse(JSON.stringify(description)))
})

test('the public parser finds neither errors nor warnings in it', async () => {
  const { document, diagnostics } = await new Parser().parse(published)
  // Beyond these it tells that there are newer versions of the format.
  const warnings = diagnostics.filter(({ severity }) => severity <= 1)
  expect(warnings.map(({ code, message, path: place }) => [code, message, place.join('/')])).toEqual([])
  const ids = (all: readonly { id(): string | undefined }[] = []) => all.map((each) => each.id()).sort()
  expect(ids(document?.channels().all())).toEqual(Object.keys(channels).sort())
  expect(ids(document?.operations().all())).toEqual(Object.keys(description.operations).sort())
})

test('each topic is a channel, with what it shows', () => {
  const topics = topicsIn(operations)
  for (const { operation, pattern, scope } of topics) {
    const { name } = operation
    expect(channels[name]).toMatchObject({ address: pattern })
    const { body } = components.messages[`${name}.snapshot`].payload.allOf[1].properties
    expect(components.schemas).toHaveProperty([body.$ref.split('/').at(-1)])
    const scopes = { public: [], 'ws:read': ['ws:read'], assistant: ['assistant', 'ws:read'] }[scope]
    expect(description.operations[name]).toMatchObject({ action: 'send', 'x-required-scopes': scopes })
  }
  expect(topics.length).toBeGreaterThan(20)
  expect(channels['matches.list']).toMatchObject({
    parameters: { tournament: { $ref: '#/components/parameters/tournament' } },
    'x-query': { status: { type: 'string' } },
    'x-audiences': ['public', 'staff+pools', 'staff'],
    'x-facts': expect.arrayContaining(['match.completed']),
  })
})

test('each command is a message, and an operation with its result', () => {
  const commands = commandsIn(operations)
  for (const { name, scope } of commands) {
    expect(channels[name]).toMatchObject({ address: '/' })
    expect(Object.keys(channels[name].messages)).toEqual([name, `${name}.result`, 'error'])
    expect(description.operations[name]).toMatchObject({
      action: 'receive',
      reply: { messages: [{ $ref: `#/channels/${name}/messages/${name}.result` }, expect.anything()] },
      'x-required-scopes': scope === 'assistant' ? ['assistant', 'ws:write'] : ['ws:write'],
    })
  }
  expect(commands.length).toBeGreaterThan(15)
  expect(description.operations['matches.start']['x-problems'][409]).toContain('command.key_reused')
})

test('each packet is described, with an example that is one', () => {
  for (const type of [...Object.keys(incoming), ...Object.keys(outgoing)]) {
    const { properties } = components.schemas[`packet.${type}`]
    for (const [member, schema] of Object.entries<object>(properties)) {
      expect('const' in schema || 'description' in schema, `${type} ${member}`).toBe(true)
    }
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  for (const [key, { name, examples }] of Object.entries<any>(components.messages)) {
    expect(examples.length, key).toBe(1)
    const [{ payload }] = examples
    expect(payload.type).toBe(name)
    // The bodies of those are cut short.
    if (key !== 'snapshot') checkPacket(payload, key !== 'updated' && name in incoming ? 'incoming' : 'outgoing')
    const result = components.messages[`${key}.result`]
    if (result !== undefined) checkAnswer(payload, result.examples[0].payload)
  }
})

test('what is not as described is found', () => {
  const topic = '/tournaments/a/matches?facts=1'
  const snapshot = { type: 'snapshot', topic, position: 'p', etag: '""', body: { matches: [], nextCursor: null } }
  const faults: [object, 'incoming' | 'outgoing', RegExp][] = [
    [{ type: 'hullo' }, 'outgoing', /no outgoing packet/],
    [{ type: 'subscribe' }, 'incoming', /packet subscribe .*topic/],
    [{ type: 'ended', topic, reason: 'tired' }, 'outgoing', /packet ended .*reason/],
    [{ type: 'ended', topic, reason: 'gone', watchers: 3 }, 'outgoing', /packet ended .*watchers/],
    [{ ...snapshot, body: { matches: [{}], nextCursor: null } }, 'outgoing', /snapshot of .*matches\/0 .*guid/],
  ]
  expect(() => checkPacket(snapshot, 'outgoing')).not.toThrow()
  for (const [packet, direction, words] of faults) expect(() => checkPacket(packet, direction)).toThrow(words)
})

test('the reference has words for everything that may come', () => {
  const reasonsOf = ({ anyOf }: { readonly anyOf: readonly object[] }) =>
    anyOf.map((each) => (each as { readonly const: string }).const)
  expect(Object.keys(endings).sort()).toEqual(reasonsOf(outgoing.ended.properties.reason).sort())
  expect(Object.keys(resyncs).sort()).toEqual(reasonsOf(outgoing.snapshot.properties.resync.properties.reason).sort())
  expect(closeCodes.filter((code) => !conducts.some(({ from }) => code >= from && code < from + 100))).toEqual([])
  const folder = path.join(import.meta.dirname, '..')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  const thrown = sources.flatMap((text) => [
    ...text.matchAll(/(?:Problem\(\s*'\w+',|\b(?:invalid|missing|conflict|unauthenticated)\()\s*'([a-z_]+\.[a-z_]+)'/g),
  ])
  const known = errors.map(({ code }) => code)
  expect(thrown.map(([, code]) => code).filter((code) => !known.includes(code as string))).toEqual([])
  expect(thrown.length).toBeGreaterThan(10)
})

test('nothing that the records say gets into the page as markup', () => {
  const summary = 'Teams of <b>a</b> "tournament" & `<script>`.'
  const changed = operations.map((operation) =>
    operation.name === 'teams.list' ? { ...operation, summary } : operation,
  )
  const page = referencePage({ ...api, ...here, operations: changed })
  expect(page).toContain('Teams of &lt;b&gt;a&lt;/b&gt; &quot;tournament&quot; &amp; <code>&lt;script&gt;</code>.')
  expect(page).not.toContain('<script')
})
