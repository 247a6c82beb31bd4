import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '../src/app.ts'
import { anyone, signedIn } from '../src/core/actor.ts'
import { command, query } from '../src/core/operation.ts'
import { nullable, oneOf } from '../src/core/schema.ts'
import { clientTypes, readTypes } from './client-types.ts'

const file = path.join(import.meta.dirname, '../client/generated.ts')

test('the committed types of the client are those of the records', () => {
  const content = clientTypes(operations)
  if (process.env.GENERATE === '1') writeFileSync(file, content)
  expect(readFileSync(file, 'utf8') === content, 'client/generated.ts is out of date: run npm run generate').toBe(true)
  expect(content.length).toBeLessThan(240_000)
})

test('the committed types of the website are those of the records', () => {
  const fileOfReads = path.join(import.meta.dirname, '../web/site/data/generated.ts')
  const content = readTypes(operations)
  if (process.env.GENERATE === '1') writeFileSync(fileOfReads, content)
  expect(readFileSync(fileOfReads, 'utf8') === content, 'it is out of date: run npm run generate').toBe(true)
})

const UserCard = Type.Object({ guid: Type.String() }, { title: 'UserCard', description: 'A user.' })

const readThing = (body: TSchema, name = 'things.read') =>
  query({
    name,
    method: 'GET',
    path: '/things/:thing',
    scope: 'public',
    allow: anyone,
    summary: 'A thing.',
    live: { sends: [] },
    reply: { 200: body },
    run: () => ({}),
  })

const shown = (schema: TSchema) => {
  const text = clientTypes([readThing(Type.Object({ it: schema, user: UserCard }))])
  return / readonly it: ([\s\S]*?)\n {4}readonly user: UserCard\n/.exec(text)?.[1]?.replace(/\s+/g, ' ')
}

test.each<[TSchema, string]>([
  [Type.String(), 'string'],
  [Type.Integer(), 'number'],
  [Type.Boolean(), 'boolean'],
  [Type.Null(), 'null'],
  [Type.Unknown(), 'unknown'],
  [Type.Literal("it's"), "'it\\'s'"],
  [oneOf(['a', 'b']), "'a' | 'b'"],
  [nullable(oneOf(['a'])), "'a' | null"],
  [nullable(Type.Number()), 'number | null'],
  [nullable(UserCard), 'UserCard | null'],
  [Type.Array(nullable(Type.String())), 'readonly (string | null)[]'],
  [Type.Array(oneOf(['a', 'b'])), "readonly ('a' | 'b')[]"],
  [Type.Array(Type.Object({ b: Type.Optional(Type.String()) })), 'readonly { readonly b?: string }[]'],
  [Type.Array(Type.Object({ b: nullable(Type.String()) })), 'readonly { readonly b: string | null }[]'],
  [Type.Array(nullable(Type.Object({ b: Type.Null() }, { title: 'B' }))), 'readonly (B | null)[]'],
  [Type.Array(Type.Union([Type.Object({ a: Type.Null() }), Type.Null()])), 'readonly ({ readonly a: null } | null)[]'],
  [Type.Union([Type.Object({ a: Type.String() }), Type.Null()]), '{ readonly a: string } | null'],
  [Type.Object({ 'upper:1': Type.String() }), "{ readonly 'upper:1': string }"],
  [Type.Object({}, { additionalProperties: Type.Integer() }), 'Readonly<Record<string, number>>'],
])('the type of the schema %j is %s', (schema, type) => {
  expect(shown(schema)).toBe(type)
})

test('topics stand under their templates, and named schemas once', () => {
  const text = clientTypes([readThing(UserCard)])
  expect(text).toContain("/** A thing. */\n  readonly '/things/{thing}': UserCard\n")
  expect(text.match(/export interface UserCard/g)).toHaveLength(1)
  expect(text).toContain('/** A user. */\nexport interface UserCard {\n  readonly guid: string\n}\n')
})

test('two schemas of one name are a mistake', () => {
  const other = Type.Object({ name: Type.String() }, { title: 'UserCard' })
  expect(() => clientTypes([readThing(UserCard), readThing(other, 'things.other')])).toThrow('called UserCard')
})

test('only what is live is a topic, and only what may be sent by socket a command', () => {
  const spec = {
    method: 'POST',
    path: '/things/:thing',
    scope: 'rest:write',
    allow: signedIn,
    summary: 'Change it.',
    reply: { 200: UserCard, 204: Type.Null() },
    run: async () => ({ guid: '' }),
  } as const
  const asked = { query: Type.Object({ dryRun: Type.Boolean() }), body: Type.Object({ name: Type.String() }) }
  const text = clientTypes([
    query({ ...spec, method: 'GET', name: 'things.quiet', run: () => ({ guid: '' }) }),
    command({ ...spec, name: 'things.rest' }),
    command({ ...spec, name: 'things.plain', socket: true }),
    command({ ...spec, ...asked, name: 'things.full', socket: true, bodyOptional: true }),
  ])
  expect(text).toContain('export interface Topics {\n}')
  expect(text).not.toContain('things.rest')
  expect(text).toContain(`
  readonly 'things.plain': {
    readonly params: { readonly thing: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: UserCard | null
  }
`)
  expect(text).toContain(`
    readonly query: {
      readonly dryRun: boolean
    }
    readonly body: {
      readonly name: string
    } | undefined
`)
})
