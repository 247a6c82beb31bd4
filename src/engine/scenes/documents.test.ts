import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentWith, elementOf } from '../../../test/scene-documents.ts'
import { assetsOf, withAssets } from './assets.ts'
import { bindable } from './bindable.ts'
import { elementTypes } from './document.ts'
import { ordersBetween } from './order.ts'
import { paths } from './paths/paths.ts'
import { propsOf } from './schema/props.ts'
import { sceneSchema } from './schema/schema.ts'
import { lifted, presentVersion } from './versions.ts'

const guid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

test('the media of a document are all that it shows, wherever they stand (OV8)', () => {
  const document = {
    ...documentWith({
      image001: elementOf({ type: 'image', props: { media: guid(3).toUpperCase() } }),
      image002: elementOf({ type: 'image', props: { media: guid(3) } }),
      image003: elementOf({ type: 'image' }),
      video001: elementOf({ type: 'video', props: { media: guid(2) } }),
      stream01: elementOf({ type: 'stream', props: { fallback: guid(4) } }),
      // A text that looks like a GUID is not media.
      text0001: elementOf({ props: { text: guid(9) } }),
    }),
    fonts: { title: { family: 'Title', media: guid(1) } },
  }
  expect(assetsOf(document)).toEqual([guid(1), guid(2), guid(3), guid(4)])
  const changed = withAssets(
    document,
    new Map([
      [guid(3), guid(7)],
      [guid(1), guid(8)],
    ]),
  )
  expect(assetsOf(changed)).toEqual([guid(2), guid(4), guid(7), guid(8)])
  expect(withAssets(document, new Map())).toEqual(document)
})

test('where media stand in the schema is where they are looked for (OV8)', () => {
  const places = elementTypes.flatMap((type) =>
    Object.entries(propsOf[type].properties ?? {})
      .filter(([, { $ref }]) => $ref === '#/$defs/guid')
      .map(([name]) => ({ type, name })),
  )
  for (const { type, name } of places)
    expect(assetsOf(documentWith({ element1: elementOf({ type, props: { [name]: guid(5) } }) }))).toEqual([guid(5)])
  expect(places.length).toBe(3)
})

test('what may be bound is a member of the element or of its props, but for the address of an image (OV2)', () => {
  const members = Object.keys(sceneSchema.$defs?.element?.properties ?? {})
  for (const type of elementTypes)
    for (const name of Object.keys(bindable[type])) {
      const [first = ''] = name.split('.')
      const isKnown = members.includes(first) || Object.hasOwn(propsOf[type].properties ?? {}, name)
      expect(isKnown || (type === 'image' && name === 'address'), `${type} ${name}`).toBe(true)
    }
})

test('every object of the schema is closed (overlays: Scene document)', () => {
  const open: string[] = []
  const walk = (schema: unknown, at: string) => {
    if (typeof schema !== 'object' || schema === null) return
    const { type, additionalProperties } = schema as { type?: unknown; additionalProperties?: unknown }
    if (type === 'object' && additionalProperties === undefined) open.push(at)
    for (const [name, member] of Object.entries(schema)) walk(member, `${at}/${name}`)
  }
  walk(sceneSchema, '')
  // The type defines the props, and `if` is closed by its branches.
  expect(open).toEqual(['/$defs/test/if', '/$defs/element/properties/props'])
})

test('paths are told of once, as documents write them (OV2)', () => {
  const pattern = new RegExp(sceneSchema.$defs?.path?.pattern ?? '')
  const names = paths.map(({ path: name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name.replaceAll('{n}', '0').replaceAll('{name}', 'a')).toMatch(pattern)
  for (const { words } of paths) expect(words).not.toBe('')
  // One path of each part of the tree, as the contract names them.
  for (const name of [
    ...[
      'tournament.name',
      'match.label',
      'sides.{n}.team.color',
      'sides.{n}.players.{n}.stream.whep',
      'map.flair.icon',
    ],
    ...['pickBans.{n}.side', 'pool.maps.{n}.state', 'flow.clock.dueAt', 'games.{n}.scoreToBeat', 'live.lead.accuracy'],
    ...['bracket.before.{n}.sides.{n}.name', 'standings.{n}.rank', 'qualifier', 'winners.{n}.place'],
    ...['statistics.longest.value', 'casters.{n}.pronouns', 'control.custom.{name}', 'variables.{name}', 'time'],
  ])
    expect(names, name).toContain(name)
})

test('documents of every version that was ever kept are lifted to the present one (OV7)', () => {
  const folder = path.join(import.meta.dirname, '../../../test/engine/scene-documents')
  for (let version = 1; version <= presentVersion; version++) {
    const kept = JSON.parse(readFileSync(path.join(folder, `version-${version}.json`), 'utf8'))
    expect(kept.schemaVersion).toBe(version)
    expect(lifted(kept)).toMatchObject({ schemaVersion: presentVersion, canvas: kept.canvas })
  }
})

test('lifting goes step by step (OV7)', () => {
  const steps = { 1: (form: object) => ({ ...form, a: 1 }), 2: (form: object) => ({ ...form, b: 2 }) }
  expect(lifted({ schemaVersion: 1, own: true }, steps, 3)).toEqual({ schemaVersion: 3, own: true, a: 1, b: 2 })
  expect(lifted({ schemaVersion: 2 }, steps, 3)).toEqual({ schemaVersion: 3, b: 2 })
  expect(lifted({ schemaVersion: 4 }, steps, 3)).toBe(null)
  expect(lifted({ schemaVersion: 1 }, {}, 2)).toBe(null)
})

test('many orders between two are in order, and short (OV6)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), (count) => {
      const made = ordersBetween('V', 'W', count)
      expect(made).toHaveLength(count)
      expect(['V', ...made, 'W']).toEqual(['V', ...made, 'W'].sort())
      expect(new Set(made).size).toBe(count)
      expect(Math.max(0, ...made.map(({ length }) => length))).toBeLessThanOrEqual(4)
    }),
  )
})
