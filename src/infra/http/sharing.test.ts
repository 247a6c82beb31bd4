import { expect, test } from 'vitest'
import { type Format, type Json, share } from './sharing.ts'

const format: Format = {
  document: { members: { answers: ['map', 'answer'], components: ['one', 'components'] } },
  components: { members: { schemas: ['map', 'named'] }, wordOf: () => '' },
  answer: { members: { schema: ['one', 'schema'] }, section: 'answers', beside: { description: 'Any.' } },
  named: { members: { properties: ['map', 'schema'] } },
  schema: { members: { properties: ['map', 'schema'] }, section: 'schemas' },
}

const long = (words: string): Json => ({ type: 'string', description: `${words}. `.repeat(20) })
const answer = (description: string, words: string) => ({ description, schema: long(words) })
const shared = (document: Json) => share(document, format) as Readonly<Record<string, Readonly<Record<string, Json>>>>

test('what stands once, and what is no longer than a reference, stays where it is', () => {
  const document = {
    answers: { one: answer('One.', 'First'), two: answer('Two.', 'Second') },
    components: { schemas: { A: { properties: { a: { type: 'string' }, b: { type: 'string' } } } } },
  }
  expect(shared(document)).toEqual(document)
})

test('what stands twice becomes a component, by the name that it has there', () => {
  const { components } = shared({
    answers: {},
    components: {
      schemas: { A: { properties: { startsAt: long('When') } }, B: { properties: { startsAt: long('When') } } },
    },
  })
  const startsAt = { $ref: '#/components/schemas/StartsAt' }
  expect(components?.schemas).toEqual({
    A: { properties: { startsAt } },
    B: { properties: { startsAt } },
    StartsAt: long('When'),
  })
})

test('what lies inside a shared part alone is not shared itself', () => {
  const outer = { properties: { inner: long('Inside') } }
  const properties = { outer }
  const { components } = shared({ answers: {}, components: { schemas: { A: { properties }, B: { properties } } } })
  expect(components?.schemas?.Outer).toEqual(outer)
  expect(Object.keys(components?.schemas ?? {})).toEqual(['A', 'B', 'Outer'])
})

test('the order of members makes no difference, and a name that is taken gets that of its holder', () => {
  const { type, description } = long('Title')
  const other = { description, type }
  const { components } = shared({
    answers: {},
    components: {
      schemas: {
        Title: {},
        First: { properties: { title: { type, description } } },
        B: { properties: { title: other } },
      },
    },
  })
  expect(Object.keys(components?.schemas ?? {})).toEqual(['Title', 'First', 'B', 'FirstTitle'])
})

test('parts that differ in their description alone have it beside their references', () => {
  const { answers, components } = shared({
    answers: { one: answer('One.', 'Same'), two: answer('Two.', 'Same') },
    components: {},
  })
  const $ref = expect.stringMatching(/^#\/components\/answers\//)
  expect(answers).toEqual({ one: { $ref, description: 'One.' }, two: { $ref, description: 'Two.' } })
  expect(Object.values(components?.answers ?? {})).toEqual([{ description: 'Any.', schema: long('Same') }])
})

test('values that look like parts are not touched', () => {
  const value = { const: { properties: { a: long('A'), b: long('A') } } }
  const document = { answers: {}, components: { schemas: { A: value } } }
  expect(shared(document)).toEqual(document)
})
