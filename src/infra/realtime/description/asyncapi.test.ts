import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Parser } from '@asyncapi/parser'
import { expect, test } from 'vitest'
import { expectGenerated } from '../../../../test/generated.ts'
import { checkAnswer, checkPacket } from '../../../../test/realtime/packets-check.ts'
import { api, documentTopics, ephemeralTopics, operations } from '../../../app.ts'
import { closeCodes } from '../doors/closing.ts'
import { incoming, outgoing } from '../doors/packets.ts'
import { describeRealtime } from './asyncapi.ts'
import { commandsIn, topicsIn } from './catalogue.ts'
import { referencePage } from './reference-page.ts'
import { conducts, endings, errors, resyncs } from './reference-words.ts'

const here = {
  ...{ ephemeral: ephemeralTopics, documents: documentTopics },
  ...{ publicUrl: 'http://127.0.0.1:3001', socketUrl: 'ws://127.0.0.1:48522' },
}
// biome-ignore lint/suspicious/noExplicitAny: a document of many forms, into which the tests look.
const description = describeRealtime({ ...api, ...here }) as any
const { channels, components } = description

test('the committed description is the one that the service publishes', () => {
  expectGenerated('asyncapi.json', `${JSON.stringify(description, null, 2)}\n`)
})

/** References into the components, as they stand in JSON. */
const component = /"#\/components\/(\w+)\/([^"/]+)"/g

/**
 * The parser writes out what operations refer to, all messages of their channel each time: its work grows with the square of what
 * a document holds. So it is handed the operations some at a time, with what they refer to, and a share of the rest.
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
function* parts(count: number): Generator<any> {
  const some = <T>(record: Readonly<Record<string, T>>, isIn: (name: string, index: number) => boolean) =>
    Object.fromEntries(Object.entries(record).filter(([name], index) => isIn(name, index)))
  for (let part = 0; part < count; part++) {
    const isShare = (index: number) => index % count === part
    const operations = some(description.operations, (_name, index) => isShare(index))
    const text = JSON.stringify(operations)
    const isNamed = (place: string) => text.includes(`"#/channels/${place}"`) || text.includes(`"#/channels/${place}/`)
    const all = some(channels, (name, index) => isNamed(name) || isShare(index))
    const { connection } = channels
    const messages = some(
      connection.messages,
      (name, index) => isNamed(`connection/messages/${name}`) || isShare(index),
    )
    const own = { operations, channels: { ...all, connection: { ...connection, messages } } }
    const named = new Set<string>()
    const follow = (value: object) => {
      for (const [place, kind = '', name = ''] of JSON.stringify(value).matchAll(component)) {
        if (named.has(place)) continue
        named.add(place)
        follow(components[kind][name])
      }
    }
    const inPart = (isIn: (place: string, index: number) => boolean) =>
      Object.fromEntries(
        Object.entries<Record<string, object>>(components).map(([kind, all]) => {
          return [kind, some(all, (name, index) => isIn(`"#/components/${kind}/${name}"`, index))]
        }),
      )
    follow([own, inPart((_place, index) => isShare(index))])
    yield { ...description, ...own, components: inPart((place, index) => isShare(index) || named.has(place)) }
  }
}

test('the public parser finds neither errors nor warnings in it', async () => {
  const seen = { channels: new Set<string>(), messages: new Set<string>(), operations: new Set<string>() }
  const seenComponents = new Set<string>()
  const namesOf = (all: typeof components) =>
    Object.entries<object>(all).flatMap(([kind, record]) => Object.keys(record).map((name) => `${kind}/${name}`))
  for (const part of parts(16)) {
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(part))
    // Beyond these it tells that there are newer versions of the format.
    const warnings = diagnostics.filter(({ severity }) => severity <= 1)
    expect(warnings.map(({ code, message, path: place }) => [code, message, place.join('/')])).toEqual([])
    for (const channel of document?.channels().all() ?? []) seen.channels.add(channel.id())
    for (const operation of document?.operations().all() ?? []) seen.operations.add(operation.id() ?? '')
    for (const name of Object.keys(part.channels.connection.messages)) seen.messages.add(name)
    for (const name of namesOf(part.components)) seenComponents.add(name)
  }
  expect([...seen.channels].sort()).toEqual(Object.keys(channels).sort())
  expect([...seen.operations].sort()).toEqual(Object.keys(description.operations).sort())
  expect([...seen.messages].sort()).toEqual(Object.keys(channels.connection.messages).sort())
  expect([...seenComponents].sort()).toEqual(namesOf(components).sort())
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
    expect(channels.connection.messages).toHaveProperty([name])
    expect(description.operations[name]).toMatchObject({
      action: 'receive',
      reply: { messages: [{ $ref: `#/channels/connection/messages/${name}.result` }, expect.anything()] },
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
