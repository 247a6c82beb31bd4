import fastJson, { type Schema } from 'fast-json-stringify'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { nullable, oneOf } from '../../core/schema.ts'
import { serializerOf } from './serializer.ts'

const Card = Type.Object(
  { guid: Type.String(), at: nullable(Type.String({ format: 'date-time' })), title: Type.String() },
  { title: 'Card', description: 'Somebody.' },
)
const Step = Type.Object({ kind: oneOf(['ban', 'pick']), by: nullable(Card), times: Type.Optional(Type.Integer()) })
const Block = Type.Object({ each: Type.Array(Step), by: Card })
const Part = Type.Union([Step, Block])
const card = { guid: 'a"b', at: new Date(0), title: 'x\n', secret: 1 }
const step = { kind: 'ban', by: card, more: true }
const block = { each: [step, { ...step, by: null, times: 2 }], by: card }

const cases: readonly (readonly [string, TSchema, readonly unknown[]])[] = [
  ['an object', Card, [card, { ...card, at: null }, { guid: 'x' }]],
  ['a named object or null', nullable(Card), [card, null]],
  ['an object without a name or null', nullable(Type.Object({ a: Type.Optional(Card) })), [null, {}, { a: card }]],
  ['a list or null', nullable(Type.Array(nullable(Card))), [null, [], [card, null]]],
  ['text or null', Type.Object({ a: nullable(Type.String()) }), [{ a: null }, { a: 'b' }, {}]],
  ['one of two', Part, [step, block, { by: card }]],
  ['a list of one of two', Type.Array(Part), [[], [step, block, step]]],
  [
    'one of two, or null',
    Type.Object({ a: nullable(Part), b: Type.Array(Part) }),
    [
      { a: null, b: [] },
      { a: block, b: [step] },
    ],
  ],
  [
    'equal objects in two places',
    Type.Object({ a: Card, b: Type.Object({ ...Card.properties }) }),
    [{ a: card, b: card }],
  ],
  [
    'names like those of keywords',
    Type.Object({ title: Type.String(), enum: Card, anyOf: Type.Array(Card) }),
    [{ title: 'a', enum: card, anyOf: [card] }],
  ],
  ['named by whoever wrote it', Type.Record(Type.String(), nullable(Card)), [{}, { a: card, b: null }]],
  ['anything', Type.Object({ a: Type.Unknown() }), [{ a: { b: [1, null] } }, { a: 'c' }]],
  [
    'the same with other values',
    Type.Object({ kind: oneOf(['win']), bestOf: Type.Integer({ default: 3 }) }),
    [{ kind: 'win' }],
  ],
]

test.each(cases)('%s becomes what the library alone makes of it', (_, schema, values) => {
  const reference = fastJson(schema as Schema)
  const outcome = (serialize: (value: unknown) => string, value: unknown) => {
    try {
      return serialize(value)
    } catch (error) {
      return `refused: ${String(error)}`
    }
  }
  const told = values.map((value) => outcome(serializerOf(schema), value))
  expect(told).toEqual(values.map((value) => outcome(reference, value).replace(/__fjs_\w+_\d+/, '')))
  expect(told.join()).not.toMatch(/secret|more/)
})
