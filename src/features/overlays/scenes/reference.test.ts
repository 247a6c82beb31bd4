import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { elementTypes } from '../../../engine/scenes/document.ts'
import { samplePresets } from '../../../engine/scenes/samples/samples.ts'
import { builtInTemplates } from '../../../engine/scenes/templates/templates.ts'
import { isPlain, readPath, type Tree } from '../../../engine/scenes/values.ts'
import { readDocument } from '../sceneDocuments/rules/documents.ts'

/** The public reference for scene documents. (overlays: Operations) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const caching = async (name: string) => {
  const reply = await api.get(name)
  const again = await api.get(name, null, { 'if-none-match': reply.headers.get('etag') ?? '' })
  return [reply.status, reply.headers.get('cache-control'), again.status]
}

test('all of it is for everybody, and may be kept a while', async () => {
  expect(await caching('/overlays/scene-schema.json')).toEqual([200, 'public, max-age=3600', 304])
  expect(await caching('/overlays/bindings')).toEqual([200, 'public, max-age=3600', 304])
  const sample = await api.get('/overlays/sample-data')
  expect([sample.status, sample.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
})

/** Compiles the served schema with an independent validator. */
async function served() {
  const reply = await api.get('/overlays/scene-schema.json')
  expect(reply.headers.get('content-type')).toBe('application/schema+json; charset=utf-8')
  const schema = JSON.parse(reply.text)
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'scene' })
  const ajv = new Ajv2020({ strict: false })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  expect(ajv.validateSchema(schema)).toBe(true)
  return ajv.compile(schema)
}

/** Returns a copy in which one value, at any place, is different. */
function mutated(document: unknown, at: number, value: unknown, isAdded: boolean): unknown {
  const copy = structuredClone(document)
  const places: [Record<string, unknown>, string][] = []
  const walk = (found: unknown) => {
    if (typeof found !== 'object' || found === null) return
    if (isAdded && !Array.isArray(found)) places.push([found as Record<string, unknown>, 'stranger'])
    for (const [name, member] of Object.entries(found)) {
      if (!isAdded) places.push([found as Record<string, unknown>, name])
      walk(member)
    }
  }
  walk(copy)
  const [place, name] = places[at % places.length] as [Record<string, unknown>, string]
  if (value === undefined) delete place[name]
  else place[name] = value
  return JSON.parse(JSON.stringify(copy))
}

test('the schema takes every built-in document, and refuses what the service refuses by its form', async () => {
  const allows = await served()
  for (const { document } of builtInTemplates) expect(allows(document), JSON.stringify(allows.errors)).toBe(true)
  const values = fc.constantFrom<unknown>(
    ...[undefined, null, '', 'x', -1, 0.5, 1e9, true, [], {}, [{}], '#12345g', 'var(a)', 'javascript:alert(1)'],
  )
  // Faults that a JSON Schema cannot express; the operation's description names them.
  const beyond = /of no element|of a group|into itself|cannot be bound|deeper than/
  let refused = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...builtInTemplates),
      fc.nat(),
      values,
      fc.boolean(),
      ({ document }, at, value, isAdded) => {
        const given = mutated(document, at, value, isAdded)
        const judged = readDocument(given)
        if (!judged.ok) refused++
        const isOfForm = judged.ok || judged.faults.every(({ words }) => beyond.test(words))
        expect(allows(given), JSON.stringify(judged.ok || judged.faults)).toBe(isOfForm)
      },
    ),
    { numRuns: 120 },
  )
  expect(refused).toBeGreaterThan(30)
})

test('bindings tell of every type, and built-in scenes name nothing else', async () => {
  const { body } = await api.get('/overlays/bindings')
  expect(body.elements.map(({ type }: { type: string }) => type)).toEqual(elementTypes)
  const known = new Set<string>(body.paths.map(({ path }: { path: string }) => path))
  const bindable = new Map<string, Set<string>>(
    body.elements.map((each: { type: string; bindable: { property: string }[] }) => [
      each.type,
      new Set(each.bindable.map(({ property }) => property)),
    ]),
  )
  const strangers: string[] = []
  for (const { document } of builtInTemplates) {
    for (const element of Object.values(document.scenes).flatMap(({ elements }) => Object.values(elements))) {
      for (const { path, property, format = [] } of Object.values(element.bindings ?? {})) {
        const shownPath = path.replaceAll(/\.\d+(?=\.|$)/g, '.{n}')
        if (!known.has(shownPath) && !/^(item|index|variables|control\.custom)(\.|$)/.test(path)) strangers.push(path)
        if (!bindable.get(element.type)?.has(property)) strangers.push(`${element.type} ${property}`)
        strangers.push(...format.map(({ name }) => name).filter((name) => !body.formatters.includes(name)))
      }
    }
  }
  expect(strangers).toEqual([])
  const card = body.elements.find(({ type }: { type: string }) => type === 'mapCard')
  expect(card).toMatchObject({ parts: expect.arrayContaining(['cover', 'njs']), bindable: expect.any(Array) })
  expect(card.usualParts).not.toContain('njs')
})

test.each(samplePresets)('the sample %s has what every path leads through', async (preset) => {
  const [{ body }, bindings] = await Promise.all([
    api.get(`/overlays/sample-data?preset=${preset}`),
    api.get('/overlays/bindings'),
  ])
  expect(body.preset).toBe(preset)
  const { data, control } = body
  const tree = { ...data, control, casters: control.casters }
  const wrong = bindings.body.paths.filter(({ path, type }: { path: string; type: string }) => {
    const found = readPath([tree], path.replaceAll('{n}', '0')) as Tree | undefined
    if (found === undefined || found === null) return false
    if (type === 'list') return !Array.isArray(found)
    if (type === 'object') return typeof found !== 'object' || Array.isArray(found)
    if (type === 'number' || type === 'boolean') return typeof found !== type
    return !isPlain(found)
  })
  expect(wrong).toEqual([])
  expect(Object.keys(body.live).length > 0).toBe(['solo', 'teams', 'free_for_all'].includes(preset))
})

test('a sample that is not known is 400', async () => {
  expect(outcome(await api.get('/overlays/sample-data?preset=none'))).toEqual([400, 'request.invalid'])
})
