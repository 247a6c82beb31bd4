import { expect, test } from 'vitest'
import { type Around, formatters } from '../../src/engine/scenes/formatters.ts'
import { sampleOf, samplePresets } from '../../src/engine/scenes/samples/samples.ts'
import { builtInTemplates } from '../../src/engine/scenes/templates/templates.ts'
import { readPath } from '../../src/engine/scenes/values.ts'
import { shownAddress } from '../overlay/model/addresses.ts'
import { Joined, shownScene } from '../overlay/model/joined.ts'
import { treeOf } from '../overlay/model/nodes.ts'
import { keyOf, optionsOf } from '../overlay/model/options.ts'
import { colorOf, readableOn } from '../overlay/model/props.ts'

const token = `ovt_${'a'.repeat(43)}`
const guid = '0190d5d5-4f5c-7b41-9ad3-2f5d3a9e1c11'

test.each([
  [`#${token}`, { kind: 'token', token }],
  [`#${guid.toUpperCase()}`, { kind: 'overlay', guid }],
  ['#eyJhbGciOi.eyJzdWIiOi.c2ln-_', { kind: 'accessToken' }],
  ['#Bearer%20eyJhbGciOi.eyJzdWIiOi.c2ln', { kind: 'accessToken' }],
  ['', { kind: 'none' }],
  ['#%', { kind: 'none' }],
  [`#${token}a`, { kind: 'none' }],
])('what stands in the fragment: %s (OV16)', (fragment, key) => {
  expect(keyOf(fragment)).toEqual(key)
})

test.each([
  ['', { scene: null, isMuted: false, background: null, isDelayed: false, isDebug: false }],
  [
    '?scene=scene0001&muted&background=00ff00&delayed=1&debug',
    { scene: 'scene0001', isMuted: true, background: '#00ff00', isDelayed: true, isDebug: true },
  ],
  [
    '?scene=<b>&muted=false&background=url(x)&debug=0',
    { scene: null, isMuted: false, background: null, isDelayed: false, isDebug: false },
  ],
])('options of the address: %s (OV17)', (query, options) => {
  expect(optionsOf(query)).toEqual(options)
})

test.each([
  [`https://media.example/media/${guid}/full.webp`, `/media/${guid}/full.webp`],
  [`/media/${guid}/full.webp`, `/media/${guid}/full.webp`],
  ['https://media.example/media/remote/aHR0cA', '/media/remote/aHR0cA'],
  ['https://media.example/elsewhere/full.webp', null],
  ['https://media.example/media/../api/users', null],
  // Base64 of these addresses, as written by `basenc --base64url`.
  [
    'https://media.example.evil.example/media/x',
    '/media/remote/aHR0cHM6Ly9tZWRpYS5leGFtcGxlLmV2aWwuZXhhbXBsZS9tZWRpYS94',
  ],
  ['http://a.example/ü?a=~~~>', '/media/remote/aHR0cDovL2EuZXhhbXBsZS_DvD9hPX5-fj4'],
  ['//evil.example/media/x', null],
  ['https:evil.example', null],
  [' https://evil.example/', null],
  ['https://', null],
  [`https://evil.example/${'a'.repeat(2_000)}`, null],
  ['javascript:alert(1)', null],
  ['data:image/svg+xml,<svg>', null],
  ['blob:https://media.example/0190d5d5', null],
  ['ftp://evil.example/a.png', null],
  [null, null],
  [{}, null],
])('what is shown is ours, and what is elsewhere by the mirror: %s (M26)', (address, shown) => {
  expect(shownAddress(address, 'https://media.example')).toBe(shown && `https://media.example${shown}`)
})

test('colours are those of the document, or none', () => {
  const variables = { one: '#112233', two: 'red', three: 'var(one)' }
  const given = [
    '#aabbcc',
    '#aabbcc80',
    'var(one)',
    'var(two)',
    'var(three)',
    'var(constructor)',
    'red',
    'url(x)',
    7,
    null,
  ]
  expect(given.map((each) => colorOf(each, variables))).toEqual([
    '#aabbcc',
    '#aabbcc80',
    '#112233',
    ...Array(7).fill(null),
  ])
  expect([readableOn('#ffb454'), readableOn('#1d4fb8')]).toEqual(['#0b0f0e', '#ffffff'])
})

