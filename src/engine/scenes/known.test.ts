import { expect, test } from 'vitest'
import { elementOf } from '../../../test/scene-documents.ts'
import { fieldsOf } from './formatter-fields.ts'
import { formatted, formatters } from './formatters.ts'
import { strangersIn } from './known.ts'
import { builtInTemplates } from './templates/templates.ts'

/** Formatters and paths that a document names exist. (OV2, OV3) */

const bound = (path: string) => strangersIn(elementOf({ bindings: { a: { property: 'text', path } } }))

test.each([
  ...['match.label', 'match', 'sides.1.team.name', 'sides', 'games.40.sides.0.score', 'casters.2.name', 'time'],
  ...['live.lead.place', 'map.modifiers.3', 'variables.mine', 'control.custom.own', 'index'],
  ...['item', 'item.map.name', 'item.sides.1.score', 'item.name', 'item.stream.live'],
])('%s is a path', (path) => expect(bound(path)).toEqual([]))

test.each([
  ...['nothing', 'match.nmae', 'match.label.length', 'sides.2.team.name', 'sides.first', 'casters.3.name'],
  ...['constructor', 'variables.a.b', 'index.0', 'item.nothing', 'sides.0.players.6'],
])('%s is none', (path) => {
  expect(bound(path)).toEqual([{ pointer: '/bindings/a/path', words: `is "${path}", which is no path of the data` }])
})

test('each stranger has its pointer: in formats, in tests within tests, and as the source of a list', () => {
  const format = [{ name: 'number' }, { name: 'toString' }]
  const reads = (path: string) => ({ path, op: 'exists' }) as const
  const element = elementOf({
    type: 'list',
    props: { source: 'match' },
    bindings: { 'a/b': { property: 'max', path: 'match.bestOf', format } },
    conditions: {
      c: { when: { all: [reads('match'), { any: [{ not: reads('no.where') }] }] }, set: { visible: false } },
    },
  })
  expect(strangersIn(element).map(({ pointer }) => pointer)).toEqual([
    '/bindings/a~1b/format/1/name',
    '/conditions/c/when/all/1/any/0/not/path',
    '/props/source',
  ])
})

test.each<[string, (string | number | boolean | null)[], number[]]>([
  ['number', [2, false], []],
  ['number', [null, true], []],
  ['number', [7], [0]],
  ['number', [1.5, 'yes'], [0, 1]],
  ['percent', [2, 2], [1]],
  ['ordinal', ['th'], [0]],
  ['date', ['weekday', 'Europe/Berlin'], []],
  ['date', ['yyyy'], [0]],
  ['case', ['title'], []],
  ['case', ['TITLE'], [0]],
  ['truncate', [2_001], [0]],
  ['map', [1, 'one', true, 'yes', null, ''], []],
  ['logShare', [0], [0]],
])('%s takes of the arguments %j all but %j', (name, args, refused) => {
  const element = elementOf({ bindings: { a: { property: 'text', path: 'match.label', format: [{ name, args }] } } })
  expect(strangersIn(element).map(({ pointer }) => pointer)).toEqual(
    refused.map((at) => `/bindings/a/format/0/args/${at}`),
  )
})

test('arguments are named for formatters that exist, and what a number is limited to is what is shown', () => {
  for (const name of Object.keys(formatters)) expect(fieldsOf(name), name).toBeDefined()
  expect(fieldsOf('toString')).toBeUndefined()
  const around = { now: 0, timezone: 'UTC', colors: [] }
  const shown = (name: string, ...args: (string | number | boolean)[]) =>
    formatted(name === 'date' ? '2026-01-02T03:04:05Z' : 1_234.5, [{ name, args }], around)
  // The usual value is what is shown without one.
  for (const name of ['number', 'percent', 'signed', 'date', 'truncate', 'logShare'])
    for (const [at, field] of (fieldsOf(name) ?? []).entries())
      if ('usual' in field && at === 0) expect(shown(name, field.usual), name).toEqual(shown(name))
})

test.each(builtInTemplates)('the template $key names nothing that does not exist', ({ document }) => {
  const elements = Object.values(document.scenes).flatMap((scene) => Object.values(scene.elements))
  expect(elements.flatMap(strangersIn)).toEqual([])
})
