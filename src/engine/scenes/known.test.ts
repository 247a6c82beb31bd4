import { expect, test } from 'vitest'
import { elementOf } from '../../../test/scene-documents.ts'
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

test.each(builtInTemplates)('the template $key names nothing that does not exist', ({ document }) => {
  const elements = Object.values(document.scenes).flatMap((scene) => Object.values(scene.elements))
  expect(elements.flatMap(strangersIn)).toEqual([])
})