test('elements are drawn in their order, and what is in nothing or in itself is not', () => {
  const element = (order: string, parent: string | null = null, type: 'group' | 'text' = 'text') =>
    ({ type, name: '', order, parent, x: 0, y: 0, width: 1, height: 1 }) as const
  const elements = {
    b: element('V'),
    a: element('V'),
    g: element('G', null, 'group'),
    in: element('A', 'g'),
    lost: element('A', 'nowhere'),
    self: element('A', 'self', 'group'),
    one: element('A', 'other', 'group'),
    other: element('A', 'one', 'group'),
    under: element('A', 'a'),
  }
  const drawn = treeOf({ name: '', order: 'V', elements })
  expect(drawn.map(({ id, children }) => [id, children.map((child) => child.id)])).toEqual([
    ['g', ['in']],
    ['a', []],
    ['b', []],
  ])
})

const now = Date.parse('2026-11-21T18:00:00Z')

test('nothing is read before all has come (OV17)', () => {
  const joined = new Joined()
  const { data, control } = sampleOf('solo', now)
  expect(joined.reading(now)).toBe(null)
  joined.data = data
  joined.control = control
  expect(joined.reading(now)).toBe(null)
  joined.document = builtInTemplates[0]?.document ?? null
  expect(joined.reading(now)?.read('sides.0.team.name', [])).toBe('Quaver')
})

test('sides that were swapped keep their colours with their place, and numbers find theirs', () => {
  const joined = new Joined()
  const { data, control } = sampleOf('solo', now)
  joined.document = builtInTemplates[0]?.document ?? null
  joined.control = control
  joined.data = { ...data, sides: [...data.sides].reverse() }
  const reading = joined.reading(now)
  expect(reading?.sideColors).toEqual(['#ffb454', '#82b4ff'])
  expect(reading?.around.colors).toEqual(['#82b4ff', '#ffb454'])
  // The leading side has a number for the formatter of colours, and also a place.
  joined.values = { [`player:${data.sides[0]?.players[0]?.guid}`]: { score: 900_000 } }
  const lead = joined.reading(now)?.bound.live?.lead
  expect(lead).toMatchObject({ side: 1, place: 2 })
  expect(formatters.sideColor?.(lead?.side ?? null, [], reading?.around as Around)).toBe('#82b4ff')
})

test('how long something has been another', () => {
  const joined = new Joined()
  const { data, control } = sampleOf('solo', now)
  Object.assign(joined, { document: builtInTemplates[0]?.document, control, data })
  const since = (at: number) => joined.reading(at)?.sinceChange('sides.0.score', [])
  expect([since(now), since(now + 10)]).toEqual([null, null])
  joined.data = { ...data, sides: data.sides.map((side) => ({ ...side, score: 3 })) }
  expect([since(now + 1_000), since(now + 1_500)]).toEqual([0, 500])
})

test('the scene that is shown: asked for, else what controllers show, else the first (OV12)', () => {
  const document = builtInTemplates[0]?.document
  if (document === undefined) throw new Error('there are no templates')
  const { control } = sampleOf('solo', now)
  const shown = (scene: string | null, asked: string | null) => shownScene(document, { ...control, scene }, asked)
  expect([
    shown(null, null),
    shown('scene0003', null),
    shown('scene0003', 'scene0002'),
    shown('gone00000', 'gone00001'),
  ]).toEqual([...['scene0001', 'scene0003', 'scene0002', 'scene0001']])
})

test('built-in scenes are documents as the contract has them', () => {
  const id = /^[a-z0-9]{8,16}$/
  const path = /^[a-z][A-Za-z0-9]*(\.([a-zA-Z][A-Za-z0-9]*|[0-9]{1,2}))*$/
  for (const { document } of builtInTemplates) {
    expect(JSON.stringify(document).length).toBeLessThan(200_000)
    for (const [sceneId, scene] of Object.entries(document.scenes)) {
      expect(sceneId).toMatch(id)
      expect(scene.order).toMatch(/^[A-Za-z0-9]{1,64}$/)
      for (const [elementId, element] of Object.entries(scene.elements)) {
        const where = `${scene.name}: ${element.name}`
        expect(elementId, where).toMatch(id)
        expect(element.name.length, where).toBeLessThanOrEqual(60)
        if (element.parent != null) expect(Object.keys(scene.elements), where).toContain(element.parent)
        for (const binding of Object.values(element.bindings ?? {})) {
          expect(binding.path, where).toMatch(path)
          for (const { name } of binding.format ?? []) expect(Object.keys(formatters), where).toContain(name)
          // A path that exists in no sample is a mistake.
          const [root = ''] = binding.path.split('.')
          const isFound =
            ['item', 'index', 'live', 'winners', 'control'].includes(root) ||
            samples.some((tree) => readPath([tree], binding.path) !== undefined)
          expect(isFound, `${where}: ${binding.path}`).toBe(true)
        }
      }
    }
  }
})

const samples = samplePresets.map((preset) => sampleOf(preset, now).data as never)
